//! Plain lines that say what is being done, how far along it is and how long it took.

use std::time::Instant;

use crate::fault::Fault;

/// Numbered steps, each of which must succeed before the next one starts.
pub(crate) struct Progress {
    done: usize,
    total: usize,
}

impl Progress {
    /// Announces `total` steps to come.
    pub(crate) fn of(total: usize) -> Self {
        Self { done: 0, total }
    }

    /// Runs one step between two lines of progress. `advice` is what to do when it fails.
    ///
    /// # Errors
    /// The step's own fault, followed by the advice.
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        advice: &str,
        run: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.done = self.done.saturating_add(1);
        let label = format!("[{}/{}] {name}", self.done, self.total);
        println!("{label} …");
        let start = now();
        match run() {
            Ok(value) => {
                println!("{label}  ok ({} s)", start.elapsed().as_secs());
                Ok(value)
            }
            Err(fault) => Err(Fault::new(format!("{label} failed: {fault}\n  {advice}"))),
        }
    }
}

/// The time, for measuring how long something takes.
#[expect(clippy::disallowed_methods, reason = "the toolbox runs natively, where this clock exists")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
