//! `guildhall mandate …`: one function for each command.

pub(crate) mod arguments;
mod entry;
mod request;
mod show;

use std::path::Path;

use client::{
    B256, BaseUnits, Guildhall, Millis, Recorded, Signer, after, fresh_hash, fresh_message_id,
    mandates::{ActivityFilter, Mandates, Page},
    wire::{CreateMandate, Mandate as Shown, PolicyBody, SignerKind, TermsBody},
};
use serde::de::DeserializeOwned;

use self::arguments::{
    Activity, Approve, Budget, Command, Create, Deliver, Dispute, Item, Mandate, Move, Named,
};
use crate::{
    failure::Failure,
    keeping,
    output::{Output, printable},
};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Command, output: &Output) -> Result<(), Failure> {
    let Command { chain, key_file, mandate } = command;
    let key = || keeping::signer(key_file.as_deref());
    let desk = Desk { ledger: Guildhall::new(api)?.mandates(chain).await?, api, output };
    match mandate {
        Mandate::Create(create) => desk.create(&key()?, create).await,
        Mandate::Fund(fund) => desk.fund(&key()?, fund).await,
        Mandate::Withdraw(withdraw) => desk.withdraw(&key()?, withdraw).await,
        Mandate::List(list) => {
            let page = desk.ledger.owner(&key()?).mandates(list.status, &list.page.into()).await?;
            for mandate in &page.mandates {
                output.say(show::mandate_line(mandate));
            }
            desk.more(page.mandates.len(), page.next_cursor.as_deref());
            output.give(&page)
        }
        Mandate::Show(Named { mandate }) => desk.show(mandate, if_given(key_file.as_deref())?.as_ref()).await,
        Mandate::Budget(budget) => desk.budget(budget).await,
        Mandate::Evaluate(ask) => desk.evaluate(ask).await,
        Mandate::Request(request) => desk.request(&key()?, request).await,
        Mandate::Submit(Item { payment }) => desk.submit(&key()?, payment).await,
        Mandate::Payment(Item { payment }) => {
            let shown = match if_given(key_file.as_deref())? {
                Some(key) => desk.ledger.agent(&key).payment(payment).await?,
                None => desk.ledger.payment(payment).await?,
            };
            output.say(show::payment(&shown));
            output.give(&shown)
        }
        Mandate::Approvals(approvals) => {
            let page = desk.ledger.owner(&key()?).approvals(approvals.status, &approvals.page.into()).await?;
            for item in &page.approvals {
                output.say(show::payment_line(&item.payment));
            }
            desk.more(page.approvals.len(), page.next_cursor.as_deref());
            output.give(&page)
        }
        Mandate::Approve(approve) => desk.approve(&key()?, approve).await,
        Mandate::Reject(reject) => {
            desk.stands(&desk.ledger.owner(&key()?).reject(reject.item.payment, reject.note).await?)
        }
        Mandate::Pause(Named { mandate }) => desk.told(&desk.ledger.owner(&key()?).pause(mandate).await?),
        Mandate::Unpause(Named { mandate }) => desk.told(&desk.ledger.owner(&key()?).unpause(mandate).await?),
        Mandate::Revoke(Named { mandate }) => desk.told(&desk.ledger.owner(&key()?).revoke(mandate).await?),
        Mandate::Renounce(Named { mandate }) => {
            desk.told(&desk.ledger.agent(&key()?).renounce(mandate).await?)
        }
        Mandate::Deliver(Deliver { item, receipt }) => {
            let key = key()?;
            let payment = desk.ledger.payment(item.payment).await?;
            desk.stands(&desk.ledger.provider(&key).deliver(&payment, receipt).await?)
        }
        Mandate::Accept(Item { payment }) => {
            let key = key()?;
            let payment = desk.ledger.payment(payment).await?;
            desk.stands(&desk.ledger.owner(&key).accept(&payment).await?)
        }
        Mandate::Dispute(Dispute { item, evidence }) => {
            let key = key()?;
            let payment = desk.ledger.payment(item.payment).await?;
            desk.stands(&desk.ledger.owner(&key).dispute(&payment, evidence).await?)
        }
        Mandate::Activity(activity) => desk.activity(&key()?, activity).await,
    }
}

/// The key, for what is public and says more to a party.
fn if_given(key_file: Option<&Path>) -> Result<Option<Signer>, Failure> {
    if key_file.is_none() && std::env::var_os(keeping::KEY_VARIABLE).is_none() {
        return Ok(None);
    }
    keeping::signer(key_file).map(Some)
}

/// Where the commands work.
struct Desk<'a> {
    ledger: Mandates,
    api: &'a str,
    output: &'a Output,
}

