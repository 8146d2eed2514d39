//! Rewrites one class: every method gets its plan, lower levels are tried where a plan does not fit, and what was done is
//! told.

use std::borrow::Cow;

use super::calls::CallTable;
use super::method::Workshop;
use super::plan::{Plan, Slot};
use super::planner::{ClassFacts, Found, Planner};
use super::probes::{Branch, Chosen, HitInfo, Level, Numbers, Probes};
use super::shape::LINE;
use super::{Refused, bootstrap, reset, tables};
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::Error;
use crate::frames::Frames;
use crate::member::Member;
use crate::pool::{Constant, ConstantPool};

/// Rewrites classes by one table of probes.
#[derive(Debug)]
pub struct Rewriter {
    probes: Probes,
    calls: CallTable,
    workshop: Workshop,
    plan: Plan,
    facts: ClassFacts,
    lines: Vec<(u32, u16)>,
}

/// What was done to a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// What the numbers of hits mean; the first is the one that was given.
    pub hits: Vec<HitInfo>,
    /// The branches with the numbers of their edges, if distances, counts or traces were asked for.
    pub branches: Vec<Branch>,
    /// The next free numbers.
    pub next: Numbers,
    /// Methods that got less than was asked for.
    pub reduced: Vec<Reduced>,
    /// Whether the class has a method that resets its static state.
    pub resettable: bool,
}

/// A method that got less than was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Which method of the class.
    pub method: u16,
    /// What it got.
    pub level: Level,
    /// Why it did not get more.
    pub reason: Refused,
}

impl Rewriter {
    /// A rewriter that inserts these probes.
    pub fn new(probes: Probes) -> Rewriter {
        Rewriter {
            calls: CallTable::new(&probes.calls),
            probes,
            workshop: Workshop::default(),
            plan: Plan::new(),
            facts: ClassFacts::default(),
            lines: Vec::new(),
        }
    }

    /// Changes a class in place. `chosen` must be sorted. Hits and edges are numbered from `first`.
    pub fn rewrite(&mut self, class: &mut ClassFile, chosen: &Chosen, first: Numbers) -> Rewritten {
        self.learn(class);
        let mut done = Rewritten {
            next: first,
            ..Rewritten::default()
        };
        // A class whose pool is full keeps its references and its initialiser; its methods are reported one by one.
        let redirected = &self.facts.redirected;
        let _ = bootstrap::redirect(&mut class.attributes, redirected, &mut class.pool);
        let reset = match self.probes.reset {
            true => reset::prepare(class).unwrap_or_default(),
            false => None,
        };
        done.resettable = reset.is_some();
        let mut found = Found::default();
        for method in 0..class.methods.len() as u16 {
            let defaults = match &reset {
                Some((at, defaults)) if *at == method => Some(&defaults[..]),
                _ => None,
            };
            self.method(class, method, chosen, defaults, &mut found, &mut done);
        }
        done.hits = found.hits;
        done.branches = found.branches;
        done
    }

    /// Changes one method by a plan of the caller's.
    pub fn apply(
        &mut self,
        class: &mut ClassFile,
        method: u16,
        plan: &mut Plan,
    ) -> Result<(), Refused> {
        let member = &class.methods[usize::from(method)];
        let Some(at) = code_of(member, &class.pool) else {
            return Ok(());
        };
        let code = Code::parse(&member.attributes[at], &class.pool)?;
        let frames = frames_of(class, member, &code)?;
        self.workshop.shape.read(&code);
        let info = self
            .workshop
            .apply(&code, frames.as_ref(), plan, &mut class.pool)?;
        class.methods[usize::from(method)].attributes[at].info = Cow::Owned(info);
        Ok(())
    }

    /// Finds what concerns a class as a whole.
    fn learn(&mut self, class: &ClassFile) {
        let mut redirected = std::mem::take(&mut self.facts.redirected);
        self.calls.find(&class.pool, &mut redirected);
        let watched = &self.probes.statics.classes;
        let mut fields = std::mem::take(&mut self.facts.watched);
        fields.clear();
        if !watched.is_empty() {
            // Fields of one class come in rows, so the last answer is often the next one.
            let mut last = (0, None);
            for (index, constant) in class.pool.iter() {
                let Constant::Field(owner, _) = constant else {
                    continue;
                };
                if *owner != last.0 {
                    let name = class.pool.class_name(*owner).unwrap_or_default();
                    last = (*owner, watched.get(name).copied());
                }
                fields.extend(last.1.map(|number| (index, number)));
            }
        }
        self.facts = ClassFacts {
            redirected,
            watched: fields,
            own: watched.get(class.name()).copied(),
            ..ClassFacts::default()
        };
    }

