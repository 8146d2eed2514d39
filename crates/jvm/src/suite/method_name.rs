//! Names of test methods: which method, in what situation, with what outcome (`parse_emptyString_throwsFormatException`).
//!
//! Names depend on the test alone, not on its place in the suite, so that a small change gives a small difference. Making
//! them unique is the caller's business.

use super::source_name::path_of;
use super::variable::lower_first;
use super::{KeptFailure, KeptTest};
use crate::model::{JvmModel, JvmOperation, OperationKind};
use crate::observed::{ObservedStep, ObservedValue};
use classfile::descriptor::Type;
use engine::{Argument, Step, Value};

/// The longest part of a name.
const LONGEST_PART: usize = 60;

/// The index of the step that is tested: the last one that ran and is not there only to make inputs.
pub fn tested_step(model: &JvmModel, kept: &KeptTest) -> Option<usize> {
    let ran = kept.observed.steps.len().min(kept.test.steps.len());
    let signature = |step: &Step| model.calls.signatures.get(step.operation.0 as usize);
    let steps = &kept.test.steps[..ran];
    steps
        .iter()
        .rposition(|step| signature(step).is_some_and(|one| !one.auxiliary))
        .or_else(|| ran.checked_sub(1))
}

/// The name of the method for a test.
pub fn method_name(model: &JvmModel, kept: &KeptTest) -> String {
    let Some(index) = tested_step(model, kept) else {
        return "empty".to_owned();
    };
    let step = &kept.test.steps[index];
    let Some(operation) = model.operations.get(step.operation.0 as usize) else {
        return "unknown".to_owned();
    };
    let parts = [
        method(operation),
        situation(model, kept, index, operation),
        outcome(model, kept, index, operation),
    ];
    parts.map(|part| shortened(&part)).join("_")
}

fn method(operation: &JvmOperation) -> String {
    let name = match operation.kind {
        OperationKind::Constructor | OperationKind::Implementor => "constructor",
        OperationKind::ClassLiteral => "literal",
        OperationKind::Array => "array",
        _ => operation.name.as_str(),
    };
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("method{name}"),
    }
}

fn situation(model: &JvmModel, kept: &KeptTest, index: usize, operation: &JvmOperation) -> String {
    let step = &kept.test.steps[index];
    let receiver = usize::from(matches!(
        operation.kind,
        OperationKind::Method | OperationKind::Field
    ));
    let described = step.arguments.iter().enumerate().skip(receiver);
    let words: Vec<String> = described
        .map(|(place, argument)| argument_word(model, kept, step, place, argument))
        .collect();
    match words.len() {
        0 => history(model, kept, index, step, receiver == 1),
        1..=3 => joined(&words),
        more => format!("{}AndMore", joined(&words[..more.min(2)])),
    }
}

fn joined(words: &[String]) -> String {
    let mut text = words[0].clone();
    for word in &words[1..] {
        text.push_str("And");
        text.push_str(&upper_first(word));
    }
    text
}

/// What happened to the receiver before: the last call on it, or that it is new.
fn history(
    model: &JvmModel,
    kept: &KeptTest,
    index: usize,
    step: &Step,
    has_receiver: bool,
) -> String {
    let receiver = match step.arguments.first() {
        Some(Argument::Result(receiver)) if has_receiver => *receiver,
        Some(Argument::Literal(literal)) if has_receiver => {
            return format!("on{}", upper_first(&value_word(&literal.value, "")));
        }
        _ => return "noArguments".to_owned(),
    };
    let earlier = &kept.test.steps[..index];
    let touched = earlier.iter().rposition(|step| {
        let uses = |argument: &Argument| *argument == Argument::Result(receiver);
        step.arguments.iter().any(uses)
    });
    let operation = |at: usize| {
        let step = kept.test.steps.get(at)?;
        model.operations.get(step.operation.0 as usize)
    };
    match touched.and_then(operation) {
        Some(operation) => format!("after{}", upper_first(&method(operation))),
        None => match operation(receiver as usize) {
            Some(maker)
                if matches!(
                    maker.kind,
                    OperationKind::Constructor | OperationKind::Implementor
                ) =>
            {
                format!("new{}", class_word(model, &maker.owner))
            }
            Some(maker) => format!("of{}", upper_first(&method(maker))),
            None => "noArguments".to_owned(),
        },
    }
}

fn argument_word(
    model: &JvmModel,
    kept: &KeptTest,
    step: &Step,
    place: usize,
    argument: &Argument,
) -> String {
    let signature = model.calls.signatures.get(step.operation.0 as usize);
    let parameter = signature.and_then(|signature| {
        let last = signature.parameters.len().checked_sub(1)?;
        signature.parameters.get(place.min(last))
    });
    let descriptor = parameter.and_then(|one| model.descriptors.get(one.kind.0 as usize));
    let descriptor = descriptor.map_or("", String::as_str);
    match argument {
        Argument::Literal(literal) => value_word(&literal.value, descriptor),
        Argument::Result(index) => match kept.observed.steps.get(*index as usize) {
            Some(ObservedStep::Value(value)) => {
                observed_word(model, value).unwrap_or_else(|| type_word(model, descriptor))
            }
            _ => type_word(model, descriptor),
        },
        Argument::Slot { .. } => "slot".to_owned(),
    }
}

fn value_word(value: &Value, descriptor: &str) -> String {
    match value {
        Value::Nothing => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) if matches!(descriptor, "C" | "Ljava/lang/Character;") => {
            char_word(u16::try_from(*number).unwrap_or(0))
        }
        Value::Int(number) => integer_word(*number),
        Value::Float(number) => float_word(*number),
        Value::Text(text) => text_word(text),
    }
}

