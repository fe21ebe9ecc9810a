//! The contract's bytecode on a chain of its own: takes steps, and is asked what it keeps.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolError as _, SolValue as _};
use eip712::mandates::{self as sol, IMandates};
use mandate::{Reason, Refused, Request, UnixSeconds};

use crate::chain::{Answer, CHAIN_ID, Chain};
use crate::tokens::{DEAF, DOLLAR, Dollar, ReceiveWithAuthorization, WITHOUT_END, receipt_digest};
use crate::{Action, Actor, Authorization, Batch, Cast, EscrowCall, Item, Outcome, Signed, Step, words};

/// Where everything is.
#[derive(Clone)]
pub struct Sites {
    /// The contract.
    pub mandates: Address,
    /// What all vaults are copies of.
    pub vault_code: Address,
    /// The token of most mandates.
    pub dollar: Address,
    /// A token that says yes to each transfer and moves nothing.
    pub deaf: Address,
    /// The parties.
    pub cast: Cast,
}

impl Sites {
    /// The vault of an owner.
    pub fn vault(&self, owner: Address) -> Address {
        sol::vault_address(self.mandates, self.vault_code, owner)
    }

    /// The id of a mandate.
    pub fn mandate(&self, owner: Address, salt: B256) -> B256 {
        sol::mandate_id(CHAIN_ID, self.mandates, owner, salt)
    }
}

/// The deployed contract, its token, and the parties with what they hold at first.
#[derive(Clone)]
pub struct World {
    pub(crate) chain: Chain,
    /// Where everything is.
    pub sites: Sites,
}

/// What each party holds at first. The owners could fill a ledger of 96 bits twice.
pub(crate) fn first_balance(actor: Actor) -> u128 {
    match actor {
        Actor::Owner | Actor::OwnerWallet => 1 << 98,
        Actor::Provider | Actor::Stranger => 1_000,
        Actor::Agent | Actor::AgentWallet | Actor::Rival | Actor::Resolver => 0,
    }
}

impl World {
    /// Deploys everything.
    pub fn deployed() -> Self {
        let mut chain = Chain::new();
        let (name, version) = DOLLAR;
        let dollar = chain.deploy("TestDollar", &(name, version).abi_encode_params());
        let mandates = chain.deploy("Mandates", &[]);
        let bare = Cast::new(Address::ZERO, Address::ZERO);
        let mut wallet = |of| chain.deploy("TestWallet", &bare.address(of).abi_encode());
        let cast = Cast::new(wallet(Actor::Owner), wallet(Actor::Agent));
        let deaf = Address::repeat_byte(0xd1);
        chain.place(deaf, &DEAF);
        let sites = Sites { mandates, vault_code: Address::ZERO, dollar, deaf, cast };
        let mut world = Self { chain, sites };
        world.sites.vault_code = world.find_vault_code();
        for actor in Actor::ALL {
            let account = world.sites.cast.address(actor);
            let mint = Dollar::mintCall { to: account, value: U256::from(first_balance(actor)) };
            let approve = Dollar::approveCall { spender: mandates, value: WITHOUT_END };
            for data in [mint.abi_encode(), approve.abi_encode()] {
                world.chain.call(account, dollar, data).expect("the token is open to all");
            }
        }
        world
    }

    /// Among the contracts that the contract itself created, the one that explains its vaults' addresses.
    fn find_vault_code(&mut self) -> Address {
        let mandates = self.sites.mandates;
        let vault = self.read(IMandates::vaultOfCall { owner: mandates });
        let made = (1..4).map(|nonce| mandates.create(nonce));
        made.into_iter()
            .find(|code| sol::vault_address(mandates, *code, mandates) == vault)
            .expect("vault code")
    }

    /// Takes a step.
    pub fn take(&mut self, step: &Step) -> Outcome {
        self.chain.warp(step.at.0);
        if let Action::Delegate(actor) = step.action {
            let code = match actor.key_holder() {
                Actor::Agent => Actor::AgentWallet,
                _owner => Actor::OwnerWallet,
            };
            self.chain.delegate(self.sites.cast.address(actor), self.sites.cast.address(code));
            return Outcome::Done;
        }
        let (to, data) = self.call(step);
        let answer = self.chain.call(self.sites.cast.address(step.by), to, data);
        outcome(&step.action, answer)
    }

    /// Takes a step with little gas and forgets what it changed.
    pub fn starve(&mut self, step: &Step, gas: u64) -> Outcome {
        self.chain.warp(step.at.0);
        let (to, data) = self.call(step);
        outcome(&step.action, self.chain.ask_with(gas, self.sites.cast.address(step.by), to, data))
    }

    /// What the contract says it would answer to an authorization.
    pub fn preview(&mut self, item: &Item, caller: Actor, now: UnixSeconds) -> sol::Preview {
        self.chain.warp(now.0);
        let sol::Item { request, agentSignature, approval } = self.item(item);
        let caller = self.sites.cast.address(caller);
        self.read(IMandates::previewCall { request, agentSignature, approval, caller })
    }

