//! ERC-6492: a signature of a contract that may not exist yet.

/// The length of a word of Ethereum's ABI.
const WORD: usize = 32;

/// The two bytes whose repetition over one word ends the wrapped form.
const SUFFIX: [u8; 2] = [0x64, 0x92];

/// The bytes of a signature, without what ERC-6492 may have wrapped around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignatureBytes {
    /// As they came.
    Bare(Vec<u8>),
    /// From `abi.encode(address factory, bytes factoryCalldata, bytes signature) ‖ 0x6492…6492`. The factory and its
    /// calldata are dropped: they are never called.
    Wrapped(Vec<u8>),
}

impl SignatureBytes {
    /// `None` when the bytes end like a wrapped signature and do not hold one.
    pub(crate) fn parse(bytes: Vec<u8>) -> Option<Self> {
        let wrapped = bytes.split_last_chunk::<WORD>().filter(|(_, last)| is_suffix(last));
        match wrapped {
            Some((body, _)) => inner(body).map(|inner| Self::Wrapped(inner.to_vec())),
            None => Some(Self::Bare(bytes)),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bare(bytes) | Self::Wrapped(bytes) => bytes,
        }
    }

    pub(crate) fn is_wrapped(&self) -> bool {
        matches!(self, Self::Wrapped(_))
    }
}

fn is_suffix(word: &[u8; WORD]) -> bool {
    word.chunks_exact(SUFFIX.len()).all(|pair| pair == SUFFIX)
}

/// The third value of the encoded three: an offset at its place, a length at the offset, then the bytes.
fn inner(body: &[u8]) -> Option<&[u8]> {
    const PLACE: usize = 2 * WORD;
    let offset = number(body, PLACE)?;
    let start = offset.checked_add(WORD)?;
    let end = start.checked_add(number(body, offset)?)?;
    body.get(start..end)
}

/// The word at a place as a number that can be a place itself.
fn number(body: &[u8], place: usize) -> Option<usize> {
    let word: &[u8; WORD] = body.get(place..)?.first_chunk()?;
    let (high, low) = word.split_last_chunk::<8>()?;
    high.iter().all(|byte| *byte == 0).then(|| usize::try_from(u64::from_be_bytes(*low)).ok())?
}
