//! What a finished run leaves: reduced failures, a suite that passed twice in fresh processes, and reports.

use super::folder::pretty;
use super::record::{frame_choices, record_of, typed};
use super::rounds::Rounds;
use crate::cli::Generate;
use crate::exit::{Exit, Failed};
use crate::setup::Setup;
use crate::written::{fresh_folder, write_case, write_file, write_text};
use command::Input;
use command::oracle::Judged;
use command::reduce::{Reduced, reduce};
use command::source::test_input;
use command::suite::{Case, CaseFile, CaseSettings, RUN_ALL, quote};
use engine::archive::Covering;
use engine::frames::Frame;
use engine::ledger::Entry;
use engine::{CriterionId, Failure, Goal, Stop};
use report::LeftOut;
use report::junit::{Outcome, Reason, TestCase, TestSuite, document};
use report::run::{FailureRecord, RunRecord};
use std::path::{Path, PathBuf};

/// Failures that are reduced; the others are written as they were found.
const REDUCED: usize = 25;
/// Executions that reducing one failure may take.
const REDUCTION: usize = 1500;

/// Writes everything and prints the summary.
pub fn harvest(
    setup: &Setup,
    rounds: Rounds,
    stopped: Stop,
    flags: &Generate,
) -> anyhow::Result<Exit> {
    let interrupted = stopped == Stop::Interrupted;
    let mut record = record_of(setup, &rounds, stopped, flags);
    let settings = case_settings(setup, &rounds.folder.path);
    let mut harvest = Harvest {
        setup,
        rounds: &rounds,
        settings,
        results: Vec::new(),
    };
    let reduce = if interrupted || flags.no_reduce {
        0
    } else {
        REDUCED
    };
    record.failures = harvest.failures(reduce)?;
    if !interrupted {
        harvest.suite(&mut record)?;
    }
    let path = &rounds.folder.path;
    write_text(&path.join("record.json"), &pretty(&record))?;
    write_text(&path.join("report.html"), &report::run::html(&record))?;
    write_text(
        &path.join("junit.xml"),
        &document(&[TestSuite {
            name: record.subject.clone(),
            cases: harvest.results,
        }]),
    )?;
    if flags.json {
        crate::print_bytes(pretty(&record).as_bytes())?;
    } else {
        crate::print_bytes(report::run::terminal(&record).as_bytes())?;
        eprintln!("report: {}", path.join("report.html").display());
    }
    Ok(match (interrupted, record.failures.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Clean,
        (false, false) => Exit::Failures,
    })
}

struct Harvest<'a> {
    setup: &'a Setup,
    rounds: &'a Rounds,
    settings: CaseSettings<'a>,
    /// The written cases as test results.
    results: Vec<TestCase>,
}

