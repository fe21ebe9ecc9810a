// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {PaymentRequest, Terms} from "../../src/mandates/Types.sol";

/// @notice The digests of everything that is signed, from the text of EIP-712 and not from the contract.
abstract contract Signing {
    string private constant TERMS =
        "Terms(uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver)";
    string private constant REQUEST =
        "PaymentRequest(bytes32 mandate,uint64 policyVersion,bytes32 requestId,address token,uint128 maxAmount,address recipient,bytes32 service,bytes32 jobHash,uint48 validAfter,uint48 validBefore,uint48 deliverBy,uint48 captureBy,uint48 refundBy,Terms terms)";
    string private constant APPROVAL = "Approval(PaymentRequest request,address approver,uint48 validBefore)";

    function digest(address verifier, bytes32 content) internal view returns (bytes32) {
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 separator =
            keccak256(abi.encode(typeHash, keccak256("Guildhall Mandates"), keccak256("1"), block.chainid, verifier));
        return keccak256(abi.encodePacked(hex"1901", separator, content));
    }

    function hashTerms(Terms memory t) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(TERMS)), t));
    }

    function hashRequest(PaymentRequest memory r) internal pure returns (bytes32) {
        bytes32 typeHash = keccak256(abi.encodePacked(REQUEST, TERMS));
        bytes memory first = abi.encode(typeHash, r.mandate, r.policyVersion, r.requestId, r.token, r.maxAmount);
        bytes memory second = abi.encode(r.recipient, r.service, r.jobHash, r.validAfter, r.validBefore);
        bytes memory third = abi.encode(r.deliverBy, r.captureBy, r.refundBy, hashTerms(r.terms));
        return keccak256(abi.encodePacked(first, second, third));
    }

    function hashApproval(PaymentRequest memory r, address approver, uint48 validBefore)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(abi.encodePacked(APPROVAL, REQUEST, TERMS));
        return keccak256(abi.encode(typeHash, hashRequest(r), approver, validBefore));
    }

    /// @param text such as `Accept(bytes32 payment)`
    function hashOf(string memory text, bytes32 payment) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(text)), payment));
    }

    /// @param text such as `Delivery(bytes32 payment,bytes32 receiptHash)`
    function hashOf(string memory text, bytes32 payment, uint256 value) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(text)), payment, value));
    }
}
