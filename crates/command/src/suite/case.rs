//! A written case: one input with what is expected of the program, as a folder that needs nothing of ours to run.
//!
//! `run.sh` runs it, `stdin`, `files/` and `expected-stdout` hold its data, `case.json` is what `testhound replay` and
//! `testhound reduce` read. Nothing is written here: the folder is returned as a list of files.

use super::check::{Check, Rewrite, posix_pattern};
use super::script::Script;
use crate::Input;
use crate::execute::environment;
use crate::oracle::{Expectation, Judged};
use crate::spec::{OracleSpec, Spec};
use engine::Failure;
use engine::frames::Frame;
use sandbox::End;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// One input with what is expected.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Case {
    /// Its folder's name.
    pub name: String,
    /// The specification, as an absolute path.
    pub spec: PathBuf,
    /// The program it was made with.
    pub program: PathBuf,
    /// How the script finds the program.
    pub script_program: String,
    /// The working folder inside the scratch folder.
    pub folder: String,
    /// The time limit in milliseconds.
    pub timeout_ms: u64,
    /// The frame.
    pub frame: Frame,
    /// The frame in words.
    pub choices: String,
    /// Whether the program must refuse the input.
    pub expectation: Expectation,
    /// The input.
    pub input: Input,
    /// The failure it shows; `None` for a case that passes.
    pub failure: Option<Failure>,
    /// What `run.sh` checks.
    pub checks: Vec<Check>,
    /// The expected standard output, where it is checked.
    #[serde(skip)]
    pub expected_stdout: Vec<u8>,
    /// The expected standard error, where it is checked.
    #[serde(skip)]
    pub expected_stderr: Vec<u8>,
}

/// A file of a case's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// Its path inside the folder.
    pub path: PathBuf,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether it can be executed.
    pub executable: bool,
}

/// What is needed beside the input to write a case.
#[derive(Clone, Debug)]
pub struct CaseSettings<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Its absolute path.
    pub spec_path: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// How the script finds the program, in shell syntax.
    pub script_program: String,
}

impl Case {
    /// A case from a judged run: a failing one expects what the oracle wanted, a passing one what the program did.
    pub fn new(
        settings: &CaseSettings<'_>,
        name: String,
        frame: &Frame,
        input: &Input,
        expectation: Expectation,
        judged: &Judged,
        failure: Option<&Failure>,
    ) -> Case {
        let spec = settings.spec;
        let mut case = Case {
            name,
            spec: settings.spec_path.clone(),
            program: settings.program.clone(),
            script_program: settings.script_program.clone(),
            folder: spec.run.folder.clone(),
            timeout_ms: spec.run.timeout.as_millis() as u64,
            frame: frame.clone(),
            choices: spec.space.describe(&frame.0),
            expectation,
            input: input.clone(),
            failure: failure.cloned(),
            checks: Vec::new(),
            expected_stdout: Vec::new(),
            expected_stderr: Vec::new(),
        };
        case.expect(&spec.oracle, judged);
        case
    }

