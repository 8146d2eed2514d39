//! Tests and requests to bytes. The layout is in the module's page.

use std::collections::HashMap;
use std::ops::Range;

use engine::calls::sequence::Given;
use engine::calls::{Literals, Sequence};
use engine::{Argument, Literal, OperationId, Test, Value};

use super::bytes::{put_number, put_signed, put_text};
use crate::shape::Shape;

const RUN: u8 = 1;
const EXAMINE: u8 = 2;
const LINK: u8 = 3;
const REDEFINE: u8 = 4;

/// Strings beyond this many, and longer ones than this, are sent anew with every use.
const MOST_STRINGS: usize = 1 << 14;
const LONGEST_STRING: usize = 256;

/// Tests as a worker reads them, one or several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoded {
    bytes: Vec<u8>,
    /// Where each test ends.
    ends: Vec<usize>,
}

impl Encoded {
    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends a test by its content; `contracts` says whether the contracts of its values are checked.
    fn push(&mut self, content: &[u8], contracts: bool) {
        self.bytes.push(u8::from(contracts));
        put_number(&mut self.bytes, content.len() as u64);
        self.bytes.extend_from_slice(content);
        self.ends.push(self.bytes.len());
    }

    fn of(&self, tests: Range<usize>) -> &[u8] {
        let end = |count: usize| count.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[end(tests.start)..end(tests.end)]
    }
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

/// What chance and the clock are while a test runs. Both are pinned, so that tests repeat; but written tests must not depend on
/// what they are pinned to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct World(pub u8);

impl World {
    /// That of all tests of a run.
    pub const USUAL: World = World(0);
    /// Chance falls differently.
    pub const OTHER_CHANCE: World = World(1);
    /// Chance falls differently, it is another day, hour and minute, and time passes whenever the clock is read: little, and much. In the
    /// second, threads that a test starts are ahead of it.
    pub const OTHER_TIMES: [World; 2] = [World(2), World(5)];
}

/// Encodes tests over the operations of a subject.
pub struct Encoder<'a> {
    shapes: &'a [Shape],
    strings: &'a mut Strings,
    /// The test being written.
    content: Vec<u8>,
    /// The letters of what its steps give.
    gives: Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// An encoder over the shapes of all operations and the strings that have numbers, which grow.
    pub fn new(shapes: &'a [Shape], strings: &'a mut Strings) -> Encoder<'a> {
        Encoder {
            shapes,
            strings,
            content: Vec::new(),
            gives: Vec::new(),
        }
    }

    /// Encodes a test.
    pub fn test(&mut self, test: &Test, contracts: bool) -> Result<Encoded, Malformed> {
        let mut encoded = Encoded::default();
        self.append_test(&mut encoded, test, contracts)?;
        Ok(encoded)
    }

    /// Appends a test to others; `contracts` says whether the contracts of its values are checked.
    pub fn append_test(
        &mut self,
        encoded: &mut Encoded,
        test: &Test,
        contracts: bool,
    ) -> Result<(), Malformed> {
        self.begin(test.steps.len());
        for (index, step) in test.steps.iter().enumerate() {
            let arguments = step.arguments.iter().map(|one| given(index, one));
            self.step(step.operation, step.arguments.len(), arguments)?;
        }
        encoded.push(&self.content, contracts);
        Ok(())
    }

    /// The same for a sequence, with the literals that it names.
    pub fn append(
        &mut self,
        encoded: &mut Encoded,
        (sequence, literals): (&Sequence, &Literals),
        contracts: bool,
    ) -> Result<(), Malformed> {
        self.begin(sequence.len());
        for call in sequence.calls() {
            let arguments = call.arguments(literals).map(Ok);
            self.step(call.operation, call.count(), arguments)?;
        }
        encoded.push(&self.content, contracts);
        Ok(())
    }

    fn begin(&mut self, steps: usize) {
        self.content.clear();
        self.gives.clear();
        put_number(&mut self.content, steps as u64);
    }

    fn step<'g>(
        &mut self,
        operation: OperationId,
        count: usize,
        arguments: impl Iterator<Item = Result<Given<'g>, &'static str>>,
    ) -> Result<(), Malformed> {
        let step = self.gives.len();
        let malformed = |problem| Malformed { step, problem };
        let number = operation.0 as usize;
        let shape = self.shapes.get(number);
        let shape = shape.ok_or(malformed("it does not exist"))?;
        put_number(&mut self.content, number as u64);
        if shape.repeats {
            put_number(&mut self.content, count as u64);
        } else if count != shape.parameters.len() {
            return Err(malformed("wrong number of arguments"));
        }
        for (position, given) in arguments.enumerate() {
            let parameter = &shape.parameters[if shape.repeats { 0 } else { position }];
            match given.map_err(malformed)? {
                Given::Back(steps) => {
                    let earlier = step.checked_sub(steps as usize);
                    let earlier = earlier.and_then(|step| Some((step, *self.gives.get(step)?)));
                    let (step, given) = earlier.ok_or(malformed("no such earlier step"))?;
                    result(&mut self.content, step, given, parameter.letter);
                }
                Given::Literal(value) => {
                    literal(&mut self.content, value, parameter, self.strings)
                        .map_err(malformed)?;
                }
            }
        }
        self.gives.push(shape.result);
        Ok(())
    }
}

/// An argument of the step at this index.
fn given(index: usize, argument: &Argument) -> Result<Given<'_>, &'static str> {
    match argument {
        Argument::Result(step) => (index as u32)
            .checked_sub(*step)
            .map(Given::Back)
            .ok_or("no such earlier step"),
        Argument::Literal(literal) => Ok(Given::Literal(literal)),
        Argument::Slot { .. } => Err("it has no pools"),
    }
}

/// The result of an earlier step that gave a value of one letter, for a parameter of another.
fn result(bytes: &mut Vec<u8>, step: usize, given: u8, asked: u8) {
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
    put_number(bytes, step as u64);
}

fn literal(
    bytes: &mut Vec<u8>,
    literal: &Literal,
    parameter: &crate::shape::Parameter,
    strings: &mut Strings,
) -> Result<(), &'static str> {
    match (parameter.letter, &literal.value) {
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

/// A request to run some of these tests.
pub fn batch(
    number: u32,
    needed: Needed,
    strings: &[String],
    tests: &Encoded,
    range: Range<usize>,
) -> Vec<u8> {
    let content = tests.of(range.clone());
    let mut bytes = begin(RUN);
    bytes.reserve(content.len() + 16);
    bytes.extend(number.to_be_bytes());
    bytes.push(needed.0);
    put_strings(&mut bytes, strings);
    put_number(&mut bytes, range.len() as u64);
    bytes.extend_from_slice(content);
    finish(bytes)
}

/// A request to run the first of these tests and tell its values in full.
pub fn examination(
    number: u32,
    needed: Needed,
    world: World,
    strings: &[String],
    test: &Encoded,
) -> Vec<u8> {
    let mut bytes = begin(EXAMINE);
    bytes.extend(number.to_be_bytes());
    bytes.push(needed.0);
    bytes.push(world.0);
    put_strings(&mut bytes, strings);
    bytes.extend_from_slice(test.of(0..1));
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