impl Harvest<'_> {
    /// Writes one case per failure, the first `reduced` ones made smaller.
    fn failures(&mut self, reduced: usize) -> Result<Vec<FailureRecord>, Failed> {
        let folder = self.rounds.folder.path.join("failures");
        fresh_folder(&folder)?;
        let mut records = Vec::new();
        for (number, entry) in self.rounds.run.ledger().entries().into_iter().enumerate() {
            let input = self.input(&entry.test)?;
            let smaller = if number < reduced {
                self.reduce(entry, &input)?
            } else {
                None
            };
            let (frame, input) = smaller
                .as_ref()
                .map_or((&entry.frame, &input), |r| (&r.frame, &r.input));
            let expectation = self.setup.expectation(&entry.frame);
            let name = format!("{:03}-{}", number + 1, entry.failure.oracle);
            let judged = self.setup.judge(input, expectation)?;
            let shown = judged
                .failures
                .iter()
                .find(|failure| same(failure, &entry.failure))
                .cloned();
            let failure = shown.unwrap_or_else(|| entry.failure.clone());
            let case = Case::new(
                &self.settings,
                name.clone(),
                frame,
                input,
                expectation,
                &judged,
                Some(&failure),
            );
            write_case(&folder, &case)?;
            self.result("failures", &case, &judged);
            records.push(self.failure_record(entry, &case, &judged, smaller.is_some()));
        }
        write_file(&folder, &run_all())?;
        Ok(records)
    }

    fn reduce(&self, entry: &Entry, input: &Input) -> Result<Option<Reduced>, Failed> {
        let expectation = self.setup.expectation(&entry.frame);
        let mut broken = None;
        let reduced = reduce(
            &self.setup.spec,
            &entry.frame,
            input,
            &entry.failure,
            REDUCTION,
            &mut |input, frame| {
                // What is tried must ask the same of the program, or the failure would be another one.
                if self.setup.expectation(frame) != expectation
                    || !self.setup.admits(input, expectation, &entry.failure)
                {
                    return Vec::new();
                }
                match self.setup.judge(input, expectation) {
                    Ok(judged) => judged.failures,
                    Err(failed) => {
                        broken = Some(failed);
                        Vec::new()
                    }
                }
            },
        );
        match broken {
            Some(failed) => Err(failed),
            None => Ok(Some(reduced)),
        }
    }

    fn input(&self, test: &engine::Test) -> Result<Input, Failed> {
        test_input(&self.setup.spec, test)
            .ok_or_else(|| Failed::input("a test is not one of a program"))
    }

    /// Writes the tests that cover goals, each run twice again; what differs is left out and said.
    fn suite(&mut self, record: &mut RunRecord) -> Result<(), Failed> {
        let folder = self.rounds.folder.path.join("suite");
        fresh_folder(&folder)?;
        for (number, covering) in self.rounds.run.archive().suite().into_iter().enumerate() {
            let name = format!("{:03}", number + 1);
            match self.suite_case(name.clone(), &covering)? {
                Ok((case, judged)) => {
                    write_case(&folder, &case)?;
                    self.result("suite", &case, &judged);
                    record.suite_tests += 1;
                }
                Err(reason) => record.dropped.push(LeftOut {
                    name: format!("test {}", covering.id.0 + 1),
                    reason,
                }),
            }
        }
        write_file(&folder, &run_all())?;
        record.suite_path = Some(self.shown_path("suite").display().to_string());
        Ok(())
    }

    fn suite_case(
        &self,
        name: String,
        covering: &Covering,
    ) -> Result<Result<(Case, Judged), String>, Failed> {
        let input = self.input(&covering.test)?;
        let frame = frame_of(&covering.hits, self.rounds);
        let expectation = self.setup.expectation(&frame);
        let first = self.setup.judge(&input, expectation)?;
        let second = self.setup.judge(&input, expectation)?;
        let shown = |judged: &Judged| {
            (
                judged.finished.end,
                judged.finished.stdout.clone(),
                judged.failures.is_empty(),
            )
        };
        if shown(&first) != shown(&second) {
            return Ok(Err("did something else when run again".to_owned()));
        }
        if !first.failures.is_empty() {
            return Ok(Err("failed when run again".to_owned()));
        }
        let case = Case::new(
            &self.settings,
            name,
            &frame,
            &input,
            expectation,
            &first,
            None,
        );
        Ok(Ok((case, first)))
    }

    /// A folder of the run, as the user can type it.
    fn shown_path(&self, folder: &str) -> PathBuf {
        self.rounds.folder.path.join(folder)
    }

    /// Files a written case as a test result.
    fn result(&mut self, folder: &str, case: &Case, judged: &Judged) {
        let outcome = match &case.failure {
            None => Outcome::Passed,
            Some(failure) => Outcome::Failed(Reason {
                kind: failure.oracle.clone(),
                message: failure.message.clone(),
                text: typed(&case.program, &case.input),
            }),
        };
        self.results.push(TestCase {
            name: format!("{} {}", case.name, case.choices),
            class_name: format!("{}.{folder}", self.setup.spec.name),
            seconds: judged.finished.wall.as_secs_f64(),
            outcome,
            system_out: String::from_utf8_lossy(&judged.finished.stdout).into_owned(),
        });
    }

    fn failure_record(
        &self,
        entry: &Entry,
        case: &Case,
        judged: &Judged,
        reduced: bool,
    ) -> FailureRecord {
        let failure = case.failure.as_ref().unwrap_or(&entry.failure);
        let shown = [
            judged.finished.stdout.as_slice(),
            judged.finished.stderr.as_slice(),
        ]
        .concat();
        FailureRecord {
            signature: entry.failure.signature.clone(),
            kind: entry.failure.oracle.clone(),
            message: failure.message.clone(),
            frame: frame_choices(self.setup, &case.frame),
            count: entry.count,
            first_execution: entry.first.0 + 1,
            case: Some(
                self.shown_path("failures")
                    .join(&case.name)
                    .display()
                    .to_string(),
            ),
            input: typed(&case.program, &case.input),
            reduced,
            output: String::from_utf8_lossy(&shown).into_owned(),
        }
    }
}

fn same(a: &Failure, b: &Failure) -> bool {
    a.oracle == b.oracle && a.signature == b.signature
}

fn run_all() -> CaseFile {
    CaseFile {
        path: "run-all.sh".into(),
        bytes: RUN_ALL.as_bytes().to_vec(),
        executable: true,
    }
}

/// The frame that hits exactly these choices.
fn frame_of(hits: &[Goal], rounds: &Rounds) -> Frame {
    let space = &rounds.run.model().space;
    let mut frame = Frame(vec![0; space.categories.len()]);
    let mut first = 0;
    for (index, category) in space.categories.iter().enumerate() {
        let next = first + category.choices.len() as u32;
        let hit = hits
            .iter()
            .find(|goal| goal.criterion == CriterionId(0) && (first..next).contains(&goal.number));
        if let Some(goal) = hit {
            frame.0[index] = (goal.number - first) as u16 + 1;
        }
        first = next;
    }
    frame
}

fn case_settings<'a>(setup: &'a Setup, out: &Path) -> CaseSettings<'a> {
    let program = setup.judge.program.path.clone();
    // A compiled program stands in the run folder, so that the folder can be moved as a whole.
    let built = out
        .join("build")
        .canonicalize()
        .ok()
        .and_then(|build| program.strip_prefix(build).ok());
    let script_program = match built {
        Some(name) => format!("$here/../../build/{}", quote(&name.to_string_lossy())),
        None => quote(&program.to_string_lossy()),
    };
    CaseSettings {
        spec: &setup.spec,
        spec_path: setup.spec_path.clone(),
        program,
        script_program,
    }
}
