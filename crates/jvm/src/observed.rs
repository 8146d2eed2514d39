//! What a test showed when a worker looked at it closely: values, state and exceptions, for assertions and for rendering.
//!
//! Everything is seen at the end of the test: an object that a later step changed shows what it is then, because that is
//! where assertions stand. What cannot be told, or differs from run to run, is [`ObservedValue::Unknown`]; comparing two
//! closer looks with [`Observed::agreed`] makes it so. This file does not choose assertions.

use serde::{Deserialize, Serialize};

/// What every step of a test gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// As far as the test ran; only the last one may have thrown.
    pub steps: Vec<ObservedStep>,
}

/// What a step gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedStep {
    /// It ended normally and gives no value.
    Void,
    /// It gave this value, as it is at the end of the test.
    Value(ObservedValue),
    /// It threw.
    Threw(ObservedThrow),
}

/// A value. Numbers and truth values are boxed where the static type says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedValue {
    /// `null`.
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `short`.
    Short(i16),
    /// A `char`.
    Char(u16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// A string in UTF-16. Longer than [`LONGEST_TEXT`] is `Unknown`.
    Text(Vec<u16>),
    /// A constant of an enum.
    Enum {
        /// The enum that declares it, in internal form.
        class: String,
        /// The constant's name.
        constant: String,
    },
    /// A `java.lang.Class`, by the descriptor of the type it stands for.
    Class(String),
    /// Any other object, and arrays.
    Object(Box<ObservedObject>),
    /// Not told: not stable, too long, or looked at too deep.
    Unknown,
}

/// The longest text, in UTF-16 units, that is observed.
pub const LONGEST_TEXT: usize = 1000;

/// The most elements of an array or a collection that are observed.
pub const MOST_ELEMENTS: usize = 32;

/// An object or an array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObservedObject {
    /// The run-time class, in internal form; a descriptor for arrays.
    pub class: String,
    /// The first step whose result is this very object, if there is one.
    pub step: Option<u32>,
    /// How many elements an array, a collection or a map has.
    pub length: Option<u32>,
    /// The elements of an array or of a collection that keeps an order (lists, sorted and linked sets), if there are at
    /// most [`MOST_ELEMENTS`] of them. Objects in it have neither elements nor getters.
    pub elements: Option<Vec<ObservedValue>>,
    /// What its getters gave, in the order of their names. Each was called twice and gave the same both times.
    pub getters: Vec<ObservedGetter>,
}

/// What a public method without parameters gave that by its name only looks: `get…`, `is…`, `has…`, `size`, `length`,
/// `toString` and the like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObservedGetter {
    /// The most general public class or interface that declares it and that source code outside its package can name.
    pub owner: String,
    /// The method's name.
    pub name: String,
    /// Its descriptor in `owner`.
    pub descriptor: String,
    /// Exceptions that it declares there, in internal form.
    pub throws: Vec<String>,
    /// What it gave. Objects in it have neither elements nor getters. Getters that throw are left out.
    pub value: ObservedValue,
}

/// An exception.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObservedThrow {
    /// Its run-time class, in internal form.
    pub class: String,
    /// Its class and the superclasses of it, the most specific first, as far as they and their enclosing classes are
    /// public. Ends with `java/lang/Throwable`.
    pub public_classes: Vec<String>,
    /// Its message, for a person.
    pub message: Option<String>,
}

impl Observed {
    /// What two closer looks at the same test agree on; `None` if they differ in which steps ran or threw.
    pub fn agreed(&self, other: &Observed) -> Option<Observed> {
        if self.steps.len() != other.steps.len() {
            return None;
        }
        let pairs = self.steps.iter().zip(&other.steps);
        let steps = pairs.map(|(one, two)| one.agreed(two));
        Some(Observed {
            steps: steps.collect::<Option<_>>()?,
        })
    }

    /// The steps that gave another number, text or constant in another look at the same test. What objects are like is not compared.
    pub fn differences(&self, other: &Observed) -> Vec<usize> {
        let plain = |step: &ObservedStep| match step {
            ObservedStep::Value(ObservedValue::Object(_) | ObservedValue::Unknown) => false,
            ObservedStep::Value(_) => true,
            _ => false,
        };
        let pairs = self.steps.iter().zip(&other.steps).enumerate();
        let different = pairs.filter(|(_, (one, two))| plain(one) && one != two);
        different.map(|(step, _)| step).collect()
    }

    /// Forgets all texts with this one in them, such as the folder of the JDK, which is another on another machine.
    #[must_use]
    pub fn without(mut self, text: &str) -> Observed {
        let text: Vec<u16> = text.encode_utf16().collect();
        for step in &mut self.steps {
            if let ObservedStep::Value(value) = step {
                value.forget(&text);
            }
        }
        self
    }

    /// The step that threw and what it threw.
    pub fn threw(&self) -> Option<(usize, &ObservedThrow)> {
        match self.steps.last()? {
            ObservedStep::Threw(throw) => Some((self.steps.len() - 1, throw)),
            _ => None,
        }
    }
}

