//! What a person can do about a failure, beyond what the board itself says.

use client::Error;

use crate::failure::{Deviation, Failure};

/// What to do next, in terms of this command.
pub(crate) fn advice(failure: &Failure) -> Option<String> {
    let text = match failure {
        Failure::Board(Error::Refused(refused)) => on_refusal(&refused.problem.code)?,
        Failure::Board(Error::Unreachable { .. })
        | Failure::Demo { why: Deviation::Board(Error::Unreachable { .. }), .. } => {
            "Is the board up? On this machine, `cargo xtask dev` starts one on http://127.0.0.1:8787; name another with --api."
        }
        Failure::Board(Error::OutsideContract { .. }) => {
            "Is --api the address of a Guildhall board, and of its root?"
        }
        Failure::Board(Error::Terms(_)) => "If that price is right, allow it with --max-price.",
        Failure::Board(Error::Unresolved(unresolved)) => {
            return Some(format!(
                "Repeat the same command with the id {} (--message-id, --request-id or --salt); it asks for the same and \
                 cannot charge twice.",
                unresolved.message_id
            ));
        }
        Failure::Demo { .. } => {
            "The board's log has every request of this demonstration under the correlation id in the first line."
        }
        Failure::Journal(_) | Failure::OtherHead { .. } => {
            "Fetch the journal again with `guildhall gig journal`; if it still does not hold, do not rely on it."
        }
        Failure::Unclear { .. } => {
            "Ask the shop and look at the wallet; `guildhall run journal` has all that is known."
        }
        Failure::Input(_)
        | Failure::Denied { .. }
        | Failure::Board(Error::Address(_) | Error::NoRandomness) => return None,
    };
    Some(text.to_owned())
}

/// By the code of the board's problem document. Codes without a line here are explained by the board's own detail.
fn on_refusal(code: &str) -> Option<&'static str> {
    Some(match code {
        "gig_not_found" => "See what is on the board with `guildhall gig discover`.",
        "invalid_grant" | "identity_mismatch" => {
            "Use the grant file that the newest `gig post`, `gig claim` or `gig reconnect` wrote for this gig."
        }
        "grant_used" => "Get a fresh grant with `guildhall gig reconnect`, then repeat.",
        "grant_expired" | "gig_ended" => "The gig is over; `guildhall gig journal` shows how it went.",
        "tunnel_inactive" => {
            "Wait until a worker has claimed the gig: `guildhall gig status` says TUNNEL_GRANTED."
        }
        "already_claimed" | "own_gig" => "Pick another gig with `guildhall gig discover`.",
        "unavailable_in_state" => {
            "Look where it stands with `guildhall gig status`; work begins when the worker joins the tunnel."
        }
        "message_id_reused" => "Leave --message-id out to post another gig.",
        "payment_refused" | "payment_invalid" => {
            "Nothing was charged. Check the key's balance and this machine's clock, then repeat."
        }
        "settlement_open" => {
            "Have the bill paid, or take it back: `guildhall bill show` names it, `guildhall settle void` takes it back."
        }
        "payment_in_progress" | "settlement_unknown" | "settlement_pending" => {
            "Repeat the command with the same --message-id in a moment; it cannot charge twice."
        }
        "unknown_mandate" => "See your own mandates with `guildhall mandate list`.",
        "unknown_request" => "The payment's id is what `guildhall mandate request` showed.",
        "mandate_exists" => {
            "It was made before, with another content; look at it with `guildhall mandate show`."
        }
        "already_decided" | "request_unavailable_in_state" => {
            "Look where it stands with `guildhall mandate payment`."
        }
        "not_permitted" => "Use the key of the party that may do this: the owner, the agent or the provider.",
        "unknown_run" => "Use the file that the `run start` of this run wrote.",
        "token_used" => {
            "The file of the first `run start` has the token; leave --message-id out for another run."
        }
        "idempotency_key_reused" => "Leave --message-id out to start another run.",
        "confirmation_mismatch" | "confirmation_over" => {
            "Look again with `guildhall run confirm`: something else is asked by now."
        }
        "owner_signature_required" => {
            "The mandate's owner has to agree: `guildhall run confirm` with the owner's --key-file."
        }
        "wallet_report_stale" => "Check this machine's clock, and look at the wallet again.",
        "run_over" => "`guildhall run show` says how it ended.",
        "unknown_executor" => "Register one with `guildhall executor register`.",
        "demo_off" => "Name an executor with --executor; `guildhall executor demo` plays one.",
        "too_many_registrations" => "Keep one executor in its --secret-file instead of registering anew.",
        "request_id_reused" => "Leave --request-id out to ask for another payment.",
        "event_conflict" => "Leave --id out to record something else.",
        "reservation_required" => {
            "The agent prepays: reserve first with `guildhall reserve`, and commit what was used."
        }
        "agent_not_prepaid" => {
            "Have the agent offer a mandate with `guildhall account offer`, then `guildhall account prepaid`."
        }
        "settlement_not_drafted" => "Look where it stands with `guildhall settle show`.",
        "service_disabled" => "Have it take usage again with `guildhall service enable`.",
        _ => return None,
    })
}
