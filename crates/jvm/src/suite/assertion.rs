//! Assertions: what may be asserted about a test, from what a closer look at it showed.
//!
//! An assertion is a predicate over [`Observed`], so which mutants it kills can be told from closer looks at the mutants
//! alone, without compiling anything. How it is written in Java is in `assertion_code`; which are taken, in `choose`.

use crate::observed::{Observed, ObservedGetter, ObservedObject, ObservedStep, ObservedValue};
use serde::{Deserialize, Serialize};

/// One thing that must hold at the end of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    /// The step whose result is looked at.
    pub step: u32,
    /// What of it.
    pub look: Look,
    /// What must be seen.
    pub expected: Expected,
}

/// What of a result is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// The value itself.
    Itself,
    /// The elements of an array or a collection; their number where that is all that is expected.
    Elements,
    /// What a getter gives. Its `value` is `Unknown` here.
    Getter(ObservedGetter),
}

/// What must be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// This value, which can be written down.
    Value(ObservedValue),
    /// The very result of another step.
    Same(u32),
    /// Anything but `null`.
    NotNull,
    /// This many elements, of an array of this class.
    Length(String, u32),
    /// These elements, of an object of this class.
    Elements(String, Vec<ObservedValue>),
}

impl Assertion {
    /// Whether it holds in what a test showed. It does not where the test did not come that far.
    pub fn holds(&self, observed: &Observed) -> bool {
        let Some(ObservedStep::Value(value)) = observed.steps.get(self.step as usize) else {
            return false;
        };
        let seen = match &self.look {
            Look::Getter(getter) => match value {
                ObservedValue::Object(object) => {
                    let same = |one: &&ObservedGetter| {
                        one.name == getter.name && one.descriptor == getter.descriptor
                    };
                    match object.getters.iter().find(same) {
                        Some(found) => &found.value,
                        None => return false,
                    }
                }
                _ => return false,
            },
            _ => value,
        };
        match (&self.expected, seen) {
            (Expected::Value(expected), seen) => expected == seen,
            (Expected::NotNull, seen) => *seen != ObservedValue::Null,
            (Expected::Same(step), ObservedValue::Object(object)) => object.step == Some(*step),
            (Expected::Length(class, length), ObservedValue::Object(object)) => {
                object.class == *class && object.length == Some(*length)
            }
            (Expected::Elements(class, elements), ObservedValue::Object(object)) => {
                object.class == *class && object.elements.as_ref() == Some(elements)
            }
            _ => false,
        }
    }
}

/// Everything that may be asserted about a test, the most telling first: the last step's result, then what the last
/// steps left behind.
pub fn candidates(observed: &Observed) -> Vec<Assertion> {
    let mut all = Vec::new();
    for (index, step) in observed.steps.iter().enumerate().rev() {
        if let ObservedStep::Value(value) = step {
            of_result(index as u32, value, &mut all);
        }
    }
    all
}

fn of_result(step: u32, value: &ObservedValue, all: &mut Vec<Assertion>) {
    let mut add = |look, expected| {
        all.push(Assertion {
            step,
            look,
            expected,
        });
    };
    let ObservedValue::Object(object) = value else {
        if writable(value) {
            add(Look::Itself, Expected::Value(value.clone()));
        }
        return;
    };
    if let Some(first) = object.step.filter(|first| *first != step) {
        add(Look::Itself, Expected::Same(first));
        return;
    }
    if let Some(expected) = elements(object) {
        add(Look::Elements, expected);
    }
    for getter in &object.getters {
        if telling(getter) {
            let look = Look::Getter(ObservedGetter {
                value: ObservedValue::Unknown,
                ..getter.clone()
            });
            add(look, Expected::Value(getter.value.clone()));
        }
    }
    add(Look::Itself, Expected::NotNull);
}

fn elements(object: &ObservedObject) -> Option<Expected> {
    match &object.elements {
        Some(elements) if elements.iter().all(writable) => {
            Some(Expected::Elements(object.class.clone(), elements.clone()))
        }
        // A collection's number of elements is what its getter `size` gives.
        _ if object.class.starts_with('[') => {
            let length = object.length?;
            Some(Expected::Length(object.class.clone(), length))
        }
        _ => None,
    }
}

/// Whether source code can write the value as an expectation.
fn writable(value: &ObservedValue) -> bool {
    match value {
        ObservedValue::Unknown | ObservedValue::Object(_) => false,
        ObservedValue::Text(units) => !shows_identity(units),
        _ => true,
    }
}

fn telling(getter: &ObservedGetter) -> bool {
    let name = getter.name.as_str();
    // What else a file says depends on the machine.
    let portable = getter.owner != "java/io/File"
        || matches!(name, "getName" | "getParent" | "getPath" | "isAbsolute");
    portable && !matches!(name, "hashCode" | "getClass") && writable(&getter.value)
}

/// Whether a text looks like one of `Object.toString`, whose number differs from run to run: `a.B@1f32e575`.
fn shows_identity(units: &[u16]) -> bool {
    let text = String::from_utf16_lossy(units);
    text.match_indices('@').any(|(at, _)| {
        let hex = text[at + 1..]
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .count();
        (4..=8).contains(&hex)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> ObservedValue {
        ObservedValue::Text(text.encode_utf16().collect())
    }

    fn getter(name: &str, value: ObservedValue) -> ObservedGetter {
        ObservedGetter {
            owner: "a/B".to_owned(),
            name: name.to_owned(),
            descriptor: "()Ljava/lang/Object;".to_owned(),
            throws: Vec::new(),
            value,
        }
    }

    fn observed(getters: Vec<ObservedGetter>, result: i32) -> Observed {
        let object = ObservedObject {
            class: "a/B".to_owned(),
            step: Some(0),
            length: None,
            elements: None,
            getters,
        };
        Observed {
            steps: vec![
                ObservedStep::Value(ObservedValue::Object(Box::new(object))),
                ObservedStep::Value(ObservedValue::Int(result)),
            ],
        }
    }

    #[test]
    fn the_last_result_goes_before_the_state_and_identities_are_left_out() {
        let seen = observed(
            vec![
                getter("getName", text("x")),
                getter("hashCode", ObservedValue::Int(5)),
                getter("toString", text("a.B@1f32e575")),
            ],
            7,
        );
        let all = candidates(&seen);
        assert_eq!(all.len(), 3, "{all:?}");
        assert_eq!(all[0].step, 1);
        assert!(matches!(&all[1].look, Look::Getter(getter) if getter.name == "getName"));
        assert_eq!(all[2].expected, Expected::NotNull);
        assert!(all.iter().all(|one| one.holds(&seen)));
    }

    #[test]
    fn an_assertion_fails_where_its_observation_differs() {
        let seen = observed(vec![getter("getName", text("x"))], 7);
        let all = candidates(&seen);
        let other = observed(vec![getter("getName", text("y"))], 7);
        let held: Vec<bool> = all.iter().map(|one| one.holds(&other)).collect();
        assert_eq!(held, [true, false, true]);
        assert!(all.iter().all(|one| !one.holds(&Observed::default())));
    }
}