    /// Asks a question of the contract.
    pub fn read<Question: SolCall>(&mut self, question: Question) -> Question::Return {
        let answer = self.chain.ask(Address::ZERO, self.sites.mandates, question.abi_encode());
        Question::abi_decode_returns(&answer.expect("a view answers")).expect("in its own words")
    }

    /// What an account holds of the test dollar.
    pub fn holds(&mut self, account: Address) -> U256 {
        let answer =
            self.chain.ask(account, self.sites.dollar, Dollar::balanceOfCall { account }.abi_encode());
        U256::abi_decode(&answer.expect("a view answers")).expect("one number")
    }

    fn call(&self, step: &Step) -> (Address, Vec<u8>) {
        let data = match &step.action {
            Action::Freeze(account) => {
                return (self.sites.dollar, Dollar::freezeCall { account: *account }.abi_encode());
            }
            Action::Unfreeze(account) => {
                return (self.sites.dollar, Dollar::unfreezeCall { account: *account }.abi_encode());
            }
            Action::Authorize(item) => {
                let sol::Item { request, agentSignature, approval } = self.item(item);
                IMandates::authorizeCall { request, agentSignature, approval }.abi_encode()
            }
            Action::AuthorizeBatch { items, mode } => {
                let items = items.iter().map(|item| self.item(item)).collect();
                let mode = match mode {
                    Batch::EachAlone => sol::Batch::EachAlone,
                    Batch::AllOrNothing => sol::Batch::AllOrNothing,
                };
                IMandates::authorizeBatchCall { items, mode }.abi_encode()
            }
            Action::CancelRequest { order, signed } => {
                let signature = self.sign(*signed, &sol::Cancel { payment: order.payment });
                IMandates::cancelRequestCall { request: words::request(order), signature }.abi_encode()
            }
            Action::Escrow { order, call, signed } => self.escrow(order, *call, *signed),
            other => self.policy_or_funds(other),
        };
        (self.sites.mandates, data)
    }

    fn policy_or_funds(&self, action: &Action) -> Vec<u8> {
        match action {
            Action::Create { salt, creation } => {
                IMandates::createCall { creation: words::creation(*salt, creation) }.abi_encode()
            }
            Action::Amend { mandate, amendment } => {
                let amendment = words::amendment(amendment);
                IMandates::amendCall { mandate: *mandate, amendment }.abi_encode()
            }
            Action::ApplyAmendment { mandate, amendment } => {
                let amendment = words::amendment(amendment);
                IMandates::applyAmendmentCall { mandate: *mandate, amendment }.abi_encode()
            }
            Action::CancelAmendment { mandate } => {
                IMandates::cancelAmendmentCall { mandate: *mandate }.abi_encode()
            }
            Action::Pause { mandate } => IMandates::pauseCall { mandate: *mandate }.abi_encode(),
            Action::Unpause { mandate } => IMandates::unpauseCall { mandate: *mandate }.abi_encode(),
            Action::Revoke { mandate } => IMandates::revokeCall { mandate: *mandate }.abi_encode(),
            Action::Renounce { mandate } => IMandates::renounceCall { mandate: *mandate }.abi_encode(),
            Action::SetCeiling { agent, token, day_cap } => {
                IMandates::setCeilingCall { agent: *agent, token: *token, dayCap: words::cap(*day_cap) }
                    .abi_encode()
            }
            Action::Fund { mandate, amount } => {
                IMandates::fundCall { mandate: *mandate, amount: words::amount(*amount) }.abi_encode()
            }
            Action::FundWithPermit { mandate, amount } => IMandates::fundWithPermitCall {
                mandate: *mandate,
                amount: words::amount(*amount),
                deadline: U256::MAX,
                v: 27,
                r: B256::ZERO,
                s: B256::ZERO,
            }
            .abi_encode(),
            Action::FundWithAuthorization { mandate, authorization } => self.funding(*mandate, authorization),
            Action::Withdraw { mandate, amount, to } => {
                IMandates::withdrawCall { mandate: *mandate, amount: words::amount(*amount), to: *to }
                    .abi_encode()
            }
            Action::WithdrawCredit { credit, to, total, signed } => {
                let content = sol::CreditWithdrawal {
                    owner: credit.owner,
                    token: credit.token,
                    recipient: credit.recipient,
                    to: *to,
                    total: total.0,
                };
                let signature = self.sign(*signed, &content);
                let sol::CreditWithdrawal { owner, token, recipient, to, total } = content;
                IMandates::withdrawCreditCall { owner, token, recipient, to, total, signature }.abi_encode()
            }
            Action::Freeze(_)
            | Action::Unfreeze(_)
            | Action::Delegate(_)
            | Action::Authorize(_)
            | Action::AuthorizeBatch { .. }
            | Action::CancelRequest { .. }
            | Action::Escrow { .. } => panic!("{action:?} is put into words elsewhere"),
        }
    }

