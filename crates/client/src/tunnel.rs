//! The tunnel: one WebSocket between a gig's two parties, relayed by the board.

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::HeaderValue;
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{
        self, Message,
        client::IntoClientRequest as _,
        http,
        protocol::{CloseFrame, WebSocketConfig, frame::coding::CloseCode},
    },
};

use crate::{
    Error, Guildhall, Refused, Seat,
    limits::{CONNECT_TIMEOUT, TUNNEL_MESSAGE_BYTES},
    transport::{chain, grant_headers},
};

const OPENING: &str = "opening the tunnel";
const SENDING: &str = "sending into the tunnel";
const RECEIVING: &str = "listening in the tunnel";

/// A party's end of a tunnel. Messages arrive whole, verbatim and in order. Nothing of them is kept by the board.
///
/// The connection goes straight to the board: proxy settings of the environment do not apply to it.
#[derive(Debug)]
pub struct Tunnel {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// One message, as the other party sent it. At most [`TUNNEL_MESSAGE_BYTES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parcel {
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
}

/// What comes out of a tunnel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A message of the other party.
    Parcel(Parcel),
    /// The end: nothing more will come.
    Closed(Closing),
}

/// How a tunnel ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// The WebSocket close code. The board's own: 4001 another socket took the seat over, 4003 the gig is over or the
    /// grant has ended, 4008 the other party did not come in time, 4029 too much at once; 1009 a message was too long.
    /// 1005 and 1006 as the standard has them: closed without a code, and lost without a closing.
    pub code: u16,
    /// The board's words.
    pub reason: String,
}

impl Guildhall {
    /// Takes a seat in the gig's tunnel, which uses the grant up for that purpose.
    ///
    /// # Errors
    /// [`Error::Refused`] when the grant was used or ended, or the gig has no tunnel yet; [`Error::Unreachable`].
    pub async fn open_tunnel(&self, seat: &Seat) -> Result<Tunnel, Error> {
        // The address is made from the board's own: a grant goes nowhere that an answer happened to name.
        let mut url = self.transport.url(&format!("v1/gigs/{}/tunnel", seat.gig_id))?;
        let scheme = if url.scheme() == "https" { "wss" } else { "ws" };
        url.set_scheme(scheme)
            .map_err(|()| Error::Address(format!("{url} cannot be a WebSocket address")))?;
        let mut request = url.as_str().into_client_request().map_err(|why| Error::Address(chain(&why)))?;
        request.headers_mut().extend(grant_headers(OPENING, seat)?);
        if let Some(correlation) = self.transport.correlation()
            && let Ok(value) = HeaderValue::from_str(correlation.as_str())
        {
            request.headers_mut().insert("x-correlation-id", value);
        }
        let limits = WebSocketConfig::default()
            .max_message_size(Some(TUNNEL_MESSAGE_BYTES))
            .max_frame_size(Some(TUNNEL_MESSAGE_BYTES));
        let connecting = connect_async_with_config(request, Some(limits), true);
        match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok((socket, _))) => Ok(Tunnel { socket }),
            Ok(Err(tungstenite::Error::Http(answer))) => Err(refused(&answer)),
            Ok(Err(why)) => Err(Error::Unreachable { operation: OPENING, cause: chain(&why) }),
            Err(_) => {
                let cause = format!("no answer within {} seconds", CONNECT_TIMEOUT.as_secs());
                Err(Error::Unreachable { operation: OPENING, cause })
            }
        }
    }
}

impl Tunnel {
    /// Sends a message to the other party. The board keeps it for a short while when the other party is not there yet.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when it is too long, before anything is sent; [`Error::Unreachable`] when the tunnel
    /// has ended: [`Tunnel::receive`] says how.
    pub async fn send(&mut self, parcel: Parcel) -> Result<(), Error> {
        let message = match parcel {
            Parcel::Text(text) => Message::from(text),
            Parcel::Binary(bytes) => Message::from(bytes),
        };
        if message.len() > TUNNEL_MESSAGE_BYTES {
            let why =
                format!("the message has {} bytes; the tunnel takes {TUNNEL_MESSAGE_BYTES}", message.len());
            return Err(Error::OutsideContract { operation: SENDING, why });
        }
        self.socket
            .send(message)
            .await
            .map_err(|why| Error::Unreachable { operation: SENDING, cause: chain(&why) })
    }

