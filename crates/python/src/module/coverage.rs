//! Probes of the module under test as goals: branch sides, lines, functions.

use std::collections::BTreeMap;

use engine::{Criterion, CriterionId, Goal};

use crate::protocol::{ProbeHits, ProbeKind, ProbedFiles};

/// The criteria, by their numbers.
pub const CRITERIA: [&str; 3] = ["branch", "line", "function"];

/// The goals of one source file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage {
    file: String,
    goals: Vec<Goal>,
    kinds: Vec<ProbeKind>,
}

impl Coverage {
    /// The goals of a file, from what workers said about its probes.
    pub fn of(file: &str, probed: &ProbedFiles) -> Coverage {
        let kinds = probed.get(file).cloned().unwrap_or_default();
        let mut counts = [0; CRITERIA.len()];
        let goals = kinds.iter().map(|kind| {
            let criterion = match kind {
                ProbeKind::Branch(..) => 0,
                ProbeKind::Line(_) => 1,
                ProbeKind::Enter(_) => 2,
            };
            counts[criterion] += 1;
            Goal {
                criterion: CriterionId(criterion as u16),
                number: counts[criterion] - 1,
            }
        });
        Coverage {
            file: file.to_owned(),
            goals: goals.collect(),
            kinds,
        }
    }

    /// The criteria with the numbers of their goals.
    pub fn criteria(&self) -> Vec<Criterion> {
        let count = |index: usize| {
            let of = |goal: &&Goal| usize::from(goal.criterion.0) == index;
            self.goals.iter().filter(of).count() as u32
        };
        let criteria = CRITERIA.iter().enumerate();
        criteria
            .map(|(index, name)| Criterion {
                name: (*name).to_owned(),
                goals: count(index),
            })
            .collect()
    }

    /// The goals that hit probes prove, in ascending order.
    pub fn goals(&self, hits: &ProbeHits) -> Vec<Goal> {
        let hits = hits.get(&self.file).into_iter().flatten();
        let mut goals: Vec<Goal> = hits
            .filter_map(|probe| self.goals.get(*probe as usize).copied())
            .collect();
        goals.sort_unstable();
        goals
    }

    /// All goals with what they are.
    pub fn all(&self) -> impl Iterator<Item = (Goal, ProbeKind)> {
        self.goals.iter().copied().zip(self.kinds.iter().copied())
    }

    /// The lines of branching statements, each with its sides.
    pub fn branches(&self) -> BTreeMap<u32, Vec<Goal>> {
        let mut lines: BTreeMap<u32, Vec<Goal>> = BTreeMap::new();
        for (goal, kind) in self.all() {
            if let ProbeKind::Branch(line, _) = kind {
                lines.entry(line).or_default().push(goal);
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_numbered_per_criterion_and_other_files_do_not_count() {
        let probes = vec![
            ProbeKind::Enter(1),
            ProbeKind::Branch(2, 0),
            ProbeKind::Branch(2, 1),
            ProbeKind::Line(2),
        ];
        let probed = ProbedFiles::from([("m.py".to_owned(), probes)]);
        let coverage = Coverage::of("m.py", &probed);
        let counts: Vec<u32> = coverage.criteria().iter().map(|one| one.goals).collect();
        assert_eq!(counts, [2, 1, 1]);
        let hits = ProbeHits::from([
            ("m.py".to_owned(), vec![0, 2]),
            ("x.py".to_owned(), vec![1]),
        ]);
        let goals = coverage.goals(&hits);
        let goals: Vec<(u16, u32)> = goals
            .iter()
            .map(|one| (one.criterion.0, one.number))
            .collect();
        assert_eq!(goals, [(0, 1), (2, 0)]);
        assert_eq!(coverage.branches()[&2].len(), 2);
    }
}
