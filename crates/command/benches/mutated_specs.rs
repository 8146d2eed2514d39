//! Many random mutations of all valid specifications and TSL files: none may panic or hang, and each one that is invalid must
//! have an error with line and column. Prints counts and times; takes the number of mutations as an argument.
//!
//! `cargo bench -p command --bench mutated_specs -- 100000`

#[path = "../tests/mutate/mod.rs"]
mod mutate;

use engine::Seed;
use mutate::Outcome;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const DEFAULT_COUNT: u64 = 100_000;

/// A case that takes longer than this counts as a hang.
const HANG: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Tally {
    valid: u64,
    invalid: u64,
    panics: u64,
    hangs: u64,
    misplaced: u64,
    slowest: Duration,
}

fn main() -> ExitCode {
    let count = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok());
    let count: u64 = count.unwrap_or(DEFAULT_COUNT);
    let originals = mutate::originals();
    println!("{count} mutations of {} files", originals.len());
    let mut tally = Tally::default();
    let start = Instant::now();
    for index in 0..count {
        let mut stream = Seed(1).derive("mutation", index).stream();
        let original = &originals[stream.index(originals.len())];
        let mutant = mutate::mutate(&originals, original, &mut stream);
        let before = Instant::now();
        let outcome = catch_unwind(|| mutate::check(&original.path, &mutant));
        let taken = before.elapsed();
        let path = original.path.display();
        match outcome {
            Ok(Ok(Outcome::Valid)) => tally.valid += 1,
            Ok(Ok(Outcome::Invalid)) => tally.invalid += 1,
            Ok(Err(message)) => {
                tally.misplaced += 1;
                eprintln!("mutation {index} of {path}: {message}\n{mutant}");
            }
            Err(_) => {
                tally.panics += 1;
                eprintln!("mutation {index} of {path} panics:\n{mutant}");
            }
        }
        if taken > tally.slowest {
            tally.slowest = taken;
            if taken > Duration::from_millis(100) {
                eprintln!("mutation {index} of {path} took {taken:?}");
            }
        }
        tally.hangs += u64::from(taken > HANG);
    }
    report(&tally, count, start.elapsed())
}

fn report(tally: &Tally, count: u64, taken: Duration) -> ExitCode {
    println!("valid            {}", tally.valid);
    println!("invalid, placed  {}", tally.invalid);
    println!("without a place  {}", tally.misplaced);
    println!("panics           {}", tally.panics);
    println!("over {HANG:?}          {}", tally.hangs);
    println!("slowest          {:?}", tally.slowest);
    println!("mean             {:?}", taken / count.max(1) as u32);
    println!("in all           {taken:?}");
    match tally.misplaced + tally.panics + tally.hangs {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
