//! Which addresses are public.
//!
//! From the registries of special-purpose addresses of IPv4 and IPv6 (RFC 6890 and what followed it). Where a block is
//! partly public, all of it is refused.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// First address and length of the prefix of each block of IPv4 that is not public.
const V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // shared by carriers
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // this host
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local, and with it every cloud's metadata
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // 6to4 relays, which are no more
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, broadcast
];

/// Of IPv6 everything outside of 2000::/3 is refused, mapped and translated addresses with it; these are the blocks inside.
const V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4, which holds an address of IPv4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Whether an address is one of the public internet (H5).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = address.to_bits();
            !V4.iter().any(|(block, length)| {
                let shift = 32_u32.saturating_sub(*length);
                bits.checked_shr(shift) == block.to_bits().checked_shr(shift)
            })
        }
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let is_in = |block: Ipv6Addr, length: u32| {
                let shift = 128_u32.saturating_sub(length);
                bits.checked_shr(shift) == block.to_bits().checked_shr(shift)
            };
            is_in(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)
                && !V6.iter().any(|(block, length)| is_in(*block, *length))
        }
    }
}
