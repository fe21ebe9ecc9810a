// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IMandates} from "./IMandates.sol";
import {Reason} from "./Reason.sol";
import {Signatures} from "./Signatures.sol";
import {Store} from "./Store.sol";

/// @title Whose call this is: a party's own, or one that it signed.
abstract contract Signed is IMandates, Store, EIP712 {
    constructor() EIP712("Guildhall Mandates", "1") {}

    /// @dev An owner signs as its mandate says.
    function _byOwner(Mandate storage m, bytes32 content, bytes calldata signature) internal view {
        address owner = m.owner;
        if (signature.length == 0) {
            _require(msg.sender == owner, Reason.NotPermitted, _number(msg.sender), _number(owner));
        } else {
            bool isSigned = Signatures.isOf(m.ownerKind, owner, _hashTypedDataV4(content), signature);
            _require(isSigned, Reason.Signature, 0, _number(owner));
        }
    }

    /// @dev A provider or a resolver.
    function _by(address party, bytes32 content, bytes calldata signature) internal view {
        if (signature.length == 0) {
            _require(msg.sender == party, Reason.NotPermitted, _number(msg.sender), _number(party));
        } else {
            bool isSigned = Signatures.isOfEither(party, _hashTypedDataV4(content), signature);
            _require(isSigned, Reason.Signature, 0, _number(party));
        }
    }
}
