//! Which tests of a suite reach which lines, so that a mutant is run by those alone that can notice it.

use std::collections::{BTreeMap, BTreeSet};

use super::suite::{SuiteRun, SuiteTest};
use crate::protocol::{ProbeHits, ProbeKind};

/// The tests that reach lines of files.
#[derive(Debug, Default)]
pub struct Reaching {
    lines: BTreeMap<String, BTreeMap<u32, BTreeSet<usize>>>,
}

impl Reaching {
    /// Which of the tests reach which lines. What importing reaches, all do.
    pub fn of(run: &SuiteRun, tests: &[&SuiteTest]) -> Reaching {
        let mut lines: BTreeMap<String, BTreeMap<u32, BTreeSet<usize>>> = BTreeMap::new();
        for (file, kinds) in &run.files {
            let of_file = lines.entry(file.clone()).or_default();
            let hit = |hits: &ProbeHits, probe: u32| {
                let hits = hits.get(file);
                hits.is_some_and(|hits| hits.contains(&probe))
            };
            for (probe, kind) in (0..).zip(kinds) {
                let ProbeKind::Line(line) = kind else {
                    continue;
                };
                let all = hit(&run.rest, probe);
                let reach = tests.iter().enumerate();
                let reach = reach.filter(|(_, test)| all || hit(&test.hits, probe));
                let reach = reach.map(|(number, _)| number);
                of_file.entry(*line).or_default().extend(reach);
            }
        }
        Reaching { lines }
    }

    /// The tests that reach the statement that a line belongs to.
    pub fn tests(&self, file: &str, line: u32) -> BTreeSet<usize> {
        let lines = self.lines.get(file);
        let statement = lines.and_then(|lines| lines.range(..=line).next_back());
        statement.map_or_else(BTreeSet::new, |(_, tests)| tests.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ProbedFiles;

    #[test]
    fn a_line_inside_of_a_statement_is_reached_with_it_and_imported_ones_by_all() {
        let hits = |probes: &[u32]| ProbeHits::from([("m.py".to_owned(), probes.to_vec())]);
        let test = |probes: &[u32]| SuiteTest {
            name: String::new(),
            outcome: "passed".to_owned(),
            message: String::new(),
            hits: hits(probes),
            seconds: 0.0,
        };
        let kinds = vec![ProbeKind::Line(1), ProbeKind::Line(2), ProbeKind::Line(9)];
        let run = SuiteRun {
            rest: hits(&[0]),
            files: ProbedFiles::from([("m.py".to_owned(), kinds)]),
            ..SuiteRun::default()
        };
        let (one, two) = (test(&[1]), test(&[]));
        let reaching = Reaching::of(&run, &[&one, &two]);
        assert_eq!(reaching.tests("m.py", 1), BTreeSet::from([0, 1]));
        assert_eq!(reaching.tests("m.py", 8), BTreeSet::from([0]));
        assert_eq!(reaching.tests("m.py", 9), BTreeSet::new());
        assert_eq!(reaching.tests("x.py", 1), BTreeSet::new());
    }
}
