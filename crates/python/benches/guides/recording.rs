//! Tests that a guide ran on a subject without faults, and which lines of it each executed: they tell without long runs how soon
//! the guide would find a fault.

use crate::options::{Options, Subject};
use crate::run::{Driver, Limits};
use python::harness::{Report, TestReply};
use python::protocol::{Measure, ProbeKind, Repeats};
use python::session::Ran;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// The most tests that are recorded of a fast subject.
const MOST_TESTS: u64 = 20_000;
/// Tests of one request.
const BATCH: usize = 16;

/// Tests of one run in the order in which they were run.
pub struct Recording {
    tests: Vec<Box<RawValue>>,
    /// The tests that executed a line, by its file and number.
    lines: BTreeMap<String, BTreeMap<u32, Vec<u32>>>,
}

impl Recording {
    /// Runs so many tests of a guide.
    pub fn new(
        options: &Options,
        subject: &Subject,
        (guide, seed): (&str, u64),
        tests: u64,
    ) -> Recording {
        let mut driver = Driver::new(
            options,
            subject,
            Report::All,
            (Measure::Lines, Repeats::Always),
            None,
        );
        driver.noted = Some(Vec::new());
        let limits = Limits {
            actions: Some(100 * tests.min(MOST_TESTS)),
            ..Limits::default()
        };
        driver.run(guide, seed, &limits);
        let places: BTreeMap<_, _> = driver
            .goals
            .places()
            .filter_map(|(goal, file, kind)| match kind {
                ProbeKind::Line(line) => Some((goal, (file.to_owned(), line))),
                _ => None,
            })
            .collect();
        let mut recording = Recording {
            tests: Vec::new(),
            lines: BTreeMap::new(),
        };
        for (number, (test, hits)) in driver.noted.unwrap_or_default().into_iter().enumerate() {
            let encoded = driver.target.encode(&test, Report::Fresh);
            recording.tests.push(encoded);
            for place in hits.iter().filter_map(|goal| places.get(goal)) {
                let (file, line) = place.clone();
                let lines = recording.lines.entry(file).or_default();
                lines.entry(line).or_default().push(number as u32);
            }
        }
        recording
    }

    /// The tests that executed a line; none for one that no test executed.
    pub fn executing(&self, file: &str, line: u32) -> &[u32] {
        let end = format!("/{file}");
        let mut files = self.lines.iter();
        let found = files.find(|(path, _)| *path == file || path.ends_with(&end));
        let tests = found.and_then(|(_, lines)| lines.get(&line));
        tests.map_or(&[], Vec::as_slice)
    }

    /// The first of these tests that fails with the modules of an overlay.
    pub fn first_failing(
        &self,
        options: &Options,
        subject: &Subject,
        overlay: &Path,
        tests: &[u32],
    ) -> Option<u32> {
        let probes = (Measure::Nothing, Repeats::Seldom);
        let mut driver = Driver::new(options, subject, Report::Fresh, probes, Some(overlay));
        for batch in tests.chunks(BATCH) {
            let tests = batch.iter();
            let encoded: Vec<_> = tests
                .map(|number| self.tests[*number as usize].clone())
                .collect();
            let ran = driver.session.run(&encoded).ok()?;
            if let Some(place) = ran.iter().position(fails) {
                return Some(batch[place]);
            }
        }
        None
    }
}

fn fails(ran: &Ran) -> bool {
    match ran {
        Ran::Replied(text) => serde_json::from_str::<TestReply>(text.get())
            .is_ok_and(|reply| matches!(reply.end.as_str(), "failed" | "timeout")),
        Ran::Hung | Ran::Died => true,
    }
}
