//! Runs a program on an input, asks every oracle of the specification, and turns the answers into failures.

use super::check_script::run_check;
use super::core_dump::top_frames;
use super::difference::{Difference, first_difference};
use super::signals::signal_name;
use super::trace::sanitizer_report;
use crate::Input;
use crate::execute::{PrepareError, Program};
use crate::spec::{OracleSpec, Reference, Spec};
use engine::Failure;
use sandbox::{End, Finished, Launcher};
use std::path::{Path, PathBuf};

/// A program with its oracles.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The program under test.
    pub program: Program,
    oracle: OracleSpec,
    reference: Option<Program>,
    folder: PathBuf,
}

/// One judged run.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What the program did; its output is normalised.
    pub finished: Finished,
    /// What the reference program did on the same input, normalised.
    pub reference: Option<Finished>,
    /// What is wrong with it.
    pub failures: Vec<Failure>,
}

/// Whether the input holds something that the program must refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// An ordinary input.
    Accept,
    /// The frame has an error choice.
    Refuse,
}

impl Judge {
    /// The oracles of a specification, for this program. What must be compiled goes to `build`.
    pub fn new(spec: &Spec, program: Program, build: &Path) -> Result<Judge, PrepareError> {
        Ok(Judge {
            program,
            oracle: spec.oracle.clone(),
            reference: Program::reference(spec, build)?,
            folder: spec.folder().to_owned(),
        })
    }

    /// Runs the program, and the reference program if there is one, and judges.
    pub fn run(
        &self,
        launcher: &mut Launcher,
        input: &Input,
        expectation: Expectation,
    ) -> Result<Judged, sandbox::Error> {
        let finished = self.normalise(self.program.run(launcher, input)?);
        let reference = match &self.reference {
            Some(program) => Some(self.normalise(program.run(launcher, input)?)),
            None => None,
        };
        let mut failures = Vec::new();
        let frames = match finished.end {
            End::Signalled(_) if self.oracle.signal => self.crash_frames(launcher, input)?,
            _ => Vec::new(),
        };
        self.judge_end(&finished, &frames, expectation, &mut failures);
        self.judge_output(&finished, &mut failures);
        // A crash differs from the reference, too; it is one failure, not two.
        if let (Some(settings), Some(expected), true) =
            (&self.oracle.reference, &reference, failures.is_empty())
        {
            failures.extend(compare(settings, expected, &finished));
        }
        if let Some(command) = &self.oracle.check {
            failures.extend(run_check(command, &self.folder, input, &finished)?);
        }
        Ok(Judged {
            finished,
            reference,
            failures,
        })
    }

    /// The functions on top of the stack of a crash, from the core file of a second run; empty where there is none.
    fn crash_frames(
        &self,
        launcher: &mut Launcher,
        input: &Input,
    ) -> Result<Vec<String>, sandbox::Error> {
        let finished = self.program.run_for_files(launcher, input)?;
        let is_core = |path: &Path| path.to_string_lossy().starts_with("core");
        let core = finished
            .files
            .iter()
            .find(|(path, _)| is_core(path))
            .map(|(_, bytes)| bytes);
        let program = std::fs::read(&self.program.path).ok();
        let frames = core
            .zip(program)
            .map(|(core, file)| top_frames(core, &self.program.path, &file));
        Ok(frames.unwrap_or_default())
    }

