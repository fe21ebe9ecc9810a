//! Words from outside, each with its bound. Parsed on the way in, plain text in JSON.

use primitives::text;

use crate::limits;

text!(
    /// Where messages go. Which addresses may be called is judged before, and before each attempt again.
    #[derive(Debug)]
    Url,
    "address",
    "1 to 2048 visible ASCII characters",
    |text| {
        (1..=limits::URL_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    }
);

text!(
    /// What an endpoint is for, in the words of its tenant.
    #[derive(Debug)]
    Label,
    "description",
    "1 to 120 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= 120
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);

text!(
    /// What a message tells of, such as `usage.recorded`.
    #[derive(Debug)]
    EventType,
    "event type",
    "1 to 64 characters: words of A-Z a-z 0-9 _ with dots between",
    |text| {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        text.len() <= 64 && text.split('.').all(is_word)
    }
);

text!(
    /// What a message says, to the byte. Nothing in it is read, and its `Debug` shows nothing of it.
    Body,
    "body",
    "1 to 20000 bytes of JSON",
    |text| (1..=limits::BODY_BYTES).contains(&text.len())
);

impl core::fmt::Debug for Body {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Body({} bytes)", self.0.len())
    }
}

text!(
    /// Why an attempt came to no answer, in a word such as `timeout`.
    #[derive(Debug)]
    ErrorWord,
    "word",
    "1 to 40 characters of a-z 0-9 _",
    |text| {
        (1..=40).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    }
);
