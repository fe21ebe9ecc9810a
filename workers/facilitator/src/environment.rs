//! Where this Worker runs, and what that allows.

/// The word in `ENVIRONMENT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environment {
    /// The simulator may settle.
    Development,
    /// Only a chain may settle.
    Production,
}

impl Environment {
    /// Anything but `development` is production: a forgotten or mistyped setting must not settle in a simulator.
    pub(crate) fn from_setting(setting: Option<&str>) -> Self {
        match setting {
            Some("development") => Self::Development,
            Some(_) | None => Self::Production,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s11_only_the_word_development_allows_the_simulator() {
        assert_eq!(Environment::from_setting(Some("development")), Environment::Development);
        for setting in [None, Some(""), Some("Development"), Some("dev"), Some("production")] {
            assert_eq!(Environment::from_setting(setting), Environment::Production, "{setting:?}");
        }
    }
}
