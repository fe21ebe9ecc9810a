//! The checksum of a code.

/// CRC-16 of the polynomial 0x1021 from 0xFFFF, neither reflected nor inverted (CRC-16/IBM-3740, also called
/// CCITT-FALSE). Of the bytes `123456789` it is 0x29B1.
pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            let shifted = crc << 1;
            if crc & 0x8000 == 0 { shifted } else { shifted ^ 0x1021 }
        })
    })
}
