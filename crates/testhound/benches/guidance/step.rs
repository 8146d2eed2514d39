//! The steps: what makes results, one folder of them each. What they measure is in `measure`.

/// What makes results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// random and grt: JaCoCo on the written suites, our mutants (bars 1, 2, 5)
    Cover,
    /// random with ten times the time on four subjects (bar 2)
    Longer,
    /// every part alone, every part removed, on six subjects (bar 3, Figure 7)
    Ablation,
    /// our mutants of PIT's default group under the suites of `cover` (bar 4)
    Mutants,
    /// the real PIT beside ours on two subjects (bar 4)
    Pit,
    /// suites of `cover` compiled and run three times by every JDK of this machine (bar 6)
    Fresh,
}

impl Step {
    /// All steps.
    pub const ALL: [Step; 6] = [
        Step::Cover,
        Step::Longer,
        Step::Ablation,
        Step::Mutants,
        Step::Pit,
        Step::Fresh,
    ];

    /// Its name on the command line and in the folder of results.
    pub fn name(self) -> &'static str {
        match self {
            Step::Cover => "cover",
            Step::Longer => "longer",
            Step::Ablation => "ablation",
            Step::Mutants => "mutants",
            Step::Pit => "pit",
            Step::Fresh => "fresh",
        }
    }

    /// Whether its jobs search for tests.
    pub fn searches(self) -> bool {
        matches!(self, Step::Cover | Step::Longer | Step::Ablation)
    }

    /// Seconds that a job takes besides its search where nothing has been measured yet, per class of the sample.
    pub fn guess(self) -> f64 {
        match self {
            Step::Cover | Step::Longer => 8.0,
            Step::Ablation => 3.0,
            Step::Mutants | Step::Pit => 10.0,
            Step::Fresh => 4.0,
        }
    }
}
