// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMandates} from "./IMandates.sol";
import {Reason} from "./Reason.sol";
import {Spending} from "./Spending.sol";
import {Store} from "./Store.sol";
import {Amendment, Creation, Entry, Policy, Status, Terms} from "./Types.sol";

/// @title The owner's rules: made, changed, stopped.
/// @dev `Mandates` creates this contract and runs its code on its own storage (delegatecall), because together they are
/// larger than a contract may be (EIP-170). Called by itself it keeps mandates that nothing can spend from.
contract Policies is Store {
    uint256 private constant CHALLENGE_MIN = 10 minutes;
    uint256 private constant CHALLENGE_MAX = 30 days;
    uint256 private constant RESOLUTION_MIN = 1 hours;
    uint256 private constant RESOLUTION_MAX = 90 days;
    uint256 private constant DELAY_MIN = 1 hours;
    uint256 private constant DELAY_MAX = 30 days;
    uint256 private constant CEILING_DELAY = 24 hours;

    function create(Creation calldata c) external nonReentrant returns (bytes32 id) {
        id = _mandateOf(msg.sender, c.salt);
        Mandate storage m = _mandates[id];
        _require(m.status == Status.None, Reason.MandateExists, uint256(id), 0);
        _require(c.agent != address(0), Reason.ZeroAgent, 0, 0);
        _require(c.agent != msg.sender, Reason.AgentIsOwner, _number(c.agent), _number(msg.sender));
        (bool isToken,) = SafeERC20.tryGetDecimals(IERC20(c.token));
        _require(c.token.code.length > 0 && isToken, Reason.NoToken, _number(c.token), 0);
        _within(c.amendDelay, DELAY_MIN, DELAY_MAX, Reason.AmendDelay);
        _checkPolicy(c.policy, msg.sender, c.agent);

        m.status = Status.Active;
        m.owner = msg.sender;
        m.agent = c.agent;
        m.token = c.token;
        m.ownerKind = c.ownerKind;
        m.agentKind = c.agentKind;
        m.amendDelay = c.amendDelay;
        _write(id, m, c.policy, c.entries);
        emit IMandates.MandateCreated(
            id, msg.sender, c.agent, c.token, c.ownerKind, c.agentKind, c.amendDelay, c.salt, c.policy, c.entries
        );
    }

    function amend(bytes32 id, Amendment calldata a) external nonReentrant {
        Mandate storage m = _owned(id);
        _checkAmendment(m, a);
        if (_isTighter(id, m, a)) {
            _write(id, m, a.policy, a.entries);
            emit IMandates.MandateAmended(id, m.policyVersion, a.policy, a.entries);
        } else {
            uint48 effectiveAt = uint48(block.timestamp + m.amendDelay);
            _pending[id] = Pending(keccak256(abi.encode(a)), effectiveAt);
            emit IMandates.AmendmentScheduled(id, effectiveAt, a);
        }
    }

    function applyAmendment(bytes32 id, Amendment calldata a) external nonReentrant {
        Mandate storage m = _known(id);
        Pending storage p = _pending[id];
        bytes32 hash = keccak256(abi.encode(a));
        _require(hash == p.hash, Reason.NoAmendment, uint256(hash), uint256(p.hash));
        _require(block.timestamp >= p.effectiveAt, Reason.AmendmentEarly, block.timestamp, p.effectiveAt);
        _checkAmendment(m, a);
        delete _pending[id];
        _write(id, m, a.policy, a.entries);
        emit IMandates.MandateAmended(id, m.policyVersion, a.policy, a.entries);
    }

    function cancelAmendment(bytes32 id) external nonReentrant {
        _owned(id);
        _require(_pending[id].hash != 0, Reason.NoAmendment, 0, 0);
        delete _pending[id];
        emit IMandates.AmendmentCancelled(id);
    }

    function pause(bytes32 id) external nonReentrant {
        Mandate storage m = _owned(id);
        _require(m.status != Status.Revoked, Reason.Revoked, 0, 0);
        _require(m.status != Status.Paused, Reason.Paused, 0, 0);
        m.status = Status.Paused;
        emit IMandates.MandatePaused(id);
    }

    function unpause(bytes32 id) external nonReentrant {
        Mandate storage m = _owned(id);
        _require(m.status != Status.Revoked, Reason.Revoked, 0, 0);
        _require(m.status == Status.Paused, Reason.NotPaused, uint256(m.status), uint256(Status.Paused));
        m.status = Status.Active;
        emit IMandates.MandateUnpaused(id);
    }

    function revoke(bytes32 id) external nonReentrant {
        _revoke(id, _owned(id));
    }

    function renounce(bytes32 id) external nonReentrant {
        Mandate storage m = _known(id);
        _require(msg.sender == m.agent, Reason.NotPermitted, _number(msg.sender), _number(m.agent));
        _revoke(id, m);
    }

    function setCeiling(address agent, address token, uint96 dayCap) external nonReentrant {
        Ceiling storage c = _ceilings[msg.sender][agent][token];
        uint96 current = _ceilingNow(c);
        uint48 effectiveAt = uint48(block.timestamp);
        if (dayCap > current) {
            effectiveAt = uint48(block.timestamp + CEILING_DELAY);
            (c.dayCap, c.nextCap, c.nextFrom) = (current, dayCap, effectiveAt);
        } else {
            (c.isSet, c.dayCap, c.nextCap, c.nextFrom) = (true, dayCap, dayCap, effectiveAt);
        }
        emit IMandates.CeilingSet(msg.sender, agent, token, dayCap, effectiveAt);
    }

    function _revoke(bytes32 id, Mandate storage m) private {
        _require(m.status != Status.Revoked, Reason.Revoked, 0, 0);
        m.status = Status.Revoked;
        emit IMandates.MandateRevoked(id, msg.sender);
    }

    function _checkAmendment(Mandate storage m, Amendment calldata a) private view {
        _require(m.status != Status.Revoked, Reason.Revoked, 0, 0);
        _require(a.expectedVersion == m.policyVersion, Reason.PolicyVersion, a.expectedVersion, m.policyVersion);
        _checkPolicy(a.policy, m.owner, m.agent);
    }

    function _checkPolicy(Policy calldata p, address owner, address agent) private view {
        uint256 start = p.validAfter > block.timestamp ? p.validAfter : block.timestamp;
        _require(p.validBefore > start, Reason.EmptyWindow, p.validBefore, start);
        bool isSpendable = p.paymentCap > 0 && p.dayCap > 0 && p.monthCap > 0 && p.lifetimeCap > 0 && p.dayCount > 0;
        _require(isSpendable, Reason.ZeroCap, 0, 1);
        Terms calldata t = p.terms;
        _within(t.challengePeriod, CHALLENGE_MIN, CHALLENGE_MAX, Reason.ChallengePeriod);
        _within(t.resolutionTimeout, RESOLUTION_MIN, RESOLUTION_MAX, Reason.ResolutionTimeout);
        _require(t.silenceBps <= Spending.WHOLE_BPS, Reason.SilenceShare, t.silenceBps, Spending.WHOLE_BPS);
        bool isNeutral = t.resolver != owner && t.resolver != agent;
        _require(isNeutral, Reason.ResolverIsParty, _number(t.resolver), _number(t.resolver));
    }

    function _within(uint256 got, uint256 least, uint256 most, Reason reason) private pure {
        _require(got >= least, reason, got, least);
        _require(got <= most, reason, got, most);
    }

    function _isTighter(bytes32 id, Mandate storage m, Amendment calldata a) private view returns (bool) {
        Policy calldata p = a.policy;
        bool isTighter = p.validAfter >= m.validAfter && p.validBefore <= m.validBefore && p.paymentCap <= m.paymentCap
            && p.dayCap <= m.dayCap && p.monthCap <= m.monthCap && p.lifetimeCap <= m.lifetimeCap
            && p.dayCount <= m.dayCount && p.approvalAbove <= m.approvalAbove && _packed(p.terms) == m.terms;
        for (uint256 i = 0; isTighter && i < a.entries.length; ++i) {
            Entry calldata e = a.entries[i];
            Allowed storage now_ = _allowed[id][_entryKey(e.recipient, e.service)];
            isTighter = e.paymentCap == 0
                || (e.paymentCap <= now_.paymentCap && e.windowCap <= now_.windowCap && e.window == now_.window);
        }
        return isTighter;
    }

    /// @dev What was spent, and so every open escrow, stays as it is.
    function _write(bytes32 id, Mandate storage m, Policy calldata p, Entry[] calldata entries) private {
        m.policyVersion += 1;
        m.validAfter = p.validAfter;
        m.validBefore = p.validBefore;
        m.paymentCap = p.paymentCap;
        m.dayCap = p.dayCap;
        m.monthCap = p.monthCap;
        m.lifetimeCap = p.lifetimeCap;
        m.dayCount = p.dayCount;
        m.approvalAbove = p.approvalAbove;
        m.terms = _packed(p.terms);
        for (uint256 i = 0; i < entries.length; ++i) {
            Entry calldata e = entries[i];
            _allowed[id][_entryKey(e.recipient, e.service)] = Allowed(true, e.window, e.paymentCap, e.windowCap);
        }
    }
}
