//! Reads 100,000 harnesses that were broken at random: every one is read or refused at a place inside it, none makes the parser
//! panic, and the slowest tells that none makes it hang. `cargo bench -p python --bench mutated [COUNT]`.

use std::time::{Duration, Instant};

use python::harness::parse;

/// What the files are broken from: an example, and one with every construct.
const WHOLE: [&str; 2] = [
    include_str!("../../../examples/python/avl/avl.tstl"),
    include_str!("../testdata/harness/compat/everything.tstl"),
];

/// Pieces that mean something in the language.
const PIECES: [&str; 20] = [
    "<", ">", "%", "<[", "]>", "..", ",,", "<,[", "],>", "pre<(", ")>", "~", ":=", " -> ", " => ",
    " ==> ", "{", "\\\n", "@>\n", "ä",
];

fn main() {
    let count = std::env::args().filter_map(|word| word.parse().ok()).next();
    let count: u64 = count.unwrap_or(100_000);
    let mut state = 1u64;
    let (mut read, mut slowest) = (0u64, Duration::ZERO);
    let begin = Instant::now();
    for _ in 0..count {
        let text = broken(&mut state);
        let start = Instant::now();
        match parse(&text, "x.tstl") {
            Ok(_) => read += 1,
            Err(error) => {
                let lines = text.split('\n').count() as u32;
                assert!((1..=lines).contains(&error.place.line), "{error}");
            }
        }
        slowest = slowest.max(start.elapsed());
    }
    let refused = count - read;
    println!(
        "{count} broken harnesses in {:.1} s: {read} read, {refused} refused, no panic",
        begin.elapsed().as_secs_f64()
    );
    println!("the slowest took {:.2} ms", slowest.as_secs_f64() * 1000.0);
}

/// A harness with up to eight changes.
fn broken(state: &mut u64) -> String {
    let mut text: Vec<char> = WHOLE[next(state) % WHOLE.len()].chars().collect();
    for _ in 0..1 + next(state) % 8 {
        let at = next(state) % text.len().max(1);
        match next(state) % 4 {
            0 => _ = text.splice(at..at, PIECES[next(state) % PIECES.len()].chars()),
            1 => {
                let end = text.len().min(at + 1 + next(state) % 20);
                text.drain(at.min(end)..end);
            }
            2 => {
                let end = text.len().min(at + next(state) % 40);
                let copied = text[at.min(end)..end].to_vec();
                let to = next(state) % text.len().max(1);
                text.splice(to..to, copied);
            }
            _ if next(state).is_multiple_of(10) => text.truncate(at),
            _ => {}
        }
    }
    text.into_iter().collect()
}

/// A linear congruential generator with the multiplier of Steele and Vigna.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
    (*state >> 33) as usize
}
