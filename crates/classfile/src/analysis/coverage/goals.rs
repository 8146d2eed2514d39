//! From wired methods and filters to goals, and what each probe proves.

use std::collections::{BTreeMap, BTreeSet};

use super::filter::{self, Output};
use super::listing::Listing;
use super::wiring::{Wiring, wire};
use super::{Criterion, Goal, GoalId, Probe, Rules, Way};
use crate::class::ClassFile;
use crate::error::Error;
use crate::rewrite::Side;

const SYNTHETIC: u16 = 0x1000;
const MODULE: u16 = 0x8000;

/// An instruction of the class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub method: u16,
    pub pc: u16,
    /// The source line, if known.
    pub line: Option<u16>,
    /// Whether it counts.
    pub counts: bool,
    /// The only node it is reached from without a probe, and the side of that.
    pub from: Option<(u32, Side)>,
    /// What reaching it proves; `None` when only that it was covered itself.
    pub proofs: Option<Box<Proofs>>,
}

/// What reaching a node proves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Proofs {
    /// The nodes that are covered: itself, the original it is a copy of, or nodes whose branches it replaces.
    pub covers: Vec<u32>,
    /// Goals that are covered.
    pub goals: Vec<GoalId>,
    /// Goals that are covered by leaving it by a side.
    pub sides: Vec<(Side, GoalId)>,
}

/// The goals of a class, and the probes that decide them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassGoals {
    /// The goals: branches, then lines, then methods, each in the order of the class file, lines rising.
    pub goals: Vec<Goal>,
    /// The probes, in the order of their numbers.
    pub probes: Vec<Probe>,
    /// What each probe proves: a node, and the side by which it was left.
    pub(super) proves: Vec<(u32, Side)>,
    pub(super) nodes: Vec<Node>,
    pub(super) line_goals: BTreeMap<u16, GoalId>,
    pub(super) method_goals: BTreeMap<u16, GoalId>,
}

impl ClassGoals {
    /// The goals of a class by the rules that fit its version. A class that the compiler made has none.
    pub fn of(class: &ClassFile) -> Result<ClassGoals, Error> {
        ClassGoals::by(class, Rules::for_class(class))
    }

    /// The goals of some methods of a class, by their numbers in the class file.
    pub fn of_methods(
        class: &ClassFile,
        chosen: &dyn Fn(usize) -> bool,
    ) -> Result<ClassGoals, Error> {
        ClassGoals::chosen(class, Rules::for_class(class), chosen)
    }

    /// The goals of a class by these rules.
    pub fn by(class: &ClassFile, rules: Rules) -> Result<ClassGoals, Error> {
        ClassGoals::chosen(class, rules, &|_| true)
    }

    fn chosen(
        class: &ClassFile,
        rules: Rules,
        chosen: &dyn Fn(usize) -> bool,
    ) -> Result<ClassGoals, Error> {
        let mut goals = ClassGoals::default();
        if class.access & (SYNTHETIC | MODULE) != 0 {
            return Ok(goals);
        }
        for method in (0..class.methods.len()).filter(|method| chosen(*method)) {
            if let Some(listing) = Listing::of(class, method, rules)? {
                let number = u16::try_from(method).unwrap_or(u16::MAX);
                goals.add_method(&listing, number);
            }
        }
        goals.add_lines();
        goals.add_methods();
        goals.find_useful_probes();
        Ok(goals)
    }

    /// The goals of one criterion with their numbers.
    pub fn of_criterion(&self, criterion: Criterion) -> impl Iterator<Item = (GoalId, &Goal)> {
        let all = self.goals.iter().enumerate();
        let some = all.filter(move |(_, goal)| goal.criterion == criterion);
        some.map(|(number, goal)| (GoalId(number as u32), goal))
    }

    fn add_method(&mut self, listing: &Listing, method: u16) {
        let wiring = wire(listing);
        let output = filter::apply(listing);
        let first = self.nodes.len() as u32;
        for (index, wire) in wiring.wires.iter().enumerate() {
            let pc = listing.pc(index);
            self.nodes.push(Node {
                method,
                pc: pc as u16,
                line: listing.lines.at(pc).map(|line| line as u16),
                counts: output.original(index) == index && !output.ignored.contains(&index),
                from: wire.from.map(|(from, side)| (first + from as u32, side)),
                proofs: None,
            });
        }
        for probe in &wiring.probes {
            self.proves.push((first + probe.index as u32, probe.side));
            self.probes.push(Probe {
                method: usize::from(method),
                places: probe.places.clone(),
                counts: false,
            });
        }
        self.add_branches(&wiring, &output, first);
    }

