// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {
    Creation,
    Entry,
    MandateView,
    Payment,
    PaymentRequest,
    Policy,
    Remaining,
    State,
    Status,
    Terms,
    Window
} from "../../src/mandates/Types.sol";
import {ITestDollar} from "../ITestDollar.sol";
import {MandateTest} from "./MandateTest.sol";
import {PlainToken} from "./hostile/PlainToken.sol";

/// @notice Everything that somebody can do to the mandates, and a donation to a vault.
enum Action {
    Authorize,
    Cancel,
    Deliver,
    Accept,
    Dispute,
    Capture,
    Claim,
    Void,
    Resolve,
    TimeOut,
    Expire,
    Refund,
    Fund,
    FundWithPermit,
    FundWithAuthorization,
    Withdraw,
    WithdrawCredit,
    Donate,
    Amend,
    Apply,
    Stop,
    Ceiling
}

/// @notice Two owners, three mandates of one agent, two tokens; and books of all that is done to them, kept from the
/// calls and from what is seen before and after them.
abstract contract InvariantsLedger is MandateTest {
    struct Sum {
        uint256 spent;
        /// The cap when the last of it was authorized.
        uint256 cap;
    }

    struct Before {
        uint256[2] vaults;
        uint256[3] available;
        uint64[3] versions;
        Remaining[3] left;
    }

    uint256 internal constant OTHER_OWNER_KEY = 0x0666;
    uint256 internal constant OTHER_PROVIDER_KEY = 0x0777;
    uint256 internal constant MANDATES = 3;
    /// @dev 2027-01-01 as a day, and the days of the months from then.
    uint256 private constant FIRST_DAY = 20_819;

    address internal otherOwner;
    address internal otherProvider;
    PlainToken internal plain;
    bytes32[3] internal ids;

    PaymentRequest[] internal requests;
    bytes32[] internal payments;
    State[] internal states;
    mapping(bytes32 window => Sum) internal sums;
    bytes32[] internal windows;
    uint256[2] internal came;
    uint256[2] internal left;
    uint256[2] internal given;
    bool[3] internal isEnded;
    uint96[3] internal spentAtEnd;
    mapping(Action action => uint256) public done;
    mapping(State state => uint256) public reached;
    mapping(string fault => uint256) public faults;
    uint256 public tried;
    uint256 public worked;
    uint256 public creditsBooked;
    /// @dev The time, which forge may set back between two steps.
    uint256 internal clock = NOW;

    function setUp() public override {
        super.setUp();
        plain = new PlainToken();
        (otherOwner, otherProvider) = (vm.addr(OTHER_OWNER_KEY), vm.addr(OTHER_PROVIDER_KEY));
        Creation memory c = creation();
        c.salt = "second";
        c.policy.validBefore = NOW + 40 days;
        c.entries = new Entry[](2);
        c.entries[0] = Entry(provider, 0, 60e6, 150e6, Window.UtcDay);
        c.entries[1] = Entry(address(0), SERVICE, 60e6, 400e6, Window.UtcMonth);
        ids = [mandate, createAs(owner, c), bytes32(0)];
        (c.token, c.entries) = (address(plain), creation().entries);
        c.entries[0].window = Window.UtcMonth;
        ids[2] = createAs(otherOwner, c);
        vm.prank(owner);
        mandates.setCeiling(agent, address(dollar), 300e6);
        address[4] memory payers = [owner, otherOwner, provider, otherProvider];
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(payers[i]);
            dollar.approve(address(mandates), type(uint256).max);
            vm.prank(payers[i]);
            plain.approve(address(mandates), type(uint256).max);
        }
        dollar.mint(owner, FUNDS);
        vm.prank(owner);
        mandates.fund(ids[1], FUNDS);
        plain.mint(otherOwner, FUNDS);
        vm.prank(otherOwner);
        mandates.fund(ids[2], FUNDS);
        (came[0], came[1]) = (2 * FUNDS, FUNDS);
    }

    function terms() internal view override returns (Terms memory) {
        return Terms(4 hours, 8 hours, 4_000, resolver);
    }

    function vaultOf(uint256 m) internal pure returns (uint256) {
        return m < 2 ? 0 : 1;
    }

    function ownerOf(uint256 m) internal view returns (address) {
        return m < 2 ? owner : otherOwner;
    }

    function ownerKeyOf(uint256 m) internal pure returns (uint256) {
        return m < 2 ? OWNER_KEY : OTHER_OWNER_KEY;
    }

    function tokenOf(uint256 m) internal view returns (ITestDollar) {
        return m < 2 ? dollar : ITestDollar(address(plain));
    }

    function inVault(uint256 v) internal view returns (uint256) {
        return v == 0 ? dollar.balanceOf(mandates.vaultOf(owner)) : plain.balanceOf(mandates.vaultOf(otherOwner));
    }

    function creditOf(uint256 v, address recipient) internal view returns (uint256) {
        (address holder, address token) = v == 0 ? (owner, address(dollar)) : (otherOwner, address(plain));
        (uint128 earned, uint128 withdrawn) = mandates.credit(holder, token, recipient);
        return earned - withdrawn;
    }

    /// @notice What the books of the contract say that a vault holds.
    function booked(uint256 v) internal view returns (uint256 sum) {
        sum = creditOf(v, provider) + creditOf(v, otherProvider);
        for (uint256 m = 0; m < MANDATES; ++m) {
            if (vaultOf(m) == v) sum += mandates.mandate(ids[m]).balance;
        }
    }

    function indexOf(bytes32 id) internal view returns (uint256) {
        return id == ids[0] ? 0 : id == ids[1] ? 1 : 2;
    }

    /// @dev One request that stands for each mandate where remaining sums are read.
    function sample(uint256 m) private view returns (PaymentRequest memory r) {
        r = request();
        (r.mandate, r.token) = (ids[m], address(tokenOf(m)));
    }

    function look() private view returns (Before memory b) {
        for (uint256 m = 0; m < MANDATES; ++m) {
            b.left[m] = mandates.preview(sample(m), "", noApproval(), agent).remaining;
            b.available[m] = b.left[m].available;
            b.versions[m] = mandates.mandate(ids[m]).policyVersion;
        }
        (b.vaults[0], b.vaults[1]) = (inVault(0), inVault(1));
    }

    /// @notice Makes a call and books what it did.
    /// @param touched the payments that the call names
    function perform(Action action, address who, bytes memory data, uint256[] memory touched) internal returns (bool) {
        Before memory b = look();
        uint256 credits = creditOf(0, provider) + creditOf(0, otherProvider);
        vm.prank(who);
        (bool isDone,) = address(mandates).call(data);
        ++tried;
        if (isDone) (++done[action], ++worked);
        Before memory a = look();
        compare(action, b, a);
        for (uint256 i = 0; i < touched.length; ++i) {
            follow(action, touched[i], b);
        }
        uint256 now_ = creditOf(0, provider) + creditOf(0, otherProvider);
        if (now_ > credits) ++creditsBooked;
        markEnded();
        return isDone;
    }

    /// @dev Money leaves by the listed exits alone, no allowance comes back, and versions grow by one.
    function compare(Action action, Before memory b, Before memory a) private {
        for (uint256 v = 0; v < 2; ++v) {
            if (a.vaults[v] >= b.vaults[v]) continue;
            left[v] += b.vaults[v] - a.vaults[v];
            bool isExit = action == Action.Accept || action == Action.Capture || action == Action.Claim
                || action == Action.Resolve || action == Action.TimeOut || action == Action.Withdraw
                || action == Action.WithdrawCredit;
            if (!isExit) ++faults["exit"];
        }
        bool mayLoosen = action == Action.Apply || action == Action.Ceiling;
        for (uint256 m = 0; m < MANDATES; ++m) {
            bool isNew = a.versions[m] != b.versions[m];
            bool mayAmend = action == Action.Amend || action == Action.Apply;
            if (isNew && (!mayAmend || a.versions[m] != b.versions[m] + 1)) ++faults["version"];
            if (!mayLoosen && isMore(a.left[m], b.left[m])) ++faults["restored"];
        }
    }

    function isMore(Remaining memory a, Remaining memory b) private pure returns (bool) {
        return a.today > b.today || a.thisMonth > b.thisMonth || a.lifetime > b.lifetime || a.countToday > b.countToday
            || a.entryWindow > b.entryWindow || a.ceiling > b.ceiling;
    }

    /// @dev Compares one payment with what was known of it.
    function follow(Action action, uint256 i, Before memory b) private {
        Payment memory p = mandates.payment(payments[i]);
        State from = states[i];
        if (p.refunded > p.paid) ++faults["refunded"];
        if (p.state == from) return;
        if (!isLegal(action, from, p.state)) ++faults["transition"];
        states[i] = p.state;
        ++reached[p.state];
        uint256 m = indexOf(requests[i].mandate);
        if (p.state == State.Escrowed) {
            count(m, i);
        } else if (p.state > State.Disputed) {
            MandateView memory now_ = mandates.mandate(ids[m]);
            uint256 returned = now_.balance - now_.reserved - b.available[m];
            if (p.paid + returned != requests[i].maxAmount) ++faults["whole"];
        }
    }

    /// @dev The arrows of the interface.
    function isLegal(Action action, State from, State to) private pure returns (bool) {
        if (action == Action.Authorize) return from == State.None && to == State.Escrowed;
        if (action == Action.Cancel) return from == State.None && to == State.Cancelled;
        if (action == Action.Deliver) return from == State.Escrowed && to == State.Delivered;
        if (action == Action.Dispute) return from == State.Delivered && to == State.Disputed;
        if (action == Action.Capture || action == Action.Claim) return from == State.Delivered && to == State.Settled;
        if (action == Action.TimeOut) return from == State.Disputed && to == State.TimedOut;
        bool isOpen = from == State.Escrowed || from == State.Delivered || from == State.Disputed;
        if (action == Action.Void) return isOpen && to == State.Voided;
        if (action == Action.Accept) return isOpen && from != State.Escrowed && to == State.Settled;
        bool isOver = to == State.Settled || to == State.Refunded;
        if (action == Action.Resolve) return from == State.Disputed && isOver;
        if (action == Action.Expire) {
            return (from == State.Escrowed && to == State.Refunded) || (from == State.Delivered && isOver);
        }
        return false;
    }

    /// @dev Adds a payment to every window that it is in.
    function count(uint256 m, uint256 i) private {
        PaymentRequest memory r = requests[i];
        Policy memory p = mandates.mandate(ids[m]).policy;
        (uint256 today, uint256 amount) = (clock / 1 days, r.maxAmount);
        add(keccak256(abi.encode(m, "day", today)), amount, p.dayCap);
        add(keccak256(abi.encode(m, "count", today)), 1, p.dayCount);
        add(keccak256(abi.encode(m, "month", monthOf(today))), amount, p.monthCap);
        add(keccak256(abi.encode(m, "life")), amount, p.lifetimeCap);
        bool isWide = m == 1;
        address recipient = isWide && r.recipient != provider ? address(0) : r.recipient;
        bytes32 service = isWide && r.recipient == provider ? bytes32(0) : r.service;
        (, Entry memory e) = mandates.entry(ids[m], recipient, service);
        uint256 window = e.window == Window.UtcDay ? today : monthOf(today);
        add(keccak256(abi.encode(m, "entry", recipient, window)), amount, e.windowCap);
        if (m == 2) return;
        (, uint96 cap,) = mandates.ceiling(owner, agent, address(dollar));
        add(keccak256(abi.encode("ceiling", today)), amount, cap);
    }

    function add(bytes32 window, uint256 amount, uint256 cap) private {
        Sum storage s = sums[window];
        if (s.spent == 0) windows.push(window);
        (s.spent, s.cap) = (s.spent + amount, cap);
    }

    /// @dev Months since 2027-01, counted off one by one.
    function monthOf(uint256 day) private pure returns (uint256 month) {
        uint8[12] memory lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        uint256 start = FIRST_DAY;
        while (true) {
            uint256 length = lengths[month % 12];
            if (month % 48 == 13) ++length;
            if (day < start + length) return month;
            (start, month) = (start + length, month + 1);
        }
    }

    function goTo(uint256 time) internal {
        clock = time;
        vm.warp(time);
        markEnded();
    }

    function markEnded() private {
        for (uint256 m = 0; m < MANDATES; ++m) {
            MandateView memory now_ = mandates.mandate(ids[m]);
            if (isEnded[m]) continue;
            if (now_.status == Status.Revoked || clock >= now_.policy.validBefore) {
                (isEnded[m], spentAtEnd[m]) = (true, now_.lifetimeSpent);
            }
        }
    }
}
