// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @notice Does what EIP-20 says. The hostile tokens change what is virtual here.
contract PlainToken {
    uint8 public constant decimals = 6;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => uint256) internal _held;

    error Short(uint256 got, uint256 needed);

    function mint(address to, uint256 amount) external {
        _held[to] += amount;
    }

    /// @notice Takes what an account has: a wipe by the issuer.
    function wipe(address account) external {
        _held[account] = 0;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function balanceOf(address account) public view virtual returns (uint256) {
        return _held[account];
    }

    function _spend(address from, uint256 amount) internal {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert Short(allowed, amount);
        allowance[from][msg.sender] = allowed - amount;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        if (_held[from] < amount) revert Short(_held[from], amount);
        _held[from] -= amount;
        _held[to] += amount;
    }
}
