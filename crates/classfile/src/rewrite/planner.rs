//! Plans the insertions of one method from what a run asks for.
//!
//! Numbers are given out by what is asked for, at every level alike, so a method that gets less keeps its numbers and so do
//! the methods after it. Edges are numbered by offset and side, never by where they lead.

mod branches;
mod values;

use super::Refused;
use super::calls::Redirected;
use super::plan::{Plan, Slot, slot};
use super::probes::{
    Branch, Chosen, Hit, HitInfo, HitKind, Level, NumberSet, Numbers, PathChange, PathStep, Probes,
};
use super::references::References;
use super::runtime::Probe;
use super::shape::{LEADER, LINE, PLAIN_LENGTHS, Shape, length};
use crate::code::Code;
use crate::opcode::Opcode;
use crate::pool::ConstantPool;
use crate::rewrite::place::Place;

/// What the rewriting of a class found and decided so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub hits: Vec<HitInfo>,
    pub branches: Vec<Branch>,
}

/// What is known about a class before its methods are planned.
#[derive(Debug, Default)]
pub(super) struct ClassFacts {
    pub references: References,
    pub redirected: Vec<Redirected>,
    /// Field constants of watched classes with the number of the class.
    pub watched: Vec<(u16, u32)>,
    /// The number of the class itself, if it is watched.
    pub own: Option<u32>,
}

/// Plans one method.
pub(super) struct Planner<'p, 'a> {
    pub probes: &'p Probes,
    pub chosen: &'p Chosen<'p>,
    pub level: Level,
    pub method: u16,
    /// Whether the method is the static initialiser, whose writes to the class's own fields are no change of state.
    pub initialiser: bool,
    pub code: &'p Code<'p>,
    pub shape: &'p Shape,
    /// The line table, sorted by offset.
    pub lines: &'p [(u32, u16)],
    pub facts: &'p mut ClassFacts,
    pub pool: &'p mut ConstantPool<'a>,
    pub plan: &'p mut Plan,
    pub numbers: Numbers,
    pub found: &'p mut Found,
    /// The conditional whose distance was recorded by the comparison before it.
    pub compared: Option<u32>,
}

impl Planner<'_, '_> {
    pub(super) fn plan(&mut self) -> Result<(), Refused> {
        self.entry()?;
        let first_line = self.number_lines();
        self.chosen_hits()?;
        self.paths()?;
        let shape = self.shape;
        let code = &self.code.bytes[..];
        let marks = match (self.probes.blocks, self.probes.lines) {
            (true, true) => LEADER | LINE,
            (true, false) => LEADER,
            (false, true) => LINE,
            (false, false) => 0,
        };
        let kinds = self.kinds();
        let mut jumps = shape.jumps.iter();
        let mut pc = 0;
        while pc < code.len() {
            let opcode = code[pc];
            let plain = PLAIN_LENGTHS[usize::from(opcode)];
            if shape.marks[pc] & marks != 0 {
                self.block_and_line(pc as u32, first_line)?;
            }
            if plain != 0 {
                if KINDS[usize::from(opcode)] & kinds != 0 {
                    self.value(pc as u32, Opcode(opcode))?;
                }
                pc += usize::from(plain);
                continue;
            }
            if opcode != Opcode::WIDE.0 || code[pc + 1] == Opcode::RET.0 {
                let jump = jumps.next().expect("the shape has every jump in order");
                self.jump(jump)?;
            }
            pc += length(code, pc);
        }
        Ok(())
    }

    fn entry(&mut self) -> Result<(), Refused> {
        let start = self.plan.code.len();
        if self.probes.methods {
            let number = self.number(0, HitKind::Method);
            if self.level <= Level::EntryOnly {
                self.hit(number)?;
            }
        }
        if self.probes.budgets && self.level <= Level::EntryOnly {
            self.call(Probe::Tick)?;
        }
        self.plan.add(0, Slot::Entry, start);
        Ok(())
    }

    /// Numbers the lines of the method in ascending order and gives the number of the first.
    fn number_lines(&mut self) -> u32 {
        let first = self.numbers.hits;
        if !self.probes.lines {
            return first;
        }
        let mut lines: Vec<(u16, u32)> = self.lines.iter().map(|(pc, line)| (*line, *pc)).collect();
        lines.sort_unstable();
        lines.dedup_by_key(|(line, _)| *line);
        for (line, pc) in lines {
            self.number(pc, HitKind::Line(line));
        }
        first
    }

    fn chosen_hits(&mut self) -> Result<(), Refused> {
        let hits = of_method(self.chosen.hits, self.method, |hit: &Hit| hit.method);
        for hit in hits {
            if self.allows(hit.place) {
                let start = self.plan.code.len();
                self.hit(hit.number)?;
                let (pc, slot) = slot(hit.place);
                self.plan.add(pc, slot, start);
            }
        }
        Ok(())
    }

    fn paths(&mut self) -> Result<(), Refused> {
        let paths = of_method(self.chosen.paths, self.method, |step: &PathStep| {
            step.method
        });
        for step in paths {
            if self.allows(step.place) {
                let start = self.plan.code.len();
                self.path(step.register, step.change)?;
                let (pc, slot) = slot(step.place);
                self.plan.add(pc, slot, start);
            }
        }
        Ok(())
    }

