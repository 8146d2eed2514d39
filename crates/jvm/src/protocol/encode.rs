//! Tests and requests to bytes. The layout is in the module's page.

use std::collections::HashMap;

use engine::{Argument, Literal, Test, Value};

use super::bytes::{put_number, put_signed, put_text};
use crate::shape::Shape;

const RUN: u8 = 1;
const EXAMINE: u8 = 2;
const LINK: u8 = 3;
const REDEFINE: u8 = 4;

/// Strings beyond this many, and longer ones than this, are sent anew with every use.
const MOST_STRINGS: usize = 1 << 14;
const LONGEST_STRING: usize = 256;

/// A test as a worker reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    bytes: Vec<u8>,
    /// Whether the contracts of its values are checked.
    pub contracts: bool,
}

/// A test that does not fit the operations: made for another subject, or a fault of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {step} of the test does not fit its operation: {problem}")]
pub struct Malformed {
    /// The step.
    pub step: usize,
    /// What is wrong.
    pub problem: &'static str,
}

/// Strings that workers know by number.
#[derive(Debug, Default)]
pub struct Strings {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Strings {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// Those from the given number on.
    pub fn since(&self, number: usize) -> Vec<String> {
        self.texts[number..].to_vec()
    }

    fn number(&mut self, text: &str) -> Option<u32> {
        if let Some(&number) = self.numbers.get(text) {
            return Some(number);
        }
        if self.texts.len() >= MOST_STRINGS || text.len() > LONGEST_STRING {
            return None;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        Some(number)
    }
}

/// What a reply shall carry, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needed(pub u8);

impl Needed {
    /// Goals hit.
    pub const HITS: u8 = 1;
    /// Any of the following.
    pub const DETAILS: u8 = 8;
    /// Branch distances.
    pub const DISTANCES: u8 = 16;
    /// Counts of branch sides.
    pub const SIDES: u8 = 32;
    /// The branch trace.
    pub const TRACE: u8 = 64;
    /// Path registers.
    pub const PATHS: u8 = 128;

    /// What observations need.
    pub fn of(needs: engine::Needs) -> Needed {
        let bit = |wanted: bool, bit: u8| if wanted { bit } else { 0 };
        let details = bit(needs.distances, Needed::DISTANCES)
            | bit(needs.sides, Needed::SIDES)
            | bit(needs.trace, Needed::TRACE)
            | bit(needs.rows, Needed::PATHS);
        Needed(bit(needs.hits, Needed::HITS) | details | bit(details != 0, Needed::DETAILS))
    }
}

/// Encodes tests over the operations of a subject.
pub struct Encoder<'a> {
    /// The shapes of all operations.
    pub shapes: &'a [Shape],
    /// Strings that have numbers; grows.
    pub strings: &'a mut Strings,
}

impl Encoder<'_> {
    /// Encodes a test.
    pub fn test(&mut self, test: &Test, contracts: bool) -> Result<Encoded, Malformed> {
        let mut bytes = Vec::with_capacity(16 * test.steps.len());
        put_number(&mut bytes, test.steps.len() as u64);
        for (index, step) in test.steps.iter().enumerate() {
            let malformed = |problem| Malformed {
                step: index,
                problem,
            };
            let number = step.operation.0 as usize;
            let shape = self
                .shapes
                .get(number)
                .ok_or(malformed("it does not exist"))?;
            put_number(&mut bytes, number as u64);
            if shape.repeats {
                put_number(&mut bytes, step.arguments.len() as u64);
            } else if step.arguments.len() != shape.parameters.len() {
                return Err(malformed("wrong number of arguments"));
            }
            for (position, argument) in step.arguments.iter().enumerate() {
                let parameter = if shape.repeats {
                    &shape.parameters[0]
                } else {
                    &shape.parameters[position]
                };
                let earlier = |step: u32| {
                    let before = test.steps[..index].get(step as usize)?;
                    self.shapes
                        .get(before.operation.0 as usize)
                        .map(|shape| shape.result)
                };
                match argument {
                    Argument::Result(step) => {
                        let given = earlier(*step).ok_or(malformed("no such earlier step"))?;
                        result(&mut bytes, *step, given, parameter.letter());
                    }
                    Argument::Literal(value) => {
                        literal(&mut bytes, value, parameter, self.strings).map_err(malformed)?;
                    }
                    Argument::Slot { .. } => return Err(malformed("it has no pools")),
                }
            }
        }
        Ok(Encoded { bytes, contracts })
    }
}

