//! Where everything stands in the new code: two maps from old offsets, and the islands.
//!
//! `label` is where jumps, handlers, frames and lines that named an instruction go: the start of what was inserted before
//! it. `at` is the instruction itself. What belongs to a taken edge stands on an island, `code; goto target`, which the jump
//! goes to instead. Islands stand at the end of the code, or, once it is too long for jumps of two bytes, after the next
//! instruction that does not go on. A conditional that no longer reaches its target gets an island without code. Sizes
//! depend on positions (padding of switches, long jumps), so the layout is repeated until nothing grows.

use super::Refused;
use super::plan::{Edit, Plan, Slot};
use super::shape::{self, Jump, Shape};
use crate::opcode::{Flow, Opcode};

/// No jump, no island, no point.
pub(super) const NONE: u32 = u32::MAX;

/// How far a jump of two bytes gets.
const REACH: u32 = 32767;

/// An instruction of which the place or size may change: every jump, and whatever has insertions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub pc: u32,
    /// The length of the old instruction; 0 where it is copied with what follows.
    pub old: u32,
    /// Which jump of the shape it is.
    pub jump: u32,
    /// Its pieces of the plan.
    pub edits: (u32, u32),
    /// The island that a conditional jumps to.
    pub island: u32,
    before: u32,
    after: u32,
    replaced: u32,
    /// Whether a goto or subroutine call needs four bytes.
    pub wide: bool,
    pub label: u32,
    pub at: u32,
    /// Where the instruction ends, without what follows on the fall-through edge.
    pub done: u32,
    /// Where islands after it start, if any.
    pub pool: u32,
    /// Where the next old instruction may start.
    pub end: u32,
}

/// Inserted code for an edge, followed by a goto.
#[derive(Clone, Copy, Debug)]
pub(super) struct Island {
    /// The old offset that the edge leads to.
    pub target: u32,
    /// Its pieces of the plan.
    pub edits: (u32, u32),
    pub size: u32,
    /// Whether the goto needs four bytes.
    pub wide: bool,
    pub at: u32,
    /// The point after which it stands.
    spot: u32,
    point: u32,
}

/// The layout of a method's new code. Made once and filled again for every method.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub points: Vec<Point>,
    pub islands: Vec<Island>,
    /// For each way out of a switch, its island.
    pub routes: Vec<u32>,
    /// The islands in the order in which they stand.
    pub order: Vec<u32>,
    /// For each old offset, the last point that is not after it.
    index: Vec<u32>,
    pub scattered: bool,
    pub entry: u32,
    /// Where islands at the end start.
    pub tail: u32,
    pub total: u32,
    length: u32,
}

impl Layout {
    /// Computes the layout of `code` with a finished plan.
    pub(super) fn compute(
        &mut self,
        code: &[u8],
        shape: &Shape,
        plan: &Plan,
    ) -> Result<(), Refused> {
        self.length = code.len() as u32;
        self.scattered = false;
        self.make_points(code, shape, plan);
        self.make_index();
        self.order.clear();
        self.order.extend(0..self.islands.len() as u32);
        loop {
            self.place(shape);
            if self.total > u32::from(u16::MAX) {
                return Err(Refused::TooLarge);
            }
            if self.total <= REACH {
                return Ok(());
            }
            let grown = match self.scattered {
                true => self.widen(shape)?,
                false => {
                    self.scattered = true;
                    true
                }
            };
            if !grown {
                return Ok(());
            }
            self.assign_spots(shape)?;
        }
    }

    fn make_points(&mut self, code: &[u8], shape: &Shape, plan: &Plan) {
        self.points.clear();
        self.islands.clear();
        self.routes.clear();
        self.routes.resize(shape.ways.len(), NONE);
        let edits = &plan.edits;
        let entries = edits
            .iter()
            .take_while(|edit| edit.slot == Slot::Entry && edit.pc == 0);
        let mut edit = 0;
        self.entry = 0;
        for entry in entries {
            self.entry += entry.length();
            edit += 1;
        }
        self.points.push(Point::new(0));
        let mut jump = 0;
        loop {
            let jump_pc = shape.jumps.get(jump).map_or(NONE, |jump| jump.pc);
            let edit_pc = edits.get(edit).map_or(NONE, |edit| edit.pc);
            let pc = jump_pc.min(edit_pc);
            if pc == NONE {
                break;
            }
            let mut point = Point::new(pc);
            let from = edit;
            while edits.get(edit).is_some_and(|edit| edit.pc == pc) {
                edit += 1;
            }
            point.edits = (from as u32, edit as u32);
            if pc == jump_pc {
                point.jump = jump as u32;
                point.old = shape.jumps[jump].length;
                jump += 1;
            }
            point.measure(code, &edits[from..edit]);
            self.make_islands(shape, plan, &mut point);
            self.points.push(point);
        }
    }

