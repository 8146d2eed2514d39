//! Insertions at conditionals, switches and jumps backwards.
//!
//! Distances are recorded from the values themselves, before the jump. A comparison of longs, floats or doubles is replaced
//! by a call that records and compares, because four slots cannot be duplicated; the conditional after it is then done.

use super::{Planner, contains};
use crate::opcode::{Flow, Opcode};
use crate::rewrite::Refused;
use crate::rewrite::place::Side;
use crate::rewrite::plan::Slot;
use crate::rewrite::probes::{Branch, Decision, HitKind, Level};
use crate::rewrite::runtime::{OPERATOR_BITS, Operator, Probe};
use crate::rewrite::shape::{JUMPED, Jump};

impl Planner<'_, '_> {
    pub(super) fn jump(&mut self, jump: &Jump) -> Result<(), Refused> {
        let start = self.plan.code.len();
        if self.probes.budgets && self.level <= Level::NoDistances && self.backwards(jump) {
            self.call(Probe::Tick)?;
        }
        match jump.flow {
            Flow::Branch => self.conditional(jump, start),
            Flow::Switch => self.switch(jump, start),
            _ => {
                self.plan.add(jump.pc, Slot::Before, start);
                Ok(())
            }
        }
    }

    fn backwards(&self, jump: &Jump) -> bool {
        match jump.flow {
            Flow::Branch | Flow::Goto | Flow::Jsr => jump.target <= jump.pc,
            Flow::Switch => {
                let mut ways = self.shape.ways(jump).iter();
                ways.any(|way| way.target <= jump.pc)
            }
            _ => false,
        }
    }

    fn wants_edges(&self) -> bool {
        self.probes.distances || self.probes.sides || self.probes.trace
    }

    fn conditional(&mut self, jump: &Jump, start: usize) -> Result<(), Refused> {
        let edge = self.numbers.edges;
        if self.wants_edges() {
            let operator = operator(jump.opcode);
            self.numbers.edges += 2;
            self.found.branches.push(Branch {
                method: self.method,
                offset: jump.pc,
                edge,
                decision: Decision::Compare(operator),
            });
            let recorded = self.compared.take() == Some(jump.pc);
            if self.records_distance(edge, 2) && !recorded {
                self.compare(jump.opcode, code_of(edge, operator))?;
            }
        }
        self.plan.add(jump.pc, Slot::Before, start);
        self.edge(jump.pc, Side::Fall, Slot::After, edge)?;
        self.edge(jump.pc, Side::Taken, Slot::Taken, edge + 1)
    }

    /// Whether the distances of a branch are recorded at this level and not left out.
    fn records_distance(&self, edge: u32, edges: u32) -> bool {
        let left_out = || {
            let mut numbers = edge..edge + edges;
            numbers.all(|edge| contains(self.chosen.without_edges, edge))
        };
        self.probes.distances && self.level <= Level::NoEdges && !left_out()
    }

    fn compare(&mut self, opcode: Opcode, code: u32) -> Result<(), Refused> {
        let (probe, dup) = match opcode {
            Opcode::IFNULL | Opcode::IFNONNULL => (Probe::CompareNull, Opcode::DUP),
            Opcode::IF_ACMPEQ | Opcode::IF_ACMPNE => (Probe::CompareSame, Opcode::DUP2),
            opcode if opcode <= Opcode::IFLE => (Probe::CompareZero, Opcode::DUP),
            _ => (Probe::CompareInts, Opcode::DUP2),
        };
        self.plan.code.push(dup.0);
        self.plan.stack = self.plan.stack.max(3);
        self.call_with(probe, code)
    }

