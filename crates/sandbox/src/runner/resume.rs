//! Runs a batch to its end, whatever its tests do to the runners.

use std::collections::BTreeMap;
use std::ops::Range;

use super::process::{Gone, Runner};
use crate::error::Error;

/// What a test did to its runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// It ran so long that the runner had to be killed.
    Hung,
    /// The runner died of it.
    Died,
}

/// Runs `count` tests in order, at most `most` at a time, so that every one has a reply. `batch` runs a range of them and may give
/// fewer replies than asked for, but not none; `lost` makes the reply of a test that took its runner down.
pub fn run_all<R, E>(
    count: usize,
    mut most: usize,
    mut batch: impl FnMut(Range<usize>) -> Result<Result<Vec<R>, Gone>, E>,
    lost: impl Fn(Loss) -> R,
) -> Result<Vec<R>, E> {
    let mut replies: Vec<R> = Vec::new();
    // Tests that took a runner with them. Those before them in the same batch have run, but their replies are lost.
    let mut fatal: BTreeMap<usize, Loss> = BTreeMap::new();
    while replies.len() < count {
        let done = replies.len();
        if let Some(loss) = fatal.remove(&done) {
            replies.push(lost(loss));
            continue;
        }
        let end = fatal.keys().next().copied().unwrap_or(count);
        let end = end.min(done.saturating_add(most));
        match batch(done..end)? {
            Ok(ran) if replies.is_empty() => replies = ran,
            Ok(ran) => replies.extend(ran),
            Err(Gone::Hung(index)) => _ = fatal.insert(done + index, Loss::Hung),
            Err(Gone::Died(index)) => _ = fatal.insert(done + index, Loss::Died),
            // Its mark is spoilt. Alone, every test shows what it is.
            Err(Gone::Silent) if most > 1 => most = 1,
            Err(Gone::Silent) => _ = fatal.insert(done, Loss::Died),
        }
    }
    Ok(replies)
}

/// Counts runners that end one after another without having run a test: several in a row mean that none ever will.
#[derive(Debug, Default)]
pub struct Silence(u32);

impl Silence {
    /// The most that are no reason to give up.
    const MOST: u32 = 2;

    /// A runner answered.
    pub fn is_over(&mut self) {
        self.0 = 0;
    }

    /// The next silent runner is the last: it could not even load the subject.
    pub fn is_certain(&mut self) {
        self.0 = self.0.max(Silence::MOST);
    }

    /// Buries a runner; gives how it ended and what it said if that was one too many.
    pub fn bury(&mut self, runner: Runner, gone: Gone) -> Result<Option<String>, Error> {
        if gone != Gone::Silent {
            self.0 = 0;
            return Ok(None);
        }
        self.0 += 1;
        if self.0 <= Silence::MOST {
            return Ok(None);
        }
        let finished = runner.farewell()?;
        let said = String::from_utf8_lossy(&finished.stderr);
        Ok(Some(format!("{:?}: {}", finished.end, said.trim())))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// What a test of the made-up batches does.
    #[derive(Clone, Copy, PartialEq)]
    enum Does {
        Well,
        Hang,
        Die,
        SpoilTheMark,
    }

    /// Runs made-up tests; gives their replies and the sizes of the batches that were tried.
    fn replies(tests: &[Does]) -> (Vec<Option<Loss>>, Vec<usize>) {
        let mut sizes = Vec::new();
        let batch = |range: Range<usize>| {
            sizes.push(range.len());
            let bad = tests[range.clone()]
                .iter()
                .position(|one| *one != Does::Well);
            Ok::<_, Infallible>(match bad.map(|index| (index, tests[range.start + index])) {
                Some((index, Does::Hang)) => Err(Gone::Hung(index)),
                Some((index, Does::Die)) => Err(Gone::Died(index)),
                Some(_) => Err(Gone::Silent),
                None => Ok(vec![None; range.len()]),
            })
        };
        let Ok(replies) = run_all(tests.len(), tests.len(), batch, Some);
        (replies, sizes)
    }

    #[test]
    fn tests_around_those_that_end_a_runner_run_again() {
        let (replies, sizes) = replies(&[Does::Well, Does::Die, Does::Well, Does::Hang]);
        assert_eq!(replies, [None, Some(Loss::Died), None, Some(Loss::Hung)]);
        assert_eq!(sizes, [4, 1, 2, 1]);
    }

    #[test]
    fn a_spoilt_mark_makes_every_test_run_alone() {
        let (replies, sizes) = replies(&[Does::Well, Does::SpoilTheMark, Does::Well]);
        assert_eq!(replies, [None, Some(Loss::Died), None]);
        assert_eq!(sizes, [3, 1, 1, 1]);
    }

    #[test]
    fn fewer_replies_than_asked_for_are_taken() {
        let batch = |range: Range<usize>| Ok::<_, Infallible>(Ok(vec![range.start]));
        assert_eq!(run_all(3, 3, batch, |_| 9), Ok(vec![0, 1, 2]));
    }
}