    fn make_islands(&mut self, shape: &Shape, plan: &Plan, point: &mut Point) {
        let (mut from, to) = point.edits;
        while from < to {
            let slot = plan.edits[from as usize].slot;
            let first = from;
            let mut size = 3;
            while from < to && plan.edits[from as usize].slot == slot {
                size += plan.edits[from as usize].length();
                from += 1;
            }
            if slot < Slot::Taken {
                continue;
            }
            let jump = &shape.jumps[point.jump as usize];
            let mut island = Island {
                target: jump.target,
                edits: (first, from),
                size,
                wide: false,
                at: 0,
                spot: NONE,
                point: self.points.len() as u32,
            };
            if slot == Slot::Taken {
                point.island = self.islands.len() as u32;
                self.islands.push(island);
            } else {
                let way = jump.ways.0 + way_number(shape, jump, slot);
                island.target = shape.ways[way as usize].target;
                self.routes[way as usize] = self.shared(plan, &island);
            }
        }
    }

    /// The number of an island, which is an earlier one of the same switch if that is equal. Gaps of a table that all lead
    /// to the default come in long rows.
    fn shared(&mut self, plan: &Plan, island: &Island) -> u32 {
        let of_switch = |other: &&Island| other.point == island.point;
        let recent = self.islands.iter().rev().take_while(of_switch).take(8);
        for (back, other) in recent.enumerate() {
            if equal(plan, other, island) {
                return (self.islands.len() - 1 - back) as u32;
            }
        }
        self.islands.push(*island);
        self.islands.len() as u32 - 1
    }

    fn make_index(&mut self) {
        self.index.clear();
        let length = self.length as usize + 1;
        self.index.reserve(length);
        for (number, next) in self.points.iter().skip(1).enumerate() {
            self.index.resize(next.pc as usize, number as u32);
        }
        let last = self.points.len() as u32 - 1;
        self.index.resize(length, last);
    }

    fn place(&mut self, shape: &Shape) {
        let mut at = self.entry;
        let mut copied = 0;
        let mut order = self.order.iter().peekable();
        for (number, point) in self.points.iter_mut().enumerate() {
            at += point.pc - copied;
            point.label = at;
            at += point.before;
            point.at = at;
            at += point.size(shape);
            point.done = at;
            at += point.after;
            point.pool = at;
            if self.scattered {
                while let Some(island) =
                    order.next_if(|island| self.islands[**island as usize].spot == number as u32)
                {
                    let island = &mut self.islands[*island as usize];
                    island.at = at;
                    at += island.size;
                }
            }
            point.end = at;
            copied = point.pc + point.old;
        }
        at += self.length - copied;
        self.tail = at;
        if !self.scattered {
            for island in &mut self.islands {
                island.at = at;
                at += island.size;
            }
        }
        self.total = at;
    }

    /// Makes jumps longer that do not reach, and says whether there were any.
    fn widen(&mut self, shape: &Shape) -> Result<bool, Refused> {
        let mut grown = false;
        for number in 1..self.points.len() {
            let point = self.points[number];
            if point.jump == NONE {
                continue;
            }
            let jump = &shape.jumps[point.jump as usize];
            let near = match (jump.flow, point.island) {
                (Flow::Branch | Flow::Goto | Flow::Jsr, NONE) => {
                    reaches(point.at, self.label(jump.target))
                }
                (Flow::Branch, island) => reaches(point.at, self.islands[island as usize].at),
                _ => true,
            };
            if near || point.wide || jump.length == 5 {
                continue;
            }
            grown = true;
            match (jump.flow, point.island) {
                (Flow::Branch, NONE) => {
                    self.points[number].island = self.islands.len() as u32;
                    self.islands.push(Island {
                        target: jump.target,
                        edits: (0, 0),
                        size: 3,
                        wide: false,
                        at: 0,
                        spot: NONE,
                        point: number as u32,
                    });
                }
                (Flow::Branch, _) => return Err(Refused::TooFar),
                _ => self.points[number].wide = true,
            }
        }
        for number in 0..self.islands.len() {
            let island = self.islands[number];
            let goto = island.at + island.size - 3;
            if !island.wide && island.spot != NONE && !reaches(goto, self.label(island.target)) {
                self.islands[number].wide = true;
                self.islands[number].size += 2;
                grown = true;
            }
        }
        Ok(grown)
    }

