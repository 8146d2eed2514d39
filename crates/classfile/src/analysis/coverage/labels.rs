//! Which instructions are reached how: the facts that decide where probes go.
//!
//! Source: the JaCoCo manual, "Control flow analysis for Java methods": a probe stands on every edge into an instruction with
//! several predecessors, at every exit, and where a new line starts after a line that calls a method.

use super::listing::Listing;
use crate::instruction::Operand;
use crate::opcode::{Flow, Opcode};

/// How an instruction is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Label {
    /// A jump, a handler, the start of a handler's range or the method's entry refers to it.
    target: bool,
    /// The instruction before it goes on to it.
    pub successor: bool,
    /// It is reached in more than one way.
    pub multiple: bool,
    /// A line that calls a method starts here.
    calls: bool,
}

impl Label {
    /// Whether a probe stands between the instruction before and this one.
    pub fn needs_probe(self) -> bool {
        self.successor && (self.multiple || self.calls)
    }

    fn reach(&mut self) {
        if self.target || self.successor {
            self.multiple = true;
        } else {
            self.target = true;
        }
    }

    fn follow(&mut self) {
        self.successor = true;
        self.multiple |= self.target;
    }
}

/// The labels of all instructions of a method.
pub(super) fn labels(listing: &Listing) -> Vec<Label> {
    let mut labels = vec![Label::default(); listing.len()];
    for range in &listing.ranges {
        labels[range.start].reach();
        labels[range.target].reach();
    }
    let mut follows = false;
    let mut line = None;
    for index in 0..listing.len() {
        if index == 0 {
            labels[index].reach();
        }
        if follows {
            labels[index].follow();
        }
        if listing.lines.starts_at(listing.pc(index)) {
            line = Some(index);
        }
        for target in targets(listing, index) {
            labels[target].reach();
        }
        if let (true, Some(line)) = (is_call(listing.opcode(index)), line) {
            labels[line].calls = true;
        }
        follows = matches!(listing.flow(index), Flow::Next | Flow::Branch);
        // Behind a `jsr` control comes from a `ret`.
        if listing.flow(index) == Flow::Jsr && index + 1 < listing.len() {
            labels[index + 1].reach();
        }
    }
    labels
}

/// The different instructions that a jump or switch leads to, the default first.
pub(super) fn targets(listing: &Listing, index: usize) -> Vec<usize> {
    let mut targets = Vec::new();
    match &listing.instructions[index].operand {
        Operand::Branch(target) => targets.extend(listing.index(*target)),
        Operand::Switch(switch) => {
            let mut seen = vec![false; listing.len()];
            for target in switch.targets().filter_map(|target| listing.index(target)) {
                if !seen[target] {
                    seen[target] = true;
                    targets.push(target);
                }
            }
        }
        _ => {}
    }
    targets
}

fn is_call(opcode: Opcode) -> bool {
    (Opcode::INVOKEVIRTUAL..=Opcode::INVOKEDYNAMIC).contains(&opcode)
}
