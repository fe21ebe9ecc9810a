//! The one cookie: a browser's session (RFC 6265bis).
//!
//! Its prefix `__Host-` has a browser take and send it over https alone, for this very host and all of its paths. It is
//! never sent along with what a page of another site posts (`SameSite=Lax`), and no script reads it.

use primitives::{Millis, Secret, SecretKind};

/// The cookie's name.
pub const NAME: &str = "__Host-guildhall-session";

const ATTRIBUTES: &str = "Path=/; Secure; HttpOnly; SameSite=Lax";

/// The session's secret in a `Cookie` header, if one is there that we could have issued.
pub fn read(header: &str) -> Option<Secret> {
    let values = header.split(';').filter_map(|pair| pair.trim_matches([' ', '\t']).split_once('='));
    let mut ours = values.filter(|(name, _)| *name == NAME).map(|(_, value)| value);
    let (first, second) = (ours.next()?, ours.next());
    // Browsers hold one cookie of this name. Of two, nobody can say which is meant.
    if second.is_some() {
        return None;
    }
    Secret::parse(SecretKind::Session, first).ok()
}

/// The `Set-Cookie` value that hands a session over for as long as it can last.
pub fn hand_over(secret: &Secret, lifetime: Millis) -> String {
    format!("{NAME}={}; {ATTRIBUTES}; Max-Age={}", secret.reveal(), lifetime.0 / 1_000)
}

/// The `Set-Cookie` value that has a browser forget its session.
pub fn forget() -> String {
    format!("{NAME}=; {ATTRIBUTES}; Max-Age=0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        Secret::from_random(SecretKind::Session, [7; 32])
    }

    #[test]
    fn what_was_handed_over_is_read_among_others() {
        let set = hand_over(&secret(), Millis::from_minutes(10));
        let (pair, attributes) = set.split_once("; ").unwrap();
        assert_eq!(attributes, "Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600");
        for header in [
            pair.to_owned(),
            format!("theme=dark; {pair}"),
            format!("{pair};a=b"),
            format!("a=b=c;  {pair} ; c"),
        ] {
            assert_eq!(read(&header).unwrap().digest(), secret().digest(), "{header}");
        }
    }

    #[test]
    fn nothing_else_is_a_session() {
        let good = secret().reveal().to_owned();
        let grant = Secret::from_random(SecretKind::Grant, [7; 32]).reveal().to_owned();
        for header in [
            String::new(),
            NAME.to_owned(),
            format!("{NAME}="),
            format!("{NAME}={good}a"),
            format!("{NAME}=\"{good}\""),
            format!("{NAME}={grant}"),
            format!("guildhall-session={good}"),
            format!("__host-guildhall-session={good}"),
            format!("a{NAME}={good}"),
            format!("{NAME}={good}; {NAME}={good}"),
            format!("{NAME}=x; {NAME}={good}"),
        ] {
            assert!(read(&header).is_none(), "{header}");
        }
    }

    #[test]
    fn forgetting_has_the_same_attributes() {
        assert_eq!(forget(), format!("{NAME}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"));
    }
}
