//! `guildhall gig …`: one function for each command.

use std::path::Path;

use client::{
    Budget, Delivery, Guildhall, MessageId, Order, Recorded, Seat, fresh_message_id, identity_of,
    wire::{GigRecord, LifecycleAnswer, TaskDelegation},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    arguments::{Act, Claim, Deliver, Discover, Fetch, Gig, Once, Post, Reconnect, Revise},
    failure::Failure,
    journal, keeping,
    output::{Output, name, printable},
    tunnel,
};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Gig, output: &Output) -> Result<(), Failure> {
    let board = Guildhall::new(api)?;
    match command {
        Gig::Post(post) => self::post(&board, post, output).await,
        Gig::Discover(discover) => self::discover(&board, &discover, output).await,
        Gig::Claim(claim) => self::claim(&board, claim, output).await,
        Gig::Status { gig } => {
            let answer = board.status(gig).await?;
            output.say(format_args!(
                "Gig {gig} is {} (version {}), until {}.",
                name(answer.lifecycle_state),
                answer.lifecycle_version,
                answer.expires_at
            ));
            if let Some(reason) = &answer.ended_reason {
                output.say(format_args!("It ended: {reason}."));
            }
            output.give(&answer)
        }
        Gig::Tunnel(tunnel) => tunnel::run(&board, &tunnel, output).await,
        Gig::Deliver(deliver) => self::deliver(&board, deliver, output).await,
        Gig::Accept(Act { reason, seated, once }) => {
            let (seat, id) = (keeping::kept(&seated.grant_file)?, id(once)?);
            told(&board.accept(&seat, &id, reason).await?, output)
        }
        Gig::Cancel(Act { reason, seated, once }) => {
            let (seat, id) = (keeping::kept(&seated.grant_file)?, id(once)?);
            told(&board.cancel(&seat, &id, reason).await?, output)
        }
        Gig::Abandon(Act { reason, seated, once }) => {
            let (seat, id) = (keeping::kept(&seated.grant_file)?, id(once)?);
            told(&board.abandon(&seat, &id, reason).await?, output)
        }
        Gig::Revise(Revise { reason, seated, once }) => {
            let (seat, id) = (keeping::kept(&seated.grant_file)?, id(once)?);
            told(&board.request_revision(&seat, &id, reason).await?, output)
        }
        Gig::Reconnect(reconnect) => self::reconnect(&board, reconnect, output).await,
        Gig::Journal(fetch) => self::fetch(&board, &fetch, output).await,
    }
}

async fn post(board: &Guildhall, post: Post, output: &Output) -> Result<(), Failure> {
    let signer = keeping::signer(post.key_file.as_deref())?;
    let task_params = serde_json::from_str(&keeping::text_or_file(&post.params)?)
        .map_err(|why| Failure::Input(format!("--params is not a JSON object: {why}")))?;
    let order = Order {
        message_id: id(post.once)?,
        sender: post.sender.map_or_else(|| identity_of(&signer), Ok)?,
        task: TaskDelegation {
            title: post.title,
            description: post.description,
            task_type: post.task_type.task_type(),
            task_params,
            bounty_sats: post.bounty_sats,
            ttl_minutes: post.ttl_minutes,
        },
    };
    let budget = Budget { pay_to: post.pay_to, ..Budget::usdc_on_base_sepolia(post.max_price) };
    // Said before anything is sent, so that it is known whatever happens.
    output.say(format_args!("Posting as message {}, paying from {}.", order.message_id, signer.address()));
    let posted = board.post_gig(&signer, &budget, &order).await?;
    output.say(format_args!(
        "{}: gig {}, {}.",
        posted.answer.message,
        posted.answer.gig.gig_id,
        name(posted.answer.gig.lifecycle_state)
    ));
    if posted.replayed {
        output.say("The board had this gig already; nothing was posted again.");
    }
    let seat = Seat::of_buyer(&posted.answer)?;
    match seat {
        Some(seat) => issued(&posted.answer, &seat, &post.seated.grant_file, output),
        None => output.give(&posted.answer),
    }
}