/// The result of an earlier step that gave a value of one letter, for a parameter of another.
fn result(bytes: &mut Vec<u8>, step: u32, given: u8, asked: u8) {
    let kind = match (given, asked) {
        // A step that gives nothing gives null.
        (b'V', _) => {
            bytes.push(0);
            return;
        }
        (b'L', b'L') => 1,
        (b'L', _) => 4,
        (_, b'L') => 3,
        _ => 2,
    };
    bytes.push(kind);
    put_number(bytes, u64::from(step));
}

fn literal(
    bytes: &mut Vec<u8>,
    literal: &Literal,
    parameter: &crate::shape::Parameter,
    strings: &mut Strings,
) -> Result<(), &'static str> {
    match (parameter.letter(), &literal.value) {
        (b'L', Value::Nothing) => bytes.push(0),
        (b'L', Value::Text(text)) => match strings.number(text) {
            Some(number) => {
                bytes.push(7);
                put_number(bytes, u64::from(number));
            }
            None => {
                bytes.push(8);
                put_text(bytes, text);
            }
        },
        (b'L', value) => {
            let letter = parameter
                .boxed(value)
                .ok_or("a literal of the wrong type")?;
            let bits = bits(letter, value).ok_or("a literal of the wrong type")?;
            bytes.extend([9, letter]);
            bytes.extend(bits.to_be_bytes());
        }
        (letter @ (b'F' | b'D'), value) => {
            let bits = bits(letter, value).ok_or("a literal of the wrong type")?;
            bytes.push(6);
            bytes.extend(bits.to_be_bytes());
        }
        (letter, value) => {
            let bits = bits(letter, value).ok_or("a literal of the wrong type")?;
            bytes.push(5);
            put_signed(bytes, bits);
        }
    }
    Ok(())
}

/// A primitive as the trampolines take it.
fn bits(letter: u8, value: &Value) -> Option<i64> {
    Some(match (letter, value) {
        (b'Z', Value::Bool(truth)) => i64::from(*truth),
        (b'Z', Value::Int(number)) => i64::from(*number != 0),
        (b'B', Value::Int(number)) => i64::from(*number as i8),
        (b'S', Value::Int(number)) => i64::from(*number as i16),
        (b'C', Value::Int(number)) => i64::from(*number as u16),
        (b'I', Value::Int(number)) => i64::from(*number as i32),
        (b'J', Value::Int(number)) => *number,
        (b'F', Value::Float(number)) => i64::from((*number as f32).to_bits() as i32),
        (b'D', Value::Float(number)) => number.to_bits() as i64,
        (b'F', Value::Int(number)) => i64::from((*number as f32).to_bits() as i32),
        (b'D', Value::Int(number)) => (*number as f64).to_bits() as i64,
        _ => return None,
    })
}

fn begin(kind: u8) -> Vec<u8> {
    // The length is filled in at the end.
    vec![0, 0, 0, 0, kind]
}

fn finish(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    bytes
}

fn put_strings(bytes: &mut Vec<u8>, strings: &[String]) {
    put_number(bytes, strings.len() as u64);
    for text in strings {
        put_text(bytes, text);
    }
}

fn put_test(bytes: &mut Vec<u8>, test: &Encoded) {
    bytes.push(u8::from(test.contracts));
    put_number(bytes, test.bytes.len() as u64);
    bytes.extend_from_slice(&test.bytes);
}

/// A request to run tests.
pub fn batch(number: u32, needed: Needed, strings: &[String], tests: &[Encoded]) -> Vec<u8> {
    let mut bytes = begin(RUN);
    bytes.extend(number.to_be_bytes());
    bytes.push(needed.0);
    put_strings(&mut bytes, strings);
    put_number(&mut bytes, tests.len() as u64);
    for test in tests {
        put_test(&mut bytes, test);
    }
    finish(bytes)
}

/// A request to run one test and tell its values in full.
pub fn examination(number: u32, needed: Needed, strings: &[String], test: &Encoded) -> Vec<u8> {
    let mut bytes = begin(EXAMINE);
    bytes.extend(number.to_be_bytes());
    bytes.push(needed.0);
    put_strings(&mut bytes, strings);
    put_test(&mut bytes, test);
    finish(bytes)
}

/// A request to tell which operations cannot be called.
pub fn link() -> Vec<u8> {
    finish(begin(LINK))
}

/// A request to replace the code of classes, by their names with dots.
pub fn redefinition(classes: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = begin(REDEFINE);
    put_number(&mut bytes, classes.len() as u64);
    for (name, content) in classes {
        put_text(&mut bytes, name);
        put_number(&mut bytes, content.len() as u64);
        bytes.extend_from_slice(content);
    }
    finish(bytes)
}
