// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Authorization} from "./Authorization.sol";
import {Calendar} from "./Calendar.sol";
import {Escrow} from "./Escrow.sol";
import {Policies} from "./Policies.sol";
import {Amendment, Creation, Entry, MandateView, Payment, PaymentRequest, Policy, Status} from "./Types.sol";

/// @title Budgets for agents, with escrow for those they pay. Tested, not audited. Read `IMandates`.
/// @dev Split by idea: `Policies` are the owner's rules, `Authorization` asks whether a payment keeps them, `Escrow`
/// brings a reserved amount to its end, `Funds` alone touches tokens, `Store` is what all of them keep.
/// Whatever changes state is `nonReentrant`: while a token or a signer's code runs, nothing else does.
contract Mandates is Authorization, Escrow {
    address private immutable POLICIES = address(new Policies());

    function create(Creation calldata) external returns (bytes32) {
        _run(POLICIES);
    }

    function amend(bytes32, Amendment calldata) external {
        _run(POLICIES);
    }

    function applyAmendment(bytes32, Amendment calldata) external {
        _run(POLICIES);
    }

    function cancelAmendment(bytes32) external {
        _run(POLICIES);
    }

    function pause(bytes32) external {
        _run(POLICIES);
    }

    function unpause(bytes32) external {
        _run(POLICIES);
    }

    function revoke(bytes32) external {
        _run(POLICIES);
    }

    function renounce(bytes32) external {
        _run(POLICIES);
    }

    function setCeiling(address, address, uint96) external {
        _run(POLICIES);
    }

    function mandateOf(address owner, bytes32 salt) external view returns (bytes32) {
        return _mandateOf(owner, salt);
    }

    function mandate(bytes32 id) external view returns (MandateView memory view_) {
        Mandate storage m = _mandates[id];
        if (m.status == Status.None) return view_;
        view_.status = m.status;
        view_.ownerKind = m.ownerKind;
        view_.agentKind = m.agentKind;
        view_.owner = m.owner;
        view_.agent = m.agent;
        view_.token = m.token;
        view_.vault = vaultOf(m.owner);
        view_.policyVersion = m.policyVersion;
        view_.amendDelay = m.amendDelay;
        view_.policy = Policy(
            m.validAfter,
            m.validBefore,
            m.paymentCap,
            m.dayCap,
            m.monthCap,
            m.lifetimeCap,
            m.dayCount,
            m.approvalAbove,
            _unpacked(m.terms)
        );
        view_.balance = m.balance;
        view_.reserved = m.reserved;
        view_.lifetimeSpent = m.lifetimeSpent;
        view_.spent = m.spent;
    }

    function entry(bytes32 id, address recipient, bytes32 service) external view returns (bool exists, Entry memory) {
        Allowed storage a = _allowed[id][_entryKey(recipient, service)];
        return (a.exists, Entry(recipient, service, a.paymentCap, a.windowCap, a.window));
    }

    function pendingAmendment(bytes32 id) external view returns (bytes32 hash, uint48 effectiveAt) {
        Pending storage p = _pending[id];
        return (p.hash, p.effectiveAt);
    }

    function paymentOf(PaymentRequest calldata request) external pure returns (bytes32) {
        return _paymentOf(request);
    }

    function payment(bytes32 id) external view returns (Payment memory) {
        return _payments[id];
    }

    function ceiling(address owner, address agent, address token)
        external
        view
        returns (bool isSet, uint96 dayCap, uint96 spentToday)
    {
        Ceiling storage c = _ceilings[owner][agent][token];
        return (c.isSet, _ceilingNow(c), c.day == Calendar.day(block.timestamp) ? c.daySum : 0);
    }

    /// @dev Runs this very call with the code of `part`, on this storage, and ends it with that answer.
    function _run(address part) private {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), part, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch isDone
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
