//! What a concrete test costs: drawing candidates, selecting a frame and making it concrete, for a specification of 20
//! categories with 5 choices each. `cargo bench -p command --bench concrete`
//!
//! Prints the time per test for `random` and `art-sum` (10 candidates), their ratio, and the time of making a frame concrete
//! alone. Times are processor times, best of several repetitions. Nothing is executed.

use command::Spec;
use engine::Seed;
use engine::frames::{Frame, FrameBlock, Sampler};
use engine::selection::{CANDIDATES, by_name};
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;

const CATEGORIES: usize = 20;
const TESTS: u64 = 100_000;
const REPETITIONS: u64 = 5;

/// The processor time of this thread so far, in seconds: other work on the machine disturbs it less than a clock.
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn specification() -> String {
    let names: Vec<String> = (0..CATEGORIES).map(|i| format!("\"{{c{i}}}\"")).collect();
    let mut text = format!("[run]\nprogram = \"p\"\nargs = [{}]\n", names.join(", "));
    for index in 0..CATEGORIES {
        let category = format!(
            "[category.c{index}]\n\
             choice.a = {{ literal = \"-a\" }}\n\
             choice.b = {{ int = [0, 99] }}\n\
             choice.c = {{ int = [100, 99999] }}\n\
             choice.d = {{ pick = [\"x\", \"yy\", \"zzz\"] }}\n\
             choice.e = {{ regex = \"[a-z]{{2,6}}\" }}\n"
        );
        text.write_str(&category).expect("a string takes any text");
    }
    text
}

/// The time in seconds of one test, with this selection method.
fn time(spec: &Spec, method: &str, seed: u64) -> f64 {
    let sampler = Sampler::new(&spec.space);
    let mut selector =
        by_name(method, &spec.space, CANDIDATES).expect("the method is in the table");
    let mut block = FrameBlock::new(CATEGORIES, selector.candidates());
    let mut frame = Frame(vec![0; CATEGORIES]);
    let mut stream = Seed(seed).stream();
    let start = now();
    for _ in 0..TESTS {
        sampler.fill(&mut stream, &mut block);
        let row = selector.choose(&block, &mut stream);
        frame.0.copy_from_slice(block.row(row));
        let made = spec.concretise(&mut frame, &mut stream, &mut |_, _| Err(String::new()));
        black_box(made.is_ok());
    }
    (now() - start) / TESTS as f64
}

/// The time in seconds of making one frame concrete.
fn time_alone(spec: &Spec, seed: u64) -> f64 {
    let sampler = Sampler::new(&spec.space);
    let mut stream = Seed(seed).stream();
    let mut frames = vec![Frame(vec![0; CATEGORIES]); 1000];
    for frame in &mut frames {
        sampler.draw(&mut stream, &mut frame.0);
    }
    let start = now();
    for index in 0..TESTS {
        let frame = &mut frames[index as usize % 1000];
        let made = spec.concretise(frame, &mut stream, &mut |_, _| Err(String::new()));
        black_box(made.is_ok());
    }
    (now() - start) / TESTS as f64
}

fn best(time: &dyn Fn(u64) -> f64) -> f64 {
    (0..REPETITIONS).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let spec = Spec::parse(Path::new("bench.toml"), &specification())
        .expect("the specification of this benchmark is valid");
    let alone = best(&|seed| time_alone(&spec, seed));
    let random = best(&|seed| time(&spec, "random", seed));
    let art_sum = best(&|seed| time(&spec, "art-sum", seed));
    println!("{CATEGORIES} categories, ns per test");
    println!("concrete text alone   {:>8.0}", alone * 1e9);
    println!("random                {:>8.0}", random * 1e9);
    println!("art-sum               {:>8.0}", art_sum * 1e9);
    println!("art-sum to random     {:>8.2}", art_sum / random);
}
