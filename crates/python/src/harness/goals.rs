//! Probes as goals: an open set, because modules may be imported late. Numbers are given in the order in which replies are judged,
//! so that they do not depend on which worker was faster.

use std::collections::BTreeMap;

use engine::{Criterion, CriterionId, Goal};

use crate::protocol::{ProbeHits, ProbeKind, ProbedFiles};

/// The criteria, by their numbers.
pub const CRITERIA: [&str; 3] = ["branch", "line", "function"];

/// The goals of all files that have probes.
#[derive(Debug, Clone, Default)]
pub struct Goals {
    files: BTreeMap<String, Vec<Goal>>,
    counts: [u32; CRITERIA.len()],
    places: BTreeMap<Goal, (String, ProbeKind)>,
}

impl Goals {
    /// Gives numbers to the probes of all these files that have none yet.
    pub fn add_all(&mut self, probed: &ProbedFiles) {
        for file in probed.keys() {
            self.add(file, probed);
        }
    }

    fn add(&mut self, file: &str, probed: &ProbedFiles) {
        if self.files.contains_key(file) {
            return;
        }
        let Some(kinds) = probed.get(file) else {
            return;
        };
        let mut goals = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let criterion = match kind {
                ProbeKind::Branch(..) => 0,
                ProbeKind::Line(_) => 1,
                ProbeKind::Enter(_) => 2,
            };
            let goal = Goal {
                criterion: CriterionId(criterion as u16),
                number: self.counts[criterion],
            };
            self.counts[criterion] += 1;
            self.places.insert(goal, (file.to_owned(), *kind));
            goals.push(goal);
        }
        self.files.insert(file.to_owned(), goals);
    }

    /// The goals that hit probes prove. `probed` is asked for files that are new.
    pub fn goals(&mut self, hits: &ProbeHits, probed: &dyn Fn() -> ProbedFiles) -> Vec<Goal> {
        if hits.keys().any(|file| !self.files.contains_key(file)) {
            let probed = probed();
            for file in hits.keys() {
                self.add(file, &probed);
            }
        }
        let mut goals = Vec::new();
        for (file, numbers) in hits {
            let known = self.files.get(file).map_or(&[][..], Vec::as_slice);
            goals.extend(
                numbers
                    .iter()
                    .filter_map(|number| known.get(*number as usize)),
            );
        }
        goals
    }

    /// The criteria with how many goals each has.
    pub fn criteria(&self) -> Vec<Criterion> {
        let criteria = CRITERIA.iter().zip(self.counts);
        criteria
            .map(|(name, goals)| Criterion {
                name: (*name).to_owned(),
                goals,
            })
            .collect()
    }

    /// All goals with their files and what they show.
    pub fn places(&self) -> impl Iterator<Item = (Goal, &str, ProbeKind)> {
        let places = self.places.iter();
        places.map(|(goal, (file, kind))| (*goal, file.as_str(), *kind))
    }

    /// The file and line of a goal, for people.
    pub fn name(&self, goal: Goal) -> Option<String> {
        let (file, kind) = self.places.get(&goal)?;
        let (line, what) = match kind {
            ProbeKind::Branch(line, side) => (line, format!(" side {side}")),
            ProbeKind::Line(line) => (line, String::new()),
            ProbeKind::Enter(line) => (line, " function".to_owned()),
        };
        let short = file.rsplit('/').next().unwrap_or(file);
        Some(format!("{short}:{line}{what}"))
    }
}
