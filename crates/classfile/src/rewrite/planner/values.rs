//! Insertions at instructions that go on: array sizes, static fields, redirected calls.

use super::Planner;
use crate::opcode::Opcode;
use crate::rewrite::Refused;
use crate::rewrite::plan::Slot;
use crate::rewrite::probes::Level;
use crate::rewrite::runtime::Probe;
use crate::rewrite::shape::short;

/// Types of fields whose objects never change.
const IMMUTABLE: [&str; 10] = [
    "Ljava/lang/String;",
    "Ljava/lang/Class;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Short;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Double;",
    "Ljava/lang/Float;",
];

impl Planner<'_, '_> {
    pub(super) fn value(&mut self, pc: u32, opcode: Opcode) -> Result<(), Refused> {
        match opcode {
            Opcode::NEWARRAY | Opcode::ANEWARRAY => self.array(pc, 1),
            Opcode::MULTIANEWARRAY => self.array(pc, self.code.bytes[pc as usize + 3]),
            Opcode::PUTSTATIC | Opcode::GETSTATIC => self.static_field(pc, opcode),
            Opcode(number) if number <= Opcode::DCMPG.0 => self.comparison(pc, opcode),
            _ => self.redirect(pc, opcode),
        }
    }

    /// Lets the runtime see the sizes on the stack. More than one of them travel through an array, because no instruction
    /// reaches deeper than four slots.
    fn array(&mut self, pc: u32, dimensions: u8) -> Result<(), Refused> {
        if self.level > Level::NoDistances {
            return Ok(());
        }
        let start = self.plan.code.len();
        if dimensions == 1 {
            self.call(Probe::Array)?;
            self.plan.add(pc, Slot::Before, start);
            return Ok(());
        }
        self.plan.code.push(Opcode::ACONST_NULL.0);
        for _ in 0..dimensions {
            self.call(Probe::Dimension)?;
        }
        self.call(Probe::Arrays)?;
        for number in 0..dimensions {
            let last = number + 1 == dimensions;
            if !last {
                self.plan.code.push(Opcode::DUP.0);
            }
            let references = &mut self.facts.references;
            references.push_int(number.into(), &mut self.plan.code, self.pool)?;
            self.plan.code.push(Opcode::IALOAD.0);
            if !last {
                self.plan.code.push(Opcode::SWAP.0);
            }
        }
        self.plan.stack = self.plan.stack.max(1);
        self.plan.add(pc, Slot::Before, start);
        Ok(())
    }

    fn static_field(&mut self, pc: u32, opcode: Opcode) -> Result<(), Refused> {
        let field = self.operand(pc);
        let watched = &self.facts.watched;
        let Ok(at) = watched.binary_search_by_key(&field, |(index, _)| *index) else {
            return Ok(());
        };
        let class = watched[at].1;
        let own = self.initialiser && self.facts.own == Some(class);
        if own || self.level > Level::NoDistances {
            return Ok(());
        }
        if opcode == Opcode::GETSTATIC && !(self.probes.statics.reads && self.is_mutable(field)) {
            return Ok(());
        }
        let start = self.plan.code.len();
        self.call_with(Probe::Dirty, class)?;
        self.plan.add(pc, Slot::Before, start);
        Ok(())
    }

    fn is_mutable(&self, field: u16) -> bool {
        self.pool.member(field).is_ok_and(|field| {
            field.descriptor.starts_with(['L', '[']) && !IMMUTABLE.contains(&field.descriptor)
        })
    }

    fn redirect(&mut self, pc: u32, opcode: Opcode) -> Result<(), Refused> {
        let method = self.operand(pc);
        let redirected = &self.facts.redirected;
        let Ok(at) = redirected.binary_search_by_key(&method, |call| call.index) else {
            return Ok(());
        };
        if self.level > Level::EntryOnly {
            return Ok(());
        }
        let start = self.plan.code.len();
        let written = redirected[at].write(opcode, &mut self.plan.code, self.pool)?;
        if let Some(stack) = written {
            self.plan.stack = self.plan.stack.max(stack);
            self.plan.add(pc, Slot::Replace, start);
        }
        Ok(())
    }

    fn operand(&self, pc: u32) -> u16 {
        short(&self.code.bytes, pc as usize + 1) as u16
    }
}
