//! What a meter keeps of what is over, and what it looks up for its core: each with one statement, however large the bulk.

use api::binding::meter::{Billed, Filed, Kept as Reserved};
use meter::{EventKey, Known, News, Original, Row, Settlement, SettlementState, Source};
use primitives::{Digest, ReservationId, SettlementId, UnixMillis};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use shell::{Failure, Kept, number};
use tariff::Quantity;
use worker::SqlStorageValue;

use super::Inner;

/// The base of the limbs in which quantities are added up by the database: what JavaScript counts exactly.
const LIMB: u128 = 1_000_000_000_000_000;

/// How a row is written that follows from the event `seq`.
pub(super) fn kept(row: &Row, seq: u64) -> Result<Kept, Failure> {
    Ok(match row {
        Row::Events { items, source, received_at } => Kept {
            statement: "INSERT INTO events (source, id, fingerprint, at, received_at, quantity, price, reserved)
                SELECT value -> 'key' ->> 'source', value -> 'key' ->> 'id', value ->> 'fingerprint', value ->> 'at', ?2,
                  value ->> 'quantity', value ->> 'version', ?3 FROM json_each(?1)",
            values: vec![serde_json::to_string(items)?.into(), number(received_at.0), reserved(source)],
        },
        Row::Reversal { key, fingerprint, of, received_at } => Kept {
            statement: "INSERT INTO events
                (source, id, fingerprint, at, received_at, quantity, price, reserved, of_source, of_id)
                SELECT ?1, ?2, ?3, ?4, ?4, quantity, price, reserved, source, id FROM events
                WHERE id = ?6 AND source = ?5",
            values: vec![
                key.source.as_str().into(),
                key.id.as_str().into(),
                fingerprint.to_string().into(),
                number(received_at.0),
                of.source.as_str().into(),
                of.id.as_str().into(),
            ],
        },
        Row::Credit { key, received_at } => Kept {
            statement: "INSERT OR IGNORE INTO credits (id, source, at) VALUES (?, ?, ?)",
            values: vec![key.id.as_str().into(), key.source.as_str().into(), number(received_at.0)],
        },
        Row::Round { round } => Kept {
            statement: "INSERT OR IGNORE INTO rounds (round, last) SELECT ?, coalesce(max(number), 0) FROM events",
            values: vec![number(*round)],
        },
        Row::Settlement(settlement) => Kept {
            statement: "INSERT OR REPLACE INTO settlements (number, id, round, failed, body, seq)
                VALUES (?, ?, ?, ?, ?, ?)",
            values: vec![
                number(settlement.number),
                settlement.id.as_str().into(),
                settlement.round.map_or(SqlStorageValue::Null, number),
                number(u64::from(matches!(settlement.state, SettlementState::Failed { .. }))),
                serde_json::to_string(settlement)?.into(),
                number(seq),
            ],
        },
        Row::Reservation(reservation) => Kept {
            statement: "INSERT OR REPLACE INTO reservations (id, body, seq) VALUES (?, ?, ?)",
            values: vec![
                reservation.id.as_str().into(),
                serde_json::to_string(reservation)?.into(),
                number(seq),
            ],
        },
        Row::Hour { hour, added, taken, events } => hours(*hour, *added, *taken, *events, seq),
        Row::Forget { before } => Kept {
            // Numbers grow with the moments of receipt: the first event that is kept is where to stop.
            statement: "DELETE FROM events
                WHERE number < (SELECT number FROM events WHERE received_at >= ? ORDER BY number LIMIT 1)",
            values: vec![number(before.0)],
        },
    })
}

fn reserved(source: &Source) -> SqlStorageValue {
    match source {
        Source::Reserved(settlement) => number(*settlement),
        // Which round takes an event in is written once, for all of them.
        Source::Open | Source::Round(_) => SqlStorageValue::Null,
    }
}