fn integer_word(number: i64) -> String {
    match number {
        0 => "zero".to_owned(),
        n if n == i64::from(i32::MAX) => "maxInt".to_owned(),
        n if n == i64::from(i32::MIN) => "minInt".to_owned(),
        i64::MAX => "maxLong".to_owned(),
        i64::MIN => "minLong".to_owned(),
        1..=9999 => number.to_string(),
        -9999..=-1 => format!("minus{}", -number),
        10_000.. => "largeNumber".to_owned(),
        _ => "negativeNumber".to_owned(),
    }
}

fn float_word(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        (if number > 0.0 {
            "infinity"
        } else {
            "minusInfinity"
        })
        .to_owned()
    } else if number.fract() == 0.0 && number.abs() < 1e4 {
        integer_word(number as i64)
    } else if number < 0.0 {
        "negativeNumber".to_owned()
    } else if number < 1.0 {
        "fraction".to_owned()
    } else {
        "number".to_owned()
    }
}

fn char_word(unit: u16) -> String {
    match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => format!("char{}", char::from(byte)),
        Ok(b' ') => "space".to_owned(),
        _ => "specialChar".to_owned(),
    }
}

fn text_word(text: &str) -> String {
    if text.is_empty() {
        return "emptyString".to_owned();
    }
    if text.trim().is_empty() {
        return "blankString".to_owned();
    }
    if !text.is_ascii() {
        return "unicodeString".to_owned();
    }
    let short = text.len() <= 16 && text.chars().all(|c| c.is_ascii_alphanumeric());
    if short {
        text.to_owned()
    } else {
        "string".to_owned()
    }
}

/// Words for what a step gave; `None` for objects that only their type describes.
fn observed_word(model: &JvmModel, value: &ObservedValue) -> Option<String> {
    let word = match value {
        ObservedValue::Null => "null".to_owned(),
        ObservedValue::Boolean(value) => value.to_string(),
        ObservedValue::Byte(number) => integer_word(i64::from(*number)),
        ObservedValue::Short(number) => integer_word(i64::from(*number)),
        ObservedValue::Char(unit) => char_word(*unit),
        ObservedValue::Int(number) => integer_word(i64::from(*number)),
        ObservedValue::Long(number) => integer_word(*number),
        ObservedValue::Float(bits) => float_word(f64::from(f32::from_bits(*bits))),
        ObservedValue::Double(bits) => float_word(f64::from_bits(*bits)),
        ObservedValue::Text(units) => text_word(&String::from_utf16_lossy(units)),
        ObservedValue::Enum { constant, .. } => constant
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect(),
        ObservedValue::Object(object) if object.class.starts_with('[') => match object.length {
            Some(0) => "emptyArray".to_owned(),
            _ => return None,
        },
        ObservedValue::Object(object) if object.length == Some(0) => {
            format!("empty{}", class_word(model, &object.class))
        }
        ObservedValue::Object(object) => lower_first(&class_word(model, &object.class)),
        ObservedValue::Class(_) | ObservedValue::Unknown => return None,
    };
    Some(word)
}

fn outcome(model: &JvmModel, kept: &KeptTest, index: usize, operation: &JvmOperation) -> String {
    if let Some(KeptFailure {
        contract: Some(contract),
        ..
    }) = &kept.failure
    {
        return contract.kind.outcome().to_owned();
    }
    match kept.observed.steps.get(index) {
        Some(ObservedStep::Threw(throw)) => {
            let classes = std::iter::once(&throw.class).chain(&throw.public_classes);
            let named = |class: &&String| path_of(model, class).is_ok();
            let class = classes.clone().find(named).unwrap_or(&throw.class);
            let verb = match kept.failure {
                Some(_) => "failsWith",
                None => "throws",
            };
            format!("{verb}{}", class_word(model, class))
        }
        Some(ObservedStep::Value(_)) if operation.kind == OperationKind::Constructor => {
            "creates".to_owned()
        }
        Some(ObservedStep::Value(value)) => match observed_word(model, value) {
            Some(word) => format!("returns{}", upper_first(&word)),
            None => {
                let result = model
                    .calls
                    .signatures
                    .get(kept.test.steps[index].operation.0 as usize)
                    .and_then(|signature| signature.result)
                    .and_then(|kind| model.descriptors.get(kind.0 as usize));
                let word = type_word(model, result.map_or("", String::as_str));
                format!("returns{}", upper_first(&word))
            }
        },
        _ => "returns".to_owned(),
    }
}

fn type_word(model: &JvmModel, descriptor: &str) -> String {
    let Ok(kind) = Type::parse(descriptor) else {
        return "value".to_owned();
    };
    let array = "Array".repeat(usize::from(kind.dimensions()));
    let innermost = kind.innermost();
    match (innermost.kind().keyword(), innermost.class_name()) {
        (Some(keyword), _) => keyword.to_owned() + &array,
        (None, class) => lower_first(&class_word(model, class.unwrap_or_default())) + &array,
    }
}

fn class_word(model: &JvmModel, class: &str) -> String {
    let simple = path_of(model, class).ok().and_then(|mut path| path.pop());
    let word: String = simple
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .collect();
    if word.is_empty() {
        "Object".to_owned()
    } else {
        word
    }
}

fn upper_first(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn shortened(part: &str) -> String {
    part.chars().take(LONGEST_PART).collect()
}
