//! `guildhall bill …` and `guildhall settle …`: one function for each command.

use client::{
    Budget, Guildhall, SettlementId, fresh_message_id,
    metering::{BillPaid, Metering, SettlementFilter},
    wire::metering::{SettlementStatus, SettlementView},
};
use serde_json::json;

use super::{
    arguments::{
        Bill, Draw, ListBills, PayBill, PayFromMandate, Settle, SettleCommand, Total, Transaction, VoidBill,
    },
    more, show,
};
use crate::{
    failure::Failure,
    keeping,
    money::shown,
    output::{Output, printable},
};

/// Does one command about what is open, on the board at `api`.
pub(crate) async fn run(api: &str, command: Bill, output: &Output) -> Result<(), Failure> {
    match command {
        Bill::Show(pair) => {
            let bill = pair.keyed.metering(api)?.bill(&pair.agent, &pair.service).await?;
            output.say(show::bill(&bill));
            output.give(&bill)
        }
        Bill::Total(Total { agent, keyed }) => {
            let total = keyed.metering(api)?.total(agent.as_ref()).await?;
            let whose = agent.map_or_else(|| "all agents".to_owned(), |agent| agent.to_string());
            output.say(format_args!(
                "{} are open for {whose}, on {} meters.",
                shown(&total.amount),
                total.meters
            ));
            output.give(&total)
        }
        Bill::List(ListBills { agent, service, page, keyed }) => {
            let filter = SettlementFilter { agent, service };
            let answer = keyed.metering(api)?.settlements(&filter, &page.into()).await?;
            for settlement in &answer.settlements {
                output.say(show::settlement_line(settlement));
            }
            more(output, "Bills", answer.settlements.len(), answer.next_cursor.as_deref());
            output.give(&answer)
        }
    }
}

/// Draws a bill up, or sees to one, on the board at `api`.
pub(crate) async fn settle(api: &str, command: SettleCommand, output: &Output) -> Result<(), Failure> {
    match command {
        SettleCommand { bill: Some(bill), .. } => see_to(api, bill, output).await,
        SettleCommand { draw: Some(draw), keyed, .. } => {
            self::draw(&keyed.metering(api)?, draw, output).await
        }
        SettleCommand { bill: None, draw: None, .. } => {
            Err(Failure::Input("say which agent and service, or what to do with which bill".to_owned()))
        }
    }
}

async fn draw(metering: &Metering, draw: Draw, output: &Output) -> Result<(), Failure> {
    let Draw { agent, service, message_id } = draw;
    let id = message_id.map_or_else(fresh_message_id, Ok)?;
    // Said before anything is sent, so that it is known whatever happens.
    output.say(format_args!("Drawing the bill up as message {id}."));
    let recorded = metering.settle(&agent, &service, &id).await?;
    if recorded.replayed {
        output.say("It was drawn up before; nothing happened now.");
    }
    output.say(show::settlement(&recorded.answer));
    output.made(&recorded.answer, &recorded.answer.id)
}

async fn see_to(api: &str, command: Settle, output: &Output) -> Result<(), Failure> {
    let board = Guildhall::new(api)?;
    match command {
        Settle::Show(bill) => told(&board.bill(&bill.settlement).await?, output),
        Settle::Pay(pay) => self::pay(&board, pay, output).await,
        Settle::Mandate(PayFromMandate { bill, mandate, signing }) => {
            let key = keeping::signer(signing.key_file.as_deref())?;
            let ledger = board.mandates(signing.chain).await?;
            paid(&ledger.agent(&key).pay_bill(mandate, &bill.settlement).await?, output)
        }
        Settle::Transaction(Transaction { bill, transaction, signing }) => {
            let key = keeping::signer(signing.key_file.as_deref())?;
            let ledger = board.mandates(signing.chain).await?;
            paid(&ledger.agent(&key).report_transaction(&bill.settlement, transaction).await?, output)
        }
        Settle::Void(VoidBill { bill, keyed }) => {
            told(&keyed.metering(api)?.void(&bill.settlement).await?, output)
        }
    }
}

async fn pay(board: &Guildhall, pay: PayBill, output: &Output) -> Result<(), Failure> {
    let signer = keeping::signer(pay.key_file.as_deref())?;
    let budget = Budget { pay_to: pay.pay_to, ..Budget::usdc_on_base_sepolia(pay.max_price) };
    let settlement: SettlementId = pay.bill.settlement;
    output.say(format_args!("Paying {settlement} from {}.", signer.address()));
    let BillPaid { bill, receipt, attempts } = board.pay_bill(&signer, &budget, &settlement).await?;
    if attempts == 0 {
        output.say("It was paid before; nothing is paid now.");
    } else if let Some(receipt) = receipt {
        output.say(format_args!("Paid by transaction {}.", printable(&receipt.transaction)));
    }
    paid(&bill, output)
}

fn told(settlement: &SettlementView, output: &Output) -> Result<(), Failure> {
    output.say(show::settlement(settlement));
    output.give(settlement)
}

/// Where a bill stands after somebody has paid it: it is no success when it is not.
fn paid(settlement: &SettlementView, output: &Output) -> Result<(), Failure> {
    match settlement.status {
        SettlementStatus::Failed => {
            let failure = settlement.failure.as_ref();
            let reason = failure.map_or_else(String::new, |failure| printable(&failure.reason));
            Err(Failure::Denied {
                why: format!("the bill is not paid: {reason}"),
                details: vec!["What it billed is open again.".to_owned()],
                answer: Box::new(json!(settlement)),
            })
        }
        SettlementStatus::Drafted
        | SettlementStatus::Submitted
        | SettlementStatus::Verified
        | SettlementStatus::WrittenOff => told(settlement, output),
    }
}