    /// The next message, or the end. Pings of the board are answered on the way.
    ///
    /// # Errors
    /// [`Error::OutsideContract`] when the board breaks the WebSocket protocol.
    pub async fn receive(&mut self) -> Result<Received, Error> {
        loop {
            return match self.socket.next().await {
                Some(Ok(Message::Text(text))) => Ok(Received::Parcel(Parcel::Text(text.as_str().to_owned()))),
                Some(Ok(Message::Binary(bytes))) => Ok(Received::Parcel(Parcel::Binary(bytes.to_vec()))),
                Some(Ok(Message::Close(frame))) => Ok(Received::Closed(closing(frame))),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                None
                | Some(Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed)) => {
                    Ok(Received::Closed(closing(None)))
                }
                // Lost without a closing: the network, or the board restarting. A reconnect takes the seat again.
                Some(Err(
                    why @ (tungstenite::Error::Io(_)
                    | tungstenite::Error::Protocol(
                        tungstenite::error::ProtocolError::ResetWithoutClosingHandshake,
                    )),
                )) => Ok(Received::Closed(Closing { code: 1006, reason: chain(&why) })),
                Some(Err(why)) => Err(Error::OutsideContract { operation: RECEIVING, why: chain(&why) }),
            };
        }
    }

    /// Leaves the tunnel. The gig goes on; a reconnect takes the seat again.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when the closing could not be sent; the tunnel is gone all the same.
    pub async fn close(mut self) -> Result<(), Error> {
        let frame = CloseFrame { code: CloseCode::Normal, reason: "done".into() };
        match self.socket.close(Some(frame)).await {
            Ok(()) | Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed) => Ok(()),
            Err(why) => Err(Error::Unreachable { operation: "leaving the tunnel", cause: chain(&why) }),
        }
    }
}

fn closing(frame: Option<CloseFrame>) -> Closing {
    frame.map_or_else(
        || Closing { code: 1005, reason: String::new() },
        |frame| Closing { code: frame.code.into(), reason: frame.reason.as_str().to_owned() },
    )
}

/// A refused upgrade. The library may hand over only the beginning of the body, or none; the status then speaks alone.
fn refused(answer: &http::Response<Option<Vec<u8>>>) -> Error {
    let status = answer.status().as_u16();
    let body = answer.body().as_deref().unwrap_or_default();
    let problem = serde_json::from_slice(body).unwrap_or_else(|_| {
        api::problem::Problem::new(
            status,
            "tunnel_refused",
            "the board did not open the tunnel and the reason was cut off",
        )
    });
    Error::Refused(Box::new(Refused {
        operation: OPENING,
        status,
        problem,
        retry_after: None,
        receipt: None,
        asked: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_board_that_is_not_there_or_speaks_no_tls_is_an_error_and_not_a_panic() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::io::AsyncWriteExt::write_all(&mut stream, b"not TLS at all").await.ok();
            }
        });
        let seat: Seat = serde_json::from_value(serde_json::json!({
            "gig_id": "6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d11",
            "tunnel_grant": { "token": "t", "role": "buyer", "agent_identity": "Zoë", "expires_at": "t" },
        }))
        .unwrap();
        let board = Guildhall::new(&format!("https://{address}")).unwrap();
        assert!(matches!(board.open_tunnel(&seat).await, Err(Error::Unreachable { .. })));
        let board = Guildhall::new(&format!("http://{address}")).unwrap();
        assert!(matches!(board.open_tunnel(&seat).await, Err(Error::Unreachable { .. })));
    }
}
