//! The two editions of ERC-8128 that are in use, and the account that each of them names.

use eip712::Address;

use crate::{Input, Request, digest::CONTENT_DIGEST, fields::Bare};

const TAG: &str = "erc8128";
const CONTENT_TYPE: &str = "content-type";

/// Which text of ERC-8128 a signature follows. Both sign the same kind of text in the same way; they differ in how they
/// say that it is theirs, and in what must be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// The present draft: `tag="erc8128"` and `keyid="eip155:<chain id>:<address>"`. Scheme and query are always
    /// covered, and the content's type and digest whenever they are sent.
    Tagged,
    /// The first drafts, which the client on npm still follows: `keyid="erc8128:<chain id>:<address>"` and no tag.
    Prefixed,
}

impl Edition {
    /// The edition that a signature follows, if it follows one. What has another tag is for another purpose.
    pub(crate) fn of(input: &Input) -> Option<Self> {
        match (input.parameter("tag"), input.parameter("keyid")) {
            (Some(Bare::Text(tag)), _) if tag == TAG => Some(Self::Tagged),
            (None, Some(Bare::Text(keyid))) if keyid.starts_with("erc8128:") => Some(Self::Prefixed),
            (Some(_) | None, _) => None,
        }
    }

    const fn namespace(self) -> &'static str {
        match self {
            Self::Tagged => "eip155",
            Self::Prefixed => "erc8128",
        }
    }

    /// The account that a `keyid` of this edition names. The present draft has one text for an account.
    pub(crate) fn account(self, keyid: &str) -> Option<Account> {
        let (namespace, account) = keyid.split_once(':')?;
        let (chain, address) = account.split_once(':')?;
        let is_lower = !address.bytes().any(|byte| byte.is_ascii_uppercase());
        let is_allowed = match self {
            Self::Tagged => is_lower,
            Self::Prefixed => true,
        };
        (namespace == self.namespace() && is_allowed)
            .then_some(Account { chain_id: decimal(chain)?, address: parse_address(address)? })
    }

    /// The parameters that say whose a signature is and by which edition.
    pub(crate) fn named(self, account: &Account) -> String {
        let keyid = format!("keyid=\"{}:{}:{:#x}\"", self.namespace(), account.chain_id, account.address);
        match self {
            Self::Tagged => format!("{keyid};tag=\"{TAG}\""),
            Self::Prefixed => keyid,
        }
    }

    /// What a signature must cover to be bound to this request alone (section 3.1.1), in the order in which clients
    /// sign it, and then what else is asked for.
    pub(crate) fn required<'a>(
        self,
        request: &Request<'_>,
        also: &'a [&'a str],
    ) -> impl Iterator<Item = &'a str> {
        let has_body = !request.body.is_empty();
        let is_sent = |name| (request.header)(name).is_some();
        let binding = match self {
            Self::Tagged => [
                Some("@scheme"),
                Some("@authority"),
                Some("@method"),
                Some("@path"),
                Some("@query"),
                (has_body || is_sent(CONTENT_DIGEST)).then_some(CONTENT_DIGEST),
                is_sent(CONTENT_TYPE).then_some(CONTENT_TYPE),
            ],
            Self::Prefixed => [
                Some("@authority"),
                Some("@method"),
                Some("@path"),
                request.spoken_query().map(|_| "@query"),
                has_body.then_some(CONTENT_DIGEST),
                None,
                None,
            ],
        };
        let also = also.iter().copied().filter(move |name| !binding.contains(&Some(*name)));
        binding.into_iter().flatten().chain(also)
    }
}

/// An account on a chain.
pub(crate) struct Account {
    pub(crate) chain_id: u64,
    pub(crate) address: Address,
}

/// `0x` and 40 hexadecimal digits in either case.
pub(crate) fn parse_address(text: &str) -> Option<Address> {
    let mut bytes = [0; 20];
    hex::decode_to_slice(text.strip_prefix("0x")?, &mut bytes).ok()?;
    Some(Address::from(bytes))
}

/// A number with one text: digits alone, and no leading zeros.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}
