//! Kept tests as data: calls by name, literals and results as JSON.

use engine::{Argument, Failure, Literal, OperationId, Origin, Step, Test, Value};
use jvm::suite::{Contract, KeptFailure, KeptTest};
use jvm::{
    JvmModel, Observed, ObservedGetter, ObservedObject, ObservedStep, ObservedThrow, ObservedValue,
    OperationKind,
};
use serde_json::Value as Json;

/// Reads the tests of a case.
pub fn read(model: &JvmModel, text: &str) -> Vec<KeptTest> {
    let tests: Vec<Json> = serde_json::from_str(text).unwrap();
    tests.iter().map(|test| kept(model, test)).collect()
}

fn kept(model: &JvmModel, test: &Json) -> KeptTest {
    let steps = test["steps"].as_array().unwrap();
    let failure = test.get("failure").map(|failure| KeptFailure {
        failure: serde_json::from_value::<Failure>(failure.clone()).unwrap(),
        contract: test.get("contract").map(|contract| Contract {
            kind: serde_json::from_value(contract["kind"].clone()).unwrap(),
            steps: serde_json::from_value(contract["steps"].clone()).unwrap(),
            check: contract
                .get("check")
                .map(|check| operation(model, check.as_str().unwrap())),
        }),
    });
    let observed = steps
        .iter()
        .enumerate()
        .map(|(index, step)| observed_step(index, step));
    KeptTest {
        test: Test {
            steps: steps.iter().map(|step| self::step(model, step)).collect(),
        },
        goals: Vec::new(),
        observed: Observed {
            steps: observed.collect(),
        },
        kills: None,
        failure,
    }
}

/// The operation called `owner.name` and descriptor; an array by its own descriptor.
pub fn operation(model: &JvmModel, name: &str) -> OperationId {
    let matches = |operation: &jvm::JvmOperation| match operation.kind {
        OperationKind::Array => operation.owner == name,
        OperationKind::Field | OperationKind::StaticField => {
            format!("{}.{}", operation.owner, operation.name) == name
        }
        _ => {
            format!(
                "{}.{}{}",
                operation.owner, operation.name, operation.descriptor
            ) == name
        }
    };
    let found = model.operations.iter().position(matches);
    OperationId(found.unwrap_or_else(|| panic!("no operation `{name}`")) as u32)
}

fn step(model: &JvmModel, step: &Json) -> Step {
    let operation = operation(model, step["call"].as_str().unwrap());
    let arguments = step.get("args").and_then(Json::as_array);
    let arguments = arguments.into_iter().flatten().map(argument);
    Step {
        operation,
        arguments: arguments.collect(),
    }
}

fn argument(json: &Json) -> Argument {
    if let Some(step) = json.as_str().and_then(|text| text.strip_prefix('$')) {
        return Argument::Result(step.parse().unwrap());
    }
    let value = match json {
        Json::Null => Value::Nothing,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) if number.is_i64() => Value::Int(number.as_i64().unwrap()),
        Json::Number(number) => Value::Float(number.as_f64().unwrap()),
        Json::String(text) => match special(text) {
            Some(number) => Value::Float(number),
            None => Value::Text(text.clone()),
        },
        other => panic!("{other} is no literal"),
    };
    Argument::Literal(Literal {
        value,
        origin: Origin::Builtin,
    })
}

fn special(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "MIN_VALUE" => Some(f64::from_bits(1)),
        _ => None,
    }
}

fn observed_step(index: usize, step: &Json) -> ObservedStep {
    if let Some(class) = step.get("throws") {
        let class = class.as_str().unwrap();
        return ObservedStep::Threw(ObservedThrow {
            class: class.to_owned(),
            public_classes: vec![class.to_owned()],
            message: None,
        });
    }
    match &step["gives"] {
        Json::String(word) if word == "void" => ObservedStep::Void,
        json => ObservedStep::Value(value(json, Some(index as u32))),
    }
}

fn value(json: &Json, step: Option<u32>) -> ObservedValue {
    match json {
        Json::Null => ObservedValue::Null,
        Json::Bool(value) => ObservedValue::Boolean(*value),
        Json::Number(number) => ObservedValue::Int(number.as_i64().unwrap() as i32),
        Json::String(text) => ObservedValue::Text(text.encode_utf16().collect()),
        Json::Object(fields) => {
            let (kind, content) = fields
                .iter()
                .find(|(key, _)| !["step", "length", "elements", "getters"].contains(&key.as_str()))
                .unwrap();
            let float = || match content {
                Json::String(text) => special(text).unwrap(),
                number => number.as_f64().unwrap(),
            };
            match kind.as_str() {
                "object" => object(json, content.as_str().unwrap(), step),
                "enum" => {
                    let (class, constant) = content.as_str().unwrap().rsplit_once('.').unwrap();
                    ObservedValue::Enum {
                        class: class.to_owned(),
                        constant: constant.to_owned(),
                    }
                }
                "float" => ObservedValue::Float((float() as f32).to_bits()),
                "double" => ObservedValue::Double(float().to_bits()),
                _ => serde_json::from_value(json.clone()).unwrap(),
            }
        }
        other => panic!("{other} is no value"),
    }
}

fn object(json: &Json, class: &str, step: Option<u32>) -> ObservedValue {
    let given = json.get("step").map(|step| step.as_u64().unwrap() as u32);
    let elements = json.get("elements").and_then(Json::as_array);
    let getters = json.get("getters").and_then(Json::as_object);
    let getters = getters.into_iter().flatten().map(|(name, seen)| {
        let (owner, method) = name
            .split_once('(')
            .and_then(|(path, _)| path.rsplit_once('.'))
            .map_or((class, name.as_str()), |(owner, _)| {
                (owner, &name[owner.len() + 1..])
            });
        let open = method.find('(').unwrap();
        ObservedGetter {
            owner: owner.to_owned(),
            name: method[..open].to_owned(),
            descriptor: method[open..].to_owned(),
            throws: Vec::new(),
            value: value(seen, None),
        }
    });
    ObservedValue::Object(Box::new(ObservedObject {
        class: class.to_owned(),
        step: given.or(step),
        length: json
            .get("length")
            .map(|length| length.as_u64().unwrap() as u32),
        elements: elements.map(|list| list.iter().map(|one| value(one, None)).collect()),
        getters: getters.collect(),
    }))
}
