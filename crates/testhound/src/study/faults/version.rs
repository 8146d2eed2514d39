//! Versions of a subject that a written suite is run on. What a suite does is told test by test; nothing is judged here.

use crate::cli::{Generate, Suite};
use crate::exit::{Exit, Failed};
use crate::settings::ExecutionSettings;
use crate::subject::Subject;
use ::jvm::junit::Outcome;
use python::module::open::Named;
use std::path::{Path, PathBuf};

/// What a suite showed on a version.
pub enum Ran {
    /// How each of its tests ended.
    Tests(Vec<TestEnd>),
    /// It could not be compiled or run, for this reason.
    Broken(String),
}

/// How a test ended.
pub struct TestEnd {
    /// Its class and name, or its name.
    pub name: String,
    /// Why it did not pass, if it did not.
    pub problem: Option<String>,
}

/// Versions of one subject.
pub struct Versions<'a> {
    kind: Kind,
    generate: &'a Generate,
    settings: ExecutionSettings,
}

/// What is versioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Classes,
    Module,
}

impl<'a> Versions<'a> {
    /// Versions of the kind that the fixed one has; all must be there and have the same module name.
    pub fn new(
        fixed: &str,
        faulty: &[String],
        generate: &'a Generate,
        settings: ExecutionSettings,
    ) -> Result<Versions<'a>, Failed> {
        let kind = kind(fixed)?;
        let here = PathBuf::from(".");
        let module = |word: &str| Named::of(word, &here).module;
        for one in faulty {
            if self::kind(one)? != kind {
                return Err(Failed::input(format!(
                    "`{fixed}` and `{one}` are not versions of the same thing"
                )));
            }
            if kind == Kind::Module && module(one) != module(fixed) {
                return Err(Failed::input(format!(
                    "`{one}` is the module `{}`, and the fixed version is `{}`",
                    module(one),
                    module(fixed)
                ))
                .hint("give both files the same name, in folders of their own"));
            }
        }
        Ok(Versions {
            kind,
            generate,
            settings,
        })
    }

    /// Runs the suite in a folder on a version.
    pub fn run(&self, version: &str, suite: &Path) -> Result<Ran, Failed> {
        if std::fs::read_dir(suite).map_or(0, |entries| entries.count()) == 0 {
            return Ok(Ran::Broken("the run wrote no test".to_owned()));
        }
        let ran = match self.kind {
            Kind::Classes => self.run_classes(version, suite),
            Kind::Module => self.run_module(version, suite),
        };
        match ran {
            Ok(tests) => Ok(Ran::Tests(tests)),
            Err(failed) if matches!(failed.exit, Exit::BadInput | Exit::Subject) => {
                Ok(Ran::Broken(failed.message))
            }
            Err(failed) => Err(failed),
        }
    }

    fn run_classes(&self, version: &str, suite: &Path) -> Result<Vec<TestEnd>, Failed> {
        let flags = Suite {
            subject: version.to_owned(),
            tests: vec![suite.to_owned()],
            junit_classpath: None,
            out: None,
            json: true,
            execution: self.generate.execution.clone(),
            jvm: self.generate.jvm.clone(),
            interpreter: Default::default(),
        };
        let tests = crate::jvm::run_suite(&flags)?;
        let end = |test: ::jvm::measure::MeasuredTest| TestEnd {
            name: format!("{}.{}", test.test.class, test.test.name),
            problem: match test.outcome {
                Outcome::Passed | Outcome::Skipped => None,
                Outcome::Failed => Some(test.message),
                Outcome::Hung => Some("it does not end".to_owned()),
                Outcome::Died => Some("the JVM ended with it".to_owned()),
            },
        };
        Ok(tests.into_iter().map(end).collect())
    }

    fn run_module(&self, version: &str, suite: &Path) -> Result<Vec<TestEnd>, Failed> {
        let flags = &self.generate.python;
        let tests = crate::python::run_suite(version, suite, flags, &self.settings)?;
        let end = |(name, problem): (String, String)| TestEnd {
            name,
            problem: Some(problem).filter(|problem| !problem.is_empty()),
        };
        Ok(tests.into_iter().map(end).collect())
    }
}

/// What kind of version a word names.
fn kind(word: &str) -> Result<Kind, Failed> {
    match Subject::recognise(word)? {
        Subject::Jvm(_) => Ok(Kind::Classes),
        Subject::Python(name) if name.ends_with(".py") => Ok(Kind::Module),
        Subject::Python(_) | Subject::Specification(_) => Err(Failed::input(format!(
            "`{word}` is no version that suites can be run on"
        ))
        .hint("versions are jars, class folders and `.py` files; for programs, see `--versions`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_classes_or_files_of_modules() {
        assert_eq!(kind("src").unwrap(), Kind::Classes);
        assert!(kind("json.decoder").err().unwrap().hint.is_some());
        assert!(kind("Cargo.toml").is_err());
    }
}
