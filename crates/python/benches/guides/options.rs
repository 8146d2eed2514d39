//! What the command line asks for, and the subjects.

use python::runtime::Runtime;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A harness of `bench/harnesses`.
#[derive(Debug)]
pub struct Subject {
    /// Its name.
    pub name: &'static str,
    /// What its workers may do.
    pub allow: &'static [&'static str],
    /// The modules that faults are planted in: written in Python alone, with a harness that does not fail without faults.
    pub faults: &'static [&'static str],
}

const fn subject(name: &'static str, faults: &'static [&'static str]) -> Subject {
    Subject {
        name,
        allow: &[],
        faults,
    }
}

/// All subjects.
pub const SUBJECTS: [Subject; 12] = [
    subject("avl", &["avltree.py"]),
    subject("heap", &["heap.py"]),
    subject("sortedlist", &["sortedcontainers"]),
    subject("bidict", &["bidict"]),
    subject("simplejson", &["simplejson"]),
    subject("pyfakefs", &[]),
    subject("arrow", &[]),
    subject("rsa", &["rsa"]),
    subject("sympy", &["sympy"]),
    subject("z3", &[]),
    subject("pycparser", &["pycparser"]),
    Subject {
        name: "redis",
        allow: &["net:127.0.0.1:16379"],
        faults: &[],
    },
];

/// What the command line asks for.
pub struct Options {
    /// Where results are kept.
    pub results: PathBuf,
    /// The interpreter or virtual environment.
    pub python: Option<PathBuf>,
    /// The Python side, shared by all runs: code with probes is kept there.
    pub runtime: Arc<Runtime>,
    /// The folder of the harnesses.
    pub harnesses: PathBuf,
    /// The subjects.
    pub subjects: Vec<&'static Subject>,
    /// The guides of step `budget`.
    pub guides: Vec<String>,
    /// The seeds.
    pub seeds: Range<u64>,
    /// Seconds of processor time.
    pub seconds: f64,
    /// How many faults.
    pub faults: usize,
    /// Whether faults are looked for in lines that `random` executes seldom, and in others.
    pub lines: [bool; 2],
    /// How many runs go on side by side.
    pub jobs: usize,
}

/// Reads the command line: steps, then options.
pub fn parse(arguments: impl Iterator<Item = String>) -> (Vec<String>, Options) {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut options = Options {
        results: root.join("bench/results/guides"),
        python: None,
        runtime: Arc::new(Runtime::write(&std::env::temp_dir()).unwrap()),
        harnesses: root.join("bench/harnesses"),
        subjects: SUBJECTS.iter().collect(),
        guides: ["random", "auto", "loc", "swarm", "ga"]
            .map(str::to_owned)
            .to_vec(),
        seeds: 1..21,
        seconds: 10.0,
        faults: 20,
        lines: [true, true],
        jobs: 1,
    };
    let mut steps = Vec::new();
    let mut arguments = arguments.filter(|word| word != "--bench");
    while let Some(word) = arguments.next() {
        if !word.starts_with("--") {
            steps.push(word);
            continue;
        }
        let value = arguments
            .next()
            .unwrap_or_else(|| panic!("`{word}` needs a value"));
        let words = || value.split(',').map(str::to_owned).collect::<Vec<_>>();
        match word.as_str() {
            "--results" => options.results = value.into(),
            "--python" => options.python = Some(value.into()),
            "--guides" => options.guides = words(),
            "--seeds" => options.seeds = seeds(&value),
            "--seconds" => options.seconds = value.parse().unwrap(),
            "--faults" => options.faults = value.parse().unwrap(),
            "--lines" => {
                let words = words();
                options.lines =
                    ["seldom", "others"].map(|one| words.iter().any(|word| word == one));
            }
            "--jobs" => options.jobs = value.parse().unwrap(),
            "--subjects" => {
                let words = words();
                options
                    .subjects
                    .retain(|one| words.iter().any(|word| word == one.name));
            }
            other => panic!("unknown option `{other}`"),
        }
    }
    (steps, options)
}

/// `20` means the seeds from 1 to 20, `21-40` those from 21 to 40.
fn seeds(text: &str) -> Range<u64> {
    let (first, last) = text.split_once('-').unwrap_or(("1", text));
    first.parse().unwrap()..last.parse::<u64>().unwrap() + 1
}
