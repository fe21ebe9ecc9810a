//! Every state × command × caller × time of an escrow, against a table of what the contract promises.

use alloy_primitives::{Address, B256};
use mandate::*;

use crate::cast::*;

const EVIDENCE: B256 = B256::repeat_byte(0x77);
const DELIVERED_AT: UnixSeconds = after(NOON, HOUR);
const CHALLENGE_ENDS: UnixSeconds = after(NOON, 2 * HOUR);
const DISPUTED_AT: UnixSeconds = after(NOON, 3 * HOUR / 2);
const RESOLUTION_ENDS: UnixSeconds = after(NOON, 7 * HOUR / 2);
const DELIVER_BY: UnixSeconds = after(NOON, 2 * HOUR);
const CAPTURE_BY: UnixSeconds = after(NOON, DAY);
const REFUND_BY: UnixSeconds = after(NOON, 2 * DAY);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Deliver,
    Accept,
    Dispute,
    CapturePart,
    CaptureAll,
    Claim,
    Void,
    ResolveAll,
    ResolveNone,
    TimeOut,
    Expire,
    Refund,
    CancelRequest,
}

const STEPS: [Step; 13] = [
    Step::Deliver,
    Step::Accept,
    Step::Dispute,
    Step::CapturePart,
    Step::CaptureAll,
    Step::Claim,
    Step::Void,
    Step::ResolveAll,
    Step::ResolveNone,
    Step::TimeOut,
    Step::Expire,
    Step::Refund,
    Step::CancelRequest,
];

/// What a step moved: to the provider, and back to the mandate's free money.
type Answer = Result<(u128, u128), Refused>;

impl Step {
    fn play(self, mandate: &mut Mandate, by: By, now: UnixSeconds) -> Answer {
        let request = request(0x21);
        let moved = |moved: Moved| (moved.to_provider.0, moved.returned.0);
        match self {
            Self::Deliver => mandate.deliver(&request, by, now).map(|_| (0, 0)),
            Self::Accept => mandate.accept(&request, by).map(moved),
            Self::Dispute => mandate.dispute(&request, EVIDENCE, by, now).map(|_| (0, 0)),
            Self::CapturePart => mandate.capture(&request, units(15), by, now).map(moved),
            Self::CaptureAll => mandate.capture(&request, units(40), by, now).map(moved),
            Self::Claim => mandate.claim(&request, now).map(moved),
            Self::Void => mandate.void(&request, by).map(moved),
            Self::ResolveAll => mandate.resolve(&request, units(40), by, now).map(moved),
            Self::ResolveNone => mandate.resolve(&request, units(0), by, now).map(moved),
            Self::TimeOut => mandate.time_out(&request, now).map(moved),
            Self::Expire => mandate.expire(&request, now).map(moved),
            Self::Refund => {
                mandate.refund(&request, units(5), by, now, Arrival::Whole).map(|back| (0, back.0))
            }
            Self::CancelRequest => mandate.cancel_request(&request, by, now).map(|_| (0, 0)),
        }
    }

    /// Who may; nobody in particular where anyone may.
    fn parties(self) -> &'static [Address] {
        match self {
            Self::Deliver | Self::CapturePart | Self::CaptureAll | Self::Void | Self::Refund => &[PROVIDER],
            Self::Accept | Self::Dispute => &[OWNER],
            Self::ResolveAll | Self::ResolveNone => &[RESOLVER],
            Self::CancelRequest => &[OWNER, AGENT],
            Self::Claim | Self::TimeOut | Self::Expire => &[],
        }
    }

    /// From which states; a refusal names the first.
    fn states(self) -> &'static [State] {
        match self {
            Self::Deliver => &[State::Escrowed],
            Self::Accept => &[State::Delivered, State::Disputed],
            Self::Dispute | Self::CapturePart | Self::CaptureAll | Self::Claim => &[State::Delivered],
            Self::Void => &[State::Escrowed, State::Delivered, State::Disputed],
            Self::ResolveAll | Self::ResolveNone | Self::TimeOut => &[State::Disputed],
            Self::Expire => &[State::Escrowed, State::Delivered],
            Self::Refund => &[State::Settled, State::Voided, State::TimedOut],
            Self::CancelRequest => &[State::None],
        }
    }

    /// From when on, with the reason before.
    fn from(self, state: State) -> Option<(UnixSeconds, Reason)> {
        match self {
            Self::CapturePart | Self::CaptureAll | Self::Claim => {
                Some((CHALLENGE_ENDS, Reason::ChallengeOpen))
            }
            Self::TimeOut => Some((RESOLUTION_ENDS, Reason::ResolutionOpen)),
            Self::Expire if state == State::Delivered => Some((CAPTURE_BY, Reason::CaptureOpen)),
            Self::Expire => Some((DELIVER_BY, Reason::DeliveryOpen)),
            Self::Deliver
            | Self::Accept
            | Self::Dispute
            | Self::Void
            | Self::ResolveAll
            | Self::ResolveNone
            | Self::Refund
            | Self::CancelRequest => None,
        }
    }

    /// Before when, with the reason afterwards.
    fn until(self) -> Option<(UnixSeconds, Reason)> {
        match self {
            Self::Deliver => Some((DELIVER_BY, Reason::DeliveryClosed)),
            Self::Dispute => Some((CHALLENGE_ENDS, Reason::ChallengeClosed)),
            Self::CapturePart | Self::CaptureAll | Self::Claim => Some((CAPTURE_BY, Reason::CaptureClosed)),
            Self::ResolveAll | Self::ResolveNone => Some((RESOLUTION_ENDS, Reason::ResolutionClosed)),
            Self::Refund => Some((REFUND_BY, Reason::RefundClosed)),
            Self::Accept | Self::Void | Self::TimeOut | Self::Expire | Self::CancelRequest => None,
        }
    }

    /// What it moves of 40 held units, and the state after it.
    fn outcome(self, state: State) -> ((u128, u128), State) {
        match self {
            Self::Deliver => ((0, 0), State::Delivered),
            Self::Dispute => ((0, 0), State::Disputed),
            Self::CapturePart => ((15, 0), State::Delivered),
            Self::Accept | Self::CaptureAll | Self::Claim | Self::ResolveAll => ((40, 0), State::Settled),
            Self::ResolveNone | Self::Expire => ((0, 40), State::Refunded),
            Self::Void => ((0, 40), State::Voided),
            // A quarter, as the terms say.
            Self::TimeOut => ((10, 30), State::TimedOut),
            Self::Refund => ((0, 5), state),
            Self::CancelRequest => ((0, 0), State::Cancelled),
        }
    }
}

