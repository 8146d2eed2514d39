//! The least effects of all methods that some calls can reach, by iteration over the call graph.

use super::known;
use super::sketch::{Dispatch, FIRST_CALL, MOST_CALLS, Sketch, SketchedCall, Sources};
use super::world::{LibraryClasses, Named, Runs, World};
use super::{Effects, LAST_PARAMETER, STATIC, parameter};
use crate::analysis::hierarchy::MethodId;
use crate::class::ClassFile;
use std::collections::{BTreeMap, BTreeSet};

/// When so many methods are known, further ones are guessed.
const MOST_METHODS: usize = 20_000;

/// A call whose effects are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodCall<'a> {
    /// The class that is named.
    pub owner: &'a str,
    /// The method's name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Whether it is static.
    pub is_static: bool,
}

/// The effects of calls, in order. Bit 0 of a constructor's is the new object.
pub fn effects(
    classes: &[&ClassFile],
    library: &mut LibraryClasses,
    calls: &[MethodCall],
) -> Vec<Effects> {
    let mut solver = Solver::new(World::new(classes, library));
    let asked: Vec<Vec<Target>> = calls
        .iter()
        .map(|call| {
            let dispatch = match call.is_static || call.name == "<init>" {
                true => Dispatch::Exact,
                false => Dispatch::Virtual,
            };
            let (owner, name, descriptor) = (call.owner, call.name, call.descriptor);
            match name {
                // That comparing changes nothing is taken for granted where it is called, not where it is asked for: some
                // comparators lock themselves when they are first used.
                "compare" => {
                    solver.code_targets(owner, name, descriptor, dispatch, !call.is_static)
                }
                _ => solver.targets(owner, name, descriptor, dispatch, !call.is_static),
            }
        })
        .collect();
    solver.explore();
    solver.solve();
    asked.iter().map(|targets| solver.joined(targets)).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// A method that is looked into.
    Method(usize),
    /// Effects that are known or guessed.
    Fixed(Effects),
}

/// A method that some call reaches.
struct Node {
    method: MethodId,
    sketch: Sketch,
    targets: Vec<Vec<Target>>,
    /// Where the results of its calls come from, in terms of its own parameters.
    results: Vec<u64>,
    effects: Effects,
    callers: BTreeSet<usize>,
}

/// What a call names: owner, name, descriptor, dispatch.
type CallKey = (String, String, String, Dispatch);

struct Solver<'c, 'l> {
    world: World<'c, 'l>,
    nodes: Vec<Node>,
    numbers: BTreeMap<MethodId, usize>,
    cache: BTreeMap<CallKey, Vec<Target>>,
}

impl<'c, 'l> Solver<'c, 'l> {
    fn new(world: World<'c, 'l>) -> Self {
        Solver {
            world,
            nodes: Vec::new(),
            numbers: BTreeMap::new(),
            cache: BTreeMap::new(),
        }
    }

    /// What a call can run.
    fn targets(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        dispatch: Dispatch,
        receiver: bool,
    ) -> Vec<Target> {
        let key = (
            owner.to_owned(),
            name.to_owned(),
            descriptor.to_owned(),
            dispatch,
        );
        if let Some(targets) = self.cache.get(&key) {
            return targets.clone();
        }
        let targets = self.find_targets(owner, name, descriptor, dispatch, receiver);
        self.cache.insert(key, targets.clone());
        targets
    }

    fn find_targets(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        dispatch: Dispatch,
        receiver: bool,
    ) -> Vec<Target> {
        if let Some(effects) = known::effects(owner, name, descriptor) {
            return vec![Target::Fixed(effects)];
        }
        if owner.starts_with('[') {
            return vec![Target::Fixed(Effects::default())];
        }
        self.code_targets(owner, name, descriptor, dispatch, receiver)
    }

    /// The code that a call can run, or a guess where there is none.
    fn code_targets(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
        dispatch: Dispatch,
        receiver: bool,
    ) -> Vec<Target> {
        let call = Named {
            owner,
            name,
            descriptor,
            dispatch,
        };
        match self.world.runs(call) {
            Runs::Code(methods) if self.nodes.len() + methods.len() <= MOST_METHODS => {
                methods.into_iter().map(|id| self.node(id)).collect()
            }
            Runs::Native => vec![Target::Fixed(Effects::default())],
            _ => vec![Target::Fixed(known::guess(receiver, descriptor))],
        }
    }

