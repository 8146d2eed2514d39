//! How a source of actions is guided: one or more arms, each a combination of parts, and how the tests are shared among them.

/// A combination of the parts `loc`, `swarm` and `ga`; none is random testing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arm {
    /// Classes are drawn by their lines of code.
    pub loc: bool,
    /// Tests may use a random half of the classes.
    pub swarm: bool,
    /// Tests with rare coverage are built upon.
    pub ga: bool,
}

impl Arm {
    /// The combination of the parts of a guide that is no mixture.
    pub fn of(parts: &[&str]) -> Arm {
        Arm {
            loc: parts.contains(&"loc"),
            swarm: parts.contains(&"swarm"),
            ga: parts.contains(&"ga"),
        }
    }

    const RANDOM: Arm = Arm {
        loc: false,
        swarm: false,
        ga: false,
    };
    const LOC: Arm = Arm {
        loc: true,
        ..Arm::RANDOM
    };
    const SWARM: Arm = Arm {
        swarm: true,
        ..Arm::RANDOM
    };
    const SWARM_LOC: Arm = Arm {
        swarm: true,
        ..Arm::LOC
    };
    const GA: Arm = Arm {
        ga: true,
        ..Arm::RANDOM
    };
    const GA_LOC: Arm = Arm {
        ga: true,
        ..Arm::LOC
    };
}

/// How tests are shared among arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Evenly by cost.
    Even,
    /// More to the arm that gains more, see the file `bandit`.
    Bandit,
}

impl Mix {
    /// Whether a run begins with tests of the first arm alone, which is plain: nothing that others need is looked for until they begin.
    pub fn begins_plain(self, arms: &[Arm]) -> bool {
        self == Mix::Bandit && arms.first() == Some(&Arm::RANDOM)
    }
}

/// How a source is guided.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionSettings {
    /// The arms; at least one.
    pub arms: Vec<Arm>,
    /// How tests are shared among them.
    pub mix: Mix,
    /// How many steps a test has.
    pub length: u32,
    /// The share of the budget that is used for sampling sizes, where an arm needs them.
    pub sampling: f64,
    /// Sizes that are known from earlier runs, per class; then nothing is sampled.
    pub sizes: Option<Vec<f64>>,
}

impl Default for ActionSettings {
    fn default() -> ActionSettings {
        ActionSettings {
            arms: vec![Arm::RANDOM],
            mix: Mix::Even,
            length: 100,
            sampling: 0.1,
            sizes: None,
        }
    }
}

/// The arms that the parts of a guide mean, and how tests are shared among them.
pub fn arms(parts: &[&str]) -> (Vec<Arm>, Mix) {
    if parts.contains(&"bandit") {
        let arms = vec![
            Arm::RANDOM,
            Arm::LOC,
            Arm::SWARM,
            Arm::GA,
            Arm::GA_LOC,
            Arm::SWARM_LOC,
        ];
        return (arms, Mix::Bandit);
    }
    if parts.contains(&"ensemble") {
        let arms = vec![Arm::LOC, Arm::GA, Arm::GA_LOC, Arm::SWARM_LOC];
        return (arms, Mix::Even);
    }
    (vec![Arm::of(parts)], Mix::Even)
}