    /// The goals of the branches of a method, and what its copied and replaced instructions prove.
    fn add_branches(&mut self, wiring: &Wiring, output: &Output, first: u32) {
        let mut sides: BTreeMap<usize, Vec<(Side, GoalId)>> = BTreeMap::new();
        for (index, wire) in wiring.wires.iter().enumerate() {
            let node = first + index as u32;
            let replaced = output.replaced.iter().rev().find(|(at, _)| *at == index);
            if let Some((_, targets)) = replaced {
                self.replace_branches(output, node, first, targets);
            } else if self.nodes[node as usize].counts {
                let counted = wire.sides.iter();
                let counted = counted.filter(|side| !output.dropped.contains(&(index, **side)));
                let counted: Vec<Side> = counted.copied().collect();
                if counted.len() > 1 {
                    let goals = counted.into_iter();
                    let goals = goals.map(|side| (side, self.add_branch(node, Way::Side(side))));
                    sides.insert(index, goals.collect());
                }
            }
        }
        for index in 0..wiring.wires.len() {
            let original = output.original(index);
            let node = first + index as u32;
            if let Some(sides) = sides.get(&original) {
                self.proofs(node).sides = sides.clone();
            }
            if original != index {
                let covers = &mut self.proofs(node).covers;
                covers.retain(|other| *other != node);
                covers.push(first + original as u32);
            }
        }
    }

    /// The branches of a node are those of the source: each is covered when its target is, and the node with any of them.
    fn replace_branches(
        &mut self,
        output: &Output,
        node: u32,
        first: u32,
        targets: &BTreeSet<usize>,
    ) {
        let counts = self.nodes[node as usize].counts;
        self.proofs(node).covers.clear();
        for target in targets {
            let pc = u32::from(self.nodes[first as usize + target].pc);
            let several = targets.len() > 1 && counts;
            let goal = several.then(|| self.add_branch(node, Way::To(pc)));
            for copy in first..self.nodes.len() as u32 {
                if output.original((copy - first) as usize) == output.original(*target) {
                    let proofs = self.proofs(copy);
                    proofs.goals.extend(goal);
                    proofs.covers.push(node);
                }
            }
        }
    }

    fn add_branch(&mut self, node: u32, way: Way) -> GoalId {
        let node = &self.nodes[node as usize];
        let goal = Goal {
            criterion: Criterion::Branch,
            method: usize::from(node.method),
            line: node.line.map(u32::from),
            pc: u32::from(node.pc),
            way: Some(way),
        };
        self.add_goal(goal)
    }

    fn add_goal(&mut self, goal: Goal) -> GoalId {
        self.goals.push(goal);
        GoalId(self.goals.len() as u32 - 1)
    }

    fn proofs(&mut self, number: u32) -> &mut Proofs {
        let node = &mut self.nodes[number as usize];
        node.proofs.get_or_insert_with(|| {
            let covers = vec![number];
            Box::new(Proofs {
                covers,
                ..Proofs::default()
            })
        })
    }

    fn add_lines(&mut self) {
        let mut lines: BTreeMap<u16, usize> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let (true, Some(line)) = (node.counts, node.line) {
                lines.entry(line).or_insert(number);
            }
        }
        for (line, node) in lines {
            let goal = self.place_of(Criterion::Line, node);
            let goal = self.add_goal(goal);
            self.line_goals.insert(line, goal);
        }
    }

    fn add_methods(&mut self) {
        let mut methods: BTreeMap<u16, usize> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if node.counts {
                methods.entry(node.method).or_insert(number);
            }
        }
        for (method, node) in methods {
            let goal = self.place_of(Criterion::Method, node);
            let goal = self.add_goal(goal);
            self.method_goals.insert(method, goal);
        }
    }

    fn place_of(&self, criterion: Criterion, node: usize) -> Goal {
        let node = &self.nodes[node];
        Goal {
            criterion,
            method: usize::from(node.method),
            line: node.line.map(u32::from),
            pc: u32::from(node.pc),
            way: None,
        }
    }

    fn find_useful_probes(&mut self) {
        for number in 0..self.probes.len() {
            self.probes[number].counts = self.is_useful(number);
        }
    }

    /// Whether hitting a probe can cover anything.
    fn is_useful(&self, probe: usize) -> bool {
        let counts = |number: u32| self.nodes[number as usize].counts;
        let mut at = Some(self.proves[probe].0);
        while let Some(number) = at {
            let node = &self.nodes[number as usize];
            let useful = match &node.proofs {
                None => node.counts,
                Some(proofs) => proofs.covers.iter().any(|other| counts(*other)),
            };
            if useful {
                return true;
            }
            at = node.from.map(|(from, _)| from);
        }
        false
    }
}
