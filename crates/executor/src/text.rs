//! Words from outside, each with its bound. Parsed on the way in, plain text in JSON.

use primitives::text;

use crate::limits;

text!(
    /// The id of one command, which its run gives. No two commands of a run or of two runs have the same.
    #[derive(Debug)]
    CommandId,
    "command id",
    "1 to 64 characters of A-Z a-z 0-9 . _ : -",
    |text| {
        (1..=limits::COMMAND_ID_BYTES).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
    }
);

text!(
    /// What the executor is to do: the JSON text of a command. Nothing in it is read, and its `Debug` shows nothing of it.
    Body,
    "command",
    "1 to 16384 bytes of JSON without line breaks and other characters below U+0020",
    |text| {
        (1..=limits::BODY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte >= b' ')
    }
);

impl core::fmt::Debug for Body {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Body({} bytes)", self.0.len())
    }
}

text!(
    /// How whoever registers an executor calls it, such as `laptop`.
    #[derive(Debug)]
    Label,
    "label",
    "1 to 80 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= limits::LABEL_CHARS
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);
