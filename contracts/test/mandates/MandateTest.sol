// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {Reason} from "../../src/mandates/Reason.sol";
import {
    Creation,
    Entry,
    PaymentRequest,
    Policy,
    SignedApproval,
    SignerKind,
    State,
    Terms,
    Window
} from "../../src/mandates/Types.sol";
import {ITestDollar} from "../ITestDollar.sol";
import {Vm} from "../Vm.sol";
import {Signing} from "./Signing.sol";

/// @notice One owner with one funded mandate for one agent, a provider, a resolver and a stranger.
abstract contract MandateTest is Signing {
    /// @dev forge listens at the address of this hash.
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev 2027-01-15 08:00:00 UTC.
    uint48 internal constant NOW = 1_800_000_000;
    uint256 internal constant OWNER_KEY = 0x0111;
    uint256 internal constant AGENT_KEY = 0x0222;
    uint256 internal constant PROVIDER_KEY = 0x0333;
    uint256 internal constant RESOLVER_KEY = 0x0444;
    uint256 internal constant STRANGER_KEY = 0x0555;
    bytes32 internal constant SERVICE = keccak256("text.transform");
    uint256 internal constant FUNDS = 2_000e6;

    IMandates internal mandates;
    ITestDollar internal dollar;
    address internal owner;
    address internal agent;
    address internal provider;
    address internal resolver;
    address internal stranger;
    bytes32 internal mandate;

    function setUp() public virtual {
        vm.warp(NOW);
        (owner, agent, provider) = (vm.addr(OWNER_KEY), vm.addr(AGENT_KEY), vm.addr(PROVIDER_KEY));
        (resolver, stranger) = (vm.addr(RESOLVER_KEY), vm.addr(STRANGER_KEY));
        dollar = ITestDollar(vm.deployCode("TestDollar.sol:TestDollar", abi.encode("USDC", "2")));
        mandates = IMandates(vm.deployCode("Mandates.sol:Mandates", ""));
        mandate = createAs(owner, creation());
        fundAs(owner, mandate, FUNDS);
    }

    function creation() internal view virtual returns (Creation memory c) {
        c.salt = keccak256("first");
        (c.ownerKind, c.agentKind) = (SignerKind.Ecdsa, SignerKind.Ecdsa);
        (c.agent, c.token, c.amendDelay) = (agent, address(dollar), 1 days);
        c.policy = policy();
        c.entries = new Entry[](1);
        c.entries[0] = Entry(provider, SERVICE, 100e6, 200e6, Window.UtcDay);
    }

    function policy() internal view virtual returns (Policy memory p) {
        (p.validAfter, p.validBefore) = (NOW - 1 days, NOW + 365 days);
        (p.paymentCap, p.dayCap, p.monthCap, p.lifetimeCap) = (100e6, 250e6, 1_000e6, 5_000e6);
        (p.dayCount, p.approvalAbove) = (10, 50e6);
        p.terms = terms();
    }

    function terms() internal view virtual returns (Terms memory) {
        return Terms(1 days, 7 days, 4_000, resolver);
    }

    /// @notice 20 dollars to the provider, below the threshold and every cap.
    function request() internal view virtual returns (PaymentRequest memory r) {
        (r.mandate, r.policyVersion, r.requestId) = (mandate, 1, keccak256("request"));
        (r.token, r.maxAmount, r.recipient) = (address(dollar), 20e6, provider);
        (r.service, r.jobHash) = (SERVICE, keccak256("job"));
        (r.validAfter, r.validBefore) = (NOW, NOW + 1 hours);
        (r.deliverBy, r.captureBy, r.refundBy) = (NOW + 1 days, NOW + 10 days, NOW + 30 days);
        r.terms = terms();
    }

    function requestOf(uint128 amount, bytes32 requestId) internal view returns (PaymentRequest memory r) {
        r = request();
        (r.maxAmount, r.requestId) = (amount, requestId);
    }

    function createAs(address who, Creation memory c) internal returns (bytes32) {
        vm.prank(who);
        return mandates.create(c);
    }

    function fundAs(address who, bytes32 id, uint256 amount) internal {
        dollar.mint(who, amount);
        vm.prank(who);
        dollar.approve(address(mandates), amount);
        vm.prank(who);
        mandates.fund(id, amount);
    }

    function sign(uint256 key, bytes32 content) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest(address(mandates), content));
        return abi.encodePacked(r, s, v);
    }

    function noApproval() internal pure returns (SignedApproval memory) {
        return SignedApproval(0, "");
    }

    function approval(PaymentRequest memory r, uint48 validBefore) internal view returns (SignedApproval memory) {
        return SignedApproval(validBefore, sign(OWNER_KEY, hashApproval(r, owner, validBefore)));
    }

    /// @notice Sent by a stranger with the agent's signature, and with the owner's approval above 50 dollars.
    function authorize(PaymentRequest memory r) internal returns (bytes32) {
        bytes memory signature = sign(AGENT_KEY, hashRequest(r));
        SignedApproval memory a = r.maxAmount > 50e6 ? approval(r, type(uint48).max) : noApproval();
        vm.prank(stranger);
        return mandates.authorize(r, signature, a);
    }

    /// @notice As `authorize`, and delivered by the provider.
    function deliver(PaymentRequest memory r) internal returns (bytes32 id) {
        id = authorize(r);
        vm.prank(provider);
        mandates.deliver(r, keccak256("receipt"), "");
    }

    /// @notice As `deliver`, and disputed by the owner with evidence.
    function dispute(PaymentRequest memory r) internal returns (bytes32 id) {
        id = deliver(r);
        vm.prank(owner);
        mandates.dispute(r, keccak256("evidence"), "");
    }

    /// @notice The next call is refused with exactly this.
    function expectRefusal(Reason reason, uint256 got, uint256 limit) internal {
        vm.expectRevert(abi.encodeWithSelector(IMandates.Refused.selector, reason, got, limit));
    }

    function assertState(bytes32 id, State state) internal view {
        vm.assertEq(uint256(mandates.payment(id).state), uint256(state));
    }

    function number(address account) internal pure returns (uint256) {
        return uint160(account);
    }
}
