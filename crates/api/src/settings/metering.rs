//! How metering is set up: who opens tenants, how often an address may ask, and where webhooks may go.

use primitives::{Digest, Millis};
use tenant::key;
use tenant::rate::Rate;
use webhook::Allowed;

use super::{Credential, Environment, Read};

/// How metering is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metering {
    /// Which keys are issued and taken here: live ones in production, test ones elsewhere.
    pub environment: key::Environment,
    /// SHA-256 of the operator's token. None, which only development can have, lets anyone open a tenant, and nobody do
    /// what else an operator does.
    pub operator: Option<Digest>,
    /// How often one address may ask.
    pub address: Rate,
    /// Whether a tenant may begin anew.
    pub allows_reset: bool,
    /// What webhooks' own secrets are derived from: at least 32 bytes.
    pub webhook_secret: Credential,
    /// Hosts that webhooks may call over plain HTTP, in development.
    pub webhook_hosts: Vec<Allowed>,
    /// Who is asked for the addresses of a webhook's host (DNS over HTTPS, RFC 8484, JSON form); none asks nobody, which only
    /// development can have.
    pub resolver: Option<String>,
}

/// What webhooks' secrets are derived from in development. Everybody knows it: it protects nothing.
const DEVELOPMENT_SECRET: &str = "guildhall development webhook secret: public, protects nothing";

/// The shortest secret of an operator or for webhooks, in bytes.
const SECRET_BYTES_MIN: usize = 32;

/// What metering needs, or what it lacks in production: then nothing is metered, and the rest goes on.
pub(super) fn read(read: Read<'_>, environment: Environment) -> Result<Result<Metering, String>, String> {
    let operator = secret(read, "ADMIN_TOKEN")?;
    let webhook_secret = secret(read, "WEBHOOK_MASTER_SECRET")?;
    let quota = super::number(read, "METER_ADDRESS_QUOTA", 12_000, 1, 1_000_000_000)?;
    let window = super::number(read, "METER_ADDRESS_WINDOW_SECONDS", 60, 1, 3_600)?;
    let address =
        Rate { quota: u32::try_from(quota).unwrap_or(u32::MAX), window: Millis::from_seconds(window) };
    let allows_reset = allows_reset(read, environment)?;
    let webhook_hosts = hosts(read, environment)?;
    let resolver = resolver(read, environment)?;
    let (webhook_secret, environment) = match (environment, webhook_secret) {
        (Environment::Production, None) => {
            return Ok(Err("metering needs WEBHOOK_MASTER_SECRET in production".to_owned()));
        }
        (Environment::Production, Some(_)) if operator.is_none() => {
            return Ok(Err("metering needs ADMIN_TOKEN in production".to_owned()));
        }
        (Environment::Production, Some(secret)) => (secret, key::Environment::Live),
        (Environment::Development, secret) => {
            (secret.unwrap_or_else(|| DEVELOPMENT_SECRET.to_owned()), key::Environment::Test)
        }
    };
    Ok(Ok(Metering {
        environment,
        operator: operator.map(|token| Digest::of(&[token.as_bytes()])),
        address,
        allows_reset,
        webhook_secret: Credential(webhook_secret),
        webhook_hosts,
        resolver,
    }))
}

fn secret(read: Read<'_>, name: &str) -> Result<Option<String>, String> {
    let Some(text) = read(name) else { return Ok(None) };
    let is_long = (SECRET_BYTES_MIN..=256).contains(&text.len());
    if is_long && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(Some(text));
    }
    Err(format!("{name} must have {SECRET_BYTES_MIN} to 256 visible ASCII characters that nobody guesses"))
}

fn allows_reset(read: Read<'_>, environment: Environment) -> Result<bool, String> {
    match read("ALLOW_ADMIN_RESET").as_deref() {
        None => Ok(false),
        Some("enabled") if environment == Environment::Development => Ok(true),
        Some("enabled") => Err("ALLOW_ADMIN_RESET is for development: leave it out in production".to_owned()),
        Some(_) => Err("ALLOW_ADMIN_RESET must be enabled, or be left out".to_owned()),
    }
}

fn hosts(read: Read<'_>, environment: Environment) -> Result<Vec<Allowed>, String> {
    let Some(text) = read("WEBHOOK_ALLOWED_HOSTS") else { return Ok(Vec::new()) };
    if environment == Environment::Production {
        return Err("WEBHOOK_ALLOWED_HOSTS is for development: leave it out in production".to_owned());
    }
    let host = |text: &str| {
        let (host, port) = text.trim().rsplit_once(':')?;
        let port = if port == "*" { None } else { Some(port.parse().ok()?) };
        let is_host = !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-[]:".contains(&byte));
        is_host.then(|| Allowed { host: host.to_ascii_lowercase(), port })
    };
    text.split(',').map(host).collect::<Option<_>>().ok_or_else(|| {
        "WEBHOOK_ALLOWED_HOSTS must be hosts with their ports, such as localhost:8000,127.0.0.1:*".to_owned()
    })
}

