//! Rewrites the classes of a subject for its workers, by what a run needs of them.
//!
//! Every class gets budgets, size checks, redirected calls and marks for its static state; the classes under test also get
//! the probes that decide their goals. A class that cannot be read goes to the workers as it is, which then say why.

use std::collections::{BTreeMap, BTreeSet};

use classfile::ClassFile;
use classfile::analysis::coverage::{ClassGoals, ProbeId};
use classfile::rewrite::replacement::{EXITS, UNSTABLE};
use classfile::rewrite::{
    Chosen, Hit, NumberSet, Numbers, PathStep, Probes, Reduced, Rewriter, Statics,
};
use engine::{Goal, Needs};
use mutants::java::{ClassMutant, Options};

use crate::coverage::{Coverage, CoveredClass};
use crate::edges::Edges;
use crate::prepared::{Numbered, WorkerClass};

/// A class as it was read.
#[derive(Debug, Clone, Copy)]
pub struct OriginalClass<'a> {
    /// Its name in internal form.
    pub name: &'a str,
    /// Its class file.
    pub bytes: &'a [u8],
    /// Whether its goals count.
    pub under_test: bool,
    /// The methods whose goals count, by name and descriptor, where not all do.
    pub methods: Option<&'a BTreeSet<(String, String)>>,
}

impl OriginalClass<'_> {
    /// Whether the goals of a method count. A lambda belongs to the method that it is written in.
    pub fn tests(&self, name: &str, descriptor: &str) -> bool {
        let Some(methods) = self.methods else {
            return self.under_test;
        };
        let written_in = name
            .strip_prefix("lambda$")
            .and_then(|rest| rest.split('$').next())
            .map(|name| if name == "new" { "<init>" } else { name });
        let means = |(chosen, types): &(String, String)| {
            chosen == name && types == descriptor || Some(chosen.as_str()) == written_in
        };
        self.under_test && methods.iter().any(means)
    }

    /// The mutants of the methods whose goals count; none of a class that cannot be read.
    pub fn mutants(&self, options: &Options) -> Vec<ClassMutant> {
        let mut listed = match self.under_test {
            true => mutants::java::mutants(self.bytes, options).unwrap_or_default(),
            false => Vec::new(),
        };
        listed.retain(|mutant| self.tests(&mutant.method, &mutant.descriptor));
        listed
    }
}