    fn method(
        &mut self,
        class: &mut ClassFile,
        method: u16,
        chosen: &Chosen,
        defaults: Option<&[u8]>,
        found: &mut Found,
        done: &mut Rewritten,
    ) {
        let member = &class.methods[usize::from(method)];
        let Some(at) = code_of(member, &class.pool) else {
            return;
        };
        let read = Code::parse(&member.attributes[at], &class.pool)
            .and_then(|code| Ok((frames_of(class, member, &code)?, code)));
        let (frames, code) = match read {
            Ok(read) => read,
            Err(error) => {
                done.reduced.push(Reduced {
                    method,
                    level: Level::Untouched,
                    reason: error.into(),
                });
                return;
            }
        };
        let task = Task {
            chosen,
            method,
            defaults,
            initialiser: defaults.is_some() || member.name(&class.pool) == "<clinit>",
            code: &code,
            frames: frames.as_ref(),
        };
        self.workshop.shape.read(&code);
        mark_lines(&code, &class.pool, &mut self.workshop, &mut self.lines);
        if let Some(info) = self.descend(&task, &mut class.pool, found, done) {
            class.methods[usize::from(method)].attributes[at].info = Cow::Owned(info);
        }
    }

    /// Goes down the levels until a plan fits, and gives the new content of the `Code` attribute if it changes.
    fn descend(
        &mut self,
        task: &Task,
        pool: &mut ConstantPool,
        found: &mut Found,
        done: &mut Rewritten,
    ) -> Option<Vec<u8>> {
        let start = (found.hits.len(), found.branches.len());
        let mut level = Level::All;
        let mut reason = None;
        let info = loop {
            found.hits.truncate(start.0);
            found.branches.truncate(start.1);
            let (numbers, applied) = self.attempt(task, level, done.next, pool, found);
            match applied {
                Err(refused) if level != Level::Untouched => {
                    level = level.below(&refused);
                    reason = Some(refused);
                }
                applied => {
                    done.next = numbers;
                    break applied.unwrap_or_default();
                }
            }
        };
        let method = task.method;
        done.reduced.extend(reason.map(|reason| Reduced {
            method,
            level,
            reason,
        }));
        info
    }

    /// Plans and applies one level. Numbers are the same at every level that does not fail while planning.
    fn attempt(
        &mut self,
        task: &Task,
        level: Level,
        numbers: Numbers,
        pool: &mut ConstantPool,
        found: &mut Found,
    ) -> (Numbers, Result<Option<Vec<u8>>, Refused>) {
        let plan = &mut self.plan;
        plan.clear();
        if let Some(defaults) = task.defaults {
            plan.code.extend_from_slice(defaults);
            plan.add(0, Slot::Entry, 0);
            plan.stack = 2;
        }
        let mut planner = Planner {
            probes: &self.probes,
            chosen: task.chosen,
            level,
            method: task.method,
            initialiser: task.initialiser,
            code: task.code,
            shape: &self.workshop.shape,
            lines: &self.lines,
            facts: &mut self.facts,
            pool,
            plan,
            numbers,
            found,
            compared: None,
        };
        let planned = planner.plan();
        let numbers = planner.numbers;
        let applied = planned.and_then(|()| match plan.is_empty() {
            true => Ok(None),
            false => {
                let info = self.workshop.apply(task.code, task.frames, plan, pool)?;
                Ok(Some(info))
            }
        });
        (numbers, applied)
    }
}

/// One method to be rewritten.
struct Task<'t> {
    chosen: &'t Chosen<'t>,
    method: u16,
    /// What the method that resets static state starts with.
    defaults: Option<&'t [u8]>,
    initialiser: bool,
    code: &'t Code<'t>,
    frames: Option<&'t Frames>,
}

fn code_of(member: &Member, pool: &ConstantPool) -> Option<usize> {
    let mut names = member.attributes.iter();
    names.position(|attribute| pool.is_utf8(attribute.name, "Code"))
}

/// The frames of a method that has a table of them.
fn frames_of(class: &ClassFile, member: &Member, code: &Code) -> Result<Option<Frames>, Error> {
    code.attribute(&class.pool, "StackMapTable")
        .map(|_| Frames::parse(class, member, code))
        .transpose()
}

/// Reads the line tables of a method and marks where they have entries.
fn mark_lines(
    code: &Code,
    pool: &ConstantPool,
    workshop: &mut Workshop,
    lines: &mut Vec<(u32, u16)>,
) {
    lines.clear();
    for attribute in &code.attributes {
        if pool.is_utf8(attribute.name, "LineNumberTable") {
            tables::read_lines(&attribute.info, lines);
        }
    }
    let shape = &mut workshop.shape;
    lines.retain(|(pc, _)| shape.is_instruction(*pc));
    lines.sort_unstable();
    for (pc, _) in lines {
        shape.marks[*pc as usize] |= LINE;
    }
}
