//! From kept tests to a suite: assertions chosen, methods named and put into classes.

use super::assertion::{Assertion, Expected, candidates};
use super::body::is_constant;
use super::choose::choose;
use super::file::{TestClass, body_of, write_files};
use super::method_name::{method_name, tested_step};
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{package_of, path_of, required_package};
use super::{Dropped, KeptTest, Method, Style, Suite, SuiteInput};
use crate::model::{JvmModel, OperationKind};
use engine::Argument;
use std::collections::{BTreeMap, BTreeSet};

/// The most methods in one class, for the compiler's and the class file's sake.
const MOST_METHODS: usize = 250;

/// Renders a suite. Tests that Java source cannot express are dropped with a reason.
pub fn write(input: &SuiteInput) -> Suite {
    let types = Types::of(input.model);
    let mut suite = Suite {
        methods: Vec::new(),
        files: Vec::new(),
        dropped: Vec::new(),
    };
    let mut drafts = Vec::new();
    for test in 0..input.tests.len() {
        match draft(input, &types, test) {
            Ok(draft) => drafts.push(draft),
            Err(reason) => suite.dropped.push(Dropped {
                test,
                method: None,
                assertion: None,
                reason,
            }),
        }
    }
    name_uniquely(input, drafts, &mut suite);
    suite.files = write_files(input, &types, &suite.methods);
    suite
}

/// A method and its code as text, to tell equal ones.
struct Drafted {
    method: Method,
    code: String,
}

fn draft(input: &SuiteInput, types: &Types, test: usize) -> Result<Drafted, Reason> {
    let kept = &input.tests[test];
    let failing = kept.failure.is_some();
    let mut method = Method {
        test,
        class: class_of(input, kept, failing)?,
        name: method_name(input.model, kept),
        style: Style::Plain,
        assertions: Vec::new(),
    };
    if !failing {
        method.assertions = assertions(input, types, &method)?;
    }
    let lines = body_of(input, types, &method)?.lines;
    let code: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    Ok(Drafted {
        method,
        code: code.join("\n"),
    })
}

/// The assertions to write: chosen among those that say something and that the package can write.
fn assertions(
    input: &SuiteInput,
    types: &Types,
    method: &Method,
) -> Result<Vec<Assertion>, Reason> {
    let kept = &input.tests[method.test];
    let all = candidates(&kept.observed);
    let telling: Vec<usize> = (0..all.len())
        .filter(|&index| !is_idle(input.model, kept, &all[index]))
        .collect();
    let trial = Method {
        assertions: telling.iter().map(|&index| all[index].clone()).collect(),
        ..method.clone()
    };
    let body = body_of(input, types, &trial)?;
    let written = body.lines.iter().filter_map(|line| line.assertion);
    let usable: BTreeSet<usize> = written.map(|index| telling[index]).collect();
    // Where something else is asserted of a result, that it is there goes without saying.
    let plain = |index: &usize| match kept.kills {
        Some(_) => true,
        None => {
            let one = &all[*index];
            let more = |other: &usize| *other != *index && all[*other].step == one.step;
            one.expected != Expected::NotNull || !usable.iter().any(more)
        }
    };
    let usable: BTreeSet<usize> = usable.iter().copied().filter(plain).collect();
    let chosen = choose(&usable, kept.kills.as_ref());
    Ok(chosen.into_iter().map(|index| all[index].clone()).collect())
}

/// Whether an assertion cannot fail, or says only what its test wrote itself.
fn is_idle(model: &JvmModel, kept: &KeptTest, assertion: &Assertion) -> bool {
    let Some(step) = kept.test.steps.get(assertion.step as usize) else {
        return true;
    };
    let Some(operation) = model.operations.get(step.operation.0 as usize) else {
        return true;
    };
    let passed_on = || {
        let result = Argument::Result(assertion.step);
        let mut arguments = kept.test.steps.iter().flat_map(|step| &step.arguments);
        arguments.any(|argument| *argument == result)
    };
    match operation.kind {
        _ if is_constant(operation) => true,
        OperationKind::Array => assertion.expected == Expected::NotNull || !passed_on(),
        OperationKind::Constructor | OperationKind::Implementor | OperationKind::ClassLiteral => {
            assertion.expected == Expected::NotNull
        }
        _ => false,
    }
}

