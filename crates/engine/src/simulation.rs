//! Selection played out against known outcomes: how many tests a method needs until each faulty version fails.
//!
//! The chosen test never depends on the version under test, so one sequence of tests serves all versions (Barus et al.,
//! Section 4.7, ran each version on its own). P-measures follow from the same counts: a run detects a fault within n tests
//! if its F-count is at most n.
//!
//! Differences: a run ends at `limit` tests even if some version has not failed; such a count is reported as censored.

use crate::frames::FrameBlock;
use crate::selection::Selector;
use crate::stream::{Seed, Stream};

/// Which inputs of a pool make which versions fail: one row of bits per input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeMatrix {
    versions: usize,
    words: usize,
    bits: Vec<u64>,
}

impl OutcomeMatrix {
    /// A matrix in which nothing fails.
    pub fn new(inputs: usize, versions: usize) -> OutcomeMatrix {
        let words = versions.div_ceil(64).max(1);
        OutcomeMatrix {
            versions,
            words,
            bits: vec![0; inputs * words],
        }
    }

    /// Notes that a version fails on an input.
    pub fn set(&mut self, input: usize, version: usize) {
        self.bits[input * self.words + version / 64] |= 1 << (version % 64);
    }

    /// Whether a version fails on an input.
    pub fn get(&self, input: usize, version: usize) -> bool {
        self.bits[input * self.words + version / 64] >> (version % 64) & 1 == 1
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.bits.len() / self.words.max(1)
    }

    /// The number of versions.
    pub fn versions(&self) -> usize {
        self.versions
    }

    fn row(&self, input: usize) -> &[u64] {
        &self.bits[input * self.words..(input + 1) * self.words]
    }

    /// How many inputs make a version fail.
    pub fn failing(&self, version: usize) -> usize {
        (0..self.inputs())
            .filter(|&input| self.get(input, version))
            .count()
    }

    /// The matrix of some of the versions, in the given order.
    pub fn only(&self, versions: &[usize]) -> OutcomeMatrix {
        let mut matrix = OutcomeMatrix::new(self.inputs(), versions.len());
        for input in 0..self.inputs() {
            for (new, &old) in versions.iter().enumerate() {
                if self.get(input, old) {
                    matrix.set(input, new);
                }
            }
        }
        matrix
    }
}

/// The number of tests up to and with the first failure, per version; `None` where the limit came first.
pub type FirstFailures = Vec<Option<u32>>;

/// Plays one run: draws candidates from the pool with replacement, lets the selector choose, until every version has failed
/// or `limit` tests are chosen.
pub fn play(
    frames: &FrameBlock,
    outcomes: &OutcomeMatrix,
    selector: &mut dyn Selector,
    seed: Seed,
    limit: u32,
) -> FirstFailures {
    let mut stream = seed.stream();
    let mut first: FirstFailures = vec![None; outcomes.versions()];
    let mut open = open_versions(outcomes.versions(), outcomes.words);
    let mut left = outcomes.versions();
    let rows = selector.candidates();
    let mut candidates = FrameBlock::new(frames.categories(), rows);
    let mut inputs = vec![0; rows];
    for number in 1..=limit {
        if left == 0 {
            break;
        }
        draw(frames, &mut stream, &mut candidates, &mut inputs);
        let chosen = inputs[selector.choose(&candidates, &mut stream)];
        for (word, failing) in outcomes.row(chosen).iter().enumerate() {
            let mut fresh = failing & open[word];
            open[word] &= !fresh;
            while fresh != 0 {
                first[word * 64 + fresh.trailing_zeros() as usize] = Some(number);
                fresh &= fresh - 1;
                left -= 1;
            }
        }
    }
    first
}

fn open_versions(versions: usize, words: usize) -> Vec<u64> {
    let in_word = |word: usize| versions.saturating_sub(word * 64).min(64);
    (0..words)
        .map(|word| match in_word(word) {
            64 => u64::MAX,
            bits => (1 << bits) - 1,
        })
        .collect()
}

