//! Refusals as a table.

/// The refusals of a core as a table: each with its stable code and the sentence that says what is wrong and what to do.
/// Whoever uses it depends on `serde`.
#[macro_export]
macro_rules! refusals {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $kind:ty),* })? $code:literal $words:literal $(, $part:expr)*;
    )+) => {
        /// A refusal. Nothing changed.
        #[derive(Debug, Clone, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[expect(missing_docs, reason = "the fields are parts of what each says")]
        pub enum Refusal {
            $($(#[$doc])* $name $({ $($field: $kind),* })?,)+
        }

        impl Refusal {
            /// The code of each.
            pub const CODES: &[&str] = &[$($code),+];

            /// Stable, for programs.
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$name $({ $($field: _),* })? => $code,)+
                }
            }
        }

        impl core::fmt::Display for Refusal {
            /// What is wrong, and what to do.
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(Self::$name $({ $($field),* })? => write!(formatter, $words $(, $part)*),)+
                }
            }
        }
    };
}
