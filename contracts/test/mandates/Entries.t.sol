// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Reason} from "../../src/mandates/Reason.sol";
import {Amendment, Creation, Entry, PaymentRequest, Remaining, Window} from "../../src/mandates/Types.sol";
import {Outcomes} from "./Outcomes.sol";

/// @notice Which of the entries decides: the most specific one, with its caps and sums alone, even where it denies.
contract EntriesTest is Outcomes {
    bytes32 private constant OTHER = keccak256("image.transform");

    function mandateOf(Entry[] memory entries) private returns (bytes32 id) {
        Creation memory c = creation();
        (c.salt, c.entries) = (keccak256(abi.encode(entries)), entries);
        id = createAs(owner, c);
        fundAs(owner, id, 1_000e6);
    }

    /// @notice Entries for the pair, the recipient, the service and anything, with caps of 1, 2, 3 and 4.
    /// @param present bit i for the i-th of these
    function entriesOf(uint256 present) private view returns (Entry[] memory entries) {
        Entry[4] memory all = [
            Entry(provider, SERVICE, 1, 100, Window.UtcDay),
            Entry(provider, 0, 2, 100, Window.UtcDay),
            Entry(address(0), SERVICE, 3, 100, Window.UtcDay),
            Entry(address(0), 0, 4, 100, Window.UtcDay)
        ];
        uint256 count;
        for (uint256 i = 0; i < 4; ++i) {
            count += present >> i & 1;
        }
        entries = new Entry[](count);
        for (uint256 i = 4; i > 0; --i) {
            if (present >> (i - 1) & 1 == 1) entries[--count] = all[i - 1];
        }
    }

    function payable_(bytes32 id, address recipient, bytes32 service) private view returns (PaymentRequest memory r) {
        r = requestOf(1, keccak256(abi.encode(recipient, service)));
        (r.mandate, r.recipient, r.service) = (id, recipient, service);
    }

    /// @param first the cap of the entry that decides, zero for none
    function decides(bytes32 id, address recipient, bytes32 service, uint128 first) private {
        PaymentRequest memory r = payable_(id, recipient, service);
        if (first == 0) {
            assertRefused(r, Reason.NotAllowed, number(recipient), uint256(service));
            vm.assertEq(mandates.preview(r, "", noApproval(), agent).remaining.entryPerPayment, 0);
            return;
        }
        r.maxAmount = first + 1;
        assertRefused(r, Reason.EntryPaymentCap, first + 1, first);
        r.maxAmount = first;
        assertAllowed(r);
    }

    function most(uint256 present, uint256 a, uint256 b, uint256 c, uint256 d) private pure returns (uint128) {
        uint256[4] memory order = [a, b, c, d];
        for (uint256 i = 0; i < 4; ++i) {
            if (order[i] != 0 && present >> (order[i] - 1) & 1 == 1) return uint128(order[i]);
        }
        return 0;
    }

    /// @dev All sixteen sets of the four entries, and four requests to each.
    function test_the_most_specific_entry_decides() public {
        for (uint256 present = 0; present < 16; ++present) {
            bytes32 id = mandateOf(entriesOf(present));
            decides(id, provider, SERVICE, most(present, 1, 2, 3, 4));
            decides(id, provider, OTHER, most(present, 2, 4, 0, 0));
            decides(id, stranger, SERVICE, most(present, 3, 4, 0, 0));
            decides(id, stranger, OTHER, most(present, 4, 0, 0, 0));
        }
    }

    function test_an_entry_that_denies_hides_wider_ones() public {
        Entry[] memory entries = new Entry[](3);
        entries[0] = Entry(address(0), 0, 10, 100, Window.UtcDay);
        entries[1] = Entry(provider, 0, 0, 100, Window.UtcDay);
        entries[2] = Entry(provider, SERVICE, 5, 100, Window.UtcDay);
        bytes32 id = mandateOf(entries);
        decides(id, provider, SERVICE, 5);
        decides(id, provider, OTHER, 0);
        decides(id, stranger, OTHER, 10);
    }

    /// @dev The pair's own entry denies, then the recipient's, the service's, and the one for anything.
    function test_a_denial_at_each_level_hides_the_wider_ones() public {
        for (uint256 i = 0; i < 4; ++i) {
            Entry[] memory entries = entriesOf(15 << i & 15);
            entries[0].paymentCap = 0;
            decides(mandateOf(entries), provider, SERVICE, 0);
        }
    }

    function test_an_entry_whose_window_is_empty_allows_nothing() public {
        Entry[] memory entries = new Entry[](1);
        entries[0] = Entry(provider, SERVICE, 10, 0, Window.UtcDay);
        assertRefused(payable_(mandateOf(entries), provider, SERVICE), Reason.EntryWindowCap, 1, 0);
    }

    /// @dev A wildcard sums over all that it allowed, and not what a more specific entry allowed.
    function test_each_entry_has_its_own_sum() public {
        Entry[] memory entries = new Entry[](2);
        entries[0] = Entry(address(0), 0, 10, 15, Window.UtcDay);
        entries[1] = Entry(provider, SERVICE, 10, 10, Window.UtcMonth);
        bytes32 id = mandateOf(entries);
        PaymentRequest memory r = payable_(id, provider, SERVICE);
        r.maxAmount = 10;
        assertAllowed(r);
        r.requestId = "again";
        assertRefused(r, Reason.EntryWindowCap, 20, 10);
        (r.recipient, r.maxAmount) = (stranger, 8);
        assertAllowed(r);
        r.service = OTHER;
        assertRefused(r, Reason.EntryWindowCap, 16, 15);
        r.maxAmount = 7;
        assertAllowed(r);
        Remaining memory left = mandates.preview(r, "", noApproval(), agent).remaining;
        vm.assertEq(left.entryPerPayment, 10);
        vm.assertEq(left.entryWindow, 0);
    }

    /// @dev The sums of days and months are both kept, so that another window counts what was.
    function test_another_window_counts_what_was_spent() public {
        Entry[] memory entries = new Entry[](1);
        entries[0] = Entry(provider, SERVICE, 10, 100, Window.UtcDay);
        bytes32 id = mandateOf(entries);
        PaymentRequest memory r = payable_(id, provider, SERVICE);
        r.maxAmount = 10;
        assertAllowed(r);
        amendTo(id, Entry(provider, SERVICE, 10, 15, Window.UtcMonth));
        (r.policyVersion, r.requestId) = (2, "in the month");
        (r.validBefore, r.deliverBy) = (NOW + 2 days, NOW + 2 days);
        assertRefused(r, Reason.EntryWindowCap, 20, 15);
        r.maxAmount = 5;
        assertAllowed(r);
    }

    function amendTo(bytes32 id, Entry memory e) private {
        Entry[] memory entries = new Entry[](1);
        entries[0] = e;
        Amendment memory a = Amendment(1, policy(), entries);
        vm.prank(owner);
        mandates.amend(id, a);
        vm.warp(NOW + 1 days);
        mandates.applyAmendment(id, a);
    }
}
