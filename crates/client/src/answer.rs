//! What the board answers: read whole, or as it comes.

use core::time::Duration;

use api::problem::Problem;
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};
use serde::de::DeserializeOwned;
use x402::{PaymentRequired, SettleResponse};

use crate::{
    Error, Refused,
    limits::{ANSWER_BYTES, STREAM_SILENCE},
    transport::chain,
};

/// An answer, read whole.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// Reads an answer to its end.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when it broke; [`Error::OutsideContract`] when it is too long, or no text.
    pub(crate) async fn read_whole(operation: &'static str, mut response: Response) -> Result<Self, Error> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable(operation))? {
            if bytes.len().saturating_add(chunk.len()) > ANSWER_BYTES {
                let why = format!("it is longer than {ANSWER_BYTES} bytes");
                return Err(Error::OutsideContract { operation, why });
            }
            bytes.extend_from_slice(&chunk);
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::OutsideContract { operation, why: "it is not UTF-8 text".to_owned() })?;
        Ok(Self { status, headers, text })
    }

    /// The answer itself if it says yes.
    ///
    /// # Errors
    /// [`Error::Refused`] with the problem document; [`Error::OutsideContract`] when a no carries none.
    pub(crate) fn accepted(self, operation: &'static str) -> Result<Self, Error> {
        if (200..300).contains(&self.status) {
            return Ok(self);
        }
        let Ok(problem) = serde_json::from_str::<Problem>(&self.text) else {
            let why = format!("status {} without a problem document: {}", self.status, excerpt(&self.text));
            return Err(Error::OutsideContract { operation, why });
        };
        let seconds = self.header(RETRY_AFTER.as_str()).and_then(|text| text.trim().parse().ok());
        let (receipt, asked) = (self.receipt(), self.asked());
        Err(Error::Refused(Box::new(Refused {
            operation,
            status: self.status,
            problem,
            retry_after: seconds.map(Duration::from_secs),
            receipt,
            asked,
        })))
    }

    /// The body as a value of the contract.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when it is none.
    pub(crate) fn read<T: DeserializeOwned>(&self, operation: &'static str) -> Result<T, Error> {
        serde_json::from_str(&self.text).map_err(|why| Error::OutsideContract {
            operation,
            why: format!("{why} in {}", excerpt(&self.text)),
        })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Whether the board had given this answer before.
    pub(crate) fn replayed(&self) -> bool {
        self.header("idempotency-replayed") == Some("true")
    }

    fn asked(&self) -> Option<PaymentRequired> {
        self.header("payment-required").and_then(|text| x402::decode(text).ok())
    }

    /// What became of the payment, if the answer says so.
    pub(crate) fn receipt(&self) -> Option<SettleResponse> {
        self.header("payment-response").and_then(|text| x402::decode(text).ok())
    }
}

/// An answer that goes on.
#[derive(Debug)]
pub(crate) struct Opened {
    operation: &'static str,
    response: Response,
}

impl Opened {
    pub(crate) const fn new(operation: &'static str, response: Response) -> Self {
        Self { operation, response }
    }

    /// The next bytes; `None` at its end.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when the connection broke, or nothing came for long.
    pub(crate) async fn piece(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let piece = tokio::time::timeout(STREAM_SILENCE, self.response.chunk())
            .await
            .map_err(|_| Error::Unreachable { operation: self.operation, cause: silence() })?;
        Ok(piece.map_err(unreachable(self.operation))?.map(Vec::from))
    }

    pub(crate) fn has_type(&self, wanted: &str) -> bool {
        let content_type = self.response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        content_type.is_some_and(|found| found.split(';').next().is_some_and(|found| found.trim() == wanted))
    }
}

/// What is said of a connection on which nothing comes.
pub(crate) fn silence() -> String {
    format!("nothing came for {} seconds", STREAM_SILENCE.as_secs())
}

/// What becomes of a connection that broke.
pub(crate) fn unreachable(operation: &'static str) -> impl Fn(reqwest::Error) -> Error {
    move |why| Error::Unreachable { operation, cause: chain(&why.without_url()) }
}

/// The beginning of a text that somebody else wrote, without what would disturb a terminal.
fn excerpt(text: &str) -> String {
    text.chars().take(200).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
