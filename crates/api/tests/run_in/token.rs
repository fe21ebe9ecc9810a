//! Bearer tokens.

use api::inbound::run::bearer;
use primitives::{Secret, SecretKind};

use crate::cast::refusal;

#[test]
fn a_token_is_taken_as_its_own_kind() {
    for (kind, other) in [(SecretKind::Run, SecretKind::Executor), (SecretKind::Executor, SecretKind::Run)] {
        let token = Secret::from_random(kind, [9; 32]);
        let text = token.reveal();
        for header in [format!("Bearer {text}"), format!("bearer {text} "), format!("BEARER  {text}")] {
            assert_eq!(bearer(kind, Some(&header)).unwrap(), token.digest(), "{header}");
        }
        for header in [None, Some(""), Some(text), Some("Basic YTpi"), Some("Bearer")] {
            assert_eq!(refusal(bearer(kind, header)), (401, "missing_credentials".to_owned()), "{header:?}");
        }
        let another = Secret::from_random(other, [9; 32]);
        let (cut, longer) = (&text[..text.len() - 1], format!("{text}A"));
        for bad in [another.reveal(), cut, longer.as_str(), "", "gld_run_"] {
            let header = format!("Bearer {bad}");
            let problem = bearer(kind, Some(&header)).unwrap_err();
            assert_eq!((problem.status, problem.code.as_str()), (401, "invalid_credentials"), "{bad}");
            assert!(bad.len() < 20 || !problem.detail.contains(bad), "a token is not repeated: {problem:?}");
        }
    }
}
