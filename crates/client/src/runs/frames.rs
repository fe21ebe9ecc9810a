//! Server-sent events out of bytes (HTML Standard, section 9.2.6), as they come in.

use core::time::Duration;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// Its type, `message` when it has none.
    pub(super) event: String,
    /// Its lines.
    pub(super) data: String,
}

/// A frame is longer than anything that a board sends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Takes bytes as they come, and gives whole frames. What a cut connection leaves unfinished is no frame.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// What was not looked at yet; at most the limit and one piece.
    bytes: Vec<u8>,
    begun: bool,
    event: String,
    data: String,
    id: String,
    /// The id of the last frame that was given, which a new connection goes on from.
    last_id: String,
    /// How long the board wants a new connection to wait.
    retry: Option<Duration>,
}

impl Decoder {
    /// One that goes on after the frame of this id; from the beginning when it is empty.
    pub(super) fn after(last_id: String) -> Self {
        let mut decoder = Self::default();
        decoder.go_on_after(last_id);
        decoder
    }

    pub(super) fn last_id(&self) -> &str {
        &self.last_id
    }

    pub(super) const fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// A new connection begins, after the frame of the last id.
    pub(super) fn reconnect(&mut self) {
        let retry = self.retry;
        *self = Self { retry, ..Self::after(core::mem::take(&mut self.last_id)) };
    }

    /// Goes on after this id instead, as if it had come.
    pub(super) fn go_on_after(&mut self, id: String) {
        self.last_id.clone_from(&id);
        self.id = id;
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame, if it is here.
    ///
    /// # Errors
    /// [`TooLong`] when a frame has more than `limit` bytes.
    pub(super) fn next(&mut self, limit: usize) -> Result<Option<Frame>, TooLong> {
        while let Some(line) = self.line() {
            if line.is_empty() {
                if let Some(frame) = self.dispatch() {
                    return Ok(Some(frame));
                }
            } else {
                self.field(&line);
            }
            if self.data.len() > limit {
                return Err(TooLong);
            }
        }
        if self.bytes.len() > limit { Err(TooLong) } else { Ok(None) }
    }

    /// The next whole line without its end, which is CR, LF or both.
    fn line(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        let end_length = match self.bytes.get(end..) {
            Some([b'\r', b'\n', ..]) => 2,
            // The second half of the end may still come.
            Some([b'\r']) => return None,
            Some(_) | None => 1,
        };
        let line: Vec<u8> = self.bytes.drain(..end.saturating_add(end_length)).take(end).collect();
        let line = String::from_utf8_lossy(&line);
        let is_first = !core::mem::replace(&mut self.begun, true);
        Some(line.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(&line).to_owned())
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry);
            }
            // A comment has no name. Every other field is ignored.
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Frame> {
        self.id.clone_into(&mut self.last_id);
        let (event, mut data) = (core::mem::take(&mut self.event), core::mem::take(&mut self.data));
        // The last line's end is none of the data's; without a line there is no frame.
        data.pop()?;
        Some(Frame { event: if event.is_empty() { "message".to_owned() } else { event }, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a text, whichever pieces it arrives in.
    #[track_caller]
    fn frames(text: &[u8]) -> (Vec<(String, String)>, String) {
        let read = |piece: usize| {
            let (mut decoder, mut found) = (Decoder::default(), Vec::new());
            for bytes in text.chunks(piece) {
                decoder.push(bytes);
                while let Some(Frame { event, data }) = decoder.next(1_000).unwrap() {
                    found.push((event, data));
                }
            }
            (found, decoder.last_id)
        };
        let whole = read(text.len());
        for piece in 1..text.len() {
            assert_eq!(read(piece), whole, "in pieces of {piece}");
        }
        whole
    }

    fn message(data: &str) -> (String, String) {
        ("message".to_owned(), data.to_owned())
    }

    /// The examples of the HTML Standard, section 9.2.6.
    #[test]
    fn the_standards_examples_are_read_as_it_says() {
        assert_eq!(frames(b"data: YHOO\ndata: +2\ndata: 10\n\n").0, [message("YHOO\n+2\n10")]);
        let stream =
            b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
        let all = [message("first event"), message("second event"), message(" third event")];
        assert_eq!(frames(stream), (all.to_vec(), String::new()));
        assert_eq!(frames(b"data\n\ndata\ndata\n\ndata:").0, [message(""), message("\n")]);
        assert_eq!(frames(b"data:test\n\ndata: test\n\n").0, [message("test"), message("test")]);
    }

    /// Of the same rules, as the web platform's own tests try them (eventsource/format-*).
    #[test]
    fn lines_marks_and_unknown_fields_are_read_as_browsers_do() {
        assert_eq!(
            frames(b"data:1\r\ndata:2\rdata:3\n\r\ndata:4\r\r\n").0,
            [message("1\n2\n3"), message("4")]
        );
        assert_eq!(
            frames(b"\xef\xbb\xbfdata:1\n\n\xef\xbb\xbfdata:2\n\ndata:3\n\n").0,
            [message("1"), message("3")]
        );
        assert_eq!(
            frames(b"data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n").0,
            [message("test\n\ntest")]
        );
        assert_eq!(
            frames("event:a\ndata:ü\n\ndata:x\n\n".as_bytes()).0,
            [("a".to_owned(), "ü".to_owned()), message("x")]
        );
        assert_eq!(frames(b"event:a\n\ndata:x\n\n").0, [message("x")]);
        assert_eq!(frames(b"id:7\ndata:x\n\nid:8\0\ndata:y\n\n: beat\n\n").1, "7");
    }

    #[test]
    fn an_id_holds_once_its_frame_is_whole() {
        assert_eq!(frames(b"id:7\ndata:x\n\nid:8\ndata:y\n").1, "7");
        assert_eq!(frames(b"id:7\ndata:x\n\nid:8\n\n").1, "8", "as the standard has it, also without data");
        let mut decoder = Decoder::after("3".to_owned());
        decoder.push(b"id:4\nevent:a\ndata:cut");
        assert_eq!(decoder.next(1_000), Ok(None));
        decoder.reconnect();
        decoder.push(b"data:x\n\n");
        assert_eq!(
            decoder.next(1_000),
            Ok(Some(Frame { event: "message".to_owned(), data: "x".to_owned() }))
        );
        assert_eq!(decoder.last_id(), "3");
    }

    #[test]
    fn only_digits_say_how_long_to_wait() {
        let mut decoder = Decoder::default();
        decoder.push(b"retry:3000\nretry:1000x\nretry:-1\nretry:\nretry:99999999999999999999\n\n");
        assert_eq!(decoder.next(1_000), Ok(None));
        assert_eq!(decoder.retry(), Some(Duration::from_secs(3)));
        decoder.reconnect();
        assert_eq!(decoder.retry(), Some(Duration::from_secs(3)));
    }

    #[test]
    fn what_grows_without_end_is_refused() {
        let mut decoder = Decoder::default();
        decoder.push(&[b'x'; 101]);
        assert_eq!(decoder.next(100), Err(TooLong));
        let mut decoder = Decoder::default();
        for _ in 0..30 {
            decoder.push(b"data:12345\n");
        }
        assert_eq!(decoder.next(100), Err(TooLong));
    }
}
