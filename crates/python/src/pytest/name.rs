//! Names of tests: the function, the situation, the outcome.

use engine::{Argument, Test, Value};

use super::body::snake;
use crate::module::reply::{Seen, Thrown};
use crate::module::{ModuleModel, ModuleOperation, OperationKind};

/// The longest name without its number.
const LONGEST: usize = 80;

/// How a test ended, for its name.
pub enum Outcome<'a> {
    /// It raised this.
    Raises(&'a Thrown),
    /// Its last step gave this.
    Gives(Option<&'a Seen>),
    /// It breaks this contract.
    Breaks(&'a str),
    /// The interpreter does not survive it.
    Dies,
}

/// The name of a test.
pub fn name(model: &ModuleModel, test: &Test, outcome: &Outcome<'_>) -> String {
    let Some(step) = test.steps.last() else {
        return "test_nothing".to_owned();
    };
    let operation = &model.operations[step.operation.0 as usize];
    let mut words = vec![
        "test".to_owned(),
        drained(model, test).map_or_else(|| subject(operation), subject),
    ];
    words.extend(situation(model, test));
    words.push(outcome_words(operation, outcome));
    let mut text = words.join("_");
    text.truncate(LONGEST);
    text.trim_end_matches('_').to_owned()
}

/// The operation whose iterator the last step drains.
fn drained<'a>(model: &'a ModuleModel, test: &Test) -> Option<&'a ModuleOperation> {
    let step = test.steps.last()?;
    let operation = |step: &engine::Step| &model.operations[step.operation.0 as usize];
    match step.arguments.first()? {
        Argument::Result(given) if operation(step).kind == OperationKind::Drain => {
            Some(operation(&test.steps[*given as usize]))
        }
        _ => None,
    }
}

fn subject(operation: &ModuleOperation) -> String {
    match operation.kind {
        OperationKind::Function | OperationKind::Constructor => {
            snake(&operation.path.replace('.', "_"))
        }
        _ => {
            let mut parts = operation.path.rsplit('.');
            let method = snake(parts.next().unwrap_or_default());
            match parts.next() {
                Some(class) => format!("{}_{method}", snake(class)),
                None => method,
            }
        }
    }
}

/// What is special about the arguments, and what was done to the object before.
fn situation(model: &ModuleModel, test: &Test) -> Vec<String> {
    let mut words = Vec::new();
    let Some(step) = test.steps.last() else {
        return words;
    };
    let operation = &model.operations[step.operation.0 as usize];
    if let (
        OperationKind::Method | OperationKind::Getter | OperationKind::Setter,
        Some(Argument::Result(object)),
    ) = (operation.kind, step.arguments.first())
    {
        let earlier = &test.steps[..test.steps.len() - 1];
        let last = earlier
            .iter()
            .rev()
            .find(|one| one.arguments.first() == Some(&Argument::Result(*object)));
        let earlier = last.map(|one| &model.operations[one.operation.0 as usize]);
        words.extend(earlier.map(|one| format!("after_{}", snake(&one.name))));
    }
    let described = step
        .arguments
        .iter()
        .filter_map(|argument| describe(model, test, argument));
    let described: Vec<&str> = described.take(2).collect();
    if !described.is_empty() {
        words.push(format!("with_{}", described.join("_and_")));
    }
    words
}

fn describe(model: &ModuleModel, test: &Test, argument: &Argument) -> Option<&'static str> {
    match argument {
        Argument::Result(step) => {
            let step = &test.steps[*step as usize];
            let kind = model.operations[step.operation.0 as usize].kind;
            match (kind, step.arguments.is_empty()) {
                (OperationKind::List, true) => Some("empty_list"),
                (OperationKind::Dict, true) => Some("empty_dict"),
                (OperationKind::Set, true) => Some("empty_set"),
                (OperationKind::Tuple, true) => Some("empty_tuple"),
                _ => None,
            }
        }
        Argument::Literal(literal) => match &literal.value {
            Value::Int(0) => Some("zero"),
            Value::Int(number) if *number < 0 => Some("negative_number"),
            Value::Float(number) if number.is_nan() => Some("nan"),
            Value::Float(number) if number.is_infinite() => Some("infinity"),
            Value::Text(text) if text.is_empty() => Some("empty_text"),
            Value::Text(text) if text.trim().is_empty() => Some("blank_text"),
            _ => None,
        },
        Argument::Slot { .. } => None,
    }
}

fn outcome_words(operation: &ModuleOperation, outcome: &Outcome<'_>) -> String {
    match outcome {
        Outcome::Raises(thrown) => {
            let class = thrown.class.rsplit('.').next().unwrap_or("error");
            format!("raises_{}", snake(class))
        }
        Outcome::Dies => "dies".to_owned(),
        Outcome::Breaks(contract) => format!("breaks_{}", contract.replace('-', "_")),
        Outcome::Gives(_) if operation.kind == OperationKind::Constructor => "is_made".to_owned(),
        Outcome::Gives(Some(Seen::Object(object))) => {
            let class = object.class.rsplit('.').next().unwrap_or("object");
            format!("gives_{}", snake(class))
        }
        Outcome::Gives(Some(Seen::Written(written))) => {
            format!("gives_{}", value_word(&written.source))
        }
        Outcome::Gives(None) => "ends".to_owned(),
    }
}

/// A value in a word or two.
fn value_word(source: &str) -> String {
    let text = source.trim_matches(['\'', '"']);
    match source {
        "None" => "nothing".to_owned(),
        "True" | "False" => source.to_lowercase(),
        "\"\"" | "b\"\"" => "empty_text".to_owned(),
        "[]" => "empty_list".to_owned(),
        "{}" => "empty_dict".to_owned(),
        "()" => "empty_tuple".to_owned(),
        "0" => "zero".to_owned(),
        _ if source.starts_with('-') => "negative_number".to_owned(),
        _ if source.parse::<f64>().is_ok() && source.len() <= 8 => {
            source.replace(['.', '+', '-'], "_")
        }
        _ if source.parse::<f64>().is_ok() => "number".to_owned(),
        _ if source.starts_with('[') => "list".to_owned(),
        _ if source.starts_with('(') => "tuple".to_owned(),
        _ if source.starts_with('{') && source.contains(": ") => "dict".to_owned(),
        _ if source.starts_with('{') => "set".to_owned(),
        _ if source.starts_with('b') => "bytes".to_owned(),
        _ if text.len() <= 20
            && text
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || one == '_') =>
        {
            snake(text)
        }
        _ if source.starts_with(['\'', '"']) => "text".to_owned(),
        _ => snake(source.rsplit(['.', '\u{2}']).next().unwrap_or("value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_words() {
        let sources = [
            "None",
            "\"abc\"",
            "\"a b\"",
            "[1, 2]",
            "-5",
            "3.5",
            "{'a': 1}",
            "{1}",
            "\u{1}m\u{2}.Genre.NOVEL",
            "b\"x\"",
        ];
        let words = [
            "nothing",
            "abc",
            "text",
            "list",
            "negative_number",
            "3_5",
            "dict",
            "set",
            "novel",
            "bytes",
        ];
        assert_eq!(sources.map(value_word), words.map(str::to_owned));
    }
}
