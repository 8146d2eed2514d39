//! Replies to what they mean, as far as one worker can tell: classes have numbers of the pool, types come later.

use super::bytes::{Broken, Reader};
use super::classes::{ClassNumber, Classes};
use super::encode::Needed;

/// How a test ended inside the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran {
    /// All steps ran.
    Normally,
    /// The last step begun threw.
    Threw,
    /// It used up its budget, or waited without end.
    TimedOut,
    /// It wanted to end the process.
    Exited,
    /// It ran out of memory.
    NoMemory,
    /// It hung, and the worker had to be killed.
    Hung,
    /// The worker died with it.
    Died,
}

/// What a step gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It gives no value.
    Void,
    /// Null.
    Nothing,
    /// An object that cannot be told apart cheaply.
    Plain(ClassNumber),
    /// An object and what marks its value.
    Marked(ClassNumber, u64),
    /// The bits of a primitive.
    Primitive(u64),
    /// It threw.
    Threw(ClassNumber),
}

/// A contract that a value broke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which; the numbers are those of `Contract`.
    pub contract: u8,
    /// The steps whose values break it.
    pub steps: Vec<u32>,
    /// The class of the first of them.
    pub class: ClassNumber,
    /// The operation that checked it, if one of the subject's did.
    pub operation: Option<u32>,
    /// The innermost own frame of what was thrown, or nothing.
    pub frame: String,
    /// The class of what was thrown, or nothing.
    pub thrown: String,
}

/// What one test showed.
#[derive(Debug, Clone, PartialEq)]
pub struct TestReply {
    /// How it ended.
    pub ran: Ran,
    /// What the steps gave, as far as they ran.
    pub steps: Vec<Step>,
    /// What it cost.
    pub ticks: u32,
    /// The time that it took, in microseconds, where that was asked for.
    pub micros: u32,
    /// The places it hit, if one of them is new to the worker.
    pub hits: Vec<u32>,
    /// Contracts that its values broke.
    pub violations: Vec<Violation>,
    /// Where something suspicious was thrown, and its message.
    pub suspicious: Option<(String, String)>,
    /// An operation that turned out not to be callable, and why.
    pub unlinked: Option<(u32, String)>,
    /// Why the worker was replaced after it, if it was.
    pub retired: Option<Retired>,
    /// Least distances to edges.
    pub distances: Vec<(u32, f64)>,
    /// Values that were switched on, by the first edge of the switch.
    pub selected: Vec<(u32, i32)>,
    /// Counts of edges, up to 2.
    pub sides: Vec<(u32, u8)>,
    /// Edges in order.
    pub trace: Vec<u32>,
    /// Path registers and their values.
    pub paths: Vec<(u32, i32)>,
}

impl TestReply {
    /// A test that showed only how it ended.
    pub fn plain(ran: Ran) -> TestReply {
        TestReply {
            ran,
            steps: Vec::new(),
            ticks: 0,
            micros: 0,
            hits: Vec::new(),
            violations: Vec::new(),
            suspicious: None,
            unlinked: None,
            retired: None,
            distances: Vec::new(),
            selected: Vec::new(),
            sides: Vec::new(),
            trace: Vec::new(),
            paths: Vec::new(),
        }
    }
}

/// Why a worker is to be replaced although it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retired {
    /// A test left a thread behind.
    LeakedThread,
    /// Its memory is full.
    OutOfMemory,
}

pub(super) fn retired(reader: &mut Reader) -> Result<Option<Retired>, Broken> {
    Ok(match reader.byte()? {
        0 => None,
        1 => Some(Retired::LeakedThread),
        2 => Some(Retired::OutOfMemory),
        _ => return Err(reader.broken()),
    })
}

/// Decodes the reply to a batch of so many tests: those that ran, and whether the worker is to be replaced.
pub fn decode_batch(
    bytes: &[u8],
    sent: usize,
    needed: Needed,
    classes: &mut Classes,
) -> Result<(Vec<TestReply>, Option<Retired>), Broken> {
    let mut reader = Reader::new(bytes);
    let mut tests = Vec::with_capacity(sent);
    while reader.byte()? == 1 {
        tests.push(test(&mut reader, needed, classes)?);
    }
    let retired = retired(&mut reader)?;
    if !reader.is_at_end() {
        return Err(reader.broken());
    }
    Ok((tests, retired))
}

