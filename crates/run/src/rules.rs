//! What is right and wrong with offers, carts, and funds. Integers only, and no sum leaves its type unseen.

use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::words::{holds_words, same_words};
use crate::{Assessment, Balances, Candidate, Cart, Cents, Intent, Item, Line, limits};

/// What can be wrong with an offer or a cart. Its code stands in [`crate::RejectedCandidate::reasons`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The offer has a name that is empty, too long or unprintable, or costs nothing.
    Malformed,
    /// Another offer has its name.
    Duplicate,
    /// The market saw it too long ago.
    TooOld,
    /// The market will have seen it.
    FromTheFuture,
    /// A line is not quantity times price, or the lines do not make the sum.
    DoesNotReconcile,
    /// Something in the cart lacks a word of what was wanted, or there is nothing in it.
    WrongProduct,
    /// There are more or fewer than were wanted.
    WrongQuantity,
    /// It is another shop's.
    WrongMerchant,
    /// It costs more than it may.
    OverBudget,
    /// It costs more than a tenth more than the market showed.
    DriftTooHigh,
    /// The executor says that it cannot be had; its words are the next reason.
    Unavailable,
    /// The executor came to nothing with it too often in a row.
    ExecutorFailed,
}

impl Fault {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Duplicate => "duplicate",
            Self::TooOld => "too_old",
            Self::FromTheFuture => "from_the_future",
            Self::DoesNotReconcile => "does_not_reconcile",
            Self::WrongProduct => "wrong_product",
            Self::WrongQuantity => "wrong_quantity",
            Self::WrongMerchant => "wrong_merchant",
            Self::OverBudget => "over_budget",
            Self::DriftTooHigh => "drift_too_high",
            Self::Unavailable => "unavailable",
            Self::ExecutorFailed => "executor_failed",
        }
    }
}

/// What is wrong with a cart; nothing, if it is exactly what was wanted, of the candidate's shop.
pub(crate) fn faults(intent: &Intent, candidate: &Candidate, cart: &Cart) -> Vec<Fault> {
    let is_product = |item: &Item| holds_words(&item.product, &intent.requirement);
    let count = cart.items.iter().try_fold(0_u32, |sum, item| sum.checked_add(item.quantity));
    let checks = [
        (Fault::DoesNotReconcile, reconciles(cart)),
        (Fault::WrongProduct, !cart.items.is_empty() && cart.items.iter().all(is_product)),
        (Fault::WrongQuantity, count == Some(intent.quantity)),
        (Fault::WrongMerchant, same_words(&cart.merchant, &candidate.merchant)),
        (Fault::OverBudget, cart.total <= intent.max_total),
        (Fault::DriftTooHigh, cart.total <= most_by_drift(candidate.observed_total)),
    ];
    checks.into_iter().filter(|(_, is_right)| !is_right).map(|(fault, _)| fault).collect()
}

/// Whether each line is quantity times price, and items and fees less discounts are the total, which is not nothing.
pub(crate) fn reconciles(cart: &Cart) -> bool {
    let lines = cart
        .items
        .iter()
        .all(|item| u64::from(item.quantity).checked_mul(item.unit_price.0) == Some(item.total.0));
    let sum = |lines: &[Line]| lines.iter().try_fold(0_u64, |sum, line| sum.checked_add(line.amount.0));
    let items = cart.items.iter().try_fold(0_u64, |sum, item| sum.checked_add(item.total.0));
    let total = || items?.checked_add(sum(&cart.fees)?)?.checked_sub(sum(&cart.discounts)?);
    lines && total() == Some(cart.total.0) && cart.total > Cents(0)
}

/// The most that an offer may cost that was seen to cost so much: [`limits::DRIFT_BPS`] more, rounded down.
fn most_by_drift(observed: Cents) -> Cents {
    let more = u128::from(observed.0).saturating_mul(limits::DRIFT_BPS.into()).checked_div(10_000);
    let more = more.and_then(|more| u64::try_from(more).ok()).unwrap_or(0);
    Cents(observed.0.saturating_add(more))
}

/// How an executor's clock stands to ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    Fresh,
    /// What was read then does not hold any more.
    Stale,
    /// It will have been read.
    Ahead,
}

/// Whether what was read at a moment still holds.
pub(crate) fn freshness(captured_at: UnixMillis, now: UnixMillis) -> Freshness {
    if captured_at > now.plus(limits::CLOCK_SKEW) {
        Freshness::Ahead
    } else if now >= captured_at.plus(limits::QUOTE_AGE) {
        Freshness::Stale
    } else {
        Freshness::Fresh
    }
}

/// Whether a wallet can pay. One that reports private funds pays from those, and can shield public ones first; one that
/// reports none pays publicly. None when not enough is known to say.
pub(crate) fn assessed(balances: &Balances, gross: BaseUnits) -> Option<Assessment> {
    let (public, shielded) = (balances.public.map(|units| units.0), balances.shielded.map(|units| units.0));
    let lacks = |has: u128| BaseUnits(gross.0.saturating_sub(has));
    Some(match (shielded, public) {
        (Some(shielded), _) if shielded >= gross.0 => Assessment::Ready,
        (Some(shielded), Some(public)) => {
            let all = shielded.saturating_add(public);
            if all >= gross.0 {
                Assessment::ShieldRequired { missing: lacks(shielded) }
            } else {
                Assessment::Insufficient { missing: lacks(all) }
            }
        }
        (None, Some(public)) if public >= gross.0 => Assessment::Ready,
        (None, Some(public)) => Assessment::Insufficient { missing: lacks(public) },
        (Some(_) | None, None) => return None,
    })
}

