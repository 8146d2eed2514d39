//! Closer looks at what our own tests give on mutants: what the choice of assertions is made from.
//!
//! A test runs on a mutant if it covers the mutant's line, or its method where the class has no line numbers. Coverage counts
//! a line only when control leaves it in order, so a test whose last step threw also runs on all mutants of the methods that
//! it threw in. Which assertions a look would fail is decided by the suite.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use classfile::ClassFile;
use classfile::analysis::coverage::Criterion;
use engine::Goal;
use mutants::java::ClassMutant;

use crate::coverage::{Coverage, CoveredClass};
use crate::instrument::{MutantRewriter, OriginalClass};
use crate::observed::Observed;
use crate::protocol::{Encoded, Frame, World};
use crate::session::{Session, WorkerError};
use crate::suite::MutantId;

/// A subject whose mutants are looked at.
#[derive(Clone, Copy, Debug)]
pub struct MutantSubject<'a> {
    /// The classes as they were read, in the order in which they were instrumented.
    pub originals: &'a [OriginalClass<'a>],
    /// The goals and where they are.
    pub coverage: &'a Coverage,
}

/// A test that we made.
#[derive(Clone, Copy, Debug)]
pub struct LookedTest<'a> {
    /// As workers read it.
    pub encoded: &'a Encoded,
    /// The goals that it covers, ascending.
    pub goals: &'a [Goal],
    /// The frames of what its last step threw, if it did.
    pub frames: &'a [Frame],
}

/// What tests give on mutants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutantLooks {
    /// The mutants that were run, by their numbers.
    pub mutants: Vec<ClassMutant>,
    /// Per test the mutants that it ran on; no look where it did not end by itself.
    pub by_test: Vec<Vec<(MutantId, Option<Observed>)>>,
    /// Mutants that no test reaches.
    pub not_reached: usize,
    /// Mutants that were left out because there were too many.
    pub left_out: usize,
    /// Mutants that cannot be run, with the reason.
    pub refused: Vec<(ClassMutant, String)>,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Looking {
    /// The most mutants; of more, some are chosen that are spread evenly.
    pub most: usize,
    /// How long one test may run on mutants in all; a test that is over it runs on no more. Tests that sleep would take minutes else,
    /// but what a given time is enough for differs from run to run.
    pub patience: Option<Duration>,
}

/// Runs tests on the mutants that they reach. The session's workers must be able to redefine classes.
pub fn looks(
    session: &mut Session,
    subject: &MutantSubject<'_>,
    mutants: Vec<ClassMutant>,
    tests: &[LookedTest<'_>],
    looking: Looking,
) -> Result<MutantLooks, WorkerError> {
    let mut spent = vec![Duration::ZERO; tests.len()];
    let mut looks = MutantLooks {
        by_test: vec![Vec::new(); tests.len()],
        ..MutantLooks::default()
    };
    let reach = Reach::new(subject, tests);
    let all = mutants.len();
    let reached: Vec<(ClassMutant, BTreeSet<usize>)> = mutants
        .into_iter()
        .map(|mutant| {
            let tests = reach.tests(&mutant);
            (mutant, tests)
        })
        .filter(|(_, tests)| !tests.is_empty())
        .collect();
    looks.not_reached = all - reached.len();
    let chosen = spread(reached.len(), looking.most);
    looks.left_out = reached.len() - chosen.len();
    let mut rewriter = MutantRewriter::new(subject.originals);
    let mut changed: Option<String> = None;
    for (index, (mutant, reaching)) in reached.into_iter().enumerate() {
        if !chosen.contains(&index) {
            continue;
        }
        if changed
            .as_ref()
            .is_some_and(|changed| *changed != mutant.class)
        {
            restore(session, subject, &mut rewriter, changed.take())?;
        }
        match put(session, subject, &mut rewriter, &mutant) {
            Ok(()) => changed = Some(mutant.class.clone()),
            Err(WorkerError::Redefinition(reason)) => {
                looks.refused.push((mutant, reason));
                continue;
            }
            Err(error) => return Err(error),
        }
        let number = MutantId(looks.mutants.len() as u32);
        looks.mutants.push(mutant);
        for test in reaching {
            if looking.patience.is_some_and(|most| spent[test] > most) {
                continue;
            }
            let begun = Instant::now();
            let look = session.look(tests[test].encoded, World::USUAL)?;
            spent[test] += begun.elapsed();
            let observed = look.ok().and_then(|look| look.observed);
            looks.by_test[test].push((number, observed));
        }
    }
    restore(session, subject, &mut rewriter, changed)?;
    Ok(looks)
}

/// Puts a mutant into the worker. What cannot be made is told like what is refused.
fn put(
    session: &mut Session,
    subject: &MutantSubject<'_>,
    rewriter: &mut MutantRewriter,
    mutant: &ClassMutant,
) -> Result<(), WorkerError> {
    let refused = |error: &dyn std::error::Error| WorkerError::Redefinition(error.to_string());
    let bytes = subject.bytes(&mutant.class);
    let bytes = mutant.apply(bytes).map_err(|error| refused(&error))?;
    let bytes = rewriter.rewrite(&bytes).map_err(|error| refused(&error))?;
    session.redefine(&[(mutant.class.clone(), bytes)])
}

fn restore(
    session: &mut Session,
    subject: &MutantSubject<'_>,
    rewriter: &mut MutantRewriter,
    changed: Option<String>,
) -> Result<(), WorkerError> {
    let Some(name) = changed else {
        return Ok(());
    };
    match rewriter.rewrite(subject.bytes(&name)) {
        Ok(bytes) => session.restore(&name, &bytes),
        Err(_) => Ok(()),
    }
}

impl MutantSubject<'_> {
    /// The class file of this name; nothing if there is none.
    fn bytes(&self, name: &str) -> &[u8] {
        let class = self.originals.iter().find(|class| class.name == name);
        class.map_or(&[], |class| class.bytes)
    }
}

