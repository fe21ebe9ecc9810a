//! The words that make a purchase take another course.

/// A course that a word in the requirement asks for, so that it can be seen and tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// The cheapest shop has it no more when it is looked at, and the next one is taken.
    Gone,
    /// The cheapest shop asks for a fifth more when it is looked at, and the next one is taken.
    Drift,
    /// The buyer has to log in when the shop is first looked at.
    Login,
    /// Every shop asks for a fortune.
    Dear,
    /// No shop has it.
    Nothing,
}

impl Story {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Gone, Self::Drift, Self::Login, Self::Dear, Self::Nothing];

    /// The word, in any case, that asks for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Drift => "drift",
            Self::Login => "login",
            Self::Dear => "dear",
            Self::Nothing => "nothing",
        }
    }

    /// What happens then, for people.
    pub const fn plot(self) -> &'static str {
        match self {
            Self::Gone => "the cheapest shop turns out to be sold out, and the next one is taken",
            Self::Drift => "the cheapest shop turns out to be 20 % dearer, and the next one is taken",
            Self::Login => "the executor says that the buyer has to log in, and then goes on",
            Self::Dear => "every offer is over the budget, and the run ends without a purchase",
            Self::Nothing => "no shop has it, and the run ends without a purchase",
        }
    }

    /// Whether a requirement asks for it.
    pub fn is_told_by(self, requirement: &str) -> bool {
        words(requirement).any(|word| word == self.word())
    }
}

/// What a requirement says: its words of letters and digits, lower-cased.
pub(crate) fn words(requirement: &str) -> impl Iterator<Item = String> {
    let words = requirement.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_is_told_by_its_own_word_alone() {
        for story in Story::ALL {
            for told in Story::ALL {
                let requirement = format!("Coca-Cola 2L, {}!", told.word().to_uppercase());
                assert_eq!(story.is_told_by(&requirement), story == told, "{requirement}");
                let longer = format!("un{}ly {}2", told.word(), told.word());
                assert!(!story.is_told_by(&longer), "{longer}");
            }
        }
    }
}
