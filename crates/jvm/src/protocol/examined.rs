//! The reply to a closer look at one test: what a batch would have told, and everything of [`Observed`].

use super::bytes::{Broken, Reader};
use super::classes::Classes;
use super::decode::{self, Retired, TestReply};
use super::encode::Needed;
use crate::observed::{
    Observed, ObservedGetter, ObservedObject, ObservedStep, ObservedThrow, ObservedValue,
};

/// What a closer look at a test showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What a batch would have told, with all hits.
    pub reply: TestReply,
    /// The values; `None` if the test did not end by itself.
    pub observed: Option<Observed>,
    /// The frames of what was thrown, innermost first; trampolines and the worker's own are among them.
    pub frames: Vec<Frame>,
}

/// A frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The class, with dots.
    pub class: String,
    /// The method.
    pub method: String,
    /// The line; 0 where it is not known.
    pub line: u32,
}

/// Decodes the reply to an examination.
pub fn decode_look(
    bytes: &[u8],
    needed: Needed,
    classes: &mut Classes,
) -> Result<(Look, Option<Retired>), Broken> {
    let mut reader = Reader::new(bytes);
    let reply = decode::test(&mut reader, needed, classes)?;
    let mut look = Look {
        observed: None,
        frames: Vec::new(),
        reply,
    };
    if reader.byte()? == 1 {
        let mut observed = Observed::default();
        for _ in 0..look.reply.steps.len() {
            observed.steps.push(step(&mut reader, &mut look.frames)?);
        }
        look.observed = Some(observed);
    }
    let retired = decode::retired(&mut reader)?;
    if !reader.is_at_end() {
        return Err(reader.broken());
    }
    Ok((look, retired))
}

fn step(reader: &mut Reader, frames: &mut Vec<Frame>) -> Result<ObservedStep, Broken> {
    Ok(match reader.byte()? {
        0 => ObservedStep::Void,
        1 => ObservedStep::Value(value(reader, 0)?),
        2 => ObservedStep::Threw(thrown(reader, frames)?),
        _ => return Err(reader.broken()),
    })
}

/// A class name as `Class.getName` gives it, in internal form.
fn class(reader: &mut Reader) -> Result<String, Broken> {
    Ok(reader.text()?.replace('.', "/"))
}

fn value(reader: &mut Reader, depth: u32) -> Result<ObservedValue, Broken> {
    // An object, what its getters give.
    if depth > 2 {
        return Err(reader.broken());
    }
    Ok(match reader.byte()? {
        0 => ObservedValue::Null,
        1 => primitive(reader)?,
        2 => ObservedValue::Text(reader.units()?.0),
        3 => ObservedValue::Enum {
            class: class(reader)?,
            constant: reader.text()?,
        },
        4 => ObservedValue::Class(class(reader)?),
        5 => ObservedValue::Object(Box::new(object(reader, depth)?)),
        6 => ObservedValue::Unknown,
        _ => return Err(reader.broken()),
    })
}

fn primitive(reader: &mut Reader) -> Result<ObservedValue, Broken> {
    let letter = reader.byte()?;
    let bits = reader.bits()?;
    Ok(match letter {
        b'Z' => ObservedValue::Boolean(bits != 0),
        b'B' => ObservedValue::Byte(bits as i8),
        b'S' => ObservedValue::Short(bits as i16),
        b'C' => ObservedValue::Char(bits as u16),
        b'I' => ObservedValue::Int(bits as i32),
        b'J' => ObservedValue::Long(bits as i64),
        b'F' => ObservedValue::Float(bits as u32),
        b'D' => ObservedValue::Double(bits),
        _ => return Err(reader.broken()),
    })
}

fn object(reader: &mut Reader, depth: u32) -> Result<ObservedObject, Broken> {
    let class = class(reader)?;
    let step = reader.number()?.checked_sub(1);
    let length = reader.number()?.checked_sub(1);
    let elements = match reader.byte()? {
        0 => None,
        _ => Some(
            (0..reader.count(1)?)
                .map(|_| value(reader, depth + 1))
                .collect::<Result<_, Broken>>()?,
        ),
    };
    let getters = (0..reader.byte()?)
        .map(|_| getter(reader, depth))
        .collect::<Result<_, Broken>>()?;
    Ok(ObservedObject {
        class,
        step,
        length,
        elements,
        getters,
    })
}

fn getter(reader: &mut Reader, depth: u32) -> Result<ObservedGetter, Broken> {
    Ok(ObservedGetter {
        owner: class(reader)?,
        name: reader.text()?,
        descriptor: reader.text()?,
        throws: (0..reader.count(2)?)
            .map(|_| class(reader))
            .collect::<Result<_, Broken>>()?,
        value: value(reader, depth + 1)?,
    })
}

fn thrown(reader: &mut Reader, frames: &mut Vec<Frame>) -> Result<ObservedThrow, Broken> {
    let name = class(reader)?;
    let public_classes = (0..reader.byte()?)
        .map(|_| class(reader))
        .collect::<Result<_, Broken>>()?;
    let message = (reader.byte()? == 1).then(|| reader.text()).transpose()?;
    for _ in 0..reader.count(3)? {
        frames.push(Frame {
            class: reader.text()?,
            method: reader.text()?,
            line: reader.number()?,
        });
    }
    Ok(ObservedThrow {
        class: name,
        public_classes,
        message,
    })
}