    fn expect(&mut self, oracle: &OracleSpec, judged: &Judged) {
        self.checks = [
            (oracle.signal, Check::NoSignal),
            (oracle.timeout, Check::InTime),
            (oracle.sanitizer, Check::NoSanitizerReport),
        ]
        .into_iter()
        .filter_map(|(wanted, check)| wanted.then_some(check))
        .collect();
        let refused = oracle
            .exit_on_error
            .as_ref()
            .filter(|_| self.expectation == Expectation::Refuse);
        if let Some(codes) = refused.or(oracle.exit.as_ref()) {
            self.checks.push(Check::ExitIn(codes.clone()));
        }
        let check = |pattern: &regex::bytes::Regex, known: fn(String) -> Check, word: &str| {
            posix_pattern(pattern.as_str())
                .map_or_else(|| unchecked(&format!("{word} = {pattern:?}")), known)
        };
        let forbidden = oracle.forbid.iter();
        self.checks
            .extend(forbidden.map(|pattern| check(pattern, Check::Forbid, "forbid")));
        let required = oracle.require.iter();
        self.checks
            .extend(required.map(|pattern| check(pattern, Check::Require, "require")));
        match (&judged.reference, &self.failure, &oracle.reference) {
            (Some(expected), _, Some(settings)) => {
                if let (true, End::Exited(code)) = (settings.exit, expected.end) {
                    self.checks.push(Check::ExitIn(vec![code]));
                }
                if settings.stdout {
                    self.expect_stdout(oracle, &expected.stdout);
                }
                if settings.stderr {
                    self.expect_stderr(oracle, &expected.stderr);
                }
            }
            (None, None, _) => {
                if let End::Exited(code) = judged.finished.end {
                    self.checks.push(Check::ExitIn(vec![code]));
                }
                self.expect_stdout(oracle, &judged.finished.stdout);
            }
            _ => {}
        }
    }

    fn expect_stdout(&mut self, oracle: &OracleSpec, expected: &[u8]) {
        match rewrites(oracle) {
            None => self.checks.push(unchecked("standard output")),
            Some(rewrites) => {
                self.checks.push(Check::Stdout(rewrites));
                self.expected_stdout = expected.to_vec();
            }
        }
    }

    fn expect_stderr(&mut self, oracle: &OracleSpec, expected: &[u8]) {
        match rewrites(oracle) {
            None => self.checks.push(unchecked("standard error")),
            Some(rewrites) => {
                self.checks.push(Check::Stderr(rewrites));
                self.expected_stderr = expected.to_vec();
            }
        }
    }

    /// The files of the case's folder.
    pub fn files(&self) -> Vec<CaseFile> {
        let mut about = vec![format!("frame: {}", self.choices)];
        if let Some(failure) = &self.failure {
            about.push(format!("fails ({}): {}", failure.oracle, failure.message));
        }
        let script = Script {
            about,
            program: self.script_program.clone(),
            folder: &self.folder,
            env: environment(&self.input),
            input: &self.input,
            timeout: Duration::from_millis(self.timeout_ms),
            checks: &self.checks,
        };
        let json = serde_json::to_vec_pretty(self).expect("cases have string keys only");
        let mut files = vec![
            CaseFile {
                path: "run.sh".into(),
                bytes: script.render().into_bytes(),
                executable: true,
            },
            plain("case.json", [json, b"\n".to_vec()].concat()),
        ];
        if !self.input.stdin.is_empty() {
            files.push(plain("stdin", self.input.stdin.clone()));
        }
        for (name, bytes) in &self.input.files {
            files.push(plain(&format!("files/{name}"), bytes.clone()));
        }
        for check in &self.checks {
            match check {
                Check::Stdout(_) => {
                    files.push(plain("expected-stdout", self.expected_stdout.clone()))
                }
                Check::Stderr(_) => {
                    files.push(plain("expected-stderr", self.expected_stderr.clone()))
                }
                _ => {}
            }
        }
        files
    }
}

fn plain(path: &str, bytes: Vec<u8>) -> CaseFile {
    CaseFile {
        path: path.into(),
        bytes,
        executable: false,
    }
}

fn unchecked(what: &str) -> Check {
    Check::Unchecked(format!(
        "{what}, because a pattern has no form that the shell's tools take"
    ))
}

/// The normalisers as the shell's tools take them; `None` where one has no such form, so that output cannot be compared there.
fn rewrites(oracle: &OracleSpec) -> Option<Vec<Rewrite>> {
    let rewrite = |normaliser: &crate::spec::Normaliser| {
        let pattern = posix_pattern(normaliser.pattern.as_str())?;
        let plain = !normaliser.with.contains('$');
        plain.then(|| Rewrite {
            pattern,
            with: normaliser.with.clone(),
        })
    };
    oracle.normalise.iter().map(rewrite).collect()
}
