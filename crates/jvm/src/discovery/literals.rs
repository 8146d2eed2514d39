//! The fixed values that preset `random` writes down, per type. Nothing of the subject is looked at.
//!
//! The choice follows Randoop (Pacheco et al., "Feedback-directed random test generation", ICSE 2007) and its manual:
//! a few small numbers, letters and texts.
//!
//! A whole number stands for the parameter's own type where that is a number, a `char` or a box of one; where it is a
//! supertype such as `Object`, for an `Integer`; a floating-point number there for a `Double`.
//!
//! Differences
//! - The texts are ours, and two more than Randoop's: one number and one word.
//! - Supertypes of boxes and of `String` have literals of their own, so that they need no step that makes one.

use engine::{Literal, Origin, Value};

const WHOLE: [i64; 5] = [-1, 0, 1, 10, 100];
const LETTERS: [char; 4] = [' ', '0', 'a', '#'];
const REAL: [f64; 5] = [-1.0, 0.0, 1.0, 10.0, 100.0];
const TEXTS: [&str; 4] = ["", "a", "10", "hi there"];

/// The literals of a type given by its descriptor, `null` not among them.
pub fn of_type(descriptor: &str) -> Vec<Literal> {
    let values = match descriptor {
        "Z" | "Ljava/lang/Boolean;" => truths(),
        "B" | "S" | "I" | "J" => whole(),
        "Ljava/lang/Byte;" | "Ljava/lang/Short;" | "Ljava/lang/Integer;" | "Ljava/lang/Long;" => {
            whole()
        }
        "C" | "Ljava/lang/Character;" => letters(),
        "F" | "D" | "Ljava/lang/Float;" | "Ljava/lang/Double;" => real(),
        "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => texts(),
        "Ljava/lang/Number;" => [whole(), real()].concat(),
        "Ljava/lang/Object;" | "Ljava/lang/Comparable;" | "Ljava/io/Serializable;" => {
            [texts(), whole(), truths()].concat()
        }
        _ => Vec::new(),
    };
    let origin = || Origin::Builtin;
    let literal = |value| Literal {
        value,
        origin: origin(),
    };
    values.into_iter().map(literal).collect()
}

fn truths() -> Vec<Value> {
    vec![Value::Bool(false), Value::Bool(true)]
}

fn whole() -> Vec<Value> {
    WHOLE.map(Value::Int).to_vec()
}

fn letters() -> Vec<Value> {
    LETTERS
        .map(|letter| Value::Int(i64::from(u32::from(letter))))
        .to_vec()
}

fn real() -> Vec<Value> {
    REAL.map(Value::Float).to_vec()
}

fn texts() -> Vec<Value> {
    TEXTS.map(|text| Value::Text(text.to_owned())).to_vec()
}
