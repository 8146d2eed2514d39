//! The subjects of Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), as far as Maven has them, and the paper's numbers.
//!
//! Table II has 32 programs. Not to be had: A4J, ClassViewer, Dcparseargs, Fixsuite, Java View Control, Mango, Nekomud,
//! SCCH collection, Tiny Sql. Of jcommander, 1.35 stands for 1.36, which was never published there. Pmd-dcd is a package of pmd-core.

/// What Maven calls an artifact: group, name, version, classifier.
pub type Artifact = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
);

/// A program of Table II.
#[derive(Debug, PartialEq)]
pub struct Subject {
    /// Maven's group.
    pub group: &'static str,
    /// Maven's artifact, which also names it here.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The branches that the paper counts.
    pub branches: u64,
}

const fn subject(
    group: &'static str,
    name: &'static str,
    version: &'static str,
    branches: u64,
) -> Subject {
    Subject {
        group,
        name,
        version,
        branches,
    }
}

impl Subject {
    /// What Maven is asked for: the subject first, then what its classes need and Maven leaves out, because it is optional.
    pub fn artifacts(&self) -> Vec<Artifact> {
        let optional: &[Artifact] = match self.name {
            "jaxen" => &[
                ("dom4j", "dom4j", "1.6.1", None),
                ("jdom", "jdom", "1.0", None),
                ("xom", "xom", "1.2.5", None),
            ],
            "jdom" => &[("jaxen", "jaxen", "1.1.6", None)],
            _ => &[],
        };
        let mut artifacts = vec![(self.group, self.name, self.version, None)];
        artifacts.extend(optional);
        artifacts
    }

    /// What the names of its classes begin with, where it is only a part of a jar.
    pub fn package(&self) -> &'static str {
        match self.name {
            "pmd-core" => "net.sourceforge.pmd.dcd.",
            _ => "",
        }
    }
}

/// All subjects, in the order of Table II.
pub const SUBJECTS: [Subject; 23] = [
    subject("commons-cli", "commons-cli", "1.2", 490),
    subject("commons-codec", "commons-codec", "1.9", 1835),
    subject("org.apache.commons", "commons-collections4", "4.0", 5499),
    subject("org.apache.commons", "commons-compress", "1.8", 4634),
    subject("org.apache.commons", "commons-lang3", "3.0", 7179),
    subject("org.apache.commons", "commons-math3", "3.2", 18576),
    subject("commons-primitives", "commons-primitives", "1.0", 1446),
    subject("org.apache.shiro", "shiro-core", "1.2.3", 3291),
    subject("org.ow2.asm", "asm", "5.0.1", 7475),
    subject("org.apache.bcel", "bcel", "5.2", 5133),
    subject("org.easymock", "easymock", "3.2", 915),
    subject("com.google.guava", "guava", "16.0.1", 11247),
    subject("org.hamcrest", "hamcrest-core", "1.3", 155),
    subject("com.beust", "jcommander", "1.35", 640),
    subject("com.martiansoftware", "jsap", "2.1", 714),
    subject("org.javassist", "javassist", "3.19.0-GA", 8830),
    subject("com.sun.mail", "javax.mail", "1.5.1", 9523),
    subject("jaxen", "jaxen", "1.1.6", 3323),
    subject("jdom", "jdom", "1.0", 3196),
    subject("joda-time", "joda-time", "2.3", 6172),
    subject("net.sourceforge.pmd", "pmd-core", "5.2.2", 305),
    subject("org.ow2.sat4j", "org.ow2.sat4j.core", "2.3.5", 3815),
    subject("org.slf4j", "slf4j-api", "1.7.12", 271),
];

/// The subjects that the bars name; every step takes the first so many of them by default.
const TWELVE: [&str; 12] = [
    "commons-cli",
    "commons-codec",
    "jaxen",
    "jdom",
    "commons-compress",
    "joda-time",
    "commons-collections4",
    "commons-lang3",
    "commons-math3",
    "guava",
    "asm",
    "org.ow2.sat4j.core",
];

/// The parts of `grt`.
pub const PARTS: [&str; 6] = [
    "constants",
    "impurity",
    "elephant",
    "detective",
    "orienteering",
    "bloodhound",
];

/// A row of Table III: means over 32 programs.
pub struct Paper {
    /// The tool.
    pub tool: &'static str,
    /// Percent of instructions, of branches, and of mutants.
    pub means: [f64; 3],
}

const fn paper(tool: &'static str, means: [f64; 3]) -> Paper {
    Paper { tool, means }
}

/// Table III, by seconds per class.
pub const TABLE: [(f64, [Paper; 3]); 4] = [
    (
        2.0,
        [
            paper("Randoop", [47.4, 35.1, 34.5]),
            paper("GRT", [60.6, 49.5, 47.3]),
            paper("EvoSuite", [43.8, 32.6, 36.8]),
        ],
    ),
    (
        10.0,
        [
            paper("Randoop", [51.1, 39.3, 39.3]),
            paper("GRT", [66.3, 56.7, 54.7]),
            paper("EvoSuite", [52.0, 42.5, 46.1]),
        ],
    ),
    (
        30.0,
        [
            paper("Randoop", [52.9, 41.3, 41.9]),
            paper("GRT", [68.2, 59.2, 57.8]),
            paper("EvoSuite", [57.8, 49.4, 51.9]),
        ],
    ),
    (
        60.0,
        [
            paper("Randoop", [53.6, 42.6, 43.9]),
            paper("GRT", [68.9, 60.3, 59.2]),
            paper("EvoSuite", [60.8, 53.3, 54.5]),
        ],
    ),
];

/// The subject of a name.
pub fn named(name: &str) -> Result<&'static Subject, String> {
    let all = || SUBJECTS.iter().map(|subject| subject.name);
    let found = SUBJECTS.iter().find(|subject| subject.name == name);
    found.ok_or_else(|| format!("the subjects are {}", all().collect::<Vec<_>>().join(", ")))
}

/// The first so many subjects of those that the bars name.
pub fn first(count: usize) -> Vec<&'static Subject> {
    let named = TWELVE[..count].iter().map(|name| named(name));
    named
        .map(|subject| subject.expect("the twelve are among the subjects"))
        .collect()
}

/// The guides that Figure 7 compares: `random`, every part alone, every part removed, `grt`.
pub fn ablations() -> Vec<String> {
    let alone = PARTS.iter().map(|part| (*part).to_owned());
    let removed = PARTS.iter().map(|part| format!("grt-{part}"));
    ["random".to_owned()]
        .into_iter()
        .chain(alone)
        .chain(removed)
        .chain(["grt".to_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subjects_of_the_bars_are_known_and_an_unknown_one_is_told() {
        assert_eq!(first(12).len(), 12);
        assert!(
            named("log4j")
                .unwrap_err()
                .starts_with("the subjects are commons-cli,")
        );
    }
}