fn hours(hour: UnixMillis, added: Quantity, taken: Quantity, events: u64, seq: u64) -> Kept {
    let [added_high, added_low] = limbs(added);
    let [taken_high, taken_low] = limbs(taken);
    Kept {
        // Numbers are bound as JavaScript has them, and a division of such would not be one of integers.
        // A number of JavaScript comes as a float, and `excluded` has it as it came.
        statement: "INSERT INTO hours (hour, added_high, added_low, taken_high, taken_low, events, seq)
            SELECT CAST(?1 AS INTEGER), CAST(?2 AS INTEGER), CAST(?3 AS INTEGER), CAST(?4 AS INTEGER),
              CAST(?5 AS INTEGER), CAST(?6 AS INTEGER), CAST(?7 AS INTEGER) WHERE true
            ON CONFLICT (hour) DO UPDATE SET
              added_high = added_high + excluded.added_high + (added_low + excluded.added_low) / 1000000000000000,
              added_low = (added_low + excluded.added_low) % 1000000000000000,
              taken_high = taken_high + excluded.taken_high + (taken_low + excluded.taken_low) / 1000000000000000,
              taken_low = (taken_low + excluded.taken_low) % 1000000000000000,
              events = events + excluded.events, seq = excluded.seq",
        values: vec![
            number(hour.0),
            added_high,
            added_low,
            taken_high,
            taken_low,
            number(events),
            number(seq),
        ],
    }
}

fn limbs(quantity: Quantity) -> [SqlStorageValue; 2] {
    let [high, low] = [quantity.0.checked_div(LIMB), quantity.0.checked_rem(LIMB)];
    [high, low].map(|limb| number(limb.and_then(|limb| u64::try_from(limb).ok()).unwrap_or_default()))
}

/// The quantity of these limbs.
pub(super) fn quantity(high: u64, low: u64) -> Result<Quantity, Failure> {
    let quantity = u128::from(high).checked_mul(LIMB).and_then(|high| high.checked_add(u128::from(low)));
    quantity.map(Quantity).ok_or_else(|| Failure::Corrupt("an hour's quantity".to_owned()))
}

/// How a line of the log is written.
pub(super) fn line(news: &News, seq: u64, ordinal: u64, at: UnixMillis) -> Result<Kept, Failure> {
    Ok(Kept {
        statement: "INSERT INTO audit (seq, ordinal, at, body) VALUES (?, ?, ?, ?)",
        values: vec![number(seq), number(ordinal), number(at.0), serde_json::to_string(news)?.into()],
    })
}

/// Where the round of an event is looked up: the first that took it in, and from there on the first whose settlement has not
/// failed. What a failed settlement gave back is in the next one.
const ROUND: &str = "(SELECT min(round) FROM rounds WHERE round >=
      (SELECT min(round) FROM rounds WHERE last >= events.number)
      AND round NOT IN (SELECT round FROM settlements WHERE failed AND round IS NOT NULL))";

#[derive(Deserialize)]
struct EventRow {
    number: u64,
    source: String,
    id: String,
    at: u64,
    received_at: u64,
    quantity: String,
    price: u32,
    reserved: Option<u64>,
    round: Option<u64>,
    of_source: Option<String>,
    of_id: Option<String>,
    by_source: Option<String>,
    by_id: Option<String>,
}

impl EventRow {
    fn filed(self) -> Result<Filed, Failure> {
        let source = match (self.reserved, self.round) {
            (Some(settlement), _) => Source::Reserved(settlement),
            (None, Some(round)) => Source::Round(round),
            (None, None) => Source::Open,
        };
        Ok(Filed {
            number: self.number,
            key: key(&self.source, &self.id)?,
            at: UnixMillis(self.at),
            received_at: UnixMillis(self.received_at),
            quantity: read(&self.quantity)?,
            price: self.price,
            source,
            reverses: other(self.of_source.as_deref(), self.of_id.as_deref())?,
            reversed: other(self.by_source.as_deref(), self.by_id.as_deref())?,
        })
    }
}

fn read<T: core::str::FromStr>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::Corrupt("a row of a meter".to_owned()))
}

fn key(source: &str, id: &str) -> Result<EventKey, Failure> {
    Ok(EventKey { source: read(source)?, id: read(id)? })
}

