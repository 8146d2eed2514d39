//! What a set of hit probes covers, and the counters of reports.

use std::collections::{BTreeMap, BTreeSet};

use super::goals::ClassGoals;
use super::{Criterion, GoalId, ProbeId};

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

/// What a hit probe proves.
enum Proof {
    /// The goal is covered.
    Goal(GoalId),
    /// The node is covered, and counts.
    Node(u32),
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

    /// The goals that hitting these probes covers, rising. Takes time by what is proved, not by the size of the class.
    pub fn goals_of(&self, hits: &[ProbeId]) -> Vec<GoalId> {
        let mut reached = BTreeSet::new();
        let mut goals = BTreeSet::new();
        for probe in hits {
            self.prove(*probe, &mut |node| reached.insert(node), &mut |proof| {
                match proof {
                    Proof::Goal(goal) => drop(goals.insert(goal)),
                    Proof::Node(number) => goals.extend(self.goals_of_node(number)),
                };
            });
        }
        goals.into_iter().collect()
    }

    /// Adds what one more hit probe covers. A number that is no probe covers nothing.
    pub fn hit(&self, probe: ProbeId, covered: &mut Covered) {
        let Covered {
            goals,
            reached,
            nodes,
        } = covered;
        let mut reach = |node: u32| !std::mem::replace(&mut reached[node as usize], true);
        self.prove(probe, &mut reach, &mut |proof| match proof {
            Proof::Goal(goal) => goals[goal.0 as usize] = true,
            Proof::Node(number) => {
                nodes[number as usize] = true;
                for goal in self.goals_of_node(number) {
                    goals[goal.0 as usize] = true;
                }
            }
        });
    }

    /// Walks back from a probe. `reach` says whether a node is reached for the first time, `proved` takes what is proved.
    fn prove(
        &self,
        probe: ProbeId,
        reach: &mut dyn FnMut(u32) -> bool,
        proved: &mut dyn FnMut(Proof),
    ) {
        let mut at = self.proves.get(probe.0 as usize).copied();
        while let Some((number, side)) = at {
            let node = &self.nodes[number as usize];
            let sides = node.proofs.iter().flat_map(|proofs| &proofs.sides);
            for (_, goal) in sides.filter(|(other, _)| *other == side) {
                proved(Proof::Goal(*goal));
            }
            if !reach(number) {
                return;
            }
            let own = [number];
            let covers = match &node.proofs {
                None => &own[..],
                Some(proofs) => {
                    proofs
                        .goals
                        .iter()
                        .for_each(|goal| proved(Proof::Goal(*goal)));
                    &proofs.covers
                }
            };
            for other in covers
                .iter()
                .filter(|other| self.nodes[**other as usize].counts)
            {
                proved(Proof::Node(*other));
            }
            at = node.from;
        }
    }

    /// The line and the method that a covered node covers.
    fn goals_of_node(&self, number: u32) -> impl Iterator<Item = GoalId> {
        let node = &self.nodes[number as usize];
        let line = node.line.and_then(|line| self.line_goals.get(&line));
        let method = self.method_goals.get(&node.method);
        line.into_iter().chain(method).copied()
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
        let lines = self.lines(method, covered);
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

    /// The counters of the lines of one method.
    pub fn lines(&self, method: usize, covered: &Covered) -> BTreeMap<u32, LineCounters> {
        let mut lines: BTreeMap<u32, LineCounters> = BTreeMap::new();
        for (node, is_covered) in self.nodes.iter().zip(&covered.nodes) {
            if let (true, Some(line)) = (node.counts, node.line)
                && usize::from(node.method) == method
            {
                let counters = lines.entry(u32::from(line)).or_default();
                counters.instruction.add(*is_covered);
            }
        }
        for (goal, is_covered) in self.goals.iter().zip(&covered.goals) {
            if let (Criterion::Branch, Some(line)) = (goal.criterion, goal.line)
                && goal.method == method
            {
                lines.entry(line).or_default().branch.add(*is_covered);
            }
        }
        lines
    }
}