    /// Puts every island after the first point from its own on that does not go on.
    fn assign_spots(&mut self, shape: &Shape) -> Result<(), Refused> {
        for island in &mut self.islands {
            let stops = |point: &Point| {
                point.jump != NONE && !shape.jumps[point.jump as usize].flow.falls_through()
            };
            let rest = &self.points[island.point as usize..];
            let spot = rest.iter().position(stops).ok_or(Refused::TooFar)?;
            island.spot = island.point + spot as u32;
        }
        self.order.clear();
        self.order.extend(0..self.islands.len() as u32);
        let islands = &self.islands;
        self.order
            .sort_by_key(|number| islands[*number as usize].spot);
        Ok(())
    }

    /// Where what named the old instruction at `pc`, or the end of the code, goes.
    pub(super) fn label(&self, pc: u32) -> u32 {
        let number = self.index[pc as usize];
        let point = &self.points[number as usize];
        match number != 0 && point.pc == pc {
            true => point.label,
            false => point.end + (pc - point.pc - point.old),
        }
    }

    /// Where the old instruction at `pc` itself goes.
    pub(super) fn at(&self, pc: u32) -> u32 {
        let number = self.index[pc as usize];
        let point = &self.points[number as usize];
        match number != 0 && point.pc == pc {
            true => point.at,
            false => point.end + (pc - point.pc - point.old),
        }
    }

    /// Where a range that ended before the old offset `pc` ends. What was inserted after its last instruction is left out,
    /// because the instruction may have changed the type of a local.
    pub(super) fn end(&self, pc: u32) -> u32 {
        let point = &self.points[self.index[pc as usize - 1] as usize];
        match point.old != 0 && point.pc + point.old == pc {
            true => point.done,
            false => self.label(pc),
        }
    }

    pub(super) fn contains(&self, pc: u32) -> bool {
        pc <= self.length
    }
}

impl Point {
    fn new(pc: u32) -> Point {
        Point {
            pc,
            old: 0,
            jump: NONE,
            edits: (0, 0),
            island: NONE,
            before: 0,
            after: 0,
            replaced: NONE,
            wide: false,
            label: 0,
            at: 0,
            done: 0,
            pool: 0,
            end: 0,
        }
    }

    fn measure(&mut self, code: &[u8], edits: &[Edit]) {
        for edit in edits {
            match edit.slot {
                Slot::Before => self.before += edit.length(),
                Slot::Replace => self.replaced = edit.length(),
                Slot::After => self.after += edit.length(),
                _ => {}
            }
        }
        if self.jump == NONE && (self.after != 0 || self.replaced != NONE) {
            self.old = shape::length(code, self.pc as usize) as u32;
        }
    }

    fn size(&self, shape: &Shape) -> u32 {
        if self.jump == NONE {
            return match self.replaced {
                NONE => self.old,
                replaced => replaced,
            };
        }
        let jump = &shape.jumps[self.jump as usize];
        match jump.flow {
            Flow::Switch => jump.length - padding(jump.pc) + padding(self.at),
            Flow::Goto | Flow::Jsr if self.wide => 5,
            _ => jump.length,
        }
    }
}

/// The bytes between a switch's opcode at `at` and its table.
pub(super) fn padding(at: u32) -> u32 {
    3 - at % 4
}

fn reaches(from: u32, to: u32) -> bool {
    i16::try_from(i64::from(to) - i64::from(from)).is_ok()
}

fn way_number(shape: &Shape, jump: &Jump, slot: Slot) -> u32 {
    let Slot::Case(key) = slot else {
        return 0;
    };
    let cases = &shape.ways(jump)[1..];
    let at = cases.binary_search_by_key(&Some(key), |way| way.key);
    1 + at.expect("a finished plan names cases that the switch has") as u32
}

/// Whether two islands do the same.
fn equal(plan: &Plan, one: &Island, other: &Island) -> bool {
    let pieces = |island: &Island| {
        let edits = &plan.edits[island.edits.0 as usize..island.edits.1 as usize];
        edits
            .iter()
            .map(|edit| &plan.code[edit.start as usize..edit.end as usize])
    };
    one.target == other.target && one.size == other.size && pieces(one).eq(pieces(other))
}

/// The opcode of a goto or subroutine call of four bytes.
pub(super) fn long_form(opcode: Opcode) -> Opcode {
    match opcode {
        Opcode::JSR => Opcode::JSR_W,
        _ => Opcode::GOTO_W,
    }
}
