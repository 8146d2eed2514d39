//! Says which observations are failures: broken contracts, and exceptions that no input excuses.
//!
//! Failures have the same signature when exception, innermost own frame and last operation are the same; broken contracts,
//! when contract and class are. Exceptions from inputs that include null are never failures, unless they are assertion errors.

use engine::{Failure, OperationId};

use crate::model::{JvmModel, JvmOperation, OperationKind};
use crate::protocol::{Classes, Step, TestReply, Violation};
use crate::types::source_name;

/// The contracts by their numbers in the protocol: name, and what is promised.
const CONTRACTS: [(&str, &str); 13] = [
    ("equals-reflexive", "`a.equals(a)` is true"),
    (
        "equals-symmetric",
        "`a.equals(b)` and `b.equals(a)` say the same",
    ),
    (
        "equals-transitive",
        "`a.equals(b)` and `b.equals(c)` imply `a.equals(c)`",
    ),
    ("equals-null", "`a.equals(null)` is false"),
    (
        "hash-code-consistent",
        "equal objects have the same hash code",
    ),
    ("hash-code-returns", "`a.hashCode()` does not throw"),
    ("to-string-returns", "`a.toString()` does not throw"),
    ("compare-to-reflexive", "`a.compareTo(a)` is 0"),
    (
        "compare-to-antisymmetric",
        "`a.compareTo(b)` and `b.compareTo(a)` have opposite signs",
    ),
    (
        "compare-to-transitive",
        "`a` not after `b` and `b` not after `c` imply `a` not after `c`",
    ),
    (
        "compare-to-consistent",
        "`a.compareTo(b)` is 0 exactly where `a.equals(b)`",
    ),
    ("clone-differs", "`a.clone()` gives another object"),
    ("check-rep", "the check of the object holds"),
];

/// The number of the contract that objects find themselves sound.
pub const CHECK_REP: u8 = 12;

/// The name of a contract, as failures and options spell it.
pub fn contract_name(number: u8) -> &'static str {
    CONTRACTS
        .get(usize::from(number))
        .map_or("contract", |(name, _)| name)
}

/// The failures that a reply to a test of these operations shows.
pub fn failures(
    reply: &TestReply,
    operations: &[OperationId],
    classes: &Classes,
    model: &JvmModel,
) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::new();
    failures.extend(thrown(reply, operations, classes, model));
    for violation in &reply.violations {
        let failure = broken(violation, classes, model);
        if !failures.contains(&failure) {
            failures.push(failure);
        }
    }
    failures
}

/// The worker tells only exceptions that are suspicious where they came from.
fn thrown(
    reply: &TestReply,
    operations: &[OperationId],
    classes: &Classes,
    model: &JvmModel,
) -> Option<Failure> {
    let (frame, message) = reply.suspicious.as_ref()?;
    let Some(Step::Threw(class)) = reply.steps.last() else {
        return None;
    };
    let operation = operations.get(reply.steps.len() - 1)?;
    let operation = model.operations.get(operation.0 as usize)?;
    // Thrown outside what is tested: a class library complains about what it was given.
    if frame.is_empty() {
        return None;
    }
    let exception = source_name(&classes.info(*class).descriptor);
    let name = exception.rsplit('.').next().unwrap_or(&exception);
    let oracle = match name {
        "NullPointerException" => "null-pointer",
        "InternalError" => "internal-error",
        _ => "assertion",
    };
    let called = called(operation);
    Some(Failure {
        oracle: oracle.to_owned(),
        signature: format!("{exception} at {frame} in {called}"),
        message: format!("`{called}` throws `{exception}` at `{frame}`: {message}"),
    })
}

fn broken(violation: &Violation, classes: &Classes, model: &JvmModel) -> Failure {
    let class = source_name(&classes.info(violation.class).descriptor);
    let index = usize::from(violation.contract);
    let (name, promise) = CONTRACTS.get(index).copied().unwrap_or(("contract", ""));
    let checked = violation
        .operation
        .and_then(|number| model.operations.get(number as usize))
        .map(|operation| format!(" by `{}`", operation.name))
        .unwrap_or_default();
    let thrown = match violation.thrown.as_str() {
        "" => String::new(),
        thrown => format!(", throws `{thrown}` at `{}`", violation.frame),
    };
    Failure {
        oracle: name.to_owned(),
        signature: format!(
            "{name} of {class}{checked} {} {}",
            violation.thrown, violation.frame
        )
        .trim_end()
        .to_owned(),
        message: format!("`{class}` breaks the contract that {promise}{checked}{thrown}"),
    }
}

/// An operation as messages name it.
pub fn called(operation: &JvmOperation) -> String {
    let owner = operation.owner.replace('/', ".");
    match operation.kind {
        OperationKind::ClassLiteral => format!("{owner}.class"),
        OperationKind::Constructor | OperationKind::Implementor => {
            format!("new {owner}{}", parameters(&operation.descriptor))
        }
        OperationKind::Array => format!("new {}", source_name(&operation.owner)),
        OperationKind::StaticField | OperationKind::Field => format!("{owner}.{}", operation.name),
        _ => format!(
            "{owner}.{}{}",
            operation.name,
            parameters(&operation.descriptor)
        ),
    }
}

fn parameters(descriptor: &str) -> String {
    let Ok(method) = classfile::descriptor::MethodType::parse(descriptor) else {
        return descriptor.to_owned();
    };
    let names: Vec<String> = method.parameters().map(|one| one.to_string()).collect();
    format!("({})", names.join(", "))
}
