//! `guildhall reserve …` and `guildhall account …`: one function for each command.

use client::{
    Guildhall, fresh_message_id,
    metering::Metering,
    wire::metering::{AccountBody, AccountMode, AccountView, CommitBody, ReservationView, ReserveBody},
};

use super::{
    arguments::{Account, Commit, Hold, Offer, OneAgent, OneReservation, Prepaid, Reserve, ReserveCommand},
    show,
};
use crate::{failure::Failure, keeping, output::Output};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: ReserveCommand, output: &Output) -> Result<(), Failure> {
    match command {
        ReserveCommand { reservation: Some(reservation), .. } => see_to(api, reservation, output).await,
        ReserveCommand { hold: Some(hold), keyed, .. } => {
            self::hold(&keyed.metering(api)?, hold, output).await
        }
        ReserveCommand { reservation: None, hold: None, .. } => Err(Failure::Input(
            "say which agent and service, or what to do with which reservation".to_owned(),
        )),
    }
}

async fn hold(metering: &Metering, hold: Hold, output: &Output) -> Result<(), Failure> {
    let Hold { agent, service, quantity, ttl, message_id } = hold;
    let id = message_id.map_or_else(fresh_message_id, Ok)?;
    // Said before anything is sent, so that it is known whatever happens.
    output.say(format_args!("Reserving as message {id}."));
    let wanted = ReserveBody {
        agent: agent.to_string(),
        service_id: service.to_string(),
        quantity: quantity.to_string(),
        ttl_seconds: ttl,
    };
    let recorded = metering.reserve(&wanted, &id).await?;
    if recorded.replayed {
        output.say("It was reserved before; nothing happened now.");
    }
    output.say(show::reservation(&recorded.answer));
    output.made(&recorded.answer, &recorded.answer.id)
}

async fn see_to(api: &str, command: Reserve, output: &Output) -> Result<(), Failure> {
    match command {
        Reserve::Show(OneReservation { reservation, keyed }) => {
            told(&keyed.metering(api)?.reservation(&reservation).await?, output)
        }
        Reserve::Release(OneReservation { reservation, keyed }) => {
            told(&keyed.metering(api)?.release(&reservation).await?, output)
        }
        Reserve::Commit(Commit { reservation: OneReservation { reservation, keyed }, quantity }) => {
            let used = CommitBody { quantity: quantity.to_string(), id: None, source: None, time: None };
            let answer = keyed.metering(api)?.commit(&reservation, &used).await?;
            output.say(show::reservation(&answer.reservation));
            output.say(show::settlement(&answer.settlement));
            output.give(&answer)
        }
    }
}

fn told(reservation: &ReservationView, output: &Output) -> Result<(), Failure> {
    output.say(show::reservation(reservation));
    output.give(reservation)
}

/// Does one command about an agent's account on the board at `api`.
pub(crate) async fn account(api: &str, command: Account, output: &Output) -> Result<(), Failure> {
    match command {
        Account::Show(OneAgent { agent, keyed }) => {
            account_told(&keyed.metering(api)?.account(&agent).await?, output)
        }
        Account::Offer(Offer { tenant, agent, mandate, signing }) => {
            let key = keeping::signer(signing.key_file.as_deref())?;
            let ledger = Guildhall::new(api)?.mandates(signing.chain).await?;
            account_told(&ledger.agent(&key).offer_mandate(&tenant, &agent, mandate).await?, output)
        }
        Account::Prepaid(Prepaid { agent, mandate }) => {
            let body = AccountBody { mode: AccountMode::Prepaid, mandate: Some(mandate.to_string()) };
            set(api, agent, &body, output).await
        }
        Account::Postpaid(agent) => {
            set(api, agent, &AccountBody { mode: AccountMode::Postpaid, mandate: None }, output).await
        }
    }
}

async fn set(api: &str, agent: OneAgent, body: &AccountBody, output: &Output) -> Result<(), Failure> {
    let OneAgent { agent, keyed } = agent;
    account_told(&keyed.metering(api)?.set_account(&agent, body).await?, output)
}

fn account_told(account: &AccountView, output: &Output) -> Result<(), Failure> {
    output.say(show::account(account));
    output.give(account)
}
