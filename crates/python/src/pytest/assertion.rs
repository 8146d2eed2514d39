//! What a written test claims: values, parts of objects, exceptions, and contracts that are broken.

use engine::{Argument, Test};

use super::body::Body;
use super::imports::Imports;
use crate::module::reply::{Object, Seen, Thrown, Violation, Written};
use crate::module::{ModuleModel, OperationKind};

/// The most parts of one object that are claimed.
const MOST_PARTS: usize = 4;

/// The lines that claim what the values of a test are in the end. The last value is called `result`.
pub fn assertions(
    model: &ModuleModel,
    test: &Test,
    body: &Body,
    values: &[Seen],
    imports: &mut Imports,
) -> Vec<String> {
    let mut lines = Vec::new();
    let Some((last, step)) = test
        .steps
        .len()
        .checked_sub(1)
        .map(|last| (last, &test.steps[last]))
    else {
        return lines;
    };
    let operation = &model.operations[step.operation.0 as usize];
    if operation.name == "__hash__" {
        // Which number it is, is the interpreter's affair.
        lines.push("assert isinstance(result, int)".to_owned());
    } else if !body.statement
        && let Some(seen) = values.get(last)
    {
        lines.extend(value("result", seen, model, imports));
    }
    // A call that gives nothing was made for what it changes.
    let nothing = |seen: &&Seen| matches!(seen, Seen::Written(written) if written.source == "None");
    let changes = body.statement || values.get(last).is_some_and(|seen| nothing(&seen));
    for argument in step.arguments.iter().filter(|_| changes) {
        if let Argument::Result(given) = argument
            && let Some(Some(name)) = body.variables.get(*given as usize)
            && let Some(Seen::Object(object)) = values.get(*given as usize)
        {
            lines.extend(parts(name, object, imports));
        }
    }
    lines.dedup();
    lines
}

/// Claims about one value.
fn value(name: &str, seen: &Seen, model: &ModuleModel, imports: &mut Imports) -> Vec<String> {
    match seen {
        Seen::Written(written) => vec![equal(name, written, imports)],
        Seen::Object(object) => {
            let mut lines = Vec::new();
            if let Some(path) = object.class.strip_prefix(&format!("{}.", model.module))
                && !path.contains('<')
            {
                let class = imports.member(&model.module, path);
                lines.push(format!("assert isinstance({name}, {class})"));
            } else if !object.class.contains('<') {
                let class = object.class.rsplit('.').next().unwrap_or(&object.class);
                lines.push(format!("assert type({name}).__name__ == \"{class}\""));
            }
            lines.extend(parts(name, object, imports));
            lines
        }
    }
}

/// Claims about the parts of an object.
fn parts(name: &str, object: &Object, imports: &mut Imports) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(length) = object.length {
        lines.push(format!("assert len({name}) == {length}"));
    }
    for field in object.fields.iter().take(MOST_PARTS) {
        lines.push(equal(
            &format!("{name}.{}", field.name),
            &field.value,
            imports,
        ));
    }
    if let (true, Some(text)) = (object.fields.is_empty(), &object.repr) {
        lines.push(format!(
            "assert repr({name}) == {}",
            super::literal::quoted(text, false)
        ));
    }
    lines
}

fn equal(name: &str, written: &Written, imports: &mut Imports) -> String {
    let source = imports.named(&written.source);
    match source.as_str() {
        "None" | "True" | "False" => format!("assert {name} is {source}"),
        _ if written.loose => {
            let pytest = imports.pytest();
            format!("assert {name} == {pytest}.approx({source})")
        }
        _ => format!("assert {name} == {source}"),
    }
}

/// The class of an exception as a test names it; `Exception` where it cannot be named.
pub fn exception(thrown: &Thrown, imports: &mut Imports) -> String {
    match thrown.class.rsplit_once('.') {
        Some(("builtins", name)) => name.to_owned(),
        Some((module, name)) if !thrown.class.contains('<') && !module.is_empty() => {
            imports.member(module, name)
        }
        _ => "Exception".to_owned(),
    }
}

/// The lines that fail because a contract is broken.
pub fn contract(
    model: &ModuleModel,
    test: &Test,
    violation: &Violation,
    names: &[String],
    imports: &mut Imports,
) -> Vec<String> {
    let Violation(contract, of, _, _) = violation;
    let [a, b] = [names.first(), names.last()].map(|name| name.map_or("result", String::as_str));
    let line = match contract.as_str() {
        "repr-returns" => format!("repr({a})"),
        "str-returns" => format!("str({a})"),
        "eq-returns" => format!("{a} == {a}"),
        "eq-reflexive" => format!("assert {a} == {a}"),
        "eq-none" => format!("assert not {a} == None  # noqa: E711"),
        "eq-symmetric" => format!("assert ({a} == {b}) == ({b} == {a})"),
        "eq-transitive" => {
            let between = names.get(1).map_or("result", String::as_str);
            format!("assert not ({a} == {between} == {b}) or {a} == {b}")
        }
        "ne-negates-eq" => format!("assert ({a} != {b}) == (not {a} == {b})"),
        "hash-consistent" => {
            return vec![
                format!("assert {a} == {b}"),
                format!("assert hash({a}) == hash({b})"),
            ];
        }
        "order-antisymmetric" => format!("assert not ({a} < {b} and {b} < {a})"),
        "order-excludes-eq" => format!("assert not ({a} < {b} and {a} == {b})"),
        "order-lt-le" => format!("assert not {a} < {b} or {a} <= {b}"),
        "order-eq-le" => format!("assert not {a} == {b} or {a} <= {b}"),
        "order-transitive" => {
            let between = names.get(1).map_or("result", String::as_str);
            format!("assert not ({a} < {between} < {b}) or {a} < {b}")
        }
        _ => return by_name(model, test, contract, of, names, imports),
    };
    vec![line]
}

/// What a pair of functions promises by its names. `names` are those of the object, if it is a method, of what it was given, unless that can
/// be written down, and of what it gave.
fn by_name(
    model: &ModuleModel,
    test: &Test,
    contract: &str,
    of: &str,
    names: &[String],
    imports: &mut Imports,
) -> Vec<String> {
    let Some(step) = test.steps.last() else {
        return Vec::new();
    };
    let operation = &model.operations[step.operation.0 as usize];
    let is_method = operation.kind == OperationKind::Method;
    let mut function = |name: &str| match names.first() {
        Some(owner) if is_method => format!("{owner}.{name}"),
        _ => imports.member(&model.module, name),
    };
    let (there, back) = of.split_once(" and ").unwrap_or((of, of));
    let (there, back) = (function(there), function(back));
    let literal = |(place, argument): (usize, &Argument)| match argument {
        Argument::Literal(one) if one.value != engine::Value::Nothing => {
            let bytes = operation.bytes.get(place) == Some(&true);
            Some(super::literal::literal(&one.value, bytes))
        }
        _ => None,
    };
    let given = step.arguments.iter().enumerate().find_map(literal);
    // What was given to the call stands before what it gave.
    let named = names.iter().rev().nth(1).cloned();
    match (contract, given.or(named)) {
        ("idempotent", _) => vec![format!("assert {there}(result) == result")],
        ("second-trip", _) => vec![format!("assert {there}({back}(result)) == result")],
        (_, Some(given)) => vec![format!("assert {back}(result) == {given}")],
        (_, None) => vec![format!("{back}(result)")],
    }
}