/// The way to each state.
fn mandate_in(state: State) -> Mandate {
    let path: &[(Step, Address, UnixSeconds)] = match state {
        State::None | State::Escrowed => &[],
        State::Cancelled => &[(Step::CancelRequest, OWNER, NOON)],
        State::Delivered => &[(Step::Deliver, PROVIDER, DELIVERED_AT)],
        State::Disputed => &[(Step::Deliver, PROVIDER, DELIVERED_AT), (Step::Dispute, OWNER, DISPUTED_AT)],
        State::Settled => &[(Step::Deliver, PROVIDER, DELIVERED_AT), (Step::Accept, OWNER, DELIVERED_AT)],
        State::Refunded => &[(Step::Expire, STRANGER, DELIVER_BY)],
        State::Voided => &[
            (Step::Deliver, PROVIDER, DELIVERED_AT),
            (Step::CapturePart, PROVIDER, CHALLENGE_ENDS),
            (Step::Void, PROVIDER, CHALLENGE_ENDS),
        ],
        State::TimedOut => &[
            (Step::Deliver, PROVIDER, DELIVERED_AT),
            (Step::Dispute, OWNER, DISPUTED_AT),
            (Step::TimeOut, STRANGER, RESOLUTION_ENDS),
        ],
    };
    let mut scene = Scene::new();
    if !matches!(state, State::None | State::Cancelled) {
        scene.authorize().unwrap();
    }
    for (step, caller, now) in path {
        step.play(&mut scene.mandate, By::caller(*caller), *now).unwrap();
    }
    assert_eq!(scene.mandate.state_of(request(0x21).payment), state);
    scene.mandate
}

fn expected(step: Step, state: State, by: By, now: UnixSeconds) -> Result<((u128, u128), State), Refused> {
    let parties = step.parties();
    if let Some(first) = parties.first() {
        match by.signature {
            Signature::Empty if !parties.contains(&by.caller) => {
                return Err(refused(Reason::NotPermitted, by.caller, *first));
            }
            Signature::Of(signer) if !parties.contains(&signer) => {
                return Err(refused(Reason::Signature, 0, *first));
            }
            Signature::Bad => return Err(refused(Reason::Signature, 0, *first)),
            Signature::Empty | Signature::Of(_) => {}
        }
    }
    if !step.states().contains(&state) {
        return Err(refused(Reason::State, state, step.states()[0]));
    }
    if let Some((from, reason)) = step.from(state).filter(|(from, _)| now < *from) {
        return Err(refused(reason, now, from));
    }
    if let Some((until, reason)) = step.until().filter(|(until, _)| now >= *until) {
        return Err(refused(reason, now, until));
    }
    Ok(step.outcome(state))
}

/// Each party as the caller, and each as one who signed what a stranger sends.
fn everyone() -> impl Iterator<Item = By> {
    [OWNER, AGENT, PROVIDER, RESOLVER, STRANGER].into_iter().flat_map(|party| {
        let relayed = By { caller: STRANGER, signature: Signature::Of(party) };
        let with_bad = By { caller: party, signature: Signature::Bad };
        [By::caller(party), relayed, with_bad]
    })
}

fn times() -> impl Iterator<Item = UnixSeconds> {
    [DELIVER_BY, CHALLENGE_ENDS, RESOLUTION_ENDS, CAPTURE_BY, REFUND_BY]
        .into_iter()
        .flat_map(|moment| [UnixSeconds(moment.0 - 1), moment, after(moment, 1)])
}

