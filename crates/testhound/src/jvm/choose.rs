//! Which tests of a run become its suite: few that cover all, each as short as it can be, each seen twice to do the same.

use super::examine::{Examiner, Seen};
use crate::exit::Failed;
use crate::progress::Progress;
use engine::archive::Covering;
use engine::calls::reduce::reduce;
use engine::calls::slice::parts;
use engine::cover::cover;
use engine::ledger::Entry;
use engine::{Argument, Failure, Goal, Test};
use jvm::JvmModel;
use jvm::oracle::contract_name;
use jvm::protocol::World;
use jvm::suite::{Contract, KeptFailure, KeptTest};
use report::LeftOut;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Candidates that a covering test is reduced with at most.
const COVERING_LIMIT: usize = 300;
/// Candidates that a failing test is reduced with at most.
const FAILING_LIMIT: usize = 400;
/// Failing tests that are reduced and written at most.
pub const MOST_FAILURES: usize = 100;

/// Chooses tests with the help of two workers that have seen nothing of the run.
pub struct Chooser<'a> {
    /// The subject.
    pub model: &'a JvmModel,
    /// Tries candidates.
    pub first: Examiner,
    /// Confirms what the first one saw.
    pub second: Examiner,
    /// The name of the JDK's folder, which other machines do not have.
    pub home: String,
    /// The user wants an end: nothing more is reduced.
    pub stop: &'a AtomicBool,
    /// How long one test may be reduced. Tests that sleep would take minutes else; but how far one gets in a given time
    /// differs from run to run, so a run that must repeat exactly has no such limit.
    pub patience: Option<Duration>,
    /// What is not in the suite, with the reason.
    pub left_out: Vec<LeftOut>,
}

/// A test that will be written.
pub struct Chosen {
    /// The test.
    pub kept: KeptTest,
    /// The frames of what was thrown.
    pub frames: Vec<jvm::protocol::Frame>,
    /// Whether it is shorter than the one found.
    pub reduced: bool,
}

/// A test that may be chosen.
struct Candidate {
    /// The number of the test that it comes from.
    id: u64,
    test: Test,
    goals: Vec<Goal>,
}

