//! The bars of the JVM target, measured on Debian's jars: `cargo bench -p testhound --bench bars -- STEP… [OPTIONS]`.
//!
//! Steps: `sample` prints the classes; `generate` runs `testhound generate` on them and measures what the written suites
//! cover and kill; `fresh` compiles the suites and runs them three times in fresh JVMs of every JDK; `kill` ends runs by SIGKILL
//! and resumes them; `table` prints what has been measured. One result file per subject, guide and seed below the folder of
//! results; what has one is not measured again. `bench/jvm` does all of it.
#![allow(clippy::unwrap_used)]

mod fresh;
mod generated;
mod kills;
mod sample;
mod subjects;
#[allow(
    dead_code,
    unused_imports,
    reason = "Cargo compiles modules of tests here, too, but not the tests in them"
)]
#[path = "../suites/mod.rs"]
mod suites;
mod table;

use std::path::PathBuf;
use subjects::{SUBJECTS, Subject};

/// What the command line asks for.
pub struct Options {
    /// Where results are kept.
    pub results: PathBuf,
    /// Where runs are kept.
    pub work: PathBuf,
    /// The `testhound` that is measured.
    pub program: PathBuf,
    /// The JDKs; suites are generated on each, and run on it and the later ones.
    pub jdks: Vec<PathBuf>,
    /// The guide.
    pub guide: String,
    /// The seed.
    pub seed: u64,
    /// Seconds per class.
    pub seconds: f64,
    /// How many runs are killed.
    pub kills: u32,
    /// The subjects.
    pub subjects: Vec<&'static Subject>,
}

fn main() {
    let (steps, options) = parse(std::env::args().skip(1));
    std::fs::create_dir_all(&options.results).unwrap();
    for step in &steps {
        for subject in &options.subjects {
            match step.as_str() {
                "sample" => println!("{}", sample::sample(subject, &options).join("\n")),
                "generate" => generated::generate(subject, &options),
                "fresh" => fresh::fresh(subject, &options),
                "kill" => kills::kill(subject, &options),
                _ => {}
            }
        }
        if step == "table" {
            table::print(&options);
        }
    }
}

fn parse(arguments: impl Iterator<Item = String>) -> (Vec<String>, Options) {
    let jdk = |name: &str| PathBuf::from("/usr/lib/jvm").join(name);
    let mut options = Options {
        results: PathBuf::from("bench/results/jvm"),
        work: PathBuf::from("bench/work/jvm"),
        program: PathBuf::from(env!("CARGO_BIN_EXE_testhound")),
        jdks: vec![jdk("java-17-openjdk-amd64"), jdk("temurin-25-jdk-amd64")],
        guide: "random".to_owned(),
        seed: 1,
        seconds: 2.0,
        kills: 50,
        subjects: SUBJECTS.iter().collect(),
    };
    let mut steps = Vec::new();
    let mut arguments = arguments.filter(|word| word != "--bench");
    while let Some(word) = arguments.next() {
        let Some(flag) = word.strip_prefix("--") else {
            steps.push(word);
            continue;
        };
        let value = arguments.next().expect("every flag has a value");
        match flag {
            "results" => options.results = value.into(),
            "work" => options.work = value.into(),
            "program" => options.program = value.into(),
            "jdks" => options.jdks = value.split(',').map(PathBuf::from).collect(),
            "guide" => options.guide = value,
            "seed" => options.seed = value.parse().unwrap(),
            "seconds" => options.seconds = value.parse().unwrap(),
            "kills" => options.kills = value.parse().unwrap(),
            "subjects" => {
                let named = |one: &&&'static Subject| value.split(',').any(|name| name == one.name);
                options.subjects = SUBJECTS.iter().filter(|one| named(&one)).collect();
            }
            _ => panic!("unknown option --{flag}"),
        }
    }
    (steps, options)
}
