//! What a client sends back of our extensions (core specification, section 5.2.2, field `extensions`).

use serde_json::{Map, Value};

use crate::InvalidReason;

/// Whether the client's copy of the extensions keeps to what we advertised: it may add to an extension's `info`, at any
/// depth of its objects, but not drop or change what stands there. A list is one value. Extensions that the client
/// leaves out as a whole, or brings along by itself, pass.
///
/// # Errors
/// [`InvalidReason::ExtensionEcho`] with the first extension of ours that came back otherwise.
pub fn check_echo(
    ours: Option<&Map<String, Value>>,
    theirs: Option<&Map<String, Value>>,
) -> Result<(), InvalidReason> {
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return Ok(()) };
    let changed = ours.iter().find(|(name, ours)| {
        theirs.get(*name).is_some_and(|theirs| !contains(theirs.get("info"), ours.get("info")))
    });
    match changed {
        Some((name, _)) => Err(InvalidReason::ExtensionEcho { extension: name.clone() }),
        None => Ok(()),
    }
}

fn contains(theirs: Option<&Value>, ours: Option<&Value>) -> bool {
    match (theirs, ours) {
        (_, None) => true,
        (Some(Value::Object(theirs)), Some(Value::Object(ours))) => {
            ours.iter().all(|(key, ours)| contains(theirs.get(key), Some(ours)))
        }
        (theirs, ours) => theirs == ours,
    }
}