impl Desk<'_> {
    async fn create(&self, key: &Signer, create: Create) -> Result<(), Failure> {
        let salt = create.salt.map_or_else(fresh_hash, Ok)?;
        let owner = self.ledger.owner(key);
        let creation = creation(create);
        // Said before anything is sent, so that it is known whatever happens.
        self.output.say(format_args!(
            "Making mandate {} (salt {salt}, valid before {}).",
            owner.mandate_of(salt),
            creation.policy.valid_before
        ));
        let Recorded { answer, replayed } = owner.create(salt, &creation).await?;
        if replayed {
            self.output.say("It was there already; nothing was made again.");
        }
        self.output.say(show::mandate_line(&answer));
        self.output.made(&answer, &answer.mandate)
    }

    async fn fund(&self, key: &Signer, fund: Move) -> Result<(), Failure> {
        let id = fund.once.message_id.map_or_else(fresh_message_id, Ok)?;
        self.output.say(format_args!("Funding as message {id}."));
        self.moved(&self.ledger.owner(key).fund(fund.named.mandate, fund.amount.units(), &id).await?)
    }

    async fn withdraw(&self, key: &Signer, withdraw: Move) -> Result<(), Failure> {
        let id = withdraw.once.message_id.map_or_else(fresh_message_id, Ok)?;
        self.output.say(format_args!("Withdrawing as message {id}."));
        self.moved(
            &self.ledger.owner(key).withdraw(withdraw.named.mandate, withdraw.amount.units(), &id).await?,
        )
    }

    async fn show(&self, mandate: B256, key: Option<&Signer>) -> Result<(), Failure> {
        let shown = match key {
            Some(key) => self.ledger.owner(key).mandate(mandate).await?,
            None => self.ledger.mandate(mandate).await?,
        };
        self.output.say(show::mandate(&shown));
        self.output.give(&shown)
    }

    async fn budget(&self, budget: Budget) -> Result<(), Failure> {
        let of = match (budget.recipient, budget.service) {
            (Some(recipient), Some(name)) => Some((recipient, service(&name).map_err(Failure::Input)?)),
            (Some(_) | None, _) => None,
        };
        let shown = self.ledger.budget(budget.named.mandate, of).await?;
        self.output.say(show::budget(&shown));
        self.output.give(&shown)
    }

    async fn approve(&self, key: &Signer, approve: Approve) -> Result<(), Failure> {
        let owner = self.ledger.owner(key);
        let payment = owner.approval(approve.item.payment).await?;
        let end = payment.request.valid_before;
        let until = approve
            .minutes
            .map_or(end, |minutes| after(Millis::from_minutes(minutes.into())).seconds().min(end));
        self.output.say(show::approval(&payment, until, self.ledger.domain()));
        if !approve.yes {
            self.output.ask("Sign this approval? Type yes:", "nothing was signed")?;
        }
        self.stands(&owner.approve(&payment, until).await?)
    }

    async fn activity(&self, key: &Signer, activity: Activity) -> Result<(), Failure> {
        let Activity { mandate, kind, result, from, to, csv, page } = activity;
        let filter = ActivityFilter { mandate, kind, result, from, to };
        let (owner, page) = (self.ledger.owner(key), Page::from(page));
        if csv {
            return self.output.print(owner.activity_csv(&filter, &page).await?.trim_end());
        }
        let page = owner.activity(&filter, &page).await?;
        for line in &page.activity {
            self.output.say(show::activity(line));
        }
        self.more(page.activity.len(), page.next_cursor.as_deref());
        self.output.give(&page)
    }

    fn moved(&self, Recorded { answer, replayed }: &Recorded<Shown>) -> Result<(), Failure> {
        if *replayed {
            self.output.say("This was done before; nothing moved now.");
        }
        self.told(answer)
    }

    fn told(&self, mandate: &Shown) -> Result<(), Failure> {
        self.output.say(show::mandate_line(mandate));
        self.output.give(mandate)
    }

    fn stands(&self, payment: &client::wire::Payment) -> Result<(), Failure> {
        self.output.say(show::payment_line(payment));
        self.output.give(payment)
    }

    fn more(&self, count: usize, cursor: Option<&str>) {
        self.output.say(format_args!("On this page: {count}."));
        if let Some(cursor) = cursor {
            self.output.say(format_args!("More: --cursor {}", printable(cursor)));
        }
    }
}

fn creation(create: Create) -> CreateMandate {
    let text = |BaseUnits(units): BaseUnits| units.to_string();
    CreateMandate {
        salt: None,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        label: create.label,
        agent: create.agent.to_string(),
        amend_delay_seconds: 86_400,
        policy: PolicyBody {
            valid_after: None,
            valid_before: create.valid_before.unwrap_or_else(|| {
                after(Millis::from_seconds(u64::from(create.days).saturating_mul(86_400))).to_rfc3339()
            }),
            payment_cap: text(create.payment_cap),
            day_cap: text(create.day_cap),
            month_cap: create.month_cap.map(text),
            lifetime_cap: create.lifetime_cap.map(text),
            day_count: create.day_count,
            approval_above: create.approval_above.map(text),
            terms: TermsBody {
                resolver: create.resolver.map(|resolver| resolver.to_string()),
                ..TermsBody::default()
            },
        },
        entries: create.entries.into_iter().map(|entry| entry.0).collect(),
    }
}

/// A service by its name, or by the hash of it.
fn service(text: &str) -> Result<B256, String> {
    if text.starts_with("0x") {
        return text.parse().map_err(|_| "a service's hash is 0x and 64 hexadecimal digits".to_owned());
    }
    client::service_id(text).map_err(|why| why.to_string())
}

/// A word of the wire.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::from(text)).map_err(|why| why.to_string())
}