fn resolver(read: Read<'_>, environment: Environment) -> Result<Option<String>, String> {
    match read("DOH_URL").as_deref() {
        None => Ok(Some("https://cloudflare-dns.com/dns-query".to_owned())),
        Some("off") if environment == Environment::Development => Ok(None),
        Some("off") => {
            Err("DOH_URL is off, which only development can have: webhooks could reach inside".to_owned())
        }
        Some(url) => super::runs::url_of(url.to_owned(), "DOH_URL", environment).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "0123456789abcdef0123456789abcdef";

    fn settings(environment: Environment, set: &[(&str, &str)]) -> Result<Result<Metering, String>, String> {
        let get = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, text)| (*text).to_owned());
        read(&get, environment)
    }

    fn development(set: &[(&str, &str)]) -> Result<Metering, String> {
        settings(Environment::Development, set).map(Result::unwrap)
    }

    #[test]
    fn development_needs_nothing() {
        let metering = development(&[]).unwrap();
        assert_eq!((metering.operator, metering.allows_reset), (None, false));
        assert_eq!(metering.environment, key::Environment::Test);
        assert_eq!(metering.address, Rate { quota: 12_000, window: Millis::from_seconds(60) });
        assert_eq!(metering.webhook_secret.reveal(), DEVELOPMENT_SECRET);
        assert!(metering.resolver.is_some() && metering.webhook_hosts.is_empty());
    }

    /// The rest goes on without metering.
    #[test]
    fn production_meters_nothing_without_its_secrets() {
        for (set, lacks) in [
            (&[][..], "WEBHOOK_MASTER_SECRET"),
            (&[("ADMIN_TOKEN", LONG)], "WEBHOOK_MASTER_SECRET"),
            (&[("WEBHOOK_MASTER_SECRET", LONG)], "ADMIN_TOKEN"),
        ] {
            assert!(settings(Environment::Production, set).unwrap().unwrap_err().contains(lacks), "{set:?}");
        }
        let set = [("ADMIN_TOKEN", LONG), ("WEBHOOK_MASTER_SECRET", LONG)];
        let metering = settings(Environment::Production, &set).unwrap().unwrap();
        assert_eq!(metering.environment, key::Environment::Live);
        assert_eq!(metering.operator, Some(Digest::of(&[LONG.as_bytes()])));
        assert!(!format!("{metering:?}").contains(LONG), "the set-up may be logged whole");
    }

    #[test]
    fn hosts_have_their_ports_or_all_of_them() {
        let hosts =
            development(&[("WEBHOOK_ALLOWED_HOSTS", "LocalHost:8000, 127.0.0.1:*")]).unwrap().webhook_hosts;
        let host = |host: &str, port| Allowed { host: host.to_owned(), port };
        assert_eq!(hosts, [host("localhost", Some(8_000)), host("127.0.0.1", None)]);
        assert_eq!(development(&[("DOH_URL", "off")]).unwrap().resolver, None);
    }

    #[test]
    fn what_is_wrong_is_refused_by_name() {
        for (name, value) in [
            ("ADMIN_TOKEN", "short"),
            ("ADMIN_TOKEN", "with a space 0123456789abcdef0123456789abcdef"),
            ("WEBHOOK_MASTER_SECRET", "short"),
            ("METER_ADDRESS_QUOTA", "0"),
            ("METER_ADDRESS_QUOTA", "many"),
            ("METER_ADDRESS_WINDOW_SECONDS", "3601"),
            ("ALLOW_ADMIN_RESET", "yes"),
            ("WEBHOOK_ALLOWED_HOSTS", "localhost"),
            ("WEBHOOK_ALLOWED_HOSTS", "localhost:port"),
            ("WEBHOOK_ALLOWED_HOSTS", "user@host:80"),
            ("DOH_URL", "http://dns.example"),
            ("DOH_URL", "on"),
        ] {
            assert!(development(&[(name, value)]).unwrap_err().contains(name), "{name}={value}");
        }
        for (name, value) in
            [("ALLOW_ADMIN_RESET", "enabled"), ("WEBHOOK_ALLOWED_HOSTS", "localhost:*"), ("DOH_URL", "off")]
        {
            assert!(
                settings(Environment::Production, &[(name, value)]).unwrap_err().contains(name),
                "{name}"
            );
        }
    }
}