/// Whether a text can be shown in a line: not empty, without control characters, and of so many bytes at most.
pub(crate) fn is_line(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && !text.chars().any(char::is_control)
}

/// Whether a text can be part of a longer one without doubt: printable ASCII without the separator.
pub(crate) fn is_plain(text: &str, most: usize) -> bool {
    is_line(text, most) && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'|')
}

/// A reason in a line: without control characters, and cut where it is too long.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut line: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    line.truncate(line.floor_char_boundary(most));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cart(items: &[(u32, u64, u64)], fees: &[u64], discounts: &[u64], total: u64) -> Cart {
        let item = |&(quantity, unit, total): &(u32, u64, u64)| Item {
            product: "cola".to_owned(),
            quantity,
            unit_price: Cents(unit),
            total: Cents(total),
        };
        let line = |amount: &u64| Line { name: "line".to_owned(), amount: Cents(*amount) };
        Cart {
            merchant: "shop".to_owned(),
            items: items.iter().map(item).collect(),
            fees: fees.iter().map(line).collect(),
            discounts: discounts.iter().map(line).collect(),
            total: Cents(total),
            eta_minutes: None,
        }
    }

    /// R1
    #[test]
    fn a_cart_adds_up_line_by_line_and_in_all() {
        for (cart, adds_up) in [
            (cart(&[(2, 400, 800)], &[300], &[100], 1_000), true),
            (cart(&[(2, 400, 801)], &[299], &[100], 1_000), false),
            (cart(&[(2, 400, 800)], &[300], &[100], 1_001), false),
            (cart(&[(2, 400, 800)], &[], &[801], 0), false),
            (cart(&[(2, 400, 800)], &[], &[800], 0), false),
            (cart(&[(u32::MAX, u64::MAX, 1)], &[], &[], 1), false),
            (cart(&[(1, u64::MAX, u64::MAX), (1, 1, 1)], &[], &[], 0), false),
            (cart(&[(1, u64::MAX, u64::MAX)], &[1], &[], 0), false),
        ] {
            assert_eq!(reconciles(&cart), adds_up, "{cart:?}");
        }
    }

    /// R1
    #[test]
    fn a_price_may_rise_by_a_tenth_and_no_cent_more() {
        for (observed, most) in [(0, 0), (9, 9), (10, 11), (1_009, 1_109), (u64::MAX, u64::MAX)] {
            assert_eq!(most_by_drift(Cents(observed)), Cents(most));
        }
    }

    /// R1
    #[test]
    fn a_quote_holds_from_two_minutes_ahead_to_ten_minutes_back() {
        let now = UnixMillis(100_000_000);
        for (captured_at, expected) in [
            (now.plus(limits::CLOCK_SKEW).0 + 1, Freshness::Ahead),
            (now.plus(limits::CLOCK_SKEW).0, Freshness::Fresh),
            (now.minus(limits::QUOTE_AGE).0 + 1, Freshness::Fresh),
            (now.minus(limits::QUOTE_AGE).0, Freshness::Stale),
        ] {
            assert_eq!(freshness(UnixMillis(captured_at), now), expected, "{captured_at}");
        }
    }

    /// R3
    #[test]
    fn private_funds_pay_and_public_ones_where_there_are_no_private_ones() {
        let missing = |units| BaseUnits(units);
        for (shielded, public, expected) in [
            (Some(10), None, Some(Assessment::Ready)),
            (Some(9), Some(1), Some(Assessment::ShieldRequired { missing: missing(1) })),
            (Some(0), Some(10), Some(Assessment::ShieldRequired { missing: missing(10) })),
            (Some(9), Some(0), Some(Assessment::Insufficient { missing: missing(1) })),
            (Some(9), Some(u128::MAX), Some(Assessment::ShieldRequired { missing: missing(1) })),
            (None, Some(10), Some(Assessment::Ready)),
            (None, Some(9), Some(Assessment::Insufficient { missing: missing(1) })),
            (Some(9), None, None),
            (None, None, None),
        ] {
            let balances = Balances { public: public.map(BaseUnits), shielded: shielded.map(BaseUnits) };
            assert_eq!(assessed(&balances, BaseUnits(10)), expected, "{balances:?}");
        }
    }

    #[test]
    fn lines_are_cut_between_letters_and_hold_no_control_characters() {
        assert_eq!(line("a\nb\u{7}c", 9), "a b c");
        assert_eq!(line("ééé", 5), "éé");
        assert!(is_line("é", 2) && !is_line("é", 1) && !is_line("", 9) && !is_line("a\tb", 9));
        assert!(is_plain("0xAb:c/d", 9) && !is_plain("a b", 9) && !is_plain("a|b", 9) && !is_plain("é", 9));
    }
}