// M8
#[test]
fn m8_each_cell_answers_as_the_table_says_and_a_refusal_changes_nothing() {
    for state in State::ALL.iter().copied() {
        let before = mandate_in(state);
        for step in STEPS {
            for by in everyone() {
                for now in times() {
                    let mut mandate = before.clone();
                    let answer = step.play(&mut mandate, by, now);
                    let expected = expected(step, state, by, now);
                    let cell = format!("{step:?} from {state:?} by {by:?} at {}", now.0 - NOON.0);
                    assert_eq!(answer, expected.map(|(moved, _)| moved), "{cell}");
                    match expected {
                        Err(_) => assert_eq!(mandate, before, "{cell}"),
                        Ok((_, after)) => {
                            assert_eq!(mandate.state_of(request(0x21).payment), after, "{cell}")
                        }
                    }
                }
            }
        }
    }
}

// M3
#[test]
fn m3_of_a_final_state_nothing_but_a_refund_follows() {
    for state in State::ALL.iter().filter(|state| state.is_final()) {
        for step in STEPS {
            assert!(step == Step::Refund || !step.states().contains(state), "{step:?} from {state:?}");
        }
    }
}

// M6
#[test]
fn m6_where_two_windows_meet_exactly_one_is_open() {
    for (earlier, by, later, meeting) in [
        (Step::Dispute, OWNER, Step::Claim, CHALLENGE_ENDS),
        (Step::Claim, STRANGER, Step::Expire, CAPTURE_BY),
        (Step::CaptureAll, PROVIDER, Step::Expire, CAPTURE_BY),
    ] {
        for (now, earlier_is_open) in [(UnixSeconds(meeting.0 - 1), true), (meeting, false)] {
            let can =
                |step: Step, by| step.play(&mut mandate_in(State::Delivered), By::caller(by), now).is_ok();
            assert_eq!(
                (can(earlier, by), can(later, STRANGER)),
                (earlier_is_open, !earlier_is_open),
                "{earlier:?}"
            );
        }
    }
    for (now, resolver_may) in [(UnixSeconds(RESOLUTION_ENDS.0 - 1), true), (RESOLUTION_ENDS, false)] {
        let can = |step: Step, by| step.play(&mut mandate_in(State::Disputed), By::caller(by), now).is_ok();
        assert_eq!(
            (can(Step::ResolveAll, RESOLVER), can(Step::TimeOut, STRANGER)),
            (resolver_may, !resolver_may)
        );
    }
}

#[test]
fn parts_are_captured_up_to_the_whole_and_the_rest_goes_back() {
    let request = request(0x21);
    let by = By::caller(PROVIDER);
    let now = CHALLENGE_ENDS;
    let mut mandate = mandate_in(State::Delivered);
    for (total, moved) in [(1, 1), (2, 1), (39, 37)] {
        assert_eq!(mandate.capture(&request, units(total), by, now).unwrap().to_provider, units(moved));
    }
    assert_eq!(mandate.capture(&request, units(39), by, now), Err(refused(Reason::NothingNew, 39, 39)));
    assert_eq!(mandate.capture(&request, units(41), by, now), Err(refused(Reason::AboveTotal, 41, 40)));
    let mut claimed = mandate.clone();
    assert_eq!(claimed.claim(&request, now).unwrap().to_provider, units(1));
    let mut accepted = mandate.clone();
    assert_eq!(accepted.accept(&request, By::caller(OWNER)).unwrap().to_provider, units(1));
    let rest = Moved { to_provider: units(0), returned: units(1), state: State::Settled };
    assert_eq!(mandate.expire(&request, CAPTURE_BY), Ok(rest));
    assert_eq!(mandate.funds, Funds { balance: units(461), reserved: units(0) });
}

#[test]
fn a_delivery_says_when_the_challenge_period_ends() {
    let ends = mandate_in(State::Escrowed).deliver(&request(0x21), By::caller(PROVIDER), DELIVERED_AT);
    assert_eq!(ends, Ok(CHALLENGE_ENDS));
}

#[test]
fn the_resolver_cannot_give_more_than_there_is() {
    let request = request(0x21);
    let mut mandate = mandate_in(State::Disputed);
    let over = mandate.resolve(&request, units(41), By::caller(RESOLVER), DISPUTED_AT);
    assert_eq!(over, Err(refused(Reason::AboveTotal, 41, 40)));
    let moved = mandate.resolve(&request, units(1), By::caller(RESOLVER), DISPUTED_AT);
    assert_eq!(moved, Ok(Moved { to_provider: units(1), returned: units(39), state: State::Settled }));
}

#[test]
fn silence_on_a_dispute_without_evidence_leaves_all_to_the_provider() {
    let request = request(0x21);
    let mut mandate = mandate_in(State::Delivered);
    let ends = mandate.dispute(&request, B256::ZERO, By::caller(OWNER), DISPUTED_AT).unwrap();
    assert_eq!(ends, RESOLUTION_ENDS);
    let all = Moved { to_provider: units(40), returned: units(0), state: State::TimedOut };
    assert_eq!(mandate.time_out(&request, ends), Ok(all));
}
