//! Suites: kept tests as plain JUnit classes that compile, pass and pass again in fresh JVMs, with what was dropped and why.
//!
//! [`write`] renders tests with assertions, [`verify`] compiles and runs them and drops what does not hold. Nothing here
//! writes into the user's folders, minimises tests or runs mutants; that is the caller's business.

mod assertion;
mod assertion_code;
mod body;
mod choose;
mod compile;
mod contract;
mod file;
mod implementor;
mod imports;
mod junit;
mod literal;
mod method_name;
mod overload;
mod reason;
mod run;
mod source_name;
mod summary;
mod variable;
mod verify;
mod write;

pub use assertion::{Assertion, Expected, Look, candidates};
pub use body::Style;
pub use choose::{AssertionKills, MutantId};
pub use compile::{CompileError, Compiler};
pub use contract::{Contract, ContractKind};
pub use file::{Place, SuiteFile, TestClass};
pub use junit::{Junit, JunitError, JunitPlaces};
pub use reason::Reason;
pub use summary::{DroppedSummary, FileSummary, MethodSummary, SuiteSummary};
pub use verify::{Verifier, VerifyError, verify};
pub use write::write;

use crate::model::JvmModel;
use crate::observed::Observed;
use engine::{Failure, Goal, Test};
use std::collections::BTreeSet;

/// What a suite is made of.
#[derive(Clone, Copy, Debug)]
pub struct SuiteInput<'a> {
    /// The subject.
    pub model: &'a JvmModel,
    /// The tests to write, in the order in which they were kept.
    pub tests: &'a [KeptTest],
    /// How to write them.
    pub options: SuiteOptions,
    /// Packages, in internal form, into which no test can be put, such as those of signed jars.
    pub closed: &'a BTreeSet<String>,
}

/// How a suite is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteOptions {
    /// For which JUnit.
    pub junit: Junit,
}

/// A test worth writing.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTest {
    /// Its steps.
    pub test: Test,
    /// The goals for which it was kept.
    pub goals: Vec<Goal>,
    /// What fresh workers agreed to see; steps past its end are not written.
    pub observed: Observed,
    /// Which mutants it and its candidate assertions kill; without it, a few assertions are taken.
    pub kills: Option<AssertionKills>,
    /// Why it fails; none for regression tests.
    pub failure: Option<KeptFailure>,
}

/// Why a kept test fails.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptFailure {
    /// What the oracle said.
    pub failure: Failure,
    /// The contract that it violates; without one, the last step throws.
    pub contract: Option<Contract>,
}

/// A suite: test methods in files, and what is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The test methods.
    pub methods: Vec<Method>,
    /// The files, sorted by path. They hold exactly the methods.
    pub files: Vec<SuiteFile>,
    /// What was dropped, in the order in which it was.
    pub dropped: Vec<Dropped>,
}

/// A test method.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The index of its test in the input.
    pub test: usize,
    /// The class that it is in.
    pub class: TestClass,
    /// Its name.
    pub name: String,
    /// How it is written.
    pub style: Style,
    /// What it asserts.
    pub assertions: Vec<Assertion>,
}

/// A test, or an assertion of one, that is not in the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The index of the test in the input.
    pub test: usize,
    /// The method's name, where it had one.
    pub method: Option<String>,
    /// The assertion, if only that was dropped.
    pub assertion: Option<Assertion>,
    /// Why.
    pub reason: Reason,
}
