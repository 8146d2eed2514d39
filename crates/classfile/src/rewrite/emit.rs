//! Writes the bytes of the new code by a finished layout.
//!
//! Runs of instructions between points are copied as they are; only jumps are written anew.

use super::layout::{Layout, NONE, Point, long_form, padding};
use super::plan::{Plan, Slot};
use super::shape::{Jump, Shape};
use crate::opcode::{Flow, Opcode};

pub(super) struct Emitter<'m> {
    pub code: &'m [u8],
    pub shape: &'m Shape,
    pub plan: &'m Plan,
    pub layout: &'m Layout,
}

impl Emitter<'_> {
    /// Appends the new code.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        let base = out.len();
        let edits = &self.plan.edits;
        for edit in edits.iter().take_while(|edit| edit.slot == Slot::Entry) {
            out.extend_from_slice(&self.plan.code[edit.start as usize..edit.end as usize]);
        }
        let mut copied = 0;
        let mut order = self.layout.order.iter();
        for point in &self.layout.points[1..] {
            out.extend_from_slice(&self.code[copied..point.pc as usize]);
            self.point(point, out);
            copied = (point.pc + point.old) as usize;
            let mut at = point.pool;
            while at < point.end {
                let island = order.next().expect("a pool has the size of its islands");
                at += self.island(*island, out);
            }
        }
        out.extend_from_slice(&self.code[copied..]);
        for island in order {
            self.island(*island, out);
        }
        debug_assert_eq!(out.len() - base, self.layout.total as usize);
    }

    fn point(&self, point: &Point, out: &mut Vec<u8>) {
        let edits = &self.plan.edits[point.edits.0 as usize..point.edits.1 as usize];
        let mut replaced = false;
        let mut done = false;
        for edit in edits.iter().take_while(|edit| edit.slot < Slot::Taken) {
            if edit.slot == Slot::After && !done {
                self.instruction(point, replaced, out);
                done = true;
            }
            replaced |= edit.slot == Slot::Replace;
            out.extend_from_slice(&self.plan.code[edit.start as usize..edit.end as usize]);
        }
        if !done {
            self.instruction(point, replaced, out);
        }
    }

    fn instruction(&self, point: &Point, replaced: bool, out: &mut Vec<u8>) {
        if replaced {
            return;
        }
        let old = &self.code[point.pc as usize..(point.pc + point.old) as usize];
        if point.jump == NONE {
            out.extend_from_slice(old);
            return;
        }
        let jump = &self.shape.jumps[point.jump as usize];
        match jump.flow {
            Flow::Branch => {
                let to = match point.island {
                    NONE => self.layout.label(jump.target),
                    island => self.layout.islands[island as usize].at,
                };
                out.push(jump.opcode.0);
                out.extend((offset(point.at, to) as i16).to_be_bytes());
            }
            Flow::Goto | Flow::Jsr => {
                let to = self.layout.label(jump.target);
                goto(
                    jump.opcode,
                    point.wide || jump.length == 5,
                    point.at,
                    to,
                    out,
                );
            }
            Flow::Switch => self.switch(point, jump, old, out),
            _ => out.extend_from_slice(old),
        }
    }

    fn switch(&self, point: &Point, jump: &Jump, old: &[u8], out: &mut Vec<u8>) {
        out.push(jump.opcode.0);
        out.resize(out.len() + padding(point.at) as usize, 0);
        let body = &old[1 + padding(jump.pc) as usize..];
        let route = |way: usize| match self.layout.routes[way] {
            NONE => self.layout.label(self.shape.ways[way].target),
            island => self.layout.islands[island as usize].at,
        };
        let first = jump.ways.0 as usize;
        let cases = first + 1..jump.ways.1 as usize;
        out.extend(offset(point.at, route(first)).to_be_bytes());
        if jump.opcode == Opcode::TABLESWITCH {
            out.extend_from_slice(&body[4..12]);
            for way in cases {
                out.extend(offset(point.at, route(way)).to_be_bytes());
            }
        } else {
            out.extend_from_slice(&body[4..8]);
            for way in cases {
                let key = 8 + 8 * (way - first - 1);
                out.extend_from_slice(&body[key..key + 4]);
                out.extend(offset(point.at, route(way)).to_be_bytes());
            }
        }
    }

    /// Appends an island and gives its size.
    fn island(&self, number: u32, out: &mut Vec<u8>) -> u32 {
        let island = &self.layout.islands[number as usize];
        for edit in &self.plan.edits[island.edits.0 as usize..island.edits.1 as usize] {
            out.extend_from_slice(&self.plan.code[edit.start as usize..edit.end as usize]);
        }
        let goto_size = if island.wide { 5 } else { 3 };
        let from = island.at + island.size - goto_size;
        let to = self.layout.label(island.target);
        goto(Opcode::GOTO, island.wide, from, to, out);
        island.size
    }
}

fn offset(from: u32, to: u32) -> i32 {
    to as i32 - from as i32
}

fn goto(opcode: Opcode, wide: bool, from: u32, to: u32, out: &mut Vec<u8>) {
    match wide {
        true => {
            out.push(long_form(opcode).0);
            out.extend(offset(from, to).to_be_bytes());
        }
        false => {
            out.push(opcode.0);
            out.extend((offset(from, to) as i16).to_be_bytes());
        }
    }
}