    /// Replaces `lcmp` and the like where a conditional follows that nothing else leads to.
    pub(super) fn comparison(&mut self, pc: u32, opcode: Opcode) -> Result<(), Refused> {
        let next = pc as usize + 1;
        let Some(condition) = self.code.bytes.get(next).copied().map(Opcode) else {
            return Ok(());
        };
        let alone = self.shape.marks[next] & JUMPED == 0;
        let edge = self.numbers.edges;
        if !(Opcode::IFEQ..=Opcode::IFLE).contains(&condition)
            || !alone
            || !self.records_distance(edge, 2)
        {
            return Ok(());
        }
        let probe = match opcode {
            Opcode::LCMP => Probe::Lcmp,
            Opcode::FCMPL => Probe::Fcmpl,
            Opcode::FCMPG => Probe::Fcmpg,
            Opcode::DCMPL => Probe::Dcmpl,
            _ => Probe::Dcmpg,
        };
        let start = self.plan.code.len();
        self.call_with(probe, code_of(edge, operator(condition)))?;
        self.plan.add(pc, Slot::Replace, start);
        self.compared = Some(pc + 1);
        Ok(())
    }

    fn switch(&mut self, jump: &Jump, start: usize) -> Result<(), Refused> {
        let shape = self.shape;
        let Some((default, cases)) = shape.ways(jump).split_first() else {
            return Ok(());
        };
        // Keys that go where the default goes fill the gaps of a table; they are the default.
        let own = |target: u32| target != default.target;
        let edge = self.numbers.edges;
        if self.wants_edges() {
            let keys = cases.iter().filter(|way| own(way.target));
            let keys: Vec<i32> = keys.filter_map(|way| way.key).collect();
            let edges = 1 + keys.len() as u32;
            self.numbers.edges += edges;
            self.found.branches.push(Branch {
                method: self.method,
                offset: jump.pc,
                edge,
                decision: Decision::Switch(keys),
            });
            if self.records_distance(edge, edges) {
                self.plan.code.push(Opcode::DUP.0);
                self.plan.stack = self.plan.stack.max(2);
                self.call_with(Probe::Select, edge)?;
            }
        }
        self.plan.add(jump.pc, Slot::Before, start);
        let default_hit = self.numbers.hits;
        self.edge(jump.pc, Side::Default, Slot::Default, edge)?;
        let mut number = edge;
        for way in cases {
            let Some(key) = way.key else {
                continue;
            };
            if own(way.target) {
                number += 1;
                self.edge(jump.pc, Side::Case(key), Slot::Case(key), number)?;
            } else {
                let start = self.plan.code.len();
                self.edge_code(default_hit, edge)?;
                self.plan.add(jump.pc, Slot::Case(key), start);
            }
        }
        Ok(())
    }

    /// What stands on one side of a branch.
    fn edge(&mut self, pc: u32, side: Side, slot: Slot, edge: u32) -> Result<(), Refused> {
        let hit = match self.probes.edges {
            true => self.number(pc, HitKind::Edge(side)),
            false => 0,
        };
        let start = self.plan.code.len();
        self.edge_code(hit, edge)?;
        self.plan.add(pc, slot, start);
        Ok(())
    }

    fn edge_code(&mut self, hit: u32, edge: u32) -> Result<(), Refused> {
        if self.level > Level::All {
            return Ok(());
        }
        if self.probes.edges {
            self.hit(hit)?;
        }
        if contains(self.chosen.without_edges, edge) {
            return Ok(());
        }
        if self.probes.sides {
            self.call_with(Probe::Side, edge)?;
        }
        if self.probes.trace {
            self.call_with(Probe::Trace, edge)?;
        }
        Ok(())
    }
}

fn code_of(edge: u32, operator: Operator) -> u32 {
    edge << OPERATOR_BITS | operator as u32
}

fn operator(opcode: Opcode) -> Operator {
    let number = match opcode {
        Opcode::IFNULL => 0,
        Opcode::IFNONNULL => 1,
        Opcode(opcode) => (opcode - Opcode::IFEQ.0) % 6,
    };
    match number {
        0 => Operator::Equal,
        1 => Operator::NotEqual,
        2 => Operator::Less,
        3 => Operator::GreaterEqual,
        4 => Operator::Greater,
        _ => Operator::LessEqual,
    }
}
