//! `guildhall gig tunnel`: the standard input into the tunnel, the tunnel onto the standard output.

use std::io::IsTerminal as _;

use client::{Guildhall, Parcel, Received};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::{
    arguments::EnterTunnel,
    failure::Failure,
    keeping,
    output::{Output, printable},
};

/// Relays until the tunnel ends, the input ends, or the user stops it.
pub(crate) async fn run(board: &Guildhall, command: &EnterTunnel, output: &Output) -> Result<(), Failure> {
    let mut tunnel = board.open_tunnel(&keeping::kept(&command.seated.grant_file)?).await?;
    output.say("In the tunnel. Each line you write is sent; end with Ctrl-D.");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut more = true;
    loop {
        tokio::select! {
            line = lines.next_line(), if more => match line {
                Ok(Some(line)) => tunnel.send(Parcel::Text(line)).await?,
                Ok(None) if command.stay => more = false,
                Ok(None) => {
                    tunnel.close().await?;
                    output.say("Left the tunnel. The gig goes on; `guildhall gig reconnect` takes the seat again.");
                    return Ok(());
                }
                Err(why) => return Err(Failure::Input(format!("the standard input cannot be read: {why}"))),
            },
            received = tunnel.receive() => match received? {
                Received::Parcel(parcel) => show(&parcel, output)?,
                Received::Closed(closing) => {
                    output.say(format_args!("The tunnel is closed ({}): {}", closing.code, closing.reason));
                    return Ok(());
                }
            },
        }
    }
}

/// A message as the other party sent it; with `--json` one object a line, bytes in hexadecimal.
fn show(parcel: &Parcel, output: &Output) -> Result<(), Failure> {
    match (parcel, output.json) {
        (Parcel::Text(text), true) => output.give(&json!({ "text": text })),
        (Parcel::Binary(bytes), true) => output.give(&json!({ "binary": hex::encode(bytes) })),
        // A stranger wrote it: verbatim into a file or a pipe, harmless on a terminal.
        (Parcel::Text(text), false) if std::io::stdout().is_terminal() => output.print(&printable(text)),
        (Parcel::Text(text), false) => output.print(text),
        (Parcel::Binary(bytes), false) => {
            output.say(format_args!("({} bytes; use --json to see them)", bytes.len()));
            Ok(())
        }
    }
}
