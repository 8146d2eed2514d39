//! Many random mutations of all valid specifications and TSL files: none may panic or hang, and each one that is invalid must
//! have an error with line and column. Prints counts and processor times, which other work on the machine disturbs less
//! than a clock. Takes the number of mutations and the number of the first one as arguments.
//!
//! `cargo bench -p command --bench mutated_specs -- 100000`

#[path = "../tests/mutate/mod.rs"]
mod mutate;

use engine::Seed;
use mutate::Outcome;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::Duration;

const DEFAULT_COUNT: u64 = 100_000;

/// A case that takes more processor time than this counts as a hang.
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

/// The processor time of this thread so far.
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn main() -> ExitCode {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let count: u64 = numbers.next().unwrap_or(DEFAULT_COUNT);
    let first: u64 = numbers.next().unwrap_or(0);
    let originals = mutate::originals();
    println!("{count} mutations of {} files", originals.len());
    let mut tally = Tally::default();
    let start = now();
    for index in first..first + count {
        let mut stream = Seed(1).derive("mutation", index).stream();
        let original = &originals[stream.index(originals.len())];
        let mutant = mutate::mutate(&originals, original, &mut stream);
        let before = now();
        let outcome = catch_unwind(|| mutate::check(&original.path, &mutant));
        let taken = now() - before;
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
    report(&tally, count, now() - start)
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
