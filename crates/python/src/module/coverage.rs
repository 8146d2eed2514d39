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
    /// The goal of every probe; nothing for one outside of what is tested.
    goals: Vec<Option<Goal>>,
    kinds: Vec<ProbeKind>,
}

impl Coverage {
    /// The goals of a file, from what workers said about its probes.
    pub fn of(file: &str, probed: &ProbedFiles) -> Coverage {
        let kinds = probed.get(file).cloned().unwrap_or_default();
        let mut coverage = Coverage {
            file: file.to_owned(),
            goals: Vec::new(),
            kinds,
        };
        coverage.number(|_| true);
        coverage
    }

    /// Leaves out all goals but those on some lines.
    pub fn limit(&mut self, lines: &[(u32, u32)]) {
        self.number(|line| {
            let mut ranges = lines.iter();
            ranges.any(|(first, last)| (*first..=*last).contains(&line))
        });
    }

    /// Numbers the probes on lines that `tested` takes.
    fn number(&mut self, tested: impl Fn(u32) -> bool) {
        let mut counts = [0; CRITERIA.len()];
        let goals = self.kinds.iter().map(|kind| {
            let (criterion, line) = match kind {
                ProbeKind::Branch(line, _) => (0, line),
                ProbeKind::Line(line) => (1, line),
                ProbeKind::Enter(line) => (2, line),
            };
            tested(*line).then(|| {
                counts[criterion] += 1;
                Goal {
                    criterion: CriterionId(criterion as u16),
                    number: counts[criterion] - 1,
                }
            })
        });
        self.goals = goals.collect();
    }

    /// The criteria with the numbers of their goals.
    pub fn criteria(&self) -> Vec<Criterion> {
        let count = |index: usize| {
            let of = |goal: &&Goal| usize::from(goal.criterion.0) == index;
            self.goals.iter().flatten().filter(of).count() as u32
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
            .filter_map(|probe| self.goals.get(*probe as usize).copied().flatten())
            .collect();
        goals.sort_unstable();
        goals
    }

    /// All goals with what they are.
    pub fn all(&self) -> impl Iterator<Item = (Goal, ProbeKind)> {
        let both = self.goals.iter().zip(&self.kinds);
        both.filter_map(|(goal, kind)| Some(((*goal)?, *kind)))
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

    #[test]
    fn goals_outside_of_some_lines_are_left_out() {
        let probes = vec![
            ProbeKind::Line(1),
            ProbeKind::Branch(5, 0),
            ProbeKind::Line(5),
        ];
        let probed = ProbedFiles::from([("m.py".to_owned(), probes)]);
        let mut coverage = Coverage::of("m.py", &probed);
        coverage.limit(&[(4, 6)]);
        let counts: Vec<u32> = coverage.criteria().iter().map(|one| one.goals).collect();
        assert_eq!(counts, [1, 1, 0]);
        let hits = ProbeHits::from([("m.py".to_owned(), vec![0, 2])]);
        let goals = coverage.goals(&hits);
        assert_eq!(goals.len(), 1);
        assert_eq!((goals[0].criterion.0, goals[0].number), (1, 0));
    }
}