pub(super) fn test(
    reader: &mut Reader,
    needed: Needed,
    classes: &mut Classes,
) -> Result<TestReply, Broken> {
    let mut reply = TestReply::plain(Ran::Normally);
    let count = reader.number()?;
    reply.steps.reserve_exact(count.min(64) as usize);
    for _ in 0..count {
        let step = step(reader, classes)?;
        reply.steps.push(step);
        if matches!(step, Step::Threw(_)) {
            break;
        }
    }
    reply.ran = match reader.byte()? {
        0 => Ran::Normally,
        1 => Ran::Threw,
        2 => Ran::TimedOut,
        3 => Ran::Exited,
        4 => Ran::NoMemory,
        _ => return Err(reader.broken()),
    };
    reply.ticks = reader.number()?;
    reply.micros = reader.number()?;
    let parts = reader.byte()?;
    if parts & 1 != 0 {
        reply.hits = numbers(reader)?;
    }
    if parts & 8 != 0 {
        details(reader, needed, &mut reply)?;
    }
    if parts & 16 != 0 {
        reply.unlinked = Some((reader.number()?, reader.text()?));
    }
    if parts & 4 != 0 {
        reply.suspicious = Some((reader.text()?, reader.text()?));
    }
    if parts & 2 != 0 {
        for _ in 0..reader.byte()? {
            reply.violations.push(violation(reader, classes)?);
        }
    }
    Ok(reply)
}

fn step(reader: &mut Reader, classes: &mut Classes) -> Result<Step, Broken> {
    Ok(match reader.byte()? {
        0 => Step::Void,
        1 => Step::Nothing,
        2 => Step::Plain(classes.read(reader)?),
        3 => Step::Marked(classes.read(reader)?, reader.bits()?),
        4 => Step::Primitive(reader.bits()?),
        5 => Step::Threw(classes.read(reader)?),
        _ => return Err(reader.broken()),
    })
}

fn numbers(reader: &mut Reader) -> Result<Vec<u32>, Broken> {
    (0..reader.count(1)?).map(|_| reader.number()).collect()
}

fn pairs(reader: &mut Reader) -> Result<Vec<(u32, i32)>, Broken> {
    (0..reader.count(2)?)
        .map(|_| Ok((reader.number()?, reader.number()? as i32)))
        .collect()
}

fn details(reader: &mut Reader, needed: Needed, reply: &mut TestReply) -> Result<(), Broken> {
    if needed.0 & Needed::DISTANCES != 0 {
        for _ in 0..reader.count(9)? {
            let edge = reader.number()?;
            reply.distances.push((edge, f64::from_bits(reader.bits()?)));
        }
        reply.selected = pairs(reader)?;
    }
    if needed.0 & Needed::SIDES != 0 {
        for _ in 0..reader.count(2)? {
            reply.sides.push((reader.number()?, reader.byte()?));
        }
    }
    if needed.0 & Needed::TRACE != 0 {
        reply.trace = numbers(reader)?;
    }
    if needed.0 & Needed::PATHS != 0 {
        reply.paths = pairs(reader)?;
    }
    Ok(())
}

fn violation(reader: &mut Reader, classes: &mut Classes) -> Result<Violation, Broken> {
    Ok(Violation {
        contract: reader.byte()?,
        steps: (0..reader.byte()?)
            .map(|_| reader.number())
            .collect::<Result<_, Broken>>()?,
        class: classes.read(reader)?,
        operation: reader.number()?.checked_sub(1),
        frame: reader.text()?,
        thrown: reader.text()?,
    })
}

/// Decodes which operations cannot be called, and why.
pub fn decode_links(bytes: &[u8]) -> Result<Vec<(u32, String)>, Broken> {
    let mut reader = Reader::new(bytes);
    let mut reasons = Vec::new();
    while reader.byte()? == 1 {
        reasons.push((reader.number()?, reader.text()?));
    }
    Ok(reasons)
}

/// Decodes what went wrong in a redefinition, if something did.
pub fn decode_problem(bytes: &[u8]) -> Option<String> {
    let problem = Reader::new(bytes).text();
    problem.map_or(Some("a broken reply".to_owned()), |text| {
        Some(text).filter(|text| !text.is_empty())
    })
}
