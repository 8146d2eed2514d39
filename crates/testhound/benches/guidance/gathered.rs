//! The results of a step as tables want them: by budget and guide, then by subject, then by seed.

use super::Options;
use super::jobs::jobs;
use super::step::Step;
use super::subjects::Subject;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The runs of a subject by seed.
pub type Runs<R> = BTreeMap<u64, R>;

/// The results of one guide with one budget.
pub struct Group<R> {
    /// Seconds per class.
    pub seconds: f64,
    /// The guide.
    pub guide: String,
    /// Per subject, in the order of measuring.
    pub subjects: Vec<(&'static Subject, Runs<R>)>,
}

/// The results of a step.
pub struct Gathered<R> {
    /// By budget, then by guide.
    pub groups: Vec<Group<R>>,
}

impl<R> Default for Gathered<R> {
    fn default() -> Self {
        Gathered { groups: Vec::new() }
    }
}

impl<R: DeserializeOwned> Gathered<R> {
    /// Those that the options ask for, as far as they have been made.
    pub fn of(step: Step, options: &Options) -> Gathered<R> {
        let mut gathered = Gathered::default();
        for job in jobs(step, options) {
            if let Some(result) = job.result(options) {
                gathered.add(job.seconds, &job.guide, job.subject, job.seed, result);
            }
        }
        gathered
    }
}

impl<R> Gathered<R> {
    /// Adds a result.
    pub fn add(
        &mut self,
        seconds: f64,
        guide: &str,
        subject: &'static Subject,
        seed: u64,
        result: R,
    ) {
        let place = |group: &Group<R>| {
            let by_seconds = group.seconds.total_cmp(&seconds);
            by_seconds.then_with(|| group.guide.as_str().cmp(guide))
        };
        let at = self.groups.binary_search_by(place).unwrap_or_else(|at| {
            let group = Group {
                seconds,
                guide: guide.to_owned(),
                subjects: Vec::new(),
            };
            self.groups.insert(at, group);
            at
        });
        let subjects = &mut self.groups[at].subjects;
        match subjects.iter_mut().find(|(one, _)| *one == subject) {
            Some((_, runs)) => {
                runs.insert(seed, result);
            }
            None => subjects.push((subject, Runs::from([(seed, result)]))),
        }
    }

    /// The results of a guide with a budget.
    pub fn group(&self, seconds: f64, guide: &str) -> Option<&Group<R>> {
        let wanted = |group: &&Group<R>| group.seconds == seconds && group.guide == guide;
        self.groups.iter().find(wanted)
    }
}

impl<R> Group<R> {
    /// The runs of a subject.
    pub fn runs(&self, subject: &Subject) -> Option<&Runs<R>> {
        let found = self.subjects.iter().find(|(one, _)| *one == subject);
        found.map(|(_, runs)| runs)
    }

    /// Per subject the runs of this group and of another with the same seeds; subjects without any are left out.
    pub fn pairs<'a>(
        &'a self,
        other: &'a Group<R>,
    ) -> Vec<(&'static Subject, Vec<(&'a R, &'a R)>)> {
        let both = self.subjects.iter().map(|(subject, runs)| {
            let there = other.runs(subject);
            let pair = |(seed, run)| Some((run, there?.get(seed)?));
            (*subject, runs.iter().filter_map(pair).collect::<Vec<_>>())
        });
        both.filter(|(_, pairs)| !pairs.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::subjects::SUBJECTS;
    use super::*;

    #[test]
    fn runs_are_paired_by_subject_and_seed() {
        let mut gathered = Gathered::default();
        for (guide, subject, seed) in [
            ("b", 0, 1),
            ("b", 0, 2),
            ("b", 1, 1),
            ("a", 0, 2),
            ("a", 1, 3),
        ] {
            gathered.add(
                2.0,
                guide,
                &SUBJECTS[subject],
                seed,
                format!("{guide}{subject}{seed}"),
            );
        }
        let guides: Vec<&str> = gathered
            .groups
            .iter()
            .map(|group| group.guide.as_str())
            .collect();
        assert_eq!(guides, ["a", "b"]);
        let group = |guide| gathered.group(2.0, guide).unwrap();
        let pairs = group("b").pairs(group("a"));
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].1, [(&"b02".to_owned(), &"a02".to_owned())]);
    }
}
