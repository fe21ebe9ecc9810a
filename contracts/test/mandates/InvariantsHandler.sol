// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IMandates} from "../../src/mandates/IMandates.sol";
import {
    Amendment,
    Batch,
    Entry,
    Item,
    MandateView,
    Payment,
    PaymentRequest,
    Policy,
    Remaining,
    SignedApproval,
    State,
    Status
} from "../../src/mandates/Types.sol";
import {InvariantsChecks} from "./InvariantsChecks.sol";
import {Action} from "./InvariantsLedger.sol";

/// @notice Steps that forge makes in any order. Each looks at how things stand, and mostly does what is possible then.
contract InvariantsHandler is InvariantsChecks {
    bytes[3] private waiting;
    uint256 private salt;

    modifier timed() {
        vm.warp(clock);
        _;
    }

    /// @dev The youngest payment in that state, or one that is a little older; now and then any, to be refused.
    function find(uint256 seed, State wanted) private view returns (bool isFound, uint256 found) {
        uint256 n = states.length;
        if (n > 0 && seed >> 220 & 15 == 0) return (true, (seed >> 8) % n);
        uint256 skip = seed >> 248 & 3;
        for (uint256 i = n; i > 0; --i) {
            if (states[i - 1] != wanted) continue;
            (isFound, found) = (true, i - 1);
            if (skip == 0) break;
            --skip;
        }
    }

    function oldest(State wanted) private view returns (bool, uint256) {
        for (uint256 i = 0; i < states.length; ++i) {
            if (states[i] == wanted) return (true, i);
        }
        return (false, 0);
    }

    function one(uint256 i) private pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = i;
    }

    /// @dev The party itself, or a stranger with its signature.
    function party(uint256 seed, uint256 key, bytes32 content) private view returns (address, bytes memory) {
        return seed & 1 == 0 ? (vm.addr(key), bytes("")) : (stranger, sign(key, content));
    }

    function keyOf(address recipient) private view returns (uint256) {
        return recipient == provider ? PROVIDER_KEY : OTHER_PROVIDER_KEY;
    }

    /// @dev A new request: mostly small, sometimes all that is left of a window, sometimes one more than that.
    function draft(uint256 seed) private returns (uint256 i) {
        uint256 m = isEnded[seed % MANDATES] && seed >> 120 & 7 > 0 ? 0 : seed % MANDATES;
        PaymentRequest memory r = request();
        (r.mandate, r.token) = (ids[m], address(tokenOf(m)));
        if (m == 1 && seed >> 8 & 1 == 1) r.recipient = otherProvider;
        r.policyVersion = mandates.mandate(ids[m]).policyVersion;
        r.requestId = bytes32(++salt);
        uint48 now_ = uint48(clock);
        (r.validAfter, r.validBefore) = (now_, now_ + 6 hours);
        r.deliverBy = now_ + 12 hours + uint48(seed >> 16) % 3 days;
        r.captureBy = r.deliverBy + 4 hours + 1 + uint48(seed >> 32) % 1 days;
        r.refundBy = r.captureBy + uint48(seed >> 64) % 20 days;
        Remaining memory left_ = mandates.preview(r, "", noApproval(), agent).remaining;
        uint256 kind = seed >> 112 & 15;
        r.maxAmount = uint128(1 + (seed >> 128) % 40e6);
        if (kind == 0) r.maxAmount = uint128(left_.today);
        if (kind == 1) r.maxAmount = uint128(left_.today + 1);
        if (kind == 2) r.maxAmount = uint128(left_.entryWindow + 1);
        if (kind == 3) r.maxAmount = uint128(left_.available + 1);
        requests.push(r);
        payments.push(hashRequest(r));
        states.push(State.None);
        return requests.length - 1;
    }

    function approve(uint256 i) private view returns (SignedApproval memory) {
        PaymentRequest memory r = requests[i];
        uint256 m = indexOf(r.mandate);
        if (r.maxAmount <= mandates.mandate(r.mandate).policy.approvalAbove) return noApproval();
        bytes32 content = hashApproval(r, ownerOf(m), type(uint48).max);
        return SignedApproval(type(uint48).max, sign(ownerKeyOf(m), content));
    }

    function spend(uint256 seed) external timed {
        uint256 kind = seed >> 240 & 7;
        if (kind == 0) return spendBatch(seed);
        (bool isFound, uint256 i) = find(seed, State.None);
        // A request that waits, now and then; it may be of an old policy by now.
        if (!isFound || kind > 2) i = draft(seed);
        if (kind == 1) return cancel(seed, i);
        (address by, bytes memory signature) = party(seed >> 1, AGENT_KEY, payments[i]);
        perform(Action.Authorize, by, abi.encodeCall(IMandates.authorize, (requests[i], signature, approve(i))), one(i));
    }

    function spendBatch(uint256 seed) private {
        uint256[] memory touched = new uint256[](3);
        Item[] memory items = new Item[](3);
        for (uint256 k = 0; k < 3; ++k) {
            uint256 i = draft(uint256(keccak256(abi.encode(seed, k))));
            touched[k] = i;
            items[k] = Item(requests[i], sign(k == 2 ? STRANGER_KEY : AGENT_KEY, payments[i]), approve(i));
        }
        perform(Action.Authorize, stranger, abi.encodeCall(IMandates.authorizeBatch, (items, Batch.EachAlone)), touched);
    }

    function cancel(uint256 seed, uint256 i) private {
        (address by, bytes memory signature) =
            party(seed >> 1, AGENT_KEY, hashOf("Cancel(bytes32 payment)", payments[i]));
        perform(Action.Cancel, by, abi.encodeCall(IMandates.cancelRequest, (requests[i], signature)), one(i));
    }

    /// @notice What a provider does.
    function serve(uint256 seed) external timed {
        (bool isFound, uint256 i) = find(seed, State.Escrowed);
        uint256 kind = seed >> 240 & 15;
        if (isFound && kind < 9) return deliver(seed, i);
        (isFound, i) = find(seed, State.Delivered);
        if (isFound && kind != 12) return kind == 11 ? void(seed, i) : capture(seed, i);
        (isFound, i) = find(seed, seed & 3 == 0 ? State(5 + (seed >> 2) % 4) : State.Settled);
        if (isFound) refund(seed, i);
    }

    function deliver(uint256 seed, uint256 i) private {
        PaymentRequest memory r = requests[i];
        if (seed >> 239 & 7 == 0) return void(seed, i);
        bytes32 content = hashOf("Delivery(bytes32 payment,bytes32 receiptHash)", payments[i], 1);
        (address by, bytes memory signature) = party(seed >> 1, keyOf(r.recipient), content);
        perform(Action.Deliver, by, abi.encodeCall(IMandates.deliver, (r, bytes32(uint256(1)), signature)), one(i));
    }

    function void(uint256 seed, uint256 i) private {
        PaymentRequest memory r = requests[i];
        bytes32 content = hashOf("Void(bytes32 payment)", payments[i]);
        (address by, bytes memory signature) = party(seed >> 1, keyOf(r.recipient), content);
        perform(Action.Void, by, abi.encodeCall(IMandates.void, (r, signature)), one(i));
    }

    function capture(uint256 seed, uint256 i) private {
        PaymentRequest memory r = requests[i];
        Payment memory p = mandates.payment(payments[i]);
        uint256 open = uint256(p.since) + r.terms.challengePeriod;
        if (clock < open && seed >> 200 & 1 == 0) goTo(open);
        uint128 total = p.paid + 1 + uint128(seed >> 8) % (r.maxAmount - p.paid + 1);
        if (seed >> 201 & 3 == 0) total = r.maxAmount;
        bytes32 content = hashOf("Capture(bytes32 payment,uint128 total)", payments[i], total);
        (address by, bytes memory signature) = party(seed >> 1, keyOf(r.recipient), content);
        perform(Action.Capture, by, abi.encodeCall(IMandates.capture, (r, total, signature)), one(i));
    }

    function refund(uint256 seed, uint256 i) private {
        PaymentRequest memory r = requests[i];
        if (clock >= r.refundBy && seed >> 230 & 7 > 0) return;
        Payment memory p = mandates.payment(payments[i]);
        uint128 total = p.refunded + 1 + uint128(seed >> 8) % (p.paid - p.refunded + 1);
        bytes32 content = hashOf("Refund(bytes32 payment,uint128 total)", payments[i], total);
        (address by, bytes memory signature) = party(seed >> 1, keyOf(r.recipient), content);
        bytes memory data = abi.encodeCall(IMandates.refund, (r, total, signature));
        if (perform(Action.Refund, by, data, one(i))) came[vaultOf(indexOf(r.mandate))] += total - p.refunded;
    }

    /// @notice What an owner and a resolver do with a delivery.
    function judge(uint256 seed) external timed {
        (bool isFound, uint256 i) = find(seed, State.Escrowed);
        // Too early, and so in vain.
        if (isFound && seed >> 224 & 7 == 0) return accept(seed, i);
        (isFound, i) = find(seed, State.Disputed);
        if (isFound && seed >> 240 & 1 == 0) return seed >> 241 & 3 == 0 ? accept(seed, i) : resolve(seed, i);
        (isFound, i) = find(seed, State.Delivered);
        if (!isFound) return;
        if (seed >> 242 & 3 == 0) return accept(seed, i);
        uint256 evidence = seed >> 8 & 3;
        bytes32 content = hashOf("Dispute(bytes32 payment,bytes32 evidenceHash)", payments[i], evidence);
        (address by, bytes memory signature) = party(seed >> 1, ownerKeyOf(indexOf(requests[i].mandate)), content);
        bytes memory data = abi.encodeCall(IMandates.dispute, (requests[i], bytes32(evidence), signature));
        perform(Action.Dispute, by, data, one(i));
    }

    function accept(uint256 seed, uint256 i) private {
        bytes32 content = hashOf("Accept(bytes32 payment)", payments[i]);
        (address by, bytes memory signature) = party(seed >> 1, ownerKeyOf(indexOf(requests[i].mandate)), content);
        perform(Action.Accept, by, abi.encodeCall(IMandates.accept, (requests[i], signature)), one(i));
    }

    function resolve(uint256 seed, uint256 i) private {
        PaymentRequest memory r = requests[i];
        uint128 part = seed >> 8 & 3 == 0 ? 0 : uint128(seed >> 10) % (r.maxAmount + 1);
        bytes32 content = hashOf("Resolution(bytes32 payment,uint128 toProvider)", payments[i], part);
        (address by, bytes memory signature) = party(seed >> 1, RESOLVER_KEY, content);
        perform(Action.Resolve, by, abi.encodeCall(IMandates.resolve, (r, part, signature)), one(i));
    }

    /// @notice What anyone does once its time has come, which it mostly does now.
    function finish(uint256 seed) external timed {
        State wanted = State(2 + seed % 3);
        (bool isFound, uint256 i) = oldest(wanted);
        if (!isFound) return;
        PaymentRequest memory r = requests[i];
        uint256 since = mandates.payment(payments[i]).since;
        bool isClaim = seed >> 242 & 1 == 0;
        Action action = Action.Expire;
        uint256 time = wanted == State.Escrowed ? r.deliverBy : r.captureBy;
        bytes memory data = abi.encodeCall(IMandates.expire, (r));
        if (wanted == State.Disputed) {
            (action, time) = (Action.TimeOut, since + r.terms.resolutionTimeout);
            data = abi.encodeCall(IMandates.timeOut, (r));
        } else if (wanted == State.Delivered && isClaim) {
            (action, time) = (Action.Claim, since + r.terms.challengePeriod);
            data = abi.encodeCall(IMandates.claim, (r));
        }
        if (clock < time && (wanted != State.Escrowed || seed >> 240 & 7 == 0)) goTo(time - (seed >> 243 & 1));
        perform(action, stranger, data, one(i));
    }

    /// @notice Money in, out and beside; and accounts that the issuer stops.
    function move(uint256 seed) external timed {
        uint256 m = (seed >> 8) % MANDATES;
        (uint256 kind, uint256 amount) = (seed % 8, 1 + (seed >> 16) % 500e6);
        address by = ownerOf(m);
        if (kind < 2) {
            tokenOf(m).mint(by, amount);
            if (m < 2 && kind == 1) {
                return seed >> 11 & 1 == 0 ? fundByPermit(m, amount) : fundByAuthorization(m, amount);
            }
            bytes memory data = abi.encodeCall(IMandates.fund, (ids[m], amount));
            if (perform(Action.Fund, by, data, new uint256[](0))) came[vaultOf(m)] += amount;
        } else if (kind == 2) {
            withdraw(seed, m);
        } else if (kind == 3) {
            if (dollar.isFrozen(mandates.vaultOf(by))) return;
            tokenOf(m).mint(mandates.vaultOf(by), 1);
            ++given[vaultOf(m)];
            ++done[Action.Donate];
        } else if (kind < 6) {
            withdrawCredit(seed);
        } else {
            address[3] memory accounts = [provider, otherProvider, mandates.vaultOf(owner)];
            address account = accounts[(seed >> 16) % 3];
            if (dollar.isFrozen(account)) dollar.unfreeze(account);
            else dollar.freeze(account);
        }
    }

    function signDollar(bytes32 content) private view returns (uint8 v, bytes32 r, bytes32 s) {
        return vm.sign(OWNER_KEY, keccak256(abi.encodePacked(hex"1901", dollar.DOMAIN_SEPARATOR(), content)));
    }

    /// @dev The permit takes the place of the allowance without end, which comes back.
    function fundByPermit(uint256 m, uint256 amount) private {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 content = keccak256(abi.encode(typeHash, owner, address(mandates), amount, dollar.nonces(owner), clock));
        (uint8 v, bytes32 r, bytes32 s) = signDollar(content);
        bytes memory data = abi.encodeCall(IMandates.fundWithPermit, (ids[m], amount, clock, v, r, s));
        if (perform(Action.FundWithPermit, owner, data, new uint256[](0))) came[0] += amount;
        vm.prank(owner);
        dollar.approve(address(mandates), type(uint256).max);
    }

    function fundByAuthorization(uint256 m, uint256 amount) private {
        bytes32 nonce = mandates.fundingNonce(ids[m], bytes32(++salt));
        bytes32 typeHash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        bytes32 content = keccak256(abi.encode(typeHash, owner, mandates.vaultOf(owner), amount, 0, clock + 1, nonce));
        (uint8 v, bytes32 r, bytes32 s) = signDollar(content);
        bytes memory data = abi.encodeCall(
            IMandates.fundWithAuthorization,
            (ids[m], owner, amount, 0, clock + 1, bytes32(salt), abi.encodePacked(r, s, v))
        );
        if (perform(Action.FundWithAuthorization, stranger, data, new uint256[](0))) came[0] += amount;
    }

    /// @dev All that is free, one more, or a part.
    function withdraw(uint256 seed, uint256 m) private {
        MandateView memory now_ = mandates.mandate(ids[m]);
        uint256 free = now_.balance - now_.reserved;
        uint256 kind = seed >> 240 & 3;
        uint256 amount = kind == 0 ? free : kind == 1 ? free + 1 : 1 + (seed >> 16) % (free / 4 + 1);
        bytes memory data = abi.encodeCall(IMandates.withdraw, (ids[m], amount, ownerOf(m)));
        if (perform(Action.Withdraw, ownerOf(m), data, new uint256[](0)) && amount > free) ++faults["withdrawn"];
    }

    function withdrawCredit(uint256 seed) private {
        address recipient = seed >> 20 & 1 == 0 ? provider : otherProvider;
        (uint128 earned, uint128 withdrawn) = mandates.credit(owner, address(dollar), recipient);
        if (earned == withdrawn) return;
        uint128 total = withdrawn + 1 + uint128(seed >> 24) % (earned - withdrawn + 1);
        bytes memory data = abi.encodeCall(
            IMandates.withdrawCredit, (owner, address(dollar), recipient, vm.addr(STRANGER_KEY), total, "")
        );
        perform(Action.WithdrawCredit, recipient, data, new uint256[](0));
    }

    /// @notice What owners and the agent do to mandates.
    function govern(uint256 seed) external timed {
        uint256 m = (seed >> 8) % MANDATES;
        uint256 kind = seed % 16;
        Status status = mandates.mandate(ids[m]).status;
        if (status == Status.Paused) {
            perform(Action.Stop, ownerOf(m), abi.encodeCall(IMandates.unpause, (ids[m])), new uint256[](0));
            return;
        }
        if (kind < 5) return amend(seed, m);
        if (kind < 8) return applyAmendment(seed, m);
        if (kind < 11) {
            (, uint96 cap,) = mandates.ceiling(owner, agent, address(dollar));
            uint96 next = seed >> 16 & 1 == 0 ? cap - cap / 8 : cap + 50e6;
            bytes memory raise = abi.encodeCall(IMandates.setCeiling, (agent, address(dollar), next));
            perform(Action.Ceiling, owner, raise, new uint256[](0));
            return;
        }
        (bytes32 hash,) = mandates.pendingAmendment(ids[m]);
        bytes memory data = kind < 13 || hash == 0
            ? abi.encodeCall(IMandates.pause, (ids[m]))
            : abi.encodeCall(IMandates.cancelAmendment, (ids[m]));
        bool isEnd = kind == 15 && m != 0 && seed >> 16 & 15 == 0;
        bool isAgents = seed >> 18 & 1 == 0;
        if (isEnd && isAgents) data = abi.encodeCall(IMandates.renounce, (ids[m]));
        if (isEnd && !isAgents) data = abi.encodeCall(IMandates.revoke, (ids[m]));
        perform(Action.Stop, isEnd && isAgents ? agent : ownerOf(m), data, new uint256[](0));
    }

    /// @dev Tighter by an eighth of the day, or looser by 50 dollars.
    function amend(uint256 seed, uint256 m) private {
        MandateView memory now_ = mandates.mandate(ids[m]);
        Policy memory p = now_.policy;
        bool isTighter = seed >> 16 & 1 == 0;
        p.dayCap = isTighter ? p.dayCap - p.dayCap / 8 : p.dayCap + 50e6;
        Amendment memory a = Amendment(now_.policyVersion, p, new Entry[](0));
        bytes memory data = abi.encodeCall(IMandates.amend, (ids[m], a));
        if (perform(Action.Amend, ownerOf(m), data, new uint256[](0)) && !isTighter) waiting[m] = abi.encode(a);
    }

    function applyAmendment(uint256 seed, uint256 m) private {
        (bytes32 hash, uint48 effectiveAt) = mandates.pendingAmendment(ids[m]);
        if (hash == 0) return;
        if (clock < effectiveAt && seed >> 240 & 1 == 0) goTo(effectiveAt);
        Amendment memory a = abi.decode(waiting[m], (Amendment));
        bytes memory data = abi.encodeCall(IMandates.applyAmendment, (ids[m], a));
        perform(Action.Apply, stranger, data, new uint256[](0));
    }

    /// @notice Time goes on: by some hours, to a midnight, or over the month.
    function pass(uint256 seed) external timed {
        uint256 kind = seed % 8;
        uint256 time = clock + (seed >> 8) % 2 hours;
        if (kind == 0) time = (clock / 1 days + 1) * 1 days - (seed >> 8 & 1);
        if (kind == 1 && seed >> 240 & 3 == 0) time = clock + 17 days;
        goTo(time);
    }
}