    fn funding(&self, mandate: B256, of: &Authorization) -> Vec<u8> {
        let content = ReceiveWithAuthorization {
            from: self.sites.cast.address(of.from),
            to: self.sites.vault(of.owner),
            value: words::amount(of.amount),
            validAfter: U256::from(of.valid_after.0),
            validBefore: U256::from(of.valid_before.0),
            nonce: sol::funding_nonce(mandate, of.salt),
        };
        let signature = of.signed.bytes(receipt_digest(&content, self.sites.dollar, CHAIN_ID)).into();
        let ReceiveWithAuthorization { from, value, validAfter, validBefore, .. } = content;
        IMandates::fundWithAuthorizationCall {
            mandate,
            from,
            amount: value,
            validAfter,
            validBefore,
            salt: of.salt,
            signature,
        }
        .abi_encode()
    }

    fn escrow(&self, order: &Request, call: EscrowCall, signed: Signed) -> Vec<u8> {
        let request = words::request(order);
        let payment = order.payment;
        match call {
            EscrowCall::Deliver { receipt } => {
                let signature = self.sign(signed, &sol::Delivery { payment, receiptHash: receipt });
                IMandates::deliverCall { request, receiptHash: receipt, signature }.abi_encode()
            }
            EscrowCall::Accept => {
                let signature = self.sign(signed, &sol::Accept { payment });
                IMandates::acceptCall { request, signature }.abi_encode()
            }
            EscrowCall::Dispute { evidence } => {
                let signature = self.sign(signed, &sol::Dispute { payment, evidenceHash: evidence });
                IMandates::disputeCall { request, evidenceHash: evidence, signature }.abi_encode()
            }
            EscrowCall::Capture { total } => {
                let signature = self.sign(signed, &sol::Capture { payment, total: total.0 });
                IMandates::captureCall { request, total: total.0, signature }.abi_encode()
            }
            EscrowCall::Claim => IMandates::claimCall { request }.abi_encode(),
            EscrowCall::Void => {
                let signature = self.sign(signed, &sol::Void { payment });
                IMandates::voidCall { request, signature }.abi_encode()
            }
            EscrowCall::Resolve { to_provider } => {
                let signature = self.sign(signed, &sol::Resolution { payment, toProvider: to_provider.0 });
                IMandates::resolveCall { request, toProvider: to_provider.0, signature }.abi_encode()
            }
            EscrowCall::TimeOut => IMandates::timeOutCall { request }.abi_encode(),
            EscrowCall::Expire => IMandates::expireCall { request }.abi_encode(),
            EscrowCall::Refund { total } => {
                let signature = self.sign(signed, &sol::Refund { payment, total: total.0 });
                IMandates::refundCall { request, total: total.0, signature }.abi_encode()
            }
        }
    }

    fn item(&self, item: &Item) -> sol::Item {
        let request = words::request(&item.order);
        let content = sol::Approval {
            request: request.clone(),
            approver: item.approval.approver,
            validBefore: words::seconds(item.approval.valid_before),
        };
        let approval = sol::SignedApproval {
            validBefore: content.validBefore,
            signature: self.sign(item.approval.signed, &content),
        };
        sol::Item { agentSignature: self.sign(item.agent, &request), request, approval }
    }

    fn sign(&self, signed: Signed, content: &impl sol::Signed) -> Bytes {
        match signed {
            Signed::Nothing => Bytes::new(),
            Signed::Well(_) | Signed::HighS(_) | Signed::OfAnother(_) | Signed::Short(_) => {
                signed.bytes(content.digest(&sol::domain(CHAIN_ID, self.sites.mandates))).into()
            }
        }
    }
}

fn outcome(action: &Action, answer: Answer) -> Outcome {
    match (answer, action) {
        (Ok(output), Action::AuthorizeBatch { .. }) => {
            let reasons = IMandates::authorizeBatchCall::abi_decode_returns(&output).expect("reasons");
            Outcome::Batch(reasons.into_iter().map(reason).collect())
        }
        (Ok(_), _) => Outcome::Done,
        (Err(error), _) => match IMandates::Refused::abi_decode(&error) {
            Ok(IMandates::Refused { reason: why, got, limit }) => {
                Outcome::Refused(Refused { reason: reason(why), got, limit })
            }
            Err(_) => {
                // Panic(uint256), and a revert without words: what the contract never does on purpose.
                let panicked = error.is_empty() || error.starts_with(&[0x4e, 0x48, 0x7b, 0x71]);
                assert!(!panicked, "{action:?} reverted with {error}");
                Outcome::TokenRefused
            }
        },
    }
}

/// The reason that the contract names.
pub(crate) fn reason(reason: sol::Reason) -> Reason {
    Reason::ALL[usize::from(reason as u8)]
}
