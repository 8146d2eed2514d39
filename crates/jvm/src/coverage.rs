//! The goals of a subject, numbered through all its classes, and what a place that was hit covers of them.
//!
//! Criteria are `branch`, `line` and `method`, in this order. What a probe proves is computed when it is hit for the first
//! time: most probes of a large subject never are.

use classfile::analysis::coverage::{ClassGoals, Criterion, GoalId, ProbeId};
use engine::{CriterionId, Goal};
use std::sync::OnceLock;

/// The goals of a subject.
#[derive(Debug, Default)]
pub struct Coverage {
    classes: Vec<CoveredClass>,
    /// The class and probe of every place.
    places: Vec<(u32, ProbeId)>,
    /// What every place covers, once it was asked for.
    proved: Vec<OnceLock<Box<[Goal]>>>,
    /// How many goals there are of each criterion.
    counts: [u32; 3],
}

/// A class with goals.
#[derive(Debug)]
pub struct CoveredClass {
    /// Its name in internal form.
    pub name: String,
    /// Its goals, numbered within it.
    pub goals: ClassGoals,
    /// The numbers of the first goals of each criterion in the whole subject.
    first: [u32; 3],
    /// The numbers of the first goals of each criterion in the class.
    starts: [u32; 3],
    /// Its first place; those of its probes follow each other.
    place: u32,
}

fn index(criterion: Criterion) -> usize {
    match criterion {
        Criterion::Branch => 0,
        Criterion::Line => 1,
        Criterion::Method => 2,
    }
}

impl CoveredClass {
    /// A goal of the class as the engine numbers it.
    pub fn goal(&self, id: GoalId) -> Goal {
        let criterion = index(self.goals.goals[id.0 as usize].criterion);
        Goal {
            criterion: CriterionId(criterion as u16),
            number: self.first[criterion] + (id.0 - self.starts[criterion]),
        }
    }
}

impl Coverage {
    /// Adds a class; its probes get the next places, if it has any.
    pub fn add(&mut self, name: &str, goals: ClassGoals, probed: bool) -> &CoveredClass {
        let class = self.classes.len() as u32;
        let place = self.places.len() as u32;
        if probed {
            let probes = 0..goals.probes.len() as u32;
            self.places
                .extend(probes.map(|probe| (class, ProbeId(probe))));
            self.proved.resize_with(self.places.len(), OnceLock::new);
        }
        let first = self.counts;
        let mut starts = [0; 3];
        for (criterion, start) in Criterion::ALL.into_iter().zip(&mut starts) {
            // The goals of a class are in the order of criteria.
            let before = goals
                .goals
                .partition_point(|goal| goal.criterion < criterion);
            let through = goals
                .goals
                .partition_point(|goal| goal.criterion <= criterion);
            *start = before as u32;
            self.counts[index(criterion)] += (through - before) as u32;
        }
        self.classes.push(CoveredClass {
            name: name.to_owned(),
            goals,
            first,
            starts,
            place,
        });
        &self.classes[class as usize]
    }

    /// All classes, in order.
    pub fn classes(&self) -> &[CoveredClass] {
        &self.classes
    }

    /// The probes of a class whose places were asked for so far: those that were hit.
    pub fn hit_probes(&self, class: &CoveredClass) -> Vec<ProbeId> {
        let places = self.proved.iter().skip(class.place as usize);
        let probes = (0..).zip(places.take(class.goals.probes.len()));
        probes
            .filter(|(_, proved)| proved.get().is_some())
            .map(|(probe, _)| ProbeId(probe))
            .collect()
    }

    /// The criteria with their numbers of goals, as models list them.
    pub fn criteria(&self) -> Vec<engine::Criterion> {
        let all = Criterion::ALL.into_iter().zip(self.counts);
        all.map(|(criterion, goals)| engine::Criterion {
            name: criterion.name().to_owned(),
            goals,
        })
        .collect()
    }

    /// The goals that hitting these places covers, in order.
    pub fn goals(&self, places: &[u32]) -> Vec<Goal> {
        let mut goals = Vec::new();
        for &place in places {
            let Some(&(class, probe)) = self.places.get(place as usize) else {
                continue;
            };
            let class = &self.classes[class as usize];
            let proved = self.proved[place as usize].get_or_init(|| {
                let covered = class.goals.goals_of(&[probe]);
                covered.into_iter().map(|id| class.goal(id)).collect()
            });
            goals.extend_from_slice(proved);
        }
        goals.sort();
        goals.dedup();
        goals
    }
}
