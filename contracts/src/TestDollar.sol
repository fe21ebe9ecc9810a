// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// @title A dollar for development chains: tested, not audited, and worth nothing, since anyone may mint it.
/// @notice Behaves towards a payer and a relayer as USDC does: 6 decimals, EIP-3009 and EIP-2612 with signatures of
/// keys and of contracts (ERC-1271), a list of frozen accounts, and the EIP-712 domain given at construction.
/// @dev Everything that construction sets is immutable, thus part of the code: a copy of the deployed code works at any
/// other address, where the domain follows the address. An account with code answers for its signatures by ERC-1271
/// alone, in the form with (v, r, s) too, as in USDC 2.2.
contract TestDollar is ERC3009, IERC20Permit, Nonces {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    /// @notice Whether transfers from and to an account are stopped.
    mapping(address account => bool) public isFrozen;

    event Frozen(address indexed account);
    event Unfrozen(address indexed account);

    /// @notice One side of a transfer is frozen.
    error AccountFrozen(address account);
    /// @notice The permit's deadline, in Unix seconds, has passed.
    error PermitExpired(uint256 deadline);
    /// @notice The owner did not sign this permit with its next nonce.
    error PermitInvalidSignature();

    /// @param name_ the token's name, its symbol, and the name in its EIP-712 domain; at most 31 bytes
    /// @param version_ the version in its EIP-712 domain; at most 31 bytes
    constructor(string memory name_, string memory version_) ERC20("", "") EIP712(name_, version_) {}

    /// @notice Makes money. Anyone may: this is a test dollar.
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    /// @notice Stops transfers from and to an account. Anyone may: this is a test dollar.
    function freeze(address account) external {
        isFrozen[account] = true;
        emit Frozen(account);
    }

    /// @notice Lets transfers from and to an account go on. Anyone may.
    function unfreeze(address account) external {
        isFrozen[account] = false;
        emit Unfrozen(account);
    }

    function name() public view override returns (string memory) {
        return _EIP712Name();
    }

    function symbol() public view override returns (string memory) {
        return _EIP712Name();
    }

    function version() external view returns (string memory) {
        return _EIP712Version();
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @notice The nonce that the next permit of `owner` has to carry.
    function nonces(address owner) public view override(IERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    /// @notice Moves `value` from `from` to `to`, as `from` signed. Whoever sends it pays the gas.
    /// @param validAfter the last second, in Unix time, at which it is not valid yet
    /// @param validBefore the first second at which it is not valid any more
    /// @param nonce any 32 bytes that `from` has not used or cancelled
    /// @param signature r, s, v of a key, or whatever the contract `from` accepts
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 content = keccak256(
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        require(_isSignedBy(from, content, signature), ERC3009InvalidSignature());
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @notice The same, signed for a recipient that sends it itself, so that nobody else can choose the moment.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(to == _msgSender(), ERC20InvalidReceiver(to));
        bytes32 content =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        require(_isSignedBy(from, content, signature), ERC3009InvalidSignature());
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @notice Uses up a nonce without a transfer, as `authorizer` signed.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        bytes32 content = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        require(_isSignedBy(authorizer, content, signature), ERC3009InvalidSignature());
        _cancelAuthorization(authorizer, nonce);
    }

    /// @notice Lets `spender` spend `value` of `owner`, as `owner` signed with its next nonce.
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature) public {
        require(block.timestamp <= deadline, PermitExpired(deadline));
        bytes32 content = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
        require(_isSignedBy(owner, content, signature), PermitInvalidSignature());
        _approve(owner, spender, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) public override {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function _isSignedBy(address signer, bytes32 content, bytes memory signature) private view returns (bool) {
        return SignatureChecker.isValidSignatureNow(signer, _hashTypedDataV4(content), signature);
    }

    /// @dev Seconds only, as EIP-3009 has it; the base also knows windows of block numbers.
    function _checkValidity(uint256 validAfter, uint256 validBefore) internal view override {
        require(
            validAfter < block.timestamp && block.timestamp < validBefore,
            ERC3009InvalidAuthorizationTime(validAfter, validBefore)
        );
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isFrozen[from], AccountFrozen(from));
        require(!isFrozen[to], AccountFrozen(to));
        super._update(from, to, value);
    }
}
