//! Choices that follow from one number, so that a sequence is replayed from its numbers.

/// A stream of choices (SplitMix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The choices that follow from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, of which there is at least one.
    pub fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        let index = self.below(choices.len() as u64);
        choices[usize::try_from(index).expect("an index")].clone()
    }

    /// One of the choices, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, choices: &[(u64, T)]) -> T {
        let mut at = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            match at.checked_sub(*weight) {
                Some(left) => at = left,
                None => return *choice,
            }
        }
        choices[0].1
    }

    /// The number itself, the one below it, or the one above it.
    pub fn around(&mut self, number: u128) -> u128 {
        match self.below(4) {
            0 => number.saturating_sub(1),
            1 => number.saturating_add(1),
            _ => number,
        }
    }

    /// The moment itself, the second before it, or the one after it.
    pub fn near(&mut self, moment: u64) -> u64 {
        (moment + self.below(3)).saturating_sub(1)
    }
}
