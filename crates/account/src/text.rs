//! The owner's words, each with its bound. Parsed on the way in, plain text in JSON.

use primitives::text;

use crate::limits;

text!(
    /// An agent's name.
    #[derive(Debug)]
    Name,
    "name",
    "1 to 80 characters without control characters and without spaces at either end",
    |text| {
        !text.is_empty()
            && text.chars().count() <= limits::NAME_CHARS_MAX
            && text.trim() == text
            && !text.chars().any(char::is_control)
    }
);

text!(
    /// A draft's label; empty for none.
    #[derive(Debug)]
    Label,
    "label",
    "at most 120 bytes without control characters",
    |text| text.len() <= limits::LABEL_BYTES_MAX && !text.chars().any(char::is_control)
);

text!(
    /// The note to a draft; empty for none.
    #[derive(Debug)]
    Note,
    "note",
    "at most 500 bytes without control characters other than line breaks and tabs",
    |text| {
        text.len() <= limits::NOTE_BYTES_MAX
            && !text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
    }
);

text!(
    /// What the mandate is to be: the text of a JSON object. Nothing in it is read or checked.
    #[derive(Debug)]
    Plan,
    "draft of a mandate",
    "a JSON object of at most 16384 bytes as text without spaces",
    |text| text.len() <= limits::PLAN_BYTES_MAX && text.starts_with('{') && text.ends_with('}')
);
