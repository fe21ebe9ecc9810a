//! Names of tenants and of what they meter.

use core::str::FromStr;

use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Digest, Malformed};

text_name!(
    /// How a tenant calls one of the agents whose usage it meters.
    AgentName,
    "agent",
    "1 to 256 characters of A-Z a-z 0-9 . _ -, and neither . nor ..",
    |text| is_plain(text, 256)
);

text_name!(
    /// How a tenant calls one of its services.
    ServiceName,
    "service id",
    "1 to 128 characters of A-Z a-z 0-9 . _ -, and neither . nor ..",
    |text| is_plain(text, 128)
);

/// One rule for every name that may stand in a path: nothing in it can separate two names, and none is a dot segment,
/// which parsers of URLs remove (RFC 3986, section 5.2.4), so that another path would be asked for.
fn is_plain(text: &str, longest: usize) -> bool {
    !matches!(text, "." | "..")
        && (1..=longest).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

short_id!(
    /// A tenant's id: `ten_` and 128 random bits.
    TenantId,
    "tenant id",
    "ten_",
    "ten_ and 26 lower-case characters of base32"
);

short_id!(
    /// A webhook endpoint's id: `whe_` and 128 random bits.
    EndpointId,
    "endpoint id",
    "whe_",
    "whe_ and 26 lower-case characters of base32"
);

short_id!(
    /// The id of a webhook's message: `msg_` and 128 bits that follow from what it tells of, so that telling it twice is
    /// telling it once.
    WebhookId,
    "message id",
    "msg_",
    "msg_ and 26 lower-case characters of base32"
);

short_id!(
    /// The id of a line of a tenant's audit log: `evt_` and 128 bits that follow from where it was recorded.
    AuditId,
    "event id",
    "evt_",
    "evt_ and 26 lower-case characters of base32"
);

short_id!(
    /// A meter's id: `mtr_` and 128 bits that follow from tenant, agent and service.
    MeterId,
    "meter id",
    "mtr_",
    "mtr_ and 26 lower-case characters of base32"
);

/// An id that leads to the meter it belongs to: a prefix, the meter's 26 characters and 26 of its own.
macro_rules! meter_part {
    ($(#[$doc:meta])* $name:ident, $what:literal, $prefix:literal, $allowed:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id at `meter` that follows from `parts`.
            pub fn derive(meter: &MeterId, parts: &[&[u8]]) -> Self {
                let own = Digest::of(parts);
                let own = BASE32_NOPAD.encode(own.0.split_at(16).0).to_ascii_lowercase();
                let meter = meter.as_str().trim_start_matches("mtr_");
                Self(format!("{}{meter}{own}", $prefix))
            }

            /// The meter that it belongs to.
            pub fn meter(&self) -> MeterId {
                let (meter, _) = self.0.trim_start_matches($prefix).split_at(26);
                MeterId(format!("mtr_{meter}"))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = Malformed;

            fn from_str(text: &str) -> Result<Self, Malformed> {
                const MALFORMED: Malformed = Malformed { what: $what, allowed: $allowed };
                let body = text.strip_prefix($prefix).filter(|body| body.len() == 52 && body.is_ascii());
                let (meter, own) = body.ok_or(MALFORMED)?.split_at(26);
                let is_part = |part: &str| format!("mtr_{part}").parse::<MeterId>().is_ok();
                if is_part(meter) && is_part(own) { Ok(Self(text.to_owned())) } else { Err(MALFORMED) }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

meter_part!(
    /// A settlement's id. Its own part is random: whoever knows the id may pay.
    SettlementId,
    "settlement id",
    "set_",
    "set_ and 52 lower-case characters of base32"
);

meter_part!(
    /// A reservation's id. Its own part follows from the key under which it was asked for.
    ReservationId,
    "reservation id",
    "rsv_",
    "rsv_ and 52 lower-case characters of base32"
);

impl MeterId {
    /// The id of the meter of one agent at one service of a tenant. `era` counts how often the tenant began anew.
    pub fn of(tenant: &TenantId, era: u32, agent: &AgentName, service: &ServiceName) -> Self {
        let era = era.to_string();
        // Names hold no zero byte, so none can reach into the next.
        let (tenant, agent, service) =
            (tenant.as_str().as_bytes(), agent.as_str().as_bytes(), service.as_str().as_bytes());
        Self::derive(&[b"guildhall meter v1\0", tenant, b"\0", era.as_bytes(), b"\0", agent, b"\0", service])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(era: u32, agent: &str, service: &str) -> MeterId {
        let tenant = TenantId::derive(&[b"some tenant"]);
        MeterId::of(&tenant, era, &agent.parse().unwrap(), &service.parse().unwrap())
    }

    #[test]
    fn a_meter_depends_on_all_that_names_it() {
        let names = [
            meter(0, "a", "b"),
            meter(1, "a", "b"),
            meter(0, "ab", "b"),
            meter(0, "a", "bb"),
            meter(0, "b", "a"),
        ];
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        assert_eq!(meter(0, "a", "b"), meter(0, "a", "b"));
    }

    #[test]
    fn what_belongs_to_a_meter_leads_to_it_and_has_one_text() {
        let meter = meter(0, "agent", "service");
        let settlement = SettlementId::derive(&meter, &[b"1"]);
        assert_eq!(settlement.meter(), meter);
        assert_eq!(settlement.as_str().parse(), Ok(settlement.clone()));
        assert_ne!(settlement, SettlementId::derive(&meter, &[b"2"]));
        assert_eq!(ReservationId::derive(&meter, &[b"1"]).meter(), meter);
        let body = settlement.as_str().trim_start_matches("set_");
        for bad in [
            body.to_owned(),
            format!("rsv_{body}"),
            format!("set_{body}a"),
            format!("set_{}", body.to_uppercase()),
        ] {
            assert!(bad.parse::<SettlementId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_that_stand_in_paths_separate_nothing() {
        assert!(
            "a".repeat(256).parse::<AgentName>().is_ok() && "a".repeat(128).parse::<ServiceName>().is_ok()
        );
        for good in ["...", ".a", "a.", "a..b"] {
            assert!(good.parse::<AgentName>().is_ok() && good.parse::<ServiceName>().is_ok(), "{good:?}");
        }
        for bad in ["", ".", "..", "a b", "a/b", "a::b", "a\u{1f}b", "ü", "a%2Fb"] {
            assert!(bad.parse::<AgentName>().is_err() && bad.parse::<ServiceName>().is_err(), "{bad:?}");
        }
        assert!(
            "a".repeat(257).parse::<AgentName>().is_err() && "a".repeat(129).parse::<ServiceName>().is_err()
        );
    }
}
