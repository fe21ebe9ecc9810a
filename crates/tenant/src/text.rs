//! Texts with a rule.

use primitives::text;

use crate::limits;

fn is_line(text: &str, longest: usize) -> bool {
    !text.is_empty()
        && text.chars().count() <= longest
        && text.trim() == text
        && !text.chars().any(char::is_control)
}

text!(
    /// A name for people: of a tenant, a key, an owner.
    #[derive(Debug)]
    Label,
    "label",
    "1 to 120 characters without control characters and without spaces at either end",
    |text| is_line(text, limits::LABEL_CHARS)
);

text!(
    /// A description for people.
    #[derive(Debug)]
    Metadata,
    "text",
    "1 to 500 characters without control characters and without spaces at either end",
    |text| is_line(text, limits::METADATA_CHARS)
);

text!(
    /// Who is paid: an account on an EVM chain.
    #[derive(Debug)]
    PayTo,
    "address",
    "0x and 40 hexadecimal digits in lower case",
    |text| {
        text.strip_prefix("0x").is_some_and(|digits| {
            digits.len() == 40 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    }
);

text!(
    /// The type of an audit event, such as `usage.recorded`, or all of a family, such as `usage.*`, or `*` for all.
    #[derive(Debug)]
    EventType,
    "event type",
    "1 to 64 characters: words of A-Z a-z 0-9 _ with dots between, of which the last may be *",
    |text| {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let (before, last) = text.rsplit_once('.').map_or((None, text), |(before, last)| (Some(before), last));
        text.len() <= limits::TYPE_BYTES
            && before.is_none_or(|before| before.split('.').all(is_word))
            && (last == "*" || is_word(last))
    }
);

impl EventType {
    /// Whether it takes in `event`, which has no `*`.
    pub fn takes_in(&self, event: &str) -> bool {
        self.as_str().strip_suffix('*').map_or(self.as_str() == event, |family| event.starts_with(family))
    }
}