    fn node(&mut self, method: MethodId) -> Target {
        let number = *self.numbers.entry(method).or_insert_with(|| {
            self.nodes.push(Node {
                method,
                sketch: Sketch::default(),
                targets: Vec::new(),
                results: Vec::new(),
                effects: Effects::default(),
                callers: BTreeSet::new(),
            });
            self.nodes.len() - 1
        });
        Target::Method(number)
    }

    /// Sketches all methods that are reached and finds whom they call.
    fn explore(&mut self) {
        let mut next = 0;
        while next < self.nodes.len() {
            let sketch = self.world.sketch_of(self.nodes[next].method);
            let mut all = Vec::with_capacity(sketch.calls.len());
            for call in &sketch.calls {
                let SketchedCall {
                    owner,
                    name,
                    descriptor,
                    dispatch,
                    receiver,
                    ..
                } = call;
                let targets = self.targets(owner, name, descriptor, *dispatch, *receiver);
                for target in &targets {
                    if let Target::Method(number) = target {
                        self.nodes[*number].callers.insert(next);
                    }
                }
                all.push(targets);
            }
            let node = &mut self.nodes[next];
            node.results = vec![0; sketch.calls.len()];
            node.targets = all;
            node.sketch = sketch;
            next += 1;
        }
    }

    fn solve(&mut self) {
        let mut work: BTreeSet<usize> = (0..self.nodes.len()).collect();
        while let Some(number) = work.pop_last() {
            let (results, effects) = self.evaluate(&self.nodes[number]);
            let node = &mut self.nodes[number];
            node.results = results;
            if node.effects != effects {
                node.effects = effects;
                work.extend(&node.callers);
            }
        }
    }

    fn evaluate(&self, node: &Node) -> (Vec<u64>, Effects) {
        let mut results = node.results.clone();
        loop {
            let mut changed = false;
            for (number, targets) in node.targets.iter().enumerate() {
                let returns = self.joined(targets).returns;
                let found = given(&node.sketch.calls[number], returns, &results);
                changed |= results[number] | found != results[number];
                results[number] |= found;
            }
            if !changed {
                break;
            }
        }
        let mut mutates = ground(node.sketch.writes, &results);
        for (call, targets) in node.sketch.calls.iter().zip(&node.targets) {
            mutates |= given(call, self.joined(targets).mutates, &results);
        }
        let returns = ground(node.sketch.returns, &results);
        (results, Effects { mutates, returns })
    }

    fn joined(&self, targets: &[Target]) -> Effects {
        let effects = targets.iter().map(|target| match target {
            Target::Method(number) => self.nodes[*number].effects,
            Target::Fixed(effects) => *effects,
        });
        effects.fold(Effects::default(), |all, one| Effects {
            mutates: all.mutates | one.mutates,
            returns: all.returns | one.returns,
        })
    }
}

/// Where a set of a callee's parameters comes from, seen from the caller's.
fn given(call: &SketchedCall, asked: u64, results: &[u64]) -> u64 {
    let arguments = call.arguments.iter().enumerate();
    let chosen = arguments.filter(|(index, _)| asked & parameter(*index) != 0);
    let all = chosen.fold(0, |all, (_, sources)| all | ground(*sources, results));
    all | asked & STATIC
}

/// A set of sources in terms of parameters and static state alone.
fn ground(sources: Sources, results: &[u64]) -> u64 {
    let own = (sources as u64) & ((1 << (LAST_PARAMETER + 2)) - 1);
    let mut calls = sources >> FIRST_CALL;
    let mut all = own;
    while calls != 0 {
        let number = calls.trailing_zeros() as usize;
        calls &= calls - 1;
        // Calls beyond the last bit share it.
        let last = match number == MOST_CALLS - 1 {
            true => results.len(),
            false => (number + 1).min(results.len()),
        };
        all |= results[number.min(last)..last]
            .iter()
            .fold(0, |all, one| all | one);
    }
    all
}