    fn judge_end(
        &self,
        finished: &Finished,
        crash_frames: &[String],
        expectation: Expectation,
        failures: &mut Vec<Failure>,
    ) {
        let report = sanitizer_report(&finished.stderr);
        if let Some(report) = report.as_ref().filter(|_| self.oracle.sanitizer) {
            let signature = [std::slice::from_ref(&report.kind), &report.frames[..]]
                .concat()
                .join(" < ");
            failures.push(failure("sanitizer", signature, report.kind.clone()));
            return;
        }
        match finished.end {
            End::Signalled(number) if self.oracle.signal => {
                let name = signal_name(number);
                let place = [vec![name.clone()], crash_frames.to_vec()]
                    .concat()
                    .join(" < ");
                let within = crash_frames.first().map(|frame| format!(" in `{frame}`"));
                let message = format!("ended by {name}{}", within.unwrap_or_default());
                failures.push(failure("signal", place, message));
            }
            End::TimedOut if self.oracle.timeout => {
                let message = format!("still running after {:?}", self.program.timeout);
                failures.push(failure("time-out", "time-out".to_owned(), message));
            }
            End::Exited(code) => {
                let refused = self
                    .oracle
                    .exit_on_error
                    .as_ref()
                    .filter(|_| expectation == Expectation::Refuse);
                let (oracle, allowed) = match refused {
                    Some(codes) => ("exit-on-error", Some(codes)),
                    None => ("exit", self.oracle.exit.as_ref()),
                };
                if allowed.is_some_and(|codes| !codes.contains(&code)) {
                    let message = format!("exit code {code} is not among the right ones");
                    failures.push(failure(oracle, format!("exit {code}"), message));
                }
            }
            _ => {}
        }
    }

    fn judge_output(&self, finished: &Finished, failures: &mut Vec<Failure>) {
        let found = |pattern: &regex::bytes::Regex| {
            pattern.is_match(&finished.stdout) || pattern.is_match(&finished.stderr)
        };
        for pattern in self.oracle.forbid.iter().filter(|pattern| found(pattern)) {
            failures.push(failure(
                "forbid",
                pattern.to_string(),
                format!("the output holds `{pattern}`"),
            ));
        }
        for pattern in self.oracle.require.iter().filter(|pattern| !found(pattern)) {
            failures.push(failure(
                "require",
                pattern.to_string(),
                format!("the output does not hold `{pattern}`"),
            ));
        }
    }

    /// Applies the normalisers to both outputs.
    fn normalise(&self, mut finished: Finished) -> Finished {
        for normaliser in &self.oracle.normalise {
            let with = normaliser.with.as_bytes();
            for output in [&mut finished.stdout, &mut finished.stderr] {
                *output = normaliser.pattern.replace_all(output, with).into_owned();
            }
        }
        finished
    }
}

fn failure(oracle: &str, signature: String, message: String) -> Failure {
    Failure {
        oracle: oracle.to_owned(),
        signature,
        message,
    }
}

/// How a run ended, in words.
pub fn describe_end(end: End) -> String {
    match end {
        End::Exited(code) => format!("exit {code}"),
        End::Signalled(number) => signal_name(number),
        End::TimedOut => "time-out".to_owned(),
        End::Lost => "lost".to_owned(),
    }
}

/// Compares with the reference; at most one failure, of the first thing that differs.
fn compare(settings: &Reference, expected: &Finished, seen: &Finished) -> Option<Failure> {
    if settings.exit && expected.end != seen.end {
        let (expected, seen) = (describe_end(expected.end), describe_end(seen.end));
        let message = format!("ends with {seen}, the reference with {expected}");
        return Some(failure(
            "reference",
            format!("{expected} -> {seen}"),
            message,
        ));
    }
    let outputs = [
        (settings.stdout, "stdout", &expected.stdout, &seen.stdout),
        (settings.stderr, "stderr", &expected.stderr, &seen.stderr),
    ];
    for (wanted, name, expected, seen) in outputs {
        let difference = if wanted {
            first_difference(expected, seen)
        } else {
            None
        };
        if let Some(difference) = difference {
            let signature = format!("{name}: {}", difference.signature());
            return Some(failure(
                "reference",
                signature,
                describe_difference(name, &difference),
            ));
        }
    }
    None
}

fn describe_difference(name: &str, difference: &Difference) -> String {
    let show = |line: &Option<String>| match line {
        Some(line) => format!("`{}`", line.trim_end_matches('\n')),
        None => "nothing".to_owned(),
    };
    let Difference {
        line,
        expected,
        seen,
    } = difference;
    format!(
        "{name} line {line} is {}, the reference has {}",
        show(seen),
        show(expected)
    )
}
