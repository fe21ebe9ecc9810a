// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Hashes} from "./Hashes.sol";
import {IMandates} from "./IMandates.sol";
import {Reason} from "./Reason.sol";
import {Payment, PaymentRequest, SignerKind, Spent, Status, Terms, Window} from "./Types.sol";

/// @title What is stored.
abstract contract Store is ReentrancyGuardTransient {
    /// @dev One line of comment is one slot.
    struct Mandate {
        // 232 bits
        address agent;
        Status status;
        SignerKind ownerKind;
        SignerKind agentKind;
        uint48 validAfter;
        // 240
        address token;
        uint48 validBefore;
        uint32 amendDelay;
        // 256
        address owner;
        uint96 approvalAbove;
        // 224
        uint96 paymentCap;
        uint96 dayCap;
        uint32 dayCount;
        // 256
        uint96 lifetimeCap;
        uint96 lifetimeSpent;
        uint64 policyVersion;
        // 96
        uint96 monthCap;
        // 256
        uint256 terms;
        // 192
        uint96 balance;
        uint96 reserved;
        // 256
        Spent spent;
    }

    struct Allowed {
        bool exists;
        Window window;
        uint96 paymentCap;
        uint96 windowCap;
    }

    struct Pending {
        bytes32 hash;
        uint48 effectiveAt;
    }

    struct Ceiling {
        // 241 bits
        bool isSet;
        uint96 dayCap;
        uint96 nextCap;
        uint48 nextFrom;
        // 128
        uint32 day;
        uint96 daySum;
    }

    struct Credit {
        uint128 earned;
        uint128 withdrawn;
    }

    /// @dev Where this was deployed: a mandate keeps its id when a chain changes its own, and so its escrows end.
    uint256 internal immutable DEPLOYED_ON = block.chainid;

    mapping(bytes32 mandate => Mandate) internal _mandates;
    mapping(bytes32 mandate => mapping(bytes32 entry => Allowed)) internal _allowed;
    mapping(bytes32 mandate => mapping(bytes32 entry => Spent)) internal _entrySpent;
    mapping(bytes32 mandate => Pending) internal _pending;
    mapping(bytes32 payment => Payment) internal _payments;
    mapping(address owner => mapping(address agent => mapping(address token => Ceiling))) internal _ceilings;
    mapping(address owner => mapping(address token => mapping(address recipient => Credit))) internal _credits;

    function _require(bool isSo, Reason reason, uint256 got, uint256 limit) internal pure {
        if (!isSo) revert IMandates.Refused(reason, got, limit);
    }

    function _number(address account) internal pure returns (uint256) {
        return uint160(account);
    }

    function _entryKey(address recipient, bytes32 service) internal pure returns (bytes32) {
        return keccak256(abi.encode(recipient, service));
    }

    function _paymentOf(PaymentRequest calldata request) internal pure returns (bytes32) {
        return Hashes.request(request, Hashes.terms(request.terms));
    }

    /// @dev A mandate that exists, for its owner alone.
    function _owned(bytes32 id) internal view returns (Mandate storage m) {
        m = _known(id);
        _require(msg.sender == m.owner, Reason.NotPermitted, _number(msg.sender), _number(m.owner));
    }

    function _known(bytes32 id) internal view returns (Mandate storage m) {
        m = _mandates[id];
        _require(m.status != Status.None, Reason.UnknownMandate, uint256(id), 0);
    }

    /// @dev Terms as one word: in storage, and in `Reason.Terms`.
    function _packed(Terms calldata t) internal pure returns (uint256) {
        return uint256(t.challengePeriod) | uint256(t.resolutionTimeout) << 32 | uint256(t.silenceBps) << 64
            | _number(t.resolver) << 80;
    }

    function _unpacked(uint256 t) internal pure returns (Terms memory) {
        return Terms(uint32(t), uint32(t >> 32), uint16(t >> 64), address(uint160(t >> 80)));
    }

    function _mandateOf(address owner, bytes32 salt) internal view returns (bytes32) {
        return keccak256(abi.encode(DEPLOYED_ON, address(this), owner, salt));
    }

    function _ceilingNow(Ceiling storage c) internal view returns (uint96) {
        if (!c.isSet) return type(uint96).max;
        return block.timestamp >= c.nextFrom ? c.nextCap : c.dayCap;
    }
}
