//! Why a test, or an assertion of it, is not in the written suite.

use serde::{Deserialize, Serialize};

/// A reason; its code is its name in kebab-case.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[serde(rename_all = "kebab-case", tag = "code", content = "detail")]
pub enum Reason {
    /// A member or class whose name Java source cannot write.
    #[error("Java source cannot write the name `{0}`")]
    NoJavaName(String),
    /// A class that the test's package cannot see.
    #[error("`{0}` cannot be seen from the test's package")]
    NotAccessible(String),
    /// A literal that does not fit its parameter.
    #[error("no literal for {0}")]
    Literal(String),
    /// A text that no class file can hold.
    #[error("a text of {bytes} bytes is too long for a class file")]
    LongText {
        /// How long it is.
        bytes: usize,
    },
    /// An argument that is no value of an earlier step or a literal.
    #[error("step {0} does not fit the model")]
    Malformed(usize),
    /// The same code as another test.
    #[error("the same code as another test")]
    Duplicate,
    /// The compiler did not take it.
    #[error("does not compile: {0}")]
    DoesNotCompile(String),
    /// It did not pass in a fresh JVM.
    #[error("not the same in a fresh JVM: {0}")]
    Unstable(String),
    /// It did not end in time.
    #[error("did not end in time")]
    TimeOut,
    /// It took the JVM down.
    #[error("ended the JVM: {0}")]
    EndedJvm(String),
    /// A failing test that passed in a fresh JVM.
    #[error("did not fail in a fresh JVM")]
    DidNotFail,
    /// A failing test that failed in another way each time.
    #[error("failed with {first}, then with {second}")]
    FailedDifferently {
        /// How it failed first.
        first: String,
        /// How it failed later.
        second: String,
    },
    /// The process that was to run it could not be used.
    #[error("could not be run: {0}")]
    NotRun(String),
}

impl Reason {
    /// The code, for tables.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::NoJavaName(_) => "no-java-name",
            Reason::NotAccessible(_) => "not-accessible",
            Reason::Literal(_) => "literal",
            Reason::LongText { .. } => "long-text",
            Reason::Malformed(_) => "malformed",
            Reason::Duplicate => "duplicate",
            Reason::DoesNotCompile(_) => "does-not-compile",
            Reason::Unstable(_) => "unstable",
            Reason::TimeOut => "time-out",
            Reason::EndedJvm(_) => "ended-jvm",
            Reason::DidNotFail => "did-not-fail",
            Reason::FailedDifferently { .. } => "failed-differently",
            Reason::NotRun(_) => "not-run",
        }
    }
}
