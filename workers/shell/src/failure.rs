//! What went wrong on our side or on the network. Never the caller's fault; the caller may try again.

/// A failure, with a text for the log. The text never reaches a caller.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The runtime, a store or another object did not do what it should.
    Runtime(String),
    /// It did not answer within its time.
    Late(&'static str),
    /// Stored data contradicts itself. Nothing is done with it until a person has looked.
    Corrupt(String),
    /// The Worker is not set up.
    Configuration(String),
}

impl Failure {
    /// The kind, for the log.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Runtime(_) => "runtime",
            Self::Late(_) => "late",
            Self::Corrupt(_) => "corrupt",
            Self::Configuration(_) => "not_configured",
        }
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Late(what) => write!(formatter, "{what} did not answer in time"),
            Self::Runtime(text) | Self::Corrupt(text) | Self::Configuration(text) => {
                formatter.write_str(text)
            }
        }
    }
}

impl From<worker::Error> for Failure {
    fn from(error: worker::Error) -> Self {
        Self::Runtime(error.to_string())
    }
}

impl From<wasm_bindgen::JsValue> for Failure {
    fn from(value: wasm_bindgen::JsValue) -> Self {
        Self::Runtime(worker::Error::from(value).to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

impl From<Failure> for worker::Error {
    fn from(failure: Failure) -> Self {
        Self::RustError(failure.to_string())
    }
}