/// Rewritten classes, and what their numbers mean.
#[derive(Debug)]
pub struct Instrumented {
    /// The classes.
    pub classes: Vec<WorkerClass>,
    /// How many numbers of each kind there are.
    pub numbered: Numbered,
    /// The goals, and which probes decide them.
    pub coverage: Coverage,
    /// What edges mean, where counts, traces or distances were asked for.
    pub edges: Edges,
    /// Methods that got less than was asked for, by class.
    pub reduced: Vec<(String, Reduced)>,
    /// Classes that could not be read, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// What to insert beside what [`Needs`] ask for, and what to leave out.
#[derive(Debug, Default, Clone)]
pub struct Extras {
    /// Changes of path registers, by class. Registers are numbered through the whole subject.
    pub paths: BTreeMap<String, Vec<PathStep>>,
    /// Goals whose probes are no longer needed. Numbers stay as they are, so that workers of both kinds can be mixed.
    pub covered: BTreeSet<Goal>,
}

/// Rewrites classes for workers; order decides the numbers of goals.
pub fn instrument(originals: &[OriginalClass<'_>], needs: Needs, extras: &Extras) -> Instrumented {
    with_probes(originals, probes(originals, needs), needs.hits, extras)
}

/// Rewrites classes with these probes, and with those that decide their goals if `hits` are wanted.
pub(crate) fn with_probes(
    originals: &[OriginalClass<'_>],
    probes: Probes,
    hits: bool,
    extras: &Extras,
) -> Instrumented {
    let mut done = Instrumented {
        classes: Vec::with_capacity(originals.len()),
        numbered: Numbered {
            resettable: originals
                .iter()
                .map(|class| class.name.to_owned())
                .collect(),
            ..Numbered::default()
        },
        coverage: Coverage::default(),
        edges: Edges::default(),
        reduced: Vec::new(),
        unreadable: Vec::new(),
    };
    let mut rewriter = Rewriter::new(probes);
    let mut next = Numbers::default();
    for original in originals {
        let bytes = match rewrite(original, hits, extras, &mut rewriter, &mut next, &mut done) {
            Ok(bytes) => bytes,
            Err(error) => {
                done.unreadable
                    .push((original.name.to_owned(), error.to_string()));
                original.bytes.to_vec()
            }
        };
        done.classes.push(WorkerClass {
            name: original.name.to_owned(),
            bytes,
        });
    }
    done.numbered.places = next.hits;
    done.numbered.edges = next.edges;
    let registers = extras.paths.values().flatten().map(|step| step.register);
    done.numbered.paths = registers.max().map_or(0, |last| last + 1);
    done
}

/// What every class gets.
fn probes(originals: &[OriginalClass<'_>], needs: Needs) -> Probes {
    let numbers = originals.iter().map(|class| class.name.to_owned()).zip(0..);
    Probes {
        budgets: true,
        arrays: true,
        calls: EXITS.iter().chain(UNSTABLE).cloned().collect(),
        statics: Statics {
            classes: numbers.collect::<BTreeMap<String, u32>>(),
            reads: false,
        },
        reset: true,
        distances: needs.distances,
        sides: needs.sides,
        trace: needs.trace,
        ..Probes::default()
    }
}

fn rewrite(
    original: &OriginalClass<'_>,
    probed: bool,
    extras: &Extras,
    rewriter: &mut Rewriter,
    next: &mut Numbers,
    done: &mut Instrumented,
) -> Result<Vec<u8>, classfile::Error> {
    let mut class = ClassFile::parse(original.bytes)?;
    let goals = if original.under_test {
        let tests = |method: usize| {
            let member = &class.methods[method];
            original.tests(member.name(&class.pool), member.descriptor(&class.pool))
        };
        ClassGoals::of_methods(&class, &tests)?
    } else {
        ClassGoals::default()
    };
    let mut hits = Vec::new();
    if probed {
        for (probe, number) in goals.probes.iter().zip(next.hits..) {
            let counted = if probe.counts { &probe.places[..] } else { &[] };
            hits.extend(counted.iter().map(|&place| Hit {
                method: probe.method as u16,
                place,
                number,
            }));
        }
        hits.sort();
        next.hits += goals.probes.len() as u32;
    }
    let first = next.hits - if probed { goals.probes.len() as u32 } else { 0 };
    let covered = done.coverage.add(original.name, goals, probed);
    let paths = extras.paths.get(original.name);
    let unneeded = unneeded(covered, first, &extras.covered);
    let chosen = Chosen {
        hits: &hits,
        paths: paths.map_or(&[][..], Vec::as_slice),
        without_hits: (!extras.covered.is_empty()).then_some(&unneeded),
        without_edges: None,
    };
    let rewritten = rewriter.rewrite(&mut class, &chosen, *next);
    *next = rewritten.next;
    if original.under_test && !rewritten.branches.is_empty() {
        let unchanged = ClassFile::parse(original.bytes)?;
        done.edges.add(&unchanged, &rewritten.branches, covered);
    }
    let reduced = rewritten.reduced.into_iter();
    done.reduced
        .extend(reduced.map(|one| (original.name.to_owned(), one)));
    Ok(class.write())
}

/// The probes that only prove goals which are covered, by their numbers.
fn unneeded(class: &CoveredClass, first: u32, covered: &BTreeSet<Goal>) -> NumberSet {
    if covered.is_empty() {
        return NumberSet::default();
    }
    let probes = 0..class.goals.probes.len() as u32;
    let proved = |probe: u32| class.goals.goals_of(&[ProbeId(probe)]).into_iter();
    probes
        .filter(|probe| proved(*probe).all(|goal| covered.contains(&class.goal(goal))))
        .map(|probe| first + probe)
        .collect()
}

/// Rewrites mutants of a subject's classes as the classes were, but without hits: a mutant must fit in the place of its
/// original, and what it covers is not looked at.
#[derive(Debug)]
pub struct MutantRewriter {
    rewriter: Rewriter,
}

impl MutantRewriter {
    /// For a subject that was instrumented from these classes, in this order.
    pub fn new(originals: &[OriginalClass<'_>]) -> MutantRewriter {
        MutantRewriter {
            rewriter: Rewriter::new(probes(originals, Needs::default())),
        }
    }

    /// Rewrites a mutated class, or an original to put back.
    pub fn rewrite(&mut self, bytes: &[u8]) -> Result<Vec<u8>, classfile::Error> {
        let mut class = ClassFile::parse(bytes)?;
        self.rewriter
            .rewrite(&mut class, &Chosen::default(), Numbers::default());
        Ok(class.write())
    }
}
