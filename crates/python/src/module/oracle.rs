//! Says which replies show failures: broken contracts, and exceptions that no input excuses.
//!
//! Failures have the same signature when oracle, exception and innermost function of the module are the same; broken
//! contracts, when contract and class or functions are.

use engine::{Failure, Test};

use super::model::ModuleModel;
use super::operation::ModuleOperation;
use super::reply::{CallReply, Violation};

/// The contracts: name, and what is promised.
const CONTRACTS: [(&str, &str); 16] = [
    ("repr-returns", "`repr(a)` does not raise"),
    ("str-returns", "`str(a)` does not raise"),
    ("eq-returns", "`a == a` does not raise"),
    ("eq-reflexive", "`a == a` is true"),
    ("eq-none", "`a == None` is false"),
    ("eq-symmetric", "`a == b` and `b == a` say the same"),
    (
        "eq-transitive",
        "`a == c` is true where `a == b` and `b == c` are",
    ),
    ("ne-negates-eq", "`a != b` says the opposite of `a == b`"),
    ("hash-consistent", "equal objects have the same hash"),
    (
        "order-antisymmetric",
        "`a < b` and `b < a` are not both true",
    ),
    (
        "order-excludes-eq",
        "`a < b` and `a == b` are not both true",
    ),
    ("order-lt-le", "`a <= b` is true where `a < b` is"),
    ("order-eq-le", "`a <= b` is true where `a == b` is"),
    (
        "order-transitive",
        "`a < c` is true where `a < b` and `b < c` are",
    ),
    ("idempotent", "applying it twice gives the same as once"),
    (
        "second-trip",
        "going there and back a second time changes nothing",
    ),
];

/// The oracle of tests that the interpreter does not survive.
pub const CRASH: &str = "crash";

/// The failure of a test that the interpreter died of. Tests grow by their last step, so that is what killed it.
pub fn crash(model: &ModuleModel, test: &Test) -> Failure {
    let last = test.steps.last().map(|step| step.operation.0 as usize);
    let called = last.map_or(String::new(), |number| called(&model.operations[number]));
    Failure {
        oracle: CRASH.to_owned(),
        signature: format!("died in {called}"),
        message: format!("the interpreter dies in `{called}`"),
    }
}

/// The failures that a reply shows.
pub fn failures(model: &ModuleModel, test: &Test, reply: &CallReply) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::new();
    failures.extend(thrown(model, test, reply));
    for violation in &reply.violations {
        let failure = broken(violation);
        if failures
            .iter()
            .all(|one| one.signature != failure.signature)
        {
            failures.push(failure);
        }
    }
    failures
}

fn thrown(model: &ModuleModel, test: &Test, reply: &CallReply) -> Option<Failure> {
    let thrown = reply
        .thrown
        .as_ref()
        .filter(|one| !one.suspicious.is_empty())?;
    let step = test.steps.get(reply.steps.len())?;
    let called = called(&model.operations[step.operation.0 as usize]);
    let class = thrown
        .class
        .strip_prefix("builtins.")
        .unwrap_or(&thrown.class);
    let function = thrown
        .place
        .rsplit_once(':')
        .map_or("", |(function, _)| function);
    let message = match thrown.message.as_str() {
        "" => String::new(),
        text => format!(": {text}"),
    };
    Some(Failure {
        oracle: thrown.suspicious.clone(),
        signature: format!("{class} in {function}"),
        message: format!("`{called}` raises `{class}` in `{}`{message}", thrown.place),
    })
}

/// The failure that a broken contract is.
pub fn broken(Violation(contract, of, detail, _): &Violation) -> Failure {
    let promise = CONTRACTS.iter().find(|(name, _)| name == contract);
    let promise = promise.map_or("what one does the other undoes", |(_, promise)| promise);
    let detail = match detail.as_str() {
        "" => String::new(),
        detail => format!(": {detail}"),
    };
    Failure {
        oracle: contract.clone(),
        signature: format!("{contract} of {of}"),
        message: format!("`{of}` breaks the contract that {promise}{detail}"),
    }
}

/// An operation as messages name it.
pub fn called(operation: &ModuleOperation) -> String {
    match operation.module.as_str() {
        "" => operation.path.clone(),
        module => format!("{module}.{}", operation.path),
    }
}