impl ObservedStep {
    fn agreed(&self, other: &ObservedStep) -> Option<ObservedStep> {
        match (self, other) {
            (ObservedStep::Void, ObservedStep::Void) => Some(ObservedStep::Void),
            (ObservedStep::Value(one), ObservedStep::Value(two)) => {
                Some(ObservedStep::Value(one.agreed(two)))
            }
            (ObservedStep::Threw(one), ObservedStep::Threw(two)) if one.class == two.class => {
                let message = one.message.clone().filter(|_| one.message == two.message);
                Some(ObservedStep::Threw(ObservedThrow {
                    message,
                    ..one.clone()
                }))
            }
            _ => None,
        }
    }
}

impl ObservedValue {
    fn forget(&mut self, local: &[u16]) {
        match self {
            ObservedValue::Text(text) if holds(text, local) => *self = ObservedValue::Unknown,
            ObservedValue::Object(object) => {
                for element in object.elements.iter_mut().flatten() {
                    element.forget(local);
                }
                for getter in &mut object.getters {
                    getter.value.forget(local);
                }
                object
                    .getters
                    .retain(|getter| getter.value != ObservedValue::Unknown);
            }
            _ => {}
        }
    }

    fn agreed(&self, other: &ObservedValue) -> ObservedValue {
        match (self, other) {
            (ObservedValue::Object(one), ObservedValue::Object(two)) => {
                one.agreed(two).map_or(ObservedValue::Unknown, |object| {
                    ObservedValue::Object(Box::new(object))
                })
            }
            _ if self == other => self.clone(),
            _ => ObservedValue::Unknown,
        }
    }
}

impl ObservedObject {
    fn agreed(&self, other: &ObservedObject) -> Option<ObservedObject> {
        if self.class != other.class || self.step != other.step {
            return None;
        }
        let elements = match (&self.elements, &other.elements) {
            (Some(one), Some(two)) if one.len() == two.len() => {
                Some(one.iter().zip(two).map(|(a, b)| a.agreed(b)).collect())
            }
            _ => None,
        };
        let same = |getter: &&ObservedGetter| {
            let found = other.getters.iter().find(|one| {
                one.owner == getter.owner
                    && one.name == getter.name
                    && one.descriptor == getter.descriptor
            });
            found.map(|one| getter.value.agreed(&one.value))
        };
        let getters = self.getters.iter().filter_map(|getter| {
            let value = same(&getter)?;
            (value != ObservedValue::Unknown).then(|| ObservedGetter {
                value,
                ..getter.clone()
            })
        });
        Some(ObservedObject {
            class: self.class.clone(),
            step: self.step,
            length: self.length.filter(|_| self.length == other.length),
            elements,
            getters: getters.collect(),
        })
    }
}

fn holds(text: &[u16], part: &[u16]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|one| one == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn getter(name: &str, value: ObservedValue) -> ObservedGetter {
        ObservedGetter {
            owner: "a/B".to_owned(),
            name: name.to_owned(),
            descriptor: "()I".to_owned(),
            throws: Vec::new(),
            value,
        }
    }

    #[test]
    fn texts_with_the_name_of_a_folder_are_forgotten() {
        let text = |text: &str| ObservedValue::Text(text.encode_utf16().collect());
        let getters = vec![
            getter("getHome", text("/opt/jdk-17/lib")),
            getter("getName", text("jdk")),
        ];
        let step = |value| ObservedStep::Value(value);
        let mut seen = object(2, getters);
        seen.steps.push(step(text("jdk-17")));
        let mut expected = object(2, vec![getter("getName", text("jdk"))]);
        expected.steps.push(step(ObservedValue::Unknown));
        assert_eq!(seen.clone().without("jdk-17"), expected);
        assert_eq!(seen.clone().without(""), seen);
    }

    fn object(length: u32, getters: Vec<ObservedGetter>) -> Observed {
        let object = ObservedObject {
            class: "a/B".to_owned(),
            step: Some(0),
            length: Some(length),
            elements: Some(vec![ObservedValue::Int(1), ObservedValue::Int(2)]),
            getters,
        };
        Observed {
            steps: vec![ObservedStep::Value(ObservedValue::Object(Box::new(object)))],
        }
    }

    #[test]
    fn what_differs_between_two_looks_is_left_out() {
        let int = ObservedValue::Int;
        let one = object(2, vec![getter("getA", int(1)), getter("getB", int(2))]);
        let mut two = object(3, vec![getter("getA", int(1)), getter("getB", int(9))]);
        if let ObservedStep::Value(ObservedValue::Object(object)) = &mut two.steps[0] {
            object.elements = Some(vec![int(1), int(5)]);
        }
        let agreed = one.agreed(&two).unwrap();
        let ObservedStep::Value(ObservedValue::Object(object)) = &agreed.steps[0] else {
            panic!("{agreed:?}");
        };
        assert_eq!(object.length, None);
        assert_eq!(object.elements, Some(vec![int(1), ObservedValue::Unknown]));
        assert_eq!(object.getters, [getter("getA", int(1))]);
    }

    #[test]
    fn tests_that_end_differently_do_not_agree() {
        let throw = ObservedThrow {
            class: "java/lang/Error".to_owned(),
            public_classes: Vec::new(),
            message: None,
        };
        let value = object(1, Vec::new());
        let threw = Observed {
            steps: vec![ObservedStep::Threw(throw)],
        };
        assert_eq!(value.agreed(&threw), None);
        assert_eq!(value.agreed(&Observed::default()), None);
        assert_eq!(threw.threw().map(|(step, _)| step), Some(0));
    }
}
