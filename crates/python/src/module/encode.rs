//! Tests as workers read them: see the Python side's `calls`.

use engine::{Argument, Step, Test, Value};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value as Json, json};

use super::model::ModuleModel;
use super::operation::ModuleOperation;

/// A test in the form of the protocol.
pub fn test(model: &ModuleModel, test: &Test) -> Box<RawValue> {
    let steps: Vec<Json> = test.steps.iter().map(|one| step(model, one)).collect();
    to_raw_value(&steps).expect("steps have string keys only")
}

fn step(model: &ModuleModel, step: &Step) -> Json {
    let number = step.operation.0;
    let operation = &model.operations[number as usize];
    let arguments = step.arguments.iter().enumerate();
    let arguments = arguments.map(|(place, one)| argument(operation, place, one));
    Json::Array([json!(number)].into_iter().chain(arguments).collect())
}

fn argument(operation: &ModuleOperation, place: usize, argument: &Argument) -> Json {
    let value = match argument {
        Argument::Result(index) => return json!(index),
        Argument::Literal(literal) => &literal.value,
        // Call sequences have no slots.
        Argument::Slot { .. } => return json!([]),
    };
    let place = place.min(operation.bytes.len().saturating_sub(1));
    match value {
        Value::Nothing if operation.optional.get(place) == Some(&true) => json!([]),
        Value::Nothing => json!([null]),
        Value::Bool(bool) => json!([bool]),
        Value::Int(number) => json!([number]),
        Value::Float(number) => json!(["f", float(*number)]),
        Value::Text(text) if operation.bytes.get(place) == Some(&true) => json!(["b", bytes(text)]),
        Value::Text(text) => json!([text]),
    }
}

/// A number as Python's `float` reads it.
fn float(number: f64) -> String {
    match number {
        number if number.is_nan() => "nan".to_owned(),
        number => format!("{number:?}"),
    }
}

/// The characters of a text that are bytes.
pub fn bytes(text: &str) -> String {
    text.chars().filter(|one| (*one as u32) < 256).collect()
}