    fn path(&mut self, register: u32, change: PathChange) -> Result<(), Refused> {
        if change == PathChange::Record {
            return self.call_with(Probe::Path, register);
        }
        let (code, pool) = (&mut self.plan.code, &mut *self.pool);
        let references = &mut self.facts.references;
        references.path(code, pool)?;
        references.push_int(register as i32, code, pool)?;
        match change {
            PathChange::Set(value) => references.push_int(value, code, pool)?,
            PathChange::Add(value) => {
                code.extend([Opcode::DUP2.0, Opcode::IALOAD.0]);
                references.push_int(value, code, pool)?;
                code.push(Opcode::IADD.0);
            }
            PathChange::Record => {}
        }
        code.push(Opcode::IASTORE.0);
        self.plan.stack = self.plan.stack.max(4);
        Ok(())
    }

    /// Whether the level has room for something at a place.
    fn allows(&self, place: Place) -> bool {
        self.level
            <= match place {
                Place::Entry => Level::EntryOnly,
                Place::Before(_) | Place::After(_) => Level::NoDistances,
                Place::Edge(..) => Level::All,
            }
    }

    fn block_and_line(&mut self, pc: u32, first_line: u32) -> Result<(), Refused> {
        let start = self.plan.code.len();
        let mark = self.shape.marks[pc as usize];
        if mark & LINE != 0 && self.probes.lines && self.level <= Level::NoDistances {
            let lines = self.lines;
            let from = lines.partition_point(|(at, _)| *at < pc);
            for (_, line) in lines[from..].iter().take_while(|(at, _)| *at == pc) {
                let place = self.found.hits.len() - (self.numbers.hits - first_line) as usize;
                let of_method = &self.found.hits[place..];
                let rank = of_method.partition_point(
                    |info| matches!(info.kind, HitKind::Line(other) if other < *line),
                );
                self.hit(first_line + rank as u32)?;
            }
        }
        if mark & LEADER != 0 && self.probes.blocks {
            let number = self.number(pc, HitKind::Block);
            if self.level <= Level::NoDistances {
                self.hit(number)?;
            }
        }
        self.plan.add(pc, Slot::Before, start);
        Ok(())
    }

    /// Gives out the next number of a hit.
    fn number(&mut self, offset: u32, kind: HitKind) -> u32 {
        self.found.hits.push(HitInfo {
            method: self.method,
            offset,
            kind,
        });
        self.numbers.hits += 1;
        self.numbers.hits - 1
    }

    /// Appends a hit unless it is left out.
    fn hit(&mut self, number: u32) -> Result<(), Refused> {
        match contains(self.chosen.without_hits, number) {
            true => Ok(()),
            false => self.call_with(Probe::Hit, number),
        }
    }

    fn call(&mut self, probe: Probe) -> Result<(), Refused> {
        let code = &mut self.plan.code;
        Ok(self.facts.references.call(probe, code, self.pool)?)
    }

    fn call_with(&mut self, probe: Probe, number: u32) -> Result<(), Refused> {
        self.plan.stack = self.plan.stack.max(1);
        let code = &mut self.plan.code;
        let references = &mut self.facts.references;
        Ok(references.call_with(probe, number, code, self.pool)?)
    }

    fn kinds(&self) -> u8 {
        let mut kinds = 0;
        if self.probes.distances {
            kinds |= COMPARISON;
        }
        if self.probes.arrays {
            kinds |= ARRAY;
        }
        if !self.facts.watched.is_empty() {
            kinds |= STATIC;
        }
        if !self.facts.redirected.is_empty() {
            kinds |= CALL;
        }
        kinds
    }
}

fn contains(set: Option<&NumberSet>, number: u32) -> bool {
    set.is_some_and(|set| set.contains(number))
}

/// The part of a sorted list that belongs to one method.
fn of_method<T>(list: &[T], method: u16, key: fn(&T) -> u16) -> &[T] {
    let from = list.partition_point(|item| key(item) < method);
    let to = list.partition_point(|item| key(item) <= method);
    &list[from..to]
}

const COMPARISON: u8 = 1;
const ARRAY: u8 = 2;
const STATIC: u8 = 4;
const CALL: u8 = 8;

/// What each opcode may be interesting for.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut opcode = Opcode::LCMP.0;
    while opcode <= Opcode::DCMPG.0 {
        kinds[opcode as usize] = COMPARISON;
        opcode += 1;
    }
    kinds[Opcode::NEWARRAY.0 as usize] = ARRAY;
    kinds[Opcode::ANEWARRAY.0 as usize] = ARRAY;
    kinds[Opcode::MULTIANEWARRAY.0 as usize] = ARRAY;
    kinds[Opcode::PUTSTATIC.0 as usize] = STATIC;
    kinds[Opcode::GETSTATIC.0 as usize] = STATIC;
    kinds[Opcode::INVOKEVIRTUAL.0 as usize] = CALL;
    kinds[Opcode::INVOKESPECIAL.0 as usize] = CALL;
    kinds[Opcode::INVOKESTATIC.0 as usize] = CALL;
    kinds[Opcode::INVOKEINTERFACE.0 as usize] = CALL;
    kinds
};