fn other(source: Option<&str>, id: Option<&str>) -> Result<Option<EventKey>, Failure> {
    source.zip(id).map(|(source, id)| key(source, id)).transpose()
}

impl Inner {
    pub(super) fn is_unused(&self) -> Result<bool, Failure> {
        self.shell.read(|state| state.book().is_none())
    }

    /// What is on file of these identities, in their order.
    pub(super) fn known<'a>(
        &self,
        keys: impl ExactSizeIterator<Item = (&'a EventKey, &'a Digest)> + Clone,
    ) -> Result<Vec<Known>, Failure> {
        #[derive(Deserialize)]
        struct Found {
            n: usize,
            fingerprint: String,
        }
        const EVENTS: &str = "SELECT key AS n, fingerprint FROM json_each(?1) JOIN events
            ON events.id = value ->> 0 AND events.source = value ->> 1";
        const NOTED: &str = "SELECT key AS n, fingerprint FROM json_each(?1) JOIN noted
            ON noted.id = value ->> 0 AND noted.source = value ->> 1";
        let mut known = vec![Known::Fresh; keys.len()];
        // There are tables once there is a meter.
        let (is_used, is_noted) = (!self.is_unused()?, self.noted.is_there()?);
        if !is_used && !is_noted {
            return Ok(known);
        }
        let asked: Vec<[&str; 2]> =
            keys.clone().map(|(key, _)| [key.id.as_str(), key.source.as_str()]).collect();
        let asked = serde_json::to_string(&asked)?;
        let fingerprints: Vec<&Digest> = keys.map(|(_, fingerprint)| fingerprint).collect();
        for (is_there, query) in [(is_noted, NOTED), (is_used, EVENTS)] {
            let found: Vec<Found> =
                if is_there { self.rows(query, vec![asked.as_str().into()])? } else { Vec::new() };
            for Found { n, fingerprint } in found {
                if let (Some(slot), Some(said)) = (known.get_mut(n), fingerprints.get(n)) {
                    *slot = if said.to_string() == fingerprint { Known::Same } else { Known::Other };
                }
            }
        }
        Ok(known)
    }

    /// What is on file of one identity.
    pub(super) fn known_one(&self, key: &EventKey, fingerprint: &Digest) -> Result<Known, Failure> {
        Ok(self.known([(key, fingerprint)].into_iter())?.pop().unwrap_or(Known::Fresh))
    }

    /// What is on file of an event that is to be reversed.
    pub(super) fn original(&self, key: &EventKey) -> Result<Option<Original>, Failure> {
        let place = vec![key.id.as_str().into(), key.source.as_str().into()];
        let found = self.filed("WHERE events.id = ? AND events.source = ?", place)?.pop();
        let Some(event) = found else { return Ok(None) };
        let billed = match &event.source {
            Source::Open => None,
            Source::Round(round) => self.bill_of(*round)?,
            Source::Reserved(number) => {
                match self.billed_as(*number)?.map(|billed| Box::new(billed.settlement)) {
                    // What a reservation did not pay is billed from a later round on.
                    Some(settlement) if matches!(settlement.state, SettlementState::Failed { .. }) => {
                        settlement.reopened_in.map(|round| self.bill_of(round)).transpose()?.flatten()
                    }
                    settlement => settlement,
                }
            }
        };
        let Filed { quantity, price: version, at, source, reversed, reverses, .. } = event;
        Ok(Some(Original { quantity, version, at, source, billed, reversed, reverses }))
    }

    /// The settlement that has what was open in a round: of those from this round on that did not fail, the first.
    pub(super) fn bill_of(&self, round: u64) -> Result<Option<Box<Settlement>>, Failure> {
        const BILL: &str =
            "SELECT body FROM settlements WHERE round >= ? AND NOT failed ORDER BY round LIMIT 1";
        if self.is_unused()? { Ok(None) } else { self.body(BILL, number(round)) }
    }

    /// Whether a shard's credit has counted.
    pub(super) fn credited(&self, key: &EventKey) -> Result<Known, Failure> {
        #[derive(Deserialize)]
        struct Found {}
        const CREDIT: &str = "SELECT 1 AS found FROM credits WHERE id = ? AND source = ?";
        if self.is_unused()? {
            return Ok(Known::Fresh);
        }
        let found: Vec<Found> =
            self.rows(CREDIT, vec![key.id.as_str().into(), key.source.as_str().into()])?;
        Ok(if found.is_empty() { Known::Fresh } else { Known::Same })
    }

    /// A settlement as it is on file.
    pub(super) fn document(&self, id: &SettlementId) -> Result<Option<Box<Settlement>>, Failure> {
        Ok(self.billed(id)?.map(|billed| Box::new(billed.settlement)))
    }

    /// Whether an event of that identity is on file.
    pub(super) fn has_event(&self, key: &EventKey) -> Result<bool, Failure> {
        let place = vec![key.id.as_str().into(), key.source.as_str().into()];
        Ok(!self.filed("WHERE events.id = ? AND events.source = ?", place)?.is_empty())
    }

    /// At most `limit` events before one, newest first.
    pub(super) fn events(&self, before: Option<u64>, limit: u32) -> Result<Vec<Filed>, Failure> {
        let before = number(before.unwrap_or(u64::from(u32::MAX) << 16));
        let place = vec![before, number(u64::from(limit))];
        self.filed("WHERE events.number < ? ORDER BY events.number DESC LIMIT ?", place)
    }

    fn filed(&self, which: &str, values: Vec<SqlStorageValue>) -> Result<Vec<Filed>, Failure> {
        if self.is_unused()? {
            return Ok(Vec::new());
        }
        let query = format!(
            "SELECT events.number, events.source, events.id, events.at, events.received_at, events.quantity, events.price,
               events.reserved, {ROUND} AS round, events.of_source, events.of_id, by.source AS by_source, by.id AS by_id
             FROM events LEFT JOIN events AS by ON by.of_id = events.id AND by.of_source = events.source {which}"
        );
        let rows: Vec<EventRow> = self.rows(&query, values)?;
        rows.into_iter().map(EventRow::filed).collect()
    }

    /// A settlement, by its id.
    pub(super) fn billed(&self, id: &SettlementId) -> Result<Option<Billed>, Failure> {
        self.billed_where("SELECT body FROM settlements WHERE id = ?", id.as_str().into())
    }

    /// A settlement, by its number.
    pub(super) fn billed_as(&self, at: u64) -> Result<Option<Billed>, Failure> {
        self.billed_where("SELECT body FROM settlements WHERE number = ?", number(at))
    }

    fn billed_where(&self, query: &str, value: SqlStorageValue) -> Result<Option<Billed>, Failure> {
        let version = self.shell.version()?;
        let Some(subject) = self.shell.read(|state| state.book().map(|book| book.subject.clone()))? else {
            return Ok(None);
        };
        let settlement = self.body(query, value)?;
        Ok(settlement.map(|settlement| Billed { subject, version, settlement }))
    }

    /// A reservation.
    pub(super) fn reserved(&self, id: &ReservationId) -> Result<Option<Reserved>, Failure> {
        let version = self.shell.version()?;
        let Some(subject) = self.shell.read(|state| state.book().map(|book| book.subject.clone()))? else {
            return Ok(None);
        };
        let found = self.body("SELECT body FROM reservations WHERE id = ?", id.as_str().into())?;
        Ok(found.map(|reservation| Reserved { subject, version, reservation }))
    }

    fn body<T: DeserializeOwned>(&self, query: &str, value: SqlStorageValue) -> Result<Option<T>, Failure> {
        #[derive(Deserialize)]
        struct Body {
            body: String,
        }
        let rows: Vec<Body> = self.rows(query, vec![value])?;
        rows.into_iter().next().map(|row| Ok(serde_json::from_str(&row.body)?)).transpose()
    }

    pub(super) fn rows<T: DeserializeOwned>(
        &self,
        query: &str,
        values: Vec<SqlStorageValue>,
    ) -> Result<Vec<T>, Failure> {
        self.shell.journal().rows(query, values)
    }
}
