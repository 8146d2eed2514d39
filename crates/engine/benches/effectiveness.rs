//! How soon the methods find synthetic faults: `cargo bench -p engine --bench effectiveness -- [RUNS] [METHOD[@K]...]`.
//!
//! Spaces are made at random in the manner of real specifications: 8 to 21 categories, skewed weights, absent categories,
//! categories behind conditions, rare error choices. A fault is one to four choices that must meet in a frame; an error choice
//! elsewhere hides it, and in such a frame it fails with a chance of 1, 0.5, 0.2 or 0.05. Faults have failure rates between
//! 0.002 and 0.1. Printed are geometric means of F-ratios (mean F-count over 1 / failure rate, which is what plain random
//! testing needs), by kind of fault, and the best and worst space. Real programs may differ: this is for choosing between ideas,
//! not for claims.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use engine::frames::{Choice, ChoiceKind, Condition, FrameBlock, FrameSpace, PropertyId, Sampler};
use engine::selection::{self, CANDIDATES, METHODS};
use engine::simulation::{OutcomeMatrix, play};
use engine::{Seed, Stream};

const SPACES: u64 = 12;
const FAULTS: usize = 50;
const POOL: usize = 50_000;
const LIMIT: u32 = 8_000;

struct Fault {
    choices: Vec<(usize, u16)>,
    within: f64,
    rate: f64,
}

struct Program {
    space: FrameSpace,
    frames: FrameBlock,
    outcomes: OutcomeMatrix,
    faults: Vec<Fault>,
}

fn pick<T: Copy>(stream: &mut Stream, values: &[T]) -> T {
    values[stream.index(values.len())]
}

fn space(stream: &mut Stream) -> FrameSpace {
    let sizes: Vec<usize> = (0..8 + stream.index(14))
        .map(|_| 1 + stream.index(6))
        .collect();
    let mut space = FrameSpace::uniform(&sizes);
    space.properties = (0..4).map(|number| format!("P{number}")).collect();
    let property = |stream: &mut Stream| PropertyId(stream.index(4) as u16);
    for (index, category) in space.categories.iter_mut().enumerate() {
        category.absent = pick(stream, &[0.0, 0.0, 1.0, 2.0, 3.0]);
        for choice in &mut category.choices {
            choice.weight = pick(stream, &[0.3, 0.5, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 3.0, 8.0]);
            if stream.chance(0.25) {
                choice.effects.properties = vec![property(stream)];
            }
        }
        if category.choices.len() == 1 {
            category.absent = category.absent.max(1.0);
        }
        if stream.chance(0.5) {
            let mut refused = Choice::plain("refused");
            refused.weight = 0.03 * category.choices.iter().map(|c| c.weight).sum::<f64>();
            refused.effects.kind = ChoiceKind::Error;
            category.choices.push(refused);
        }
        if index > 2 && stream.chance(0.35) {
            category.condition = Some(Condition::Property(property(stream)));
        }
    }
    space
}

/// The category of the error choice of a frame.
fn refused(space: &FrameSpace, frame: &[u16]) -> Option<usize> {
    let is_error = |(index, choice): (usize, &u16)| {
        let choice = space.categories[index]
            .choices
            .get(usize::from(*choice).wrapping_sub(1));
        choice.is_some_and(|choice| choice.effects.kind == ChoiceKind::Error)
    };
    frame.iter().enumerate().position(is_error)
}

fn meets(fault: &[(usize, u16)], space: &FrameSpace, frame: &[u16]) -> bool {
    let together = fault.iter().all(|&(index, choice)| frame[index] == choice);
    let shown = |refused| fault.iter().any(|&(index, _)| index == refused);
    together && refused(space, frame).is_none_or(shown)
}

/// Some choices of a frame that exists.
fn combination(frame: &[u16], stream: &mut Stream) -> Vec<(usize, u16)> {
    let mut choices: Vec<(usize, u16)> = Vec::new();
    for _ in 0..1 + stream.index(3) + stream.index(2) {
        let index = stream.index(frame.len());
        let new = choices.iter().all(|&(other, _)| other != index);
        if new && (frame[index] != 0 || stream.chance(0.3)) {
            choices.push((index, frame[index]));
        }
    }
    choices
}

