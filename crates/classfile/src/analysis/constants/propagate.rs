//! Runs the interpretation over a method's flow graph until nothing changes, then collects.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::state::State;
use super::step::Machine;
use super::{Environment, Known, Use};
use crate::analysis::flow::{BlockId, Edge, EdgeKind, FlowGraph};
use crate::class::ClassFile;
use crate::code::Code;
use crate::descriptor::MethodType;
use crate::instruction::{Instruction, Operand};
use crate::member::Member;

/// Methods with more blocks times variables than this are not propagated through.
const MOST_SLOTS: usize = 4_000_000;

pub(super) fn uses(
    class: &ClassFile,
    method: &Member,
    code: &Code,
    environment: &Environment,
) -> Vec<Use> {
    let machine = run(class, method, code, environment);
    machine.uses.into_values().flatten().collect()
}

/// The fields among these that an initialiser sets to one known value.
pub(super) fn stored(
    class: &ClassFile,
    method: &Member,
    code: &Code,
    environment: &Environment,
    fields: &BTreeSet<&str>,
) -> BTreeMap<String, Known> {
    let stored = run(class, method, code, environment).stored;
    let stored = stored.into_iter().filter_map(|(name, value)| {
        let wanted = fields.contains(name.as_str());
        value.filter(|_| wanted).map(|value| (name, value))
    });
    stored.collect()
}

fn run<'m>(
    class: &'m ClassFile<'m>,
    method: &Member,
    code: &Code,
    environment: &'m Environment,
) -> Machine<'m> {
    let descriptor = MethodType::parse(method.descriptor(&class.pool));
    let result = descriptor.ok().and_then(MethodType::result);
    let machine = || Machine {
        class,
        environment,
        bootstraps: OnceCell::new(),
        result: result.map(|result| result.kind()),
        uses: BTreeMap::new(),
        stored: BTreeMap::new(),
    };
    let flow = FlowGraph::of(code);
    let bodies = bodies(&flow, code);
    let mut states = vec![None; flow.blocks.len()];
    if flow.blocks.len() * usize::from(code.max_locals) <= MOST_SLOTS {
        states = propagate(&flow, &bodies, &mut machine());
    }
    let mut last = machine();
    for (body, state) in bodies.iter().zip(states) {
        let mut state = state.unwrap_or_default();
        for instruction in body {
            last.step(instruction, &mut state);
        }
    }
    last
}

/// The instructions of each block.
fn bodies(flow: &FlowGraph, code: &Code) -> Vec<Vec<Instruction>> {
    let mut bodies: Vec<Vec<Instruction>> = vec![Vec::new(); flow.blocks.len()];
    for instruction in code.instructions() {
        if let Some(BlockId(block)) = flow.block_at(instruction.pc) {
            bodies[block].push(instruction);
        }
    }
    bodies
}

/// What is known at the start of each block; `None` where control never comes.
fn propagate(
    flow: &FlowGraph,
    bodies: &[Vec<Instruction>],
    machine: &mut Machine,
) -> Vec<Option<State>> {
    let mut states: Vec<Option<State>> = vec![None; flow.blocks.len()];
    let mut edges: Vec<Vec<&Edge>> = vec![Vec::new(); flow.blocks.len()];
    for edge in &flow.edges {
        edges[edge.from.0].push(edge);
    }
    let Some(first) = states.first_mut() else {
        return states;
    };
    *first = Some(State::default());
    let mut work = BTreeSet::from([0]);
    while let Some(block) = work.pop_first() {
        let Some(mut state) = states[block].clone() else {
            continue;
        };
        let throws: Vec<usize> = targets(&edges[block], true);
        for handler in &throws {
            meet(&mut states, *handler, &state.at_handler(), &mut work);
        }
        for instruction in &bodies[block] {
            machine.step(instruction, &mut state);
            // A handler sees nothing of the stack, so only changed variables can tell it something new.
            let local = matches!(
                instruction.operand,
                Operand::Local(_) | Operand::Increment { .. }
            );
            for handler in throws.iter().filter(|_| local) {
                meet(&mut states, *handler, &state.at_handler(), &mut work);
            }
        }
        for target in targets(&edges[block], false) {
            meet(&mut states, target, &state, &mut work);
        }
    }
    states
}

fn targets(edges: &[&Edge], exceptional: bool) -> Vec<usize> {
    let wanted = |edge: &&&Edge| matches!(edge.kind, EdgeKind::Exception(_)) == exceptional;
    let mut targets: Vec<usize> = edges.iter().filter(wanted).map(|edge| edge.to.0).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn meet(states: &mut [Option<State>], block: usize, state: &State, work: &mut BTreeSet<usize>) {
    let changed = match &mut states[block] {
        Some(known) => known.merge(state),
        none => {
            *none = Some(state.clone());
            true
        }
    };
    if changed {
        work.insert(block);
    }
}