async fn discover(board: &Guildhall, discover: &Discover, output: &Output) -> Result<(), Failure> {
    let filters = discover.filters();
    let page =
        if discover.mcp { board.discover_mcp(&filters).await? } else { board.discover(&filters).await? };
    for GigRecord { gig_id, title, bounty_sats, expires_at, .. } in &page.gigs {
        output.say(format_args!("{gig_id}  {bounty_sats:>7} sats  until {expires_at}  {}", printable(title)));
    }
    output.say(format_args!("Gigs on this page: {}.", page.gigs.len()));
    if let Some(cursor) = &page.next_cursor {
        output.say(format_args!("More: --cursor {cursor}"));
    }
    output.give(&page)
}

async fn claim(board: &Guildhall, claim: Claim, output: &Output) -> Result<(), Failure> {
    let id = id(claim.once)?;
    output.say(format_args!("Claiming as message {id}."));
    let claimed = board.claim(claim.gig, &claim.sender, &id).await?;
    output.say(format_args!("{}: gig {} as {}.", claimed.answer.message, claim.gig, claim.sender));
    issued(&claimed.answer, &Seat::of_worker(&claimed.answer)?, &claim.seated.grant_file, output)
}

async fn deliver(board: &Guildhall, deliver: Deliver, output: &Output) -> Result<(), Failure> {
    let (seat, id) = (keeping::kept(&deliver.seated.grant_file)?, id(deliver.once)?);
    let result = match deliver.result {
        Some(given) => Some(
            serde_json::from_str::<Value>(&keeping::text_or_file(&given)?)
                .map_err(|why| Failure::Input(format!("--result is not JSON: {why}")))?,
        ),
        None => None,
    };
    let delivery = Delivery {
        remark: deliver.reason,
        result_hash: deliver.result_hash,
        result,
        result_url: deliver.result_url,
    };
    told(&board.deliver(&seat, &id, delivery).await?, output)
}

async fn reconnect(board: &Guildhall, reconnect: Reconnect, output: &Output) -> Result<(), Failure> {
    let path = &reconnect.seated.grant_file;
    let rotated = board.reconnect(&keeping::kept(path)?, &id(reconnect.once)?).await?;
    output.say(&rotated.answer.message);
    issued(&rotated.answer, &Seat::of_reconnect(&rotated.answer)?, path, output)
}

async fn fetch(board: &Guildhall, fetch: &Fetch, output: &Output) -> Result<(), Failure> {
    let answer = board.journal(&keeping::kept(&fetch.seated.grant_file)?).await?;
    journal::keep(&answer, fetch.out.as_deref(), output)
}

/// Keeps a fresh grant and gives the answer without it: it lies in the file, and nowhere else.
fn issued<T: Serialize>(answer: &T, seat: &Seat, path: &Path, output: &Output) -> Result<(), Failure> {
    let kept = keeping::keep(seat, path)?;
    output.say(format_args!("The grant is in {}. It is a secret.", kept.display()));
    let mut answer = serde_json::to_value(answer).map_err(|why| Failure::Input(why.to_string()))?;
    if let Some(grant) = answer.get_mut("tunnel_grant").and_then(Value::as_object_mut) {
        grant.remove("token");
        grant.insert("file".to_owned(), Value::from(kept.display().to_string()));
    }
    output.give(&answer)
}

fn told(recorded: &Recorded<LifecycleAnswer>, output: &Output) -> Result<(), Failure> {
    let answer = &recorded.answer;
    output.say(format_args!(
        "{}: gig {} is {} (version {}).",
        answer.message,
        answer.gig_id,
        name(answer.lifecycle_state),
        answer.lifecycle_version
    ));
    if recorded.replayed || answer.duplicate {
        output.say("The board had done this before; nothing happened now.");
    }
    output.give(answer)
}

fn id(once: Once) -> Result<MessageId, Failure> {
    Ok(once.message_id.map_or_else(fresh_message_id, Ok)?)
}