fn program(seed: u64) -> Program {
    let mut stream = Seed(seed).derive("program", 0).stream();
    let space = space(&mut stream);
    let mut frames = FrameBlock::new(space.categories.len(), POOL);
    Sampler::new(&space).fill(&mut stream, &mut frames);
    let mut outcomes = OutcomeMatrix::new(POOL, FAULTS);
    let mut faults = Vec::new();
    while faults.len() < FAULTS {
        let choices = combination(frames.row(stream.index(POOL)), &mut stream);
        let within = pick(&mut stream, &[1.0, 1.0, 0.5, 0.2, 0.05]);
        let met = (0..POOL).filter(|&input| meets(&choices, &space, frames.row(input)));
        let failing: Vec<usize> = met.filter(|_| stream.chance(within)).collect();
        let rate = failing.len() as f64 / POOL as f64;
        if !choices.is_empty() && (0.002..=0.1).contains(&rate) {
            failing
                .into_iter()
                .for_each(|input| outcomes.set(input, faults.len()));
            faults.push(Fault {
                choices,
                within,
                rate,
            });
        }
    }
    Program {
        space,
        frames,
        outcomes,
        faults,
    }
}

/// The F-ratio of every fault.
fn ratios(program: &Program, name: &str, k: usize, runs: u64) -> Vec<f64> {
    let mut sums = vec![0.0; FAULTS];
    for run in 0..runs {
        let mut selector =
            selection::by_name(name, &program.space, k).expect("the name was checked");
        let seed = Seed(run).derive("run", 0);
        let first = play(
            &program.frames,
            &program.outcomes,
            selector.as_mut(),
            seed,
            LIMIT,
        );
        for (sum, first) in sums.iter_mut().zip(first) {
            *sum += f64::from(first.unwrap_or(LIMIT));
        }
    }
    let means = sums.into_iter().map(|sum| sum / runs as f64);
    means
        .zip(&program.faults)
        .map(|(mean, fault)| mean * fault.rate)
        .collect()
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| {
        (sum + value.ln(), count + 1.0)
    });
    f64::exp(sum / count)
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let runs = words
        .first()
        .and_then(|word| word.parse().ok())
        .unwrap_or(40);
    let mut names: Vec<String> = words
        .into_iter()
        .filter(|word| word.parse::<u64>().is_err())
        .collect();
    if names.is_empty() {
        names = METHODS
            .iter()
            .map(|method| method.name.to_owned())
            .filter(|name| name != "max-sum")
            .collect();
    }
    let programs: Vec<Program> = (0..SPACES).map(program).collect();
    println!("{SPACES} spaces, {FAULTS} faults each, {runs} runs");
    println!(
        "method              all  1 choice     2    3-4  within 1   0.5   0.2  0.05  rate <.01  >.03  spaces"
    );
    for name in &names {
        let (method, k) = name.split_once('@').unwrap_or((name, ""));
        let k = k.parse().unwrap_or(CANDIDATES);
        if !METHODS.iter().any(|known| known.name == method) {
            eprintln!("error: there is no method `{method}`");
            continue;
        }
        let all: Vec<Vec<f64>> = programs
            .iter()
            .map(|p| ratios(p, method, k, runs))
            .collect();
        let faults = || {
            programs
                .iter()
                .flat_map(|p| &p.faults)
                .zip(all.iter().flatten())
        };
        let of = |wanted: &dyn Fn(&Fault) -> bool| {
            geometric_mean(
                faults()
                    .filter(|(fault, _)| wanted(fault))
                    .map(|(_, ratio)| *ratio),
            )
        };
        let spaces = all
            .iter()
            .map(|ratios| geometric_mean(ratios.iter().copied()));
        let (low, high) = spaces.fold((f64::MAX, 0.0), |(low, high), r| (r.min(low), r.max(high)));
        println!(
            "{name:<18}{:>5.3}{:>10.3}{:>6.3}{:>7.3}{:>10.3}{:>6.3}{:>6.3}{:>6.3}{:>11.3}{:>6.3}  {low:.2}-{high:.2}",
            of(&|_| true),
            of(&|fault| fault.choices.len() == 1),
            of(&|fault| fault.choices.len() == 2),
            of(&|fault| fault.choices.len() > 2),
            of(&|fault| fault.within == 1.0),
            of(&|fault| fault.within == 0.5),
            of(&|fault| fault.within == 0.2),
            of(&|fault| fault.within == 0.05),
            of(&|fault| fault.rate < 0.01),
            of(&|fault| fault.rate > 0.03),
        );
    }
}