impl Chooser<'_> {
    /// The tests that cover what the archive covers.
    pub fn covering(
        &mut self,
        archive: &[&Covering],
        progress: &mut Progress,
    ) -> Result<Vec<Chosen>, Failed> {
        let seen = self.candidates(archive)?;
        let sets: Vec<&[Goal]> = seen.iter().map(|one| one.goals.as_slice()).collect();
        let chosen = cover(&sets);
        let mut covered: BTreeSet<Goal> = BTreeSet::new();
        let mut kept = Vec::new();
        for (done, &index) in chosen.iter().enumerate() {
            let Candidate { id, test, goals } = &seen[index];
            let own: Vec<Goal> = goals
                .iter()
                .copied()
                .filter(|goal| !covered.contains(goal))
                .collect();
            if own.is_empty() {
                continue;
            }
            let smaller = self.reduce(test, COVERING_LIMIT, &mut |seen| {
                !seen.suspicious && contains(&seen.goals, &own)
            })?;
            for smaller in self.apart(smaller, &own)? {
                match self.confirm(&smaller)? {
                    Some(chosen) => {
                        covered.extend(chosen.kept.goals.iter().copied());
                        let reduced = smaller != *test;
                        kept.push(Chosen { reduced, ..chosen });
                    }
                    None => self.leave_out(*id, "did something else in a fresh worker"),
                }
            }
            progress.update(
                done as f64 / chosen.len() as f64,
                &format!("{} of {} tests reduced", done + 1, chosen.len()),
            );
        }
        Ok(kept)
    }

    /// The tests of the archive taken apart: what shares no values is a test of its own. A whole test counts only for what
    /// none of the parts shows.
    fn candidates(&mut self, archive: &[&Covering]) -> Result<Vec<Candidate>, Failed> {
        let (mut candidates, mut wholes) = (Vec::new(), Vec::new());
        for covering in archive {
            let parts = parts(&covering.test);
            for part in parts.iter().filter(|_| parts.len() > 1) {
                candidates.extend(self.candidate(covering, part)?);
            }
            let whole = self.candidate(covering, &covering.test)?;
            match parts.len() {
                1 => candidates.extend(whole),
                _ => wholes.extend(whole),
            }
        }
        let shown: BTreeSet<Goal> = candidates
            .iter()
            .flat_map(|one| &one.goals)
            .copied()
            .collect();
        for whole in &mut wholes {
            whole.goals.retain(|goal| !shown.contains(goal));
        }
        candidates.extend(wholes);
        Ok(candidates)
    }

    /// The parts of a reduced test that cover the wanted goals; the test itself if only the whole covers them.
    fn apart(&mut self, test: Test, wanted: &[Goal]) -> Result<Vec<Test>, Failed> {
        let parts = parts(&test);
        let mut open: BTreeSet<Goal> = wanted.iter().copied().collect();
        let mut needed = Vec::new();
        for part in parts.into_iter().filter(|part| *part != test) {
            let look = self.first.look(&part)?;
            let Some(look) = look.filter(|look| !look.suspicious && look.observed.is_some()) else {
                continue;
            };
            let before = open.len();
            look.goals.iter().for_each(|goal| _ = open.remove(goal));
            if open.len() < before {
                needed.push(part);
            }
        }
        Ok(if open.is_empty() { needed } else { vec![test] })
    }

    /// A test of the archive, or a part of one, with the goals that it shows in a fresh worker.
    fn candidate(&mut self, from: &Covering, test: &Test) -> Result<Option<Candidate>, Failed> {
        match self.first.look(test)? {
            // An exception that is a failure gets a test of its own.
            Some(look) if look.suspicious => {}
            Some(look) if look.observed.is_some() => {
                return Ok(Some(Candidate {
                    id: from.id.0,
                    test: test.clone(),
                    goals: look.goals,
                }));
            }
            _ if *test == *from.test => {
                self.leave_out(from.id.0, "did not end by itself when run again");
            }
            _ => {}
        }
        Ok(None)
    }

    /// The failing tests of the ledger, reduced; `None` for one that does not fail again.
    pub fn failing(
        &mut self,
        entries: &[&Entry],
        progress: &mut Progress,
    ) -> Result<Vec<Option<Chosen>>, Failed> {
        let mut all = Vec::new();
        for (done, entry) in entries.iter().take(MOST_FAILURES).enumerate() {
            let wanted = &entry.failure;
            let smaller = self.reduce(&entry.test, FAILING_LIMIT, &mut |seen| {
                seen.failures.iter().any(|failure| same(failure, wanted))
            })?;
            let reduced = smaller != *entry.test;
            let looks = [
                self.first.look(&smaller)?,
                self.second.look_in(&smaller, World::OTHER_TIMES[0])?,
            ];
            let fails = |look: &Option<Seen>| {
                look.as_ref()
                    .is_some_and(|seen| seen.failures.iter().any(|one| same(one, wanted)))
            };
            let both = looks.iter().all(fails);
            let [first, second] = looks;
            let chosen = match (both, first, second) {
                (true, Some(first), Some(second)) => chosen(smaller, wanted, first, &second),
                _ => None,
            };
            if chosen.is_none() {
                self.leave_out(entry.shortest.0, "did not fail again in a fresh worker");
            }
            all.push(chosen.map(|chosen| Chosen { reduced, ..chosen }));
            progress.update(
                done as f64 / entries.len() as f64,
                &format!("{} of {} failures reduced", done + 1, entries.len()),
            );
        }
        Ok(all)
    }

    /// Reduces a test while what is seen of it is good.
    fn reduce(
        &mut self,
        test: &Test,
        limit: usize,
        good: &mut dyn FnMut(&Seen) -> bool,
    ) -> Result<Test, Failed> {
        let limit = if self.stop.load(Ordering::Relaxed) {
            0
        } else {
            limit
        };
        let mut broken = None;
        let examiner = &mut self.first;
        let (begun, patience) = (Instant::now(), self.patience);
        let late = || patience.is_some_and(|patience| begun.elapsed() > patience);
        let reduced = reduce(&self.model.calls, test, limit, &mut |candidates| {
            let mut found = false;
            let mut judge = |candidate: &Test| {
                // Only the first one that holds is taken; the others need not be run.
                if found || broken.is_some() || late() {
                    return false;
                }
                match examiner.look(candidate) {
                    Ok(seen) => {
                        found = seen.is_some_and(|seen| seen.observed.is_some() && good(&seen));
                    }
                    Err(failed) => broken = Some(failed),
                }
                found
            };
            candidates.iter().map(&mut judge).collect()
        });
        match broken {
            Some(failed) => Err(failed),
            None => Ok(reduced),
        }
    }

    /// What both workers see of a passing test, whatever chance and the clock are.
    fn confirm(&mut self, test: &Test) -> Result<Option<Chosen>, Failed> {
        let begun = Instant::now();
        let Some(first) = self.first.look(test)?.filter(|seen| !seen.suspicious) else {
            return Ok(None);
        };
        let Some(usual) = first.observed else {
            return Ok(None);
        };
        let mut agreed = usual.clone();
        let [then, later] = World::OTHER_TIMES;
        for world in [then, World::OTHER_CHANCE, later] {
            // Tests that sleep have been looked at often enough.
            if world != then && self.patience.is_some_and(|most| begun.elapsed() > most) {
                break;
            }
            // Some differences are the worker's, not chance's; those do not count.
            let examiner = match world {
                World::OTHER_CHANCE => &mut self.first,
                _ => &mut self.second,
            };
            let seen = examiner.look_in(test, world)?;
            let seen = seen.filter(|seen| !seen.suspicious);
            let Some(other) = seen.and_then(|seen| seen.observed) else {
                return Ok(None);
            };
            if world == World::OTHER_CHANCE && given_to_later(test, &usual.differences(&other)) {
                return Ok(None);
            }
            match agreed.agreed(&other) {
                Some(both) => agreed = both,
                None => return Ok(None),
            }
        }
        Ok(Some(Chosen {
            kept: KeptTest {
                test: test.clone(),
                goals: first.goals,
                observed: agreed.without(&self.home),
                kills: None,
                failure: None,
            },
            frames: first.frames,
            reduced: false,
        }))
    }

    fn leave_out(&mut self, number: u64, reason: &str) {
        self.left_out.push(LeftOut {
            name: format!("test {}", number + 1),
            reason: reason.to_owned(),
        });
    }
}

