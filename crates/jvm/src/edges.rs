//! What counts, traces and distances of edges mean: the `branch` goals of the subject, and rows of path registers.
//!
//! The inserted code knows only numbers of edges. Edges that are no goals (of classes that are not under test, made by the
//! compiler, or of switches over strings, whose goals are told by where they lead) are left out of observations.

use std::collections::BTreeMap;

use classfile::analysis::coverage::{Criterion, Way};
use classfile::{ClassFile, Operand};

use classfile::rewrite::{Branch, Decision, Side};
use engine::{CriterionId, Goal};

use crate::coverage::CoveredClass;
use crate::protocol::TestReply;

/// The criterion of rows: what path registers held, in the order in which it was first seen. It comes after those of coverage.
pub const ROWS: CriterionId = CriterionId(3);

/// The edges of a subject.
#[derive(Debug, Default)]
pub struct Edges {
    /// The goal of each edge.
    goals: Vec<Option<Goal>>,
    /// The keys of each switch, by its first edge, which is that of the default.
    keys: BTreeMap<u32, Vec<i32>>,
}

impl Edges {
    /// Adds the branches of a class, as its rewriting told them, with the goals that it has.
    pub(crate) fn add(&mut self, original: &ClassFile, branches: &[Branch], class: &CoveredClass) {
        let mut goals: BTreeMap<(usize, u32, Side), Goal> = BTreeMap::new();
        for (id, goal) in class.goals.of_criterion(Criterion::Branch) {
            if let Some(Way::Side(side)) = goal.way {
                goals.insert((goal.method, goal.pc, side), class.goal(id));
            }
        }
        for branch in branches {
            let method = usize::from(branch.method);
            let goal = |side: &Side| goals.get(&(method, branch.offset, *side)).copied();
            let sides = sides(branch);
            let groups = same_targets(original, branch, &sides);
            let first = branch.edge as usize;
            let count = self.goals.len().max(first + sides.len());
            self.goals.resize(count, None);
            for (index, side) in sides.iter().enumerate() {
                let others = groups.get(side).map_or(&[][..], Vec::as_slice);
                // Of several sides to one target the first stands for all.
                self.goals[first + index] = goal(side).or_else(|| others.iter().find_map(goal));
            }
            if let Decision::Switch(keys) = &branch.decision {
                self.keys.insert(branch.edge, keys.clone());
            }
        }
    }

    fn goal(&self, edge: u32) -> Option<Goal> {
        self.goals.get(edge as usize).copied().flatten()
    }

    /// The least distance to each goal that was approached but not reached, by goal.
    pub fn distances(&self, reply: &TestReply) -> Vec<(Goal, f64)> {
        let mut least: BTreeMap<Goal, f64> = BTreeMap::new();
        let mut note = |edge: u32, distance: f64| {
            if let Some(goal) = self.goal(edge) {
                let known = least.entry(goal).or_insert(distance);
                *known = known.min(distance);
            }
        };
        for (edge, distance) in &reply.distances {
            note(*edge, *distance);
        }
        for (first, value) in &reply.selected {
            let Some(keys) = self.keys.get(first) else {
                continue;
            };
            note(*first, if keys.contains(value) { 1.0 } else { 0.0 });
            for (key, edge) in keys.iter().zip(first + 1..) {
                note(edge, (f64::from(*key) - f64::from(*value)).abs());
            }
        }
        least.retain(|_, distance| *distance > 0.0);
        least.into_iter().collect()
    }

    /// How often each goal was taken, 1 or 2 for more, by goal.
    pub fn sides(&self, reply: &TestReply) -> Vec<(Goal, u8)> {
        let mut counts: BTreeMap<Goal, u8> = BTreeMap::new();
        for (edge, count) in &reply.sides {
            if let Some(goal) = self.goal(*edge) {
                let known = counts.entry(goal).or_default();
                *known = known.saturating_add(*count).min(2);
            }
        }
        counts.into_iter().collect()
    }

    /// The goals in the order in which they were taken.
    pub fn trace(&self, reply: &TestReply) -> Vec<Goal> {
        let edges = reply.trace.iter();
        edges.filter_map(|edge| self.goal(*edge)).collect()
    }
}

/// The sides of a branch in the order of their edges.
fn sides(branch: &Branch) -> Vec<Side> {
    match &branch.decision {
        Decision::Compare(_) => vec![Side::Fall, Side::Taken],
        Decision::Switch(keys) => {
            let cases = keys.iter().map(|key| Side::Case(*key));
            std::iter::once(Side::Default).chain(cases).collect()
        }
    }
}

/// For the sides of a switch, all sides with the same target.
fn same_targets(
    original: &ClassFile,
    branch: &Branch,
    sides: &[Side],
) -> BTreeMap<Side, Vec<Side>> {
    let code = original.methods.get(usize::from(branch.method));
    let code = code.and_then(|method| method.code(&original.pool).ok().flatten());
    let instruction = code.and_then(|code| code.instructions().find(|one| one.pc == branch.offset));
    let Some(Operand::Switch(switch)) = instruction.map(|one| one.operand) else {
        return BTreeMap::new();
    };
    let target = |side: &Side| match side {
        Side::Case(key) => switch.cases.iter().find(|(one, _)| one == key)?.1.into(),
        _ => Some(switch.default),
    };
    let group = |side: &Side| {
        let same = sides.iter().filter(|other| target(other) == target(side));
        (*side, same.copied().collect())
    };
    sides.iter().map(group).collect()
}

/// Numbers rows as they are first seen.
#[derive(Debug, Default)]
pub struct Rows {
    numbers: BTreeMap<(u32, i32), u32>,
}

impl Rows {
    /// The rows of a reply, each once, by number.
    pub fn of(&mut self, reply: &TestReply) -> Vec<Goal> {
        let mut rows: Vec<Goal> = Vec::with_capacity(reply.paths.len());
        for path in &reply.paths {
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(*path).or_insert(next);
            rows.push(Goal {
                criterion: ROWS,
                number,
            });
        }
        rows.sort();
        rows.dedup();
        rows
    }

    /// The register and the value that a row stands for.
    pub fn meaning(&self, row: Goal) -> Option<(u32, i32)> {
        let mut all = self.numbers.iter();
        let found = all.find(|(_, number)| row.criterion == ROWS && **number == row.number);
        found.map(|(path, _)| *path)
    }
}