fn draw(
    frames: &FrameBlock,
    stream: &mut Stream,
    candidates: &mut FrameBlock,
    inputs: &mut [usize],
) {
    for (row, input) in inputs.iter_mut().enumerate() {
        *input = stream.index(frames.rows());
        candidates.row_mut(row).copy_from_slice(frames.row(*input));
    }
}

/// What Section 6 of the paper looks at to explain where adaptive selection wins or loses, for one version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailingFrames {
    /// Different frames with at least one failing input.
    pub frames: usize,
    /// The share of failing inputs among all inputs of these frames.
    pub rate_within: f64,
    /// The mean distance between two of these frames, over all pairs (of at most 1,000 frames, the first ones in order).
    pub distance: f64,
}

/// Computes the failing frames of a version. `distance` compares two frames.
pub fn failing_frames(
    frames: &FrameBlock,
    outcomes: &OutcomeMatrix,
    version: usize,
    distance: &dyn Fn(&[u16], &[u16]) -> f64,
) -> FailingFrames {
    let mut order: Vec<usize> = (0..frames.rows()).collect();
    order.sort_by(|a, b| frames.row(*a).cmp(frames.row(*b)));
    let mut failing: Vec<&[u16]> = Vec::new();
    let (mut fails, mut inputs) = (0usize, 0usize);
    for group in order.chunk_by(|a, b| frames.row(*a) == frames.row(*b)) {
        let failed = group
            .iter()
            .filter(|&&input| outcomes.get(input, version))
            .count();
        if failed > 0 {
            failing.push(frames.row(group[0]));
            fails += failed;
            inputs += group.len();
        }
    }
    let sample = &failing[..failing.len().min(1000)];
    let (mut sum, mut pairs) = (0.0, 0usize);
    for (i, a) in sample.iter().enumerate() {
        for b in &sample[i + 1..] {
            sum += distance(a, b);
            pairs += 1;
        }
    }
    FailingFrames {
        frames: failing.len(),
        rate_within: fails as f64 / inputs.max(1) as f64,
        distance: if pairs == 0 { 0.0 } else { sum / pairs as f64 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::FrameSpace;
    use crate::selection;

    fn pool() -> (FrameSpace, FrameBlock, OutcomeMatrix) {
        let space = FrameSpace::uniform(&[2, 5]);
        let mut frames = FrameBlock::new(2, 0);
        let mut outcomes = OutcomeMatrix::new(10, 70);
        for input in 0..10u16 {
            frames.push(&[input / 5 + 1, input % 5 + 1]);
        }
        outcomes.set(3, 0);
        for input in 0..5 {
            outcomes.set(input, 69);
        }
        (space, frames, outcomes)
    }

    #[test]
    fn random_needs_one_over_the_failure_rate_on_average() {
        let (space, frames, outcomes) = pool();
        let outcomes = outcomes.only(&[0, 69]);
        let (mut rare, mut common) = (0u64, 0u64);
        for seed in 0..4000 {
            let mut selector = selection::by_name("random", &space, 1).unwrap();
            let first = play(&frames, &outcomes, selector.as_mut(), Seed(seed), 10_000);
            rare += u64::from(first[0].unwrap());
            common += u64::from(first[1].unwrap());
        }
        assert!((38_000..42_000).contains(&rare), "{rare}");
        assert!((7_600..8_400).contains(&common), "{common}");
    }

    #[test]
    fn a_version_that_never_fails_is_censored() {
        let (space, frames, outcomes) = pool();
        let mut selector = selection::by_name("random", &space, 1).unwrap();
        let first = play(&frames, &outcomes, selector.as_mut(), Seed(1), 50);
        assert_eq!(first[1], None);
        assert!(first[69].is_some());
        assert_eq!(outcomes.failing(69), 5);
    }

    #[test]
    fn failing_frames_are_described() {
        let (space, frames, outcomes) = pool();
        let distance = |a: &[u16], b: &[u16]| space.distance(a, b);
        let described = failing_frames(&frames, &outcomes, 69, &distance);
        assert_eq!(
            described,
            FailingFrames {
                frames: 5,
                rate_within: 1.0,
                distance: 1.0
            }
        );
    }
}
