// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Hashes} from "./Hashes.sol";
import {Reason} from "./Reason.sol";
import {Signed} from "./Signed.sol";
import {Vault} from "./Vault.sol";

/// @title Money in and out. Tokens are called here and nowhere else.
abstract contract Funds is Signed {
    using SafeERC20 for IERC20;

    /// @dev What a payment gives the token. A transfer that needs more fails and becomes a credit; one that is sent with
    /// less is refused before it is tried, so that nobody can make a credit of a payment by starving it.
    uint256 private constant PAY_GAS = 300_000;
    /// @dev What must be left, since a call passes on at most 63/64, and something has to be done after it.
    uint256 private constant GAS_MIN = PAY_GAS * 64 / 63 + 60_000;

    address private immutable VAULT = address(new Vault());

    function fund(bytes32 id, uint256 amount) external nonReentrant {
        _fund(id, _known(id), amount);
    }

    function fundWithPermit(bytes32 id, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        nonReentrant
    {
        Mandate storage m = _known(id);
        // Whoever saw the permit may have submitted it first. The allowance decides.
        try IERC20Permit(m.token).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        _fund(id, m, amount);
    }

    function fundWithAuthorization(
        bytes32 id,
        address from,
        uint256 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 salt,
        bytes calldata signature
    ) external nonReentrant {
        Mandate storage m = _known(id);
        IERC20 token = IERC20(m.token);
        address vault = _openVault(m.owner);
        uint256 before = token.balanceOf(vault);
        Vault(vault).take(address(token), from, amount, validAfter, validBefore, fundingNonce(id, salt), signature);
        _book(id, m, from, amount, _since(before, token, vault));
    }

    function withdraw(bytes32 id, uint256 amount, address to) external nonReentrant {
        Mandate storage m = _owned(id);
        uint256 available = m.balance - m.reserved;
        _require(amount > 0, Reason.ZeroAmount, 0, 1);
        _require(amount <= available, Reason.Withdrawal, amount, available);
        m.balance -= uint96(amount);
        emit MandateWithdrawn(id, to, amount);
        Vault(vaultOf(m.owner)).pay(IERC20(m.token), to, amount);
    }

    function withdrawCredit(
        address owner,
        address token,
        address recipient,
        address to,
        uint128 total,
        bytes calldata signature
    ) external nonReentrant {
        _by(recipient, Hashes.creditWithdrawal(owner, token, recipient, to, total), signature);
        Credit storage c = _credits[owner][token][recipient];
        _require(total <= c.earned, Reason.Withdrawal, total, c.earned);
        _require(total > c.withdrawn, Reason.NothingNew, total, c.withdrawn);
        uint256 amount = total - c.withdrawn;
        c.withdrawn = total;
        emit CreditWithdrawn(owner, token, recipient, to, amount);
        Vault(vaultOf(owner)).pay(IERC20(token), to, amount);
    }

    function vaultOf(address owner) public view returns (address) {
        return Clones.predictDeterministicAddress(VAULT, _salt(owner));
    }

    function fundingNonce(bytes32 id, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encode(id, salt));
    }

    function credit(address owner, address token, address recipient)
        external
        view
        returns (uint128 earned, uint128 withdrawn)
    {
        Credit storage c = _credits[owner][token][recipient];
        return (c.earned, c.withdrawn);
    }

    /// @dev Pays, or books a credit when the recipient cannot be paid: the payment is over in either case.
    function _pay(address owner, address token, address recipient, uint256 amount) internal {
        if (amount == 0) return;
        _require(gasleft() >= GAS_MIN, Reason.Gas, gasleft(), GAS_MIN);
        (bool isPaid,) =
            vaultOf(owner).call{gas: PAY_GAS}(abi.encodeCall(Vault.pay, (IERC20(token), recipient, amount)));
        if (!isPaid) {
            // Cannot overflow: what was booked was funded, in amounts below 2^96.
            _credits[owner][token][recipient].earned += uint128(amount);
            emit CreditBooked(owner, token, recipient, amount);
        }
    }

    /// @dev Takes exactly `amount` from one who allowed it, into the owner's vault.
    function _pull(Mandate storage m, address from, uint256 amount) internal returns (uint256 arrived) {
        IERC20 token = IERC20(m.token);
        address vault = _openVault(m.owner);
        uint256 before = token.balanceOf(vault);
        token.safeTransferFrom(from, vault, amount);
        return _since(before, token, vault);
    }

    function _since(uint256 before, IERC20 token, address vault) private view returns (uint256) {
        uint256 balance = token.balanceOf(vault);
        return balance > before ? balance - before : 0;
    }

    /// @dev Adds what arrived to the mandate, when it is what should have.
    function _book(bytes32 id, Mandate storage m, address from, uint256 amount, uint256 arrived) private {
        _add(m, amount, arrived);
        emit MandateFunded(id, from, amount);
    }

    function _add(Mandate storage m, uint256 amount, uint256 arrived) internal {
        _require(amount > 0, Reason.ZeroAmount, 0, 1);
        _require(arrived == amount, Reason.TokenDelta, arrived, amount);
        uint256 room = type(uint96).max - m.balance;
        _require(amount <= room, Reason.AmountTooLarge, amount, room);
        m.balance += uint96(amount);
    }

    function _fund(bytes32 id, Mandate storage m, uint256 amount) private {
        _book(id, m, msg.sender, amount, _pull(m, msg.sender, amount));
    }

    function _openVault(address owner) private returns (address vault) {
        vault = vaultOf(owner);
        if (vault.code.length == 0) Clones.cloneDeterministic(VAULT, _salt(owner));
    }

    function _salt(address owner) private pure returns (bytes32) {
        return bytes32(_number(owner));
    }
}
