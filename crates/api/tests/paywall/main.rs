//! The paywall without a transport: what is asked for, what a payment must be, and what its outcome means.

#[cfg(test)]
mod asking;
#[cfg(test)]
mod judging;
#[cfg(test)]
mod outcomes;
#[cfg(test)]
mod verification;

#[cfg(test)]
mod cast {
    use api::paywall::{Asset, Offer, Till, posting, resource};
    use eip712::Signer;
    use primitives::{BaseUnits, Digest, UnixMillis};
    use serde_json::{Value, json};
    use x402::{PaymentPayload, sign_exact};

    pub(crate) const NOW: UnixMillis = UnixMillis(1_796_047_200_000);
    pub(crate) const NETWORK: &str = "eip155:84532";

    pub(crate) fn offer() -> Offer {
        let asset = Asset {
            network: NETWORK.to_owned(),
            address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e".to_owned(),
            name: "USDC".to_owned(),
            version: "2".to_owned(),
        };
        let till = Till { asset, pay_to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C".to_owned() };
        posting(till, BaseUnits(10_000))
    }

    pub(crate) fn bought(what: &str) -> Digest {
        resource("POST", "/v1/gigs/create", &json!({ "what": what }))
    }

    /// What a payer with this key signs for the offer.
    pub(crate) fn pay(offer: &Offer, key: u8, nonce: u8) -> PaymentPayload {
        let signer = Signer::from_bytes(&[key; 32]).unwrap();
        sign_exact(&offer.requirements(), &signer, [nonce; 32], NOW, None).unwrap()
    }

    /// The payment with a name of the payer's own.
    pub(crate) fn named(mut payment: PaymentPayload, id: Value) -> PaymentPayload {
        let extensions = json!({ "payment-identifier": { "info": { "required": false, "id": id } } });
        payment.extensions = extensions.as_object().cloned();
        payment
    }
}