/// At most so many of the numbers below `count`, spread evenly.
fn spread(count: usize, most: usize) -> BTreeSet<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|index| index * count / most).collect()
}

/// Which tests reach what.
struct Reach {
    by_goal: BTreeMap<Goal, BTreeSet<usize>>,
    /// By class with dots and method.
    by_method: BTreeMap<(String, String), BTreeSet<usize>>,
    lines: BTreeMap<(String, u32), Goal>,
    /// By class, name and descriptor.
    methods: BTreeMap<(String, String, String), Goal>,
}

impl Reach {
    fn new(subject: &MutantSubject<'_>, tests: &[LookedTest<'_>]) -> Reach {
        let mut reach = Reach {
            by_goal: BTreeMap::new(),
            by_method: BTreeMap::new(),
            lines: BTreeMap::new(),
            methods: BTreeMap::new(),
        };
        for class in subject.coverage.classes() {
            reach.add_methods(class, subject.bytes(&class.name));
            for (id, goal) in class.goals.of_criterion(Criterion::Line) {
                if let Some(line) = goal.line {
                    let place = (class.name.clone(), line);
                    reach.lines.insert(place, class.goal(id));
                }
            }
        }
        for (number, test) in tests.iter().enumerate() {
            for goal in test.goals {
                reach.by_goal.entry(*goal).or_default().insert(number);
            }
            for frame in test.frames {
                let method = (frame.class.clone(), frame.method.clone());
                reach.by_method.entry(method).or_default().insert(number);
            }
        }
        reach
    }

    fn add_methods(&mut self, class: &CoveredClass, bytes: &[u8]) {
        let Ok(file) = ClassFile::parse(bytes) else {
            return;
        };
        for (id, goal) in class.goals.of_criterion(Criterion::Method) {
            let method = &file.methods[goal.method];
            let name = method.name(&file.pool).to_owned();
            let descriptor = method.descriptor(&file.pool).to_owned();
            let key = (class.name.clone(), name, descriptor);
            self.methods.insert(key, class.goal(id));
        }
    }

    /// The goal that a test covers which reaches a mutant.
    fn goal(&self, mutant: &ClassMutant) -> Option<&Goal> {
        let class = mutant.class.clone();
        match mutant.line {
            Some(line) => self.lines.get(&(class, line)),
            None => {
                let key = (class, mutant.method.clone(), mutant.descriptor.clone());
                self.methods.get(&key)
            }
        }
    }

    fn tests(&self, mutant: &ClassMutant) -> BTreeSet<usize> {
        let covering = self.goal(mutant).and_then(|goal| self.by_goal.get(goal));
        let method = (mutant.class.replace('/', "."), mutant.method.clone());
        let throwing = self.by_method.get(&method);
        covering
            .into_iter()
            .chain(throwing)
            .flatten()
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_spread_evenly() {
        assert_eq!(spread(3, 5), [0, 1, 2].into());
        assert_eq!(spread(10, 4), [0, 2, 5, 7].into());
        assert_eq!(spread(10, 0), [0; 0].into());
    }
}
