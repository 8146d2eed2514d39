//! From labels to probes, and from each instruction back to the one it is reached from.
//!
//! Between two probes control has one way only, so what a probe proves is found by walking back from it. Source: the JaCoCo
//! manual, "Control flow analysis for Java methods".

use std::collections::BTreeMap;

use super::labels::{Label, labels, targets};
use super::listing::Listing;
use crate::instruction::Operand;
use crate::opcode::Flow;
use crate::rewrite::{Place, Side};

/// One instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wire {
    /// The ways out, sorted, once [`wire`] is done.
    pub sides: Vec<Side>,
    /// The only instruction it is reached from without a probe, and by which way out of that.
    pub from: Option<(usize, Side)>,
}

/// What stands at one or more places and proves that an instruction was left by a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WiredProbe {
    pub index: usize,
    pub side: Side,
    pub places: Vec<Place>,
}

pub(super) struct Wiring {
    pub wires: Vec<Wire>,
    /// In the order of their numbers in JaCoCo's data.
    pub probes: Vec<WiredProbe>,
}

/// Finds the probes of a method and wires its instructions.
pub(super) fn wire(listing: &Listing) -> Wiring {
    let mut wiring = Wiring {
        wires: vec![Wire::default(); listing.len()],
        probes: Vec::new(),
    };
    let labels = labels(listing);
    let mut current: Option<usize> = None;
    for index in 0..listing.len() {
        let label = labels[index];
        if let (true, Some(last)) = (label.needs_probe(), current) {
            wiring.probe(last, Side::Fall, vec![Place::After(listing.pc(last))]);
            current = None;
        }
        if listing.is_labelled(index) && !label.successor {
            current = None;
        }
        if let Some(last) = current {
            wiring.step(last, Side::Fall, index);
        }
        wiring.leave(listing, &labels, index);
        let flow = listing.flow(index);
        current = (!matches!(flow, Flow::Jsr | Flow::Ret)).then_some(index);
    }
    for wire in &mut wiring.wires {
        wire.sides.sort_unstable();
    }
    wiring
}

impl Wiring {
    fn probe(&mut self, index: usize, side: Side, places: Vec<Place>) {
        self.wires[index].sides.push(side);
        let probe = WiredProbe {
            index,
            side,
            places,
        };
        self.probes.push(probe);
    }

    fn step(&mut self, from: usize, side: Side, to: usize) {
        self.wires[from].sides.push(side);
        self.wires[to].from = Some((from, side));
    }

    /// The ways out of an instruction other than to the next one.
    fn leave(&mut self, listing: &Listing, labels: &[Label], index: usize) {
        let pc = listing.pc(index);
        match listing.flow(index) {
            Flow::Return | Flow::Throw | Flow::Ret | Flow::Jsr => {
                self.probe(index, Side::Taken, vec![Place::Before(pc)]);
            }
            Flow::Branch | Flow::Goto => {
                let place = match listing.flow(index) {
                    Flow::Goto => Place::Before(pc),
                    _ => Place::Edge(pc, Side::Taken),
                };
                for target in targets(listing, index) {
                    match labels[target].multiple {
                        true => self.probe(index, Side::Taken, vec![place]),
                        false => self.step(index, Side::Taken, target),
                    }
                }
            }
            Flow::Switch => {
                let mut ways = switch_sides(listing, index);
                for target in targets(listing, index) {
                    let sides = ways.remove(&target).unwrap_or_default();
                    let Some(side) = sides.first().copied() else {
                        continue;
                    };
                    let places = sides.into_iter().map(|side| Place::Edge(pc, side));
                    match labels[target].multiple {
                        true => self.probe(index, side, places.collect()),
                        false => self.step(index, side, target),
                    }
                }
            }
            Flow::Next => {}
        }
    }
}

/// The sides of a switch by the instruction they lead to.
fn switch_sides(listing: &Listing, index: usize) -> BTreeMap<usize, Vec<Side>> {
    let mut sides: BTreeMap<usize, Vec<Side>> = BTreeMap::new();
    if let Operand::Switch(switch) = &listing.instructions[index].operand {
        let default = [(Side::Default, switch.default)];
        let cases = switch.cases.iter();
        let cases = cases.map(|(key, target)| (Side::Case(*key), *target));
        for (side, target) in default.into_iter().chain(cases) {
            if let Some(target) = listing.index(target) {
                sides.entry(target).or_default().push(side);
            }
        }
    }
    sides
}
