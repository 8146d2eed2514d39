//! What a set of hit probes covers, and the counters of reports.

use std::collections::{BTreeMap, BTreeSet};

use super::goals::{ClassGoals, Node};
use super::{Criterion, GoalId, ProbeId};
use crate::rewrite::Side;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Covered.
    pub covered: u32,
    /// All.
    pub total: u32,
}

impl Counter {
    fn add(&mut self, covered: bool) {
        self.covered += u32::from(covered);
        self.total += 1;
    }
}

/// The counters of a class or method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions.
    pub instruction: Counter,
    /// Sides of conditionals and switches.
    pub branch: Counter,
    /// Lines.
    pub line: Counter,
    /// Methods.
    pub method: Counter,
}

/// The counters of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounters {
    /// Instructions.
    pub instruction: Counter,
    /// Sides of conditionals and switches.
    pub branch: Counter,
}

/// What is covered of a class. Grows with every hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    goals: Vec<bool>,
    /// Which nodes a probe was found behind; further proof of them is not needed.
    reached: Vec<bool>,
    /// Which nodes count as covered.
    nodes: Vec<bool>,
}

impl Covered {
    /// Whether a goal is covered.
    pub fn contains(&self, goal: GoalId) -> bool {
        self.goals.get(goal.0 as usize) == Some(&true)
    }

    /// The goals covered, rising.
    pub fn goals(&self) -> Vec<GoalId> {
        let all = self.goals.iter().enumerate();
        let covered = all.filter(|(_, covered)| **covered);
        covered.map(|(goal, _)| GoalId(goal as u32)).collect()
    }
}

impl ClassGoals {
    /// Nothing covered.
    pub fn nothing(&self) -> Covered {
        Covered {
            goals: vec![false; self.goals.len()],
            reached: vec![false; self.nodes.len()],
            nodes: vec![false; self.nodes.len()],
        }
    }

    /// What hitting these probes covers.
    pub fn covered(&self, hits: &[ProbeId]) -> Covered {
        let mut covered = self.nothing();
        for probe in hits {
            self.hit(*probe, &mut covered);
        }
        covered
    }

    /// The goals that hitting these probes covers, rising.
    pub fn goals_of(&self, hits: &[ProbeId]) -> Vec<GoalId> {
        self.covered(hits).goals()
    }

    /// Adds what one more hit probe covers. A number that is no probe covers nothing.
    pub fn hit(&self, probe: ProbeId, covered: &mut Covered) {
        let Some((node, side)) = self.proves.get(probe.0 as usize) else {
            return;
        };
        let mut at = Some((*node, *side));
        while let Some((number, side)) = at {
            let node = &self.nodes[number as usize];
            self.leave(node, side, covered);
            if std::mem::replace(&mut covered.reached[number as usize], true) {
                break;
            }
            self.reach(number, node, covered);
            at = node.from;
        }
    }

    fn leave(&self, node: &Node, side: Side, covered: &mut Covered) {
        let sides = node.proofs.iter().flat_map(|proofs| &proofs.sides);
        for (_, goal) in sides.filter(|(other, _)| *other == side) {
            covered.goals[goal.0 as usize] = true;
        }
    }

    fn reach(&self, number: u32, node: &Node, covered: &mut Covered) {
        match &node.proofs {
            None => self.cover(number, covered),
            Some(proofs) => {
                for goal in &proofs.goals {
                    covered.goals[goal.0 as usize] = true;
                }
                for other in &proofs.covers {
                    self.cover(*other, covered);
                }
            }
        }
    }

    fn cover(&self, number: u32, covered: &mut Covered) {
        let node = &self.nodes[number as usize];
        if !node.counts || std::mem::replace(&mut covered.nodes[number as usize], true) {
            return;
        }
        let line = node.line.and_then(|line| self.line_goals.get(&line));
        let method = self.method_goals.get(&node.method);
        for goal in line.into_iter().chain(method) {
            covered.goals[goal.0 as usize] = true;
        }
    }

    /// The counters of the class.
    pub fn counters(&self, covered: &Covered) -> Counters {
        let mut counters = Counters::default();
        for (goal, is_covered) in self.goals.iter().zip(&covered.goals) {
            match goal.criterion {
                Criterion::Branch => counters.branch.add(*is_covered),
                Criterion::Line => counters.line.add(*is_covered),
                Criterion::Method => counters.method.add(*is_covered),
            }
        }
        for (node, is_covered) in self.nodes.iter().zip(&covered.nodes) {
            if node.counts {
                counters.instruction.add(*is_covered);
            }
        }
        counters
    }

    /// The numbers of the methods that count, in the order of the class file.
    pub fn methods(&self) -> Vec<usize> {
        let methods = self.method_goals.keys();
        methods.map(|method| usize::from(*method)).collect()
    }

    /// The counters of one method; its lines are counted whether or not other methods share them.
    pub fn method_counters(&self, method: usize, covered: &Covered) -> Counters {
        let mut counters = Counters::default();
        let lines = self.lines(BTreeSet::from([method]), covered);
        for line in lines.values() {
            counters.line.add(line.instruction.covered > 0);
        }
        let nodes = self.nodes.iter().zip(&covered.nodes);
        for (node, is_covered) in nodes.filter(|(node, _)| usize::from(node.method) == method) {
            if node.counts {
                counters.instruction.add(*is_covered);
            }
        }
        for (goal, is_covered) in self.goals.iter().zip(&covered.goals) {
            if goal.method == method && goal.criterion == Criterion::Branch {
                counters.branch.add(*is_covered);
            }
        }
        if counters.instruction.total > 0 {
            counters.method.add(counters.instruction.covered > 0);
        }
        counters
    }

    /// The counters of the lines of some methods.
    pub fn lines(
        &self,
        methods: BTreeSet<usize>,
        covered: &Covered,
    ) -> BTreeMap<u32, LineCounters> {
        let mut lines: BTreeMap<u32, LineCounters> = BTreeMap::new();
        for (node, is_covered) in self.nodes.iter().zip(&covered.nodes) {
            if let (true, Some(line)) = (node.counts, node.line)
                && methods.contains(&usize::from(node.method))
            {
                let counters = lines.entry(u32::from(line)).or_default();
                counters.instruction.add(*is_covered);
            }
        }
        for (goal, is_covered) in self.goals.iter().zip(&covered.goals) {
            if let (Criterion::Branch, Some(line)) = (goal.criterion, goal.line)
                && methods.contains(&goal.method)
            {
                lines.entry(line).or_default().branch.add(*is_covered);
            }
        }
        lines
    }
}
