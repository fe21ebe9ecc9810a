//! Texts with a rule.

/// A type of text with a rule: parsed on the way in ([`FromStr`](core::str::FromStr), and from JSON), plain text on the way
/// out. What it says of itself in `Debug` is given with it. Whoever uses it depends on `serde`.
///
/// ```
/// primitives::text!(
///     /// A colour.
///     #[derive(Debug)]
///     Colour,
///     "colour",
///     "red or blue",
///     |text| ["red", "blue"].contains(&text)
/// );
/// assert!("red".parse::<Colour>().is_ok());
/// assert_eq!("mauve".parse::<Colour>().unwrap_err().to_string(), "is not a valid colour: red or blue");
/// ```
#[macro_export]
macro_rules! text {
    ($(#[$attribute:meta])* $name:ident, $what:literal, $allowed:literal, $valid:expr) => {
        $(#[$attribute])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::Malformed;

            fn from_str(text: &str) -> Result<Self, $crate::Malformed> {
                let valid: fn(&str) -> bool = $valid;
                if valid(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err($crate::Malformed { what: $what, allowed: $allowed })
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <String as ::serde::Deserialize>::deserialize(deserializer)?
                    .parse()
                    .map_err(::serde::de::Error::custom)
            }
        }
    };
}