fn chosen(test: Test, wanted: &Failure, first: Seen, second: &Seen) -> Option<Chosen> {
    let failure = first.failures.iter().find(|one| same(one, wanted))?.clone();
    let contract = first
        .violations
        .iter()
        .find(|violation| contract_name(violation.contract) == failure.oracle)
        .and_then(Contract::of);
    let observed = first.observed?.agreed(second.observed.as_ref()?)?;
    Some(Chosen {
        kept: KeptTest {
            test,
            goals: first.goals,
            observed,
            kills: None,
            failure: Some(KeptFailure { failure, contract }),
        },
        frames: first.frames,
        reduced: false,
    })
}

/// Whether what one of these steps gives is given to a later step.
fn given_to_later(test: &Test, steps: &[usize]) -> bool {
    let mut arguments = test.steps.iter().flat_map(|step| &step.arguments);
    arguments.any(|one| matches!(one, Argument::Result(step) if steps.contains(&(*step as usize))))
}

fn same(a: &Failure, b: &Failure) -> bool {
    a.oracle == b.oracle && a.signature == b.signature
}

/// Whether one ascending list holds all of another.
fn contains(all: &[Goal], wanted: &[Goal]) -> bool {
    wanted.iter().all(|goal| all.binary_search(goal).is_ok())
}
