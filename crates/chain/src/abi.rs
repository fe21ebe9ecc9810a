//! The functions and events of other people's contracts, as Solidity declares them.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "written by the macro; the modules beside it are what others see"
)]

alloy_sol_types::sol! {
    /// EIP-3009 and ERC-20, as far as they are used here.
    interface Token {
        function transferWithAuthorization(
            address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
            uint8 v, bytes32 r, bytes32 s
        );
        function transferWithAuthorization(
            address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
            bytes signature
        );
        function authorizationState(address authorizer, bytes32 nonce);
        function balanceOf(address account);
        function name();
        function version();

        event Transfer(address indexed from, address indexed to, uint256 value);
        event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
        event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    }

    /// ERC-1271.
    interface ContractAccount {
        function isValidSignature(bytes32 hash, bytes signature);
    }
}
