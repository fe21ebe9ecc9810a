//! What is known of tokens, callers and signatures, which the crate `mandate` leaves to its caller.

use alloy_primitives::Address;
use mandate::{By, Proof, Refused, Request, Signature, SignedApproval, SignerKind, Token, known};

use crate::{Actor, Book, EscrowCall, Item, Signed};

impl Book {
    /// What is known of who wants an item authorized.
    pub fn proof(&self, item: &Item, caller: Actor) -> Proof {
        let mandate = self.mandates.get(&item.order.mandate);
        let (agent, approval) = mandate.map_or((Signature::Bad, Signature::Bad), |mandate| {
            let approval = if item.approval.approver == mandate.owner {
                self.signature(item.approval.signed, &[(mandate.owner, Some(mandate.owner_kind))])
            } else {
                Signature::Bad
            };
            (self.signature(item.agent, &[(mandate.agent, Some(mandate.agent_kind))]), approval)
        });
        let approval = match item.approval.signed {
            Signed::Nothing => Signature::Empty,
            Signed::Well(_) | Signed::HighS(_) | Signed::OfAnother(_) | Signed::Short(_) => approval,
        };
        Proof {
            agent: By { caller: self.sites.cast.address(caller), signature: agent },
            approval: SignedApproval { valid_before: item.approval.valid_before, signature: approval },
        }
    }

    /// What is known of a token.
    pub fn token(&self, address: Address) -> Token {
        let tokens = [self.sites.dollar, self.sites.deaf];
        if tokens.contains(&address) { Token::Answers } else { Token::Missing }
    }

    /// What is known of who cancels a request.
    ///
    /// # Errors
    /// [`mandate::Reason::UnknownMandate`].
    pub fn canceller(&self, order: &Request, signed: Signed, caller: Address) -> Result<By, Refused> {
        let of = known(self.mandates.get(&order.mandate), order.mandate)?;
        let parties = [(of.agent, Some(of.agent_kind)), (of.owner, Some(of.owner_kind))];
        Ok(self.by(caller, signed, &parties))
    }

    /// What is known of who takes a step of an escrow.
    ///
    /// # Errors
    /// [`mandate::Reason::UnknownMandate`], where the step is the owner's.
    pub fn mover(
        &self,
        order: &Request,
        call: EscrowCall,
        signed: Signed,
        caller: Address,
    ) -> Result<By, Refused> {
        Ok(self.by(caller, signed, &[self.party(order, call)?]))
    }

    /// Whose step it is. Those that anyone may take are nobody's.
    pub(crate) fn party(
        &self,
        order: &Request,
        call: EscrowCall,
    ) -> Result<(Address, Option<SignerKind>), Refused> {
        match call {
            EscrowCall::Accept | EscrowCall::Dispute { .. } => {
                let of = known(self.mandates.get(&order.mandate), order.mandate)?;
                Ok((of.owner, Some(of.owner_kind)))
            }
            EscrowCall::Resolve { .. } => Ok((order.terms.resolver, None)),
            EscrowCall::Deliver { .. }
            | EscrowCall::Capture { .. }
            | EscrowCall::Void
            | EscrowCall::Refund { .. } => Ok((order.recipient, None)),
            EscrowCall::Claim | EscrowCall::TimeOut | EscrowCall::Expire => Ok((Address::ZERO, None)),
        }
    }

    pub(crate) fn by(
        &self,
        caller: Address,
        signed: Signed,
        parties: &[(Address, Option<SignerKind>)],
    ) -> By {
        By { caller, signature: self.signature(signed, parties) }
    }

    /// Whose signature it is: of the first party by whose rules it is good. A party without a kind signs by its key or
    /// by its code.
    pub(crate) fn signature(&self, signed: Signed, parties: &[(Address, Option<SignerKind>)]) -> Signature {
        if signed == Signed::Nothing {
            return Signature::Empty;
        }
        let is_good = |(party, kind): &&(Address, Option<SignerKind>)| {
            self.sites.cast.actor(*party).is_some_and(|actor| {
                let by_code = signed.is_of_code(actor)
                    || (self.delegated.contains(&actor) && signed == Signed::Well(actor));
                match kind {
                    Some(SignerKind::Ecdsa) => signed.is_of_key(actor),
                    Some(SignerKind::Erc1271) => by_code,
                    None => signed.is_of_key(actor) || by_code,
                }
            })
        };
        parties.iter().find(is_good).map_or(Signature::Bad, |(party, _)| Signature::Of(*party))
    }
}
