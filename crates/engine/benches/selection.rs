//! What selecting a frame costs: `cargo bench -p engine --bench selection`.
//!
//! Prints, for every method and 5, 20 and 50 categories of 5 choices, the time per selected frame with the drawing of its
//! candidates, its ratio to `random` in the same run, and how time and memory grow with the number of tests. Times are the
//! best of several repetitions. Nothing concrete is made of the frames, and nothing is executed.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use engine::frames::{FrameBlock, FrameSpace, Sampler};
use engine::selection::{CANDIDATES, METHODS, Method};
use engine::{Seed, Stream};
use std::hint::black_box;

/// The processor time of this thread so far, in seconds: other work on the machine disturbs it less than a clock.
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The methods of constant cost that are fast enough for a million selections here.
const FAST: [&str; 3] = ["random", "art-sum", "art-calibrated"];

/// The time in seconds of `tests` selections.
fn time(method: &Method, space: &FrameSpace, tests: u64, stream: &mut Stream) -> f64 {
    let sampler = Sampler::new(space);
    let mut selector = (method.build)(space, CANDIDATES);
    let mut block = FrameBlock::new(space.categories.len(), selector.candidates());
    let start = now();
    for _ in 0..tests {
        sampler.fill(stream, &mut block);
        black_box(selector.choose(&block, stream));
    }
    now() - start
}

/// The best time of some repetitions with different seeds.
fn best(method: &Method, space: &FrameSpace, tests: u64, repetitions: u64) -> f64 {
    let times = (0..repetitions).map(|seed| time(method, space, tests, &mut Seed(seed).stream()));
    times.fold(f64::INFINITY, f64::min)
}

/// Resident memory in KiB.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|word| word.parse().ok());
    pages.unwrap_or(0) * 4
}

fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let wanted = |method: &&Method| only.as_deref().is_none_or(|name| name == method.name);
    println!("method          categories    tests   ns/frame  to random");
    for categories in [5, 20, 50] {
        let space = FrameSpace::uniform(&vec![5; categories]);
        let random = best(&METHODS[0], &space, 100_000, 10) / 100_000.0;
        for method in METHODS.iter().filter(wanted) {
            let sizes: &[(u64, u64)] = match method.name {
                "art-pairs" | "art-herding" => &[(2_000, 5)],
                name if FAST.contains(&name) => &[(100_000, 10)],
                "max-sum" => &[(1_000, 3)],
                _ => &[(1_000, 3), (10_000, 1)],
            };
            for &(tests, repetitions) in sizes {
                let each = best(method, &space, tests, repetitions) / tests as f64;
                println!(
                    "{:<16}{categories:>10}{tests:>9}{:>11.1}{:>11.2}",
                    method.name,
                    each * 1e9,
                    each / random
                );
            }
        }
    }
    println!("\nmethod          time(1,000,000)/time(10,000)   memory before -> after, KiB");
    let space = FrameSpace::uniform(&[5; 20]);
    for method in METHODS.iter().filter(wanted) {
        if FAST.contains(&method.name) {
            let short = best(method, &space, 10_000, 20);
            let before = resident();
            let long = best(method, &space, 1_000_000, 3);
            println!(
                "{:<16}{:>28.1}   {before} -> {}",
                method.name,
                long / short,
                resident()
            );
        }
    }
}
