// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PaymentRequest, Terms} from "./Types.sol";

/// @title The EIP-712 struct hashes of everything that is signed here.
library Hashes {
    bytes32 private constant TERMS =
        keccak256("Terms(uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver)");
    bytes32 private constant REQUEST = keccak256(
        "PaymentRequest(bytes32 mandate,uint64 policyVersion,bytes32 requestId,address token,uint128 maxAmount,"
        "address recipient,bytes32 service,bytes32 jobHash,uint48 validAfter,uint48 validBefore,uint48 deliverBy,"
        "uint48 captureBy,uint48 refundBy,Terms terms)"
        "Terms(uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver)"
    );
    bytes32 private constant APPROVAL = keccak256(
        "Approval(PaymentRequest request,address approver,uint48 validBefore)"
        "PaymentRequest(bytes32 mandate,uint64 policyVersion,bytes32 requestId,address token,uint128 maxAmount,"
        "address recipient,bytes32 service,bytes32 jobHash,uint48 validAfter,uint48 validBefore,uint48 deliverBy,"
        "uint48 captureBy,uint48 refundBy,Terms terms)"
        "Terms(uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver)"
    );
    bytes32 private constant DELIVERY = keccak256("Delivery(bytes32 payment,bytes32 receiptHash)");
    bytes32 private constant ACCEPT = keccak256("Accept(bytes32 payment)");
    bytes32 private constant DISPUTE = keccak256("Dispute(bytes32 payment,bytes32 evidenceHash)");
    bytes32 private constant CAPTURE = keccak256("Capture(bytes32 payment,uint128 total)");
    bytes32 private constant VOID = keccak256("Void(bytes32 payment)");
    bytes32 private constant RESOLUTION = keccak256("Resolution(bytes32 payment,uint128 toProvider)");
    bytes32 private constant REFUND = keccak256("Refund(bytes32 payment,uint128 total)");
    bytes32 private constant CANCEL = keccak256("Cancel(bytes32 payment)");
    bytes32 private constant CREDIT_WITHDRAWAL =
        keccak256("CreditWithdrawal(address owner,address token,address recipient,address to,uint128 total)");

    function terms(Terms calldata t) internal pure returns (bytes32) {
        return keccak256(abi.encode(TERMS, t.challengePeriod, t.resolutionTimeout, t.silenceBps, t.resolver));
    }

    /// @param termsHash the struct hash of the request's terms
    /// @dev The fields before the terms are 13 words in the call as in the hash, so they are copied as they stand. A word
    /// with bits outside its type makes another hash, of a payment that nobody authorized: `authorize` reads each field,
    /// which checks its type.
    function request(PaymentRequest calldata r, bytes32 termsHash) internal pure returns (bytes32 hash) {
        bytes32 typeHash = REQUEST;
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, typeHash)
            calldatacopy(add(words, 0x20), r, 0x1a0)
            mstore(add(words, 0x1c0), termsHash)
            hash := keccak256(words, 0x1e0)
        }
    }

    /// @param payment the struct hash of the request
    function approval(bytes32 payment, address approver, uint48 validBefore) internal pure returns (bytes32) {
        return keccak256(abi.encode(APPROVAL, payment, approver, validBefore));
    }

    function delivery(bytes32 payment, bytes32 receiptHash) internal pure returns (bytes32) {
        return keccak256(abi.encode(DELIVERY, payment, receiptHash));
    }

    function acceptance(bytes32 payment) internal pure returns (bytes32) {
        return keccak256(abi.encode(ACCEPT, payment));
    }

    function dispute(bytes32 payment, bytes32 evidenceHash) internal pure returns (bytes32) {
        return keccak256(abi.encode(DISPUTE, payment, evidenceHash));
    }

    function capture(bytes32 payment, uint128 total) internal pure returns (bytes32) {
        return keccak256(abi.encode(CAPTURE, payment, total));
    }

    function voiding(bytes32 payment) internal pure returns (bytes32) {
        return keccak256(abi.encode(VOID, payment));
    }

    function resolution(bytes32 payment, uint128 toProvider) internal pure returns (bytes32) {
        return keccak256(abi.encode(RESOLUTION, payment, toProvider));
    }

    function refund(bytes32 payment, uint128 total) internal pure returns (bytes32) {
        return keccak256(abi.encode(REFUND, payment, total));
    }

    function cancellation(bytes32 payment) internal pure returns (bytes32) {
        return keccak256(abi.encode(CANCEL, payment));
    }

    function creditWithdrawal(address owner, address token, address recipient, address to, uint128 total)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(CREDIT_WITHDRAWAL, owner, token, recipient, to, total));
    }
}
