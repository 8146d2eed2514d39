//! Written tests for modules of pure Python, ours against Pynguin's: `cargo bench -p python --bench modules -- [MODULE…] OPTIONS`.
//!
//! Each tool searches for the same time with the same interpreter; coverage.py measures what it wrote, and ours must pass three times. One
//! result per tool, module and seed is kept, ours per commit, too; what has one is not measured again. What a changed tree gave is never kept.
//! `bench/python/modules` prepares the environment and calls this.
#![allow(clippy::unwrap_used)]

#[allow(
    dead_code,
    unused_imports,
    reason = "Cargo compiles modules of tests here, too, but not the tests in them"
)]
mod table;
mod tools;

use std::path::PathBuf;
use table::Outcome;

/// The modules that the bar names.
const MODULES: [&str; 10] = [
    "inflection",
    "semver.version",
    "humanize.number",
    "toolz.itertoolz",
    "boltons.strutils",
    "sortedcontainers.sortedlist",
    "string_utils.validation",
    "docstring_parser.google",
    "boltons.iterutils",
    "slugify.slugify",
];

/// What the command line asks for.
pub struct Options {
    /// The modules.
    modules: Vec<String>,
    /// The tools that are run; the table has both.
    tools: Vec<String>,
    /// The seeds.
    seeds: Vec<u64>,
    /// Seconds of search.
    time: u64,
    /// Where results are kept.
    work: PathBuf,
    /// The virtual environment with the modules, Pynguin, pytest and coverage.py.
    environment: PathBuf,
    /// The `testhound` that is measured.
    program: PathBuf,
    /// The commit it was built from, as `git describe --always --dirty` names it.
    commit: String,
}

fn main() {
    let options = parse(std::env::args().skip(1));
    tools::forget(&options);
    for &seed in &options.seeds {
        for module in &options.modules {
            for tool in &options.tools {
                tools::run(&options, tool, module, seed);
            }
        }
    }
    let found = |tool: &str, module: &str| {
        let folders = options.seeds.iter();
        let outcomes =
            folders.filter_map(|&seed| Outcome::read(&tools::folder(&options, tool, module, seed)));
        outcomes.collect()
    };
    print!("{}", table::text(&options.modules, found));
}

fn parse(arguments: impl Iterator<Item = String>) -> Options {
    let mut options = Options {
        modules: Vec::new(),
        tools: vec!["ours".to_owned(), "pynguin".to_owned()],
        seeds: vec![1],
        time: 60,
        work: PathBuf::from("bench/work"),
        environment: PathBuf::from("bench/work/modules-environment"),
        program: PathBuf::from("testhound"),
        commit: "unknown-dirty".to_owned(),
    };
    let mut arguments = arguments.filter(|word| word != "--bench");
    while let Some(word) = arguments.next() {
        let Some(flag) = word.strip_prefix("--") else {
            options.modules.push(word);
            continue;
        };
        let value = arguments.next().expect("every flag has a value");
        let words = value.split_whitespace();
        match flag {
            "time" => options.time = value.parse().unwrap(),
            "seeds" => options.seeds = words.map(|word| word.parse().unwrap()).collect(),
            "tools" => options.tools = words.map(str::to_owned).collect(),
            "work" => options.work = value.into(),
            "environment" => options.environment = value.into(),
            "program" => options.program = value.into(),
            "commit" => options.commit = value,
            _ => panic!("unknown option --{flag}"),
        }
    }
    if options.modules.is_empty() {
        options.modules = MODULES.map(str::to_owned).to_vec();
    }
    options
}
