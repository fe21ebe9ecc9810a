//! Where keys are let in: who they are, how often they ask, and when they were last used.

use core::cell::RefCell;
use std::collections::BTreeMap;

use primitives::{Millis, UnixMillis};
use serde::Deserialize;
use shell::{Failure, number};
use tenant::key::KeyId;
use tenant::rate::{Standing, TooOften, Window};
use tenant::{Access, Presented, Refusal, admit};

use super::Inner;

/// How often it is noted that a key was used: each time costs a write.
const NOTED_EVERY: Millis = Millis::from_seconds(60);

/// What is known of the keys that were shown. Only keys that verify are in here, so that it is never more than a tenant has.
#[derive(Default)]
pub(super) struct Door {
    windows: RefCell<BTreeMap<KeyId, Window>>,
    uses: RefCell<Option<BTreeMap<KeyId, UnixMillis>>>,
}

/// What came of a key that was shown.
pub(super) enum Shown {
    /// It is let in, or may not do this.
    Known(Standing, Result<(), Refusal>),
    /// It asks too often.
    TooOften(Standing),
    /// It opens nothing.
    Refused(Refusal),
}

impl Inner {
    /// Lets a key in: it has to verify before its rate is charged, and its rate is charged before it is said what it may not
    /// do. There is no `await` in here.
    pub(super) fn shown(&self, key: &Presented, access: Access, now: UnixMillis) -> Result<Shown, Failure> {
        let admitted = self
            .shell
            .read(|state| admit(state, key, now).map(|admitted| (admitted.rate, admitted.may(access))))?;
        let (rate, may) = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => return Ok(Shown::Refused(refusal)),
        };
        let charged = self.door.windows.borrow_mut().entry(key.id.clone()).or_default().charge(rate, now);
        match charged {
            Ok(standing) => {
                self.note_use(&key.id, now)?;
                Ok(Shown::Known(standing, may))
            }
            Err(TooOften(standing)) => Ok(Shown::TooOften(standing)),
        }
    }

    fn note_use(&self, key: &KeyId, now: UnixMillis) -> Result<(), Failure> {
        let last = self.uses()?.get(key).copied();
        if last.is_some_and(|last| now.since(last) < NOTED_EVERY) {
            return Ok(());
        }
        let values = vec![key.as_str().into(), number(now.0)];
        let _: Vec<Use> = self.rows("INSERT OR REPLACE INTO uses (key, at) VALUES (?, ?)", values)?;
        if let Some(uses) = self.door.uses.borrow_mut().as_mut() {
            uses.insert(key.clone(), now);
        }
        Ok(())
    }

    /// When each key was last used, to the minute.
    pub(super) fn uses(&self) -> Result<BTreeMap<KeyId, UnixMillis>, Failure> {
        if !self.is_open()? {
            return Ok(BTreeMap::new());
        }
        if let Some(uses) = self.door.uses.borrow().as_ref() {
            return Ok(uses.clone());
        }
        let rows: Vec<Use> = self.rows("SELECT key, at FROM uses", Vec::new())?;
        let uses: BTreeMap<_, _> = rows.into_iter().map(|Use { key, at }| (key, UnixMillis(at))).collect();
        *self.door.uses.borrow_mut() = Some(uses.clone());
        Ok(uses)
    }
}

#[derive(Deserialize)]
struct Use {
    key: KeyId,
    at: u64,
}