/// The class for a test: `FooTest`, or `FooErrorTest`, in the package of the class whose method it tests.
fn class_of(input: &SuiteInput, kept: &KeptTest, failing: bool) -> Result<TestClass, Reason> {
    let model = input.model;
    let index = tested_step(model, kept).ok_or(Reason::Malformed(0))?;
    let operation = model
        .operations
        .get(kept.test.steps[index].operation.0 as usize)
        .ok_or(Reason::Malformed(index))?;
    let owner = operation
        .owner
        .trim_start_matches('[')
        .trim_start_matches('L')
        .trim_end_matches(';');
    let owner = match operation.owner.starts_with('[') {
        true => owner,
        false => operation.owner.as_str(),
    };
    let package = package_for(input, kept, owner)?;
    let kind = if failing { "ErrorTest" } else { "Test" };
    let path = path_of(model, owner)?;
    let name = |stem: &str| TestClass {
        package: package.clone(),
        simple: format!("{stem}{kind}"),
    };
    // `a.Foo.Bar` and `a.FooBar` must not share a class, and no class of the subject may be replaced.
    let joined = path.concat();
    let shared = path.len() > 1
        && model
            .classes
            .contains_key(&qualified(package_of(owner), &joined));
    let stem = if shared { path.join("_") } else { joined };
    let free = (1..).map(|number| match number {
        1 => name(&stem),
        _ => name(&format!("{stem}{number}")),
    });
    let mut free = free.filter(|class| !model.classes.contains_key(&class.internal()));
    Ok(free.next().expect("a model has finitely many classes"))
}

/// The package of the class under test, unless a step needs another one or no class of ours can be in it.
fn package_for(input: &SuiteInput, kept: &KeptTest, owner: &str) -> Result<String, Reason> {
    let steps = kept.test.steps.iter().take(kept.observed.steps.len());
    let operations = steps.filter_map(|step| input.model.operations.get(step.operation.0 as usize));
    let required: BTreeSet<&str> = operations
        .filter_map(|operation| required_package(input.model, operation))
        .collect();
    let closed = |package: &str| {
        package == "java" || package.starts_with("java/") || input.closed.contains(package)
    };
    let mut required = required.into_iter();
    match (required.next(), required.next()) {
        (Some(package), None) if !closed(package) => Ok(package.to_owned()),
        (Some(first), other) => Err(Reason::NotAccessible(
            other.unwrap_or(first).replace('/', "."),
        )),
        (None, _) if closed(package_of(owner)) => Ok(qualified("test", package_of(owner))
            .trim_end_matches('/')
            .to_owned()),
        (None, _) => Ok(package_of(owner).to_owned()),
    }
}

fn qualified(package: &str, simple: &str) -> String {
    match package {
        "" => simple.to_owned(),
        _ => format!("{package}/{simple}"),
    }
}

/// Numbers methods of one name by their code, so that the order of tests does not matter, and drops equal ones.
fn name_uniquely(input: &SuiteInput, drafts: Vec<Drafted>, suite: &mut Suite) {
    let mut classes: BTreeMap<TestClass, Vec<Drafted>> = BTreeMap::new();
    for draft in drafts {
        let class = draft.method.class.clone();
        classes.entry(class).or_default().push(draft);
    }
    for (class, mut drafts) in classes {
        drafts.sort_by(|one, two| {
            let key = |draft: &Drafted| (draft.method.name.clone(), draft.code.clone());
            key(one).cmp(&key(two))
        });
        let mut given = BTreeSet::new();
        let mut last = None;
        for Drafted { mut method, code } in drafts {
            if last.as_ref() == Some(&code) {
                suite.dropped.push(Dropped {
                    test: method.test,
                    method: Some(method.name),
                    assertion: None,
                    reason: Reason::Duplicate,
                });
                continue;
            }
            last = Some(code);
            let numbered = (2..).map(|number| format!("{}_{number}", method.name));
            let mut names = std::iter::once(method.name.clone()).chain(numbered);
            let free = names.find(|name| !given.contains(name));
            method.name = free.expect("finitely many names are given");
            method.class = part(input, &class, given.len() / MOST_METHODS);
            given.insert(method.name.clone());
            suite.methods.push(method);
        }
    }
    suite.dropped.sort_by_key(|dropped| dropped.test);
}

/// A further class where one would be too long: `Foo2Test` after `FooTest`, so that build tools still find it.
fn part(input: &SuiteInput, class: &TestClass, part: usize) -> TestClass {
    if part == 0 {
        return class.clone();
    }
    let kind = match class.simple.strip_suffix("ErrorTest") {
        Some(_) => "ErrorTest",
        None => "Test",
    };
    let stem = class.simple.strip_suffix(kind).unwrap_or(&class.simple);
    let named = |simple| TestClass {
        package: class.package.clone(),
        simple,
    };
    let plain = named(format!("{stem}{}{kind}", part + 1));
    match input.model.classes.contains_key(&plain.internal()) {
        true => named(format!("{stem}_{}{kind}", part + 1)),
        false => plain,
    }
}
