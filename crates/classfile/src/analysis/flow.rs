//! The control-flow graph of a method.
//!
//! A block is a run of instructions that is entered at its first and left at its last one. Calls do not end a block.
//!
//! Differences from a precise graph, all on the side of more edges: every block inside a handler's range may throw to it;
//! a `ret` leads behind every `jsr` of the method; types of exceptions are not compared.

use std::collections::BTreeSet;

use super::{Dependence, Dominators, Graph, Loops, control_dependence};
use crate::code::Code;
use crate::instruction::{Instruction, Operand};
use crate::opcode;
use crate::rewrite::Side;

/// The number of a block; blocks are numbered by offset, the first is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// A run of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The offset of the first instruction.
    pub start: u32,
    /// The offset of the last instruction.
    pub last: u32,
    /// The offset behind the last instruction.
    pub end: u32,
    /// Whether the last instruction can leave the method: a return, or a throw.
    pub exits: bool,
}

/// Why control follows an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The next block simply follows.
    Next,
    /// An unconditional jump.
    Goto,
    /// A side of the conditional or switch that ends the block.
    Side(Side),
    /// The exception handler of this number.
    Exception(u16),
    /// A `jsr` to a subroutine.
    Call,
    /// A `ret` to behind a `jsr`.
    Return,
}

/// An edge between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it starts.
    pub from: BlockId,
    /// Where it leads.
    pub to: BlockId,
    /// Why control follows it.
    pub kind: EdgeKind,
}

/// The control-flow graph of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowGraph {
    /// The blocks by offset.
    pub blocks: Vec<Block>,
    /// The edges: by source block, then in the order of sides, then handlers.
    pub edges: Vec<Edge>,
}

impl FlowGraph {
    /// The graph of a checked code. What does not decode is left out.
    pub fn of(code: &Code) -> FlowGraph {
        let instructions: Vec<Instruction> = code.instructions().collect();
        let blocks = blocks(code, &instructions);
        let mut graph = FlowGraph {
            blocks,
            edges: Vec::new(),
        };
        let returns: Vec<u32> = instructions
            .iter()
            .filter(|instruction| instruction.flow() == opcode::Flow::Jsr)
            .map(Instruction::next)
            .collect();
        let lasts: BTreeSet<u32> = graph.blocks.iter().map(|block| block.last).collect();
        let ends = instructions
            .iter()
            .filter(|instruction| lasts.contains(&instruction.pc));
        for (from, last) in ends.enumerate() {
            graph.leave(BlockId(from), last, &returns);
            graph.throw(BlockId(from), code);
        }
        graph
    }

    /// The block that holds the instruction at an offset.
    pub fn block_at(&self, pc: u32) -> Option<BlockId> {
        let after = self.blocks.partition_point(|block| block.start <= pc);
        let number = after.checked_sub(1)?;
        (pc < self.blocks[number].end).then_some(BlockId(number))
    }

    /// The graph over block numbers.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.blocks.len());
        for edge in &self.edges {
            graph.add(edge.from.0, edge.to.0);
        }
        graph
    }

    /// The dominators, from the entry on.
    pub fn dominators(&self) -> Dominators {
        Dominators::of(&self.graph(), 0)
    }

    /// The post-dominators; exits are returns and throws.
    pub fn post_dominators(&self) -> Dominators {
        let exits = self.blocks.iter().enumerate();
        let exits = exits.filter(|(_, block)| block.exits);
        let exits: Vec<usize> = exits.map(|(number, _)| number).collect();
        Dominators::post(&self.graph(), &exits)
    }

    /// Which blocks depend on which edges; [`Dependence::edge`] is an index of [`FlowGraph::edges`].
    pub fn control_dependence(&self) -> Vec<Dependence> {
        let ends: Vec<_> = self
            .edges
            .iter()
            .map(|edge| (edge.from.0, edge.to.0))
            .collect();
        control_dependence(&self.post_dominators(), &ends)
    }

    /// The loops over block numbers.
    pub fn loops(&self) -> Loops {
        Loops::of(&self.graph(), &self.dominators())
    }

    fn add(&mut self, from: BlockId, to: u32, kind: EdgeKind) {
        if let Some(to) = self.block_at(to) {
            self.edges.push(Edge { from, to, kind });
        }
    }

    /// The edges by which the last instruction of a block leaves it without an exception.
    fn leave(&mut self, from: BlockId, last: &Instruction, returns: &[u32]) {
        match (&last.operand, last.flow()) {
            (Operand::Branch(target), opcode::Flow::Branch) => {
                self.add(from, last.next(), EdgeKind::Side(Side::Fall));
                self.add(from, *target, EdgeKind::Side(Side::Taken));
            }
            (Operand::Branch(target), opcode::Flow::Goto) => {
                self.add(from, *target, EdgeKind::Goto);
            }
            (Operand::Branch(target), opcode::Flow::Jsr) => {
                self.add(from, *target, EdgeKind::Call);
            }
            (Operand::Switch(switch), _) => {
                self.add(from, switch.default, EdgeKind::Side(Side::Default));
                for (key, target) in &switch.cases {
                    self.add(from, *target, EdgeKind::Side(Side::Case(*key)));
                }
            }
            (_, opcode::Flow::Ret) => {
                for target in returns {
                    self.add(from, *target, EdgeKind::Return);
                }
            }
            (_, opcode::Flow::Next) => self.add(from, last.next(), EdgeKind::Next),
            _ => {}
        }
    }

    fn throw(&mut self, from: BlockId, code: &Code) {
        let block = self.blocks[from.0];
        for (number, handler) in code.handlers.iter().enumerate() {
            if u32::from(handler.start) < block.end && block.start < u32::from(handler.end) {
                let number = u16::try_from(number).unwrap_or(u16::MAX);
                self.add(from, u32::from(handler.target), EdgeKind::Exception(number));
            }
        }
    }
}

fn blocks(code: &Code, instructions: &[Instruction]) -> Vec<Block> {
    let mut starts = BTreeSet::from([0]);
    for handler in &code.handlers {
        starts.extend([handler.start, handler.end, handler.target].map(u32::from));
    }
    for instruction in instructions {
        match &instruction.operand {
            Operand::Branch(target) => starts.extend([*target, instruction.next()]),
            Operand::Switch(switch) => {
                starts.extend(switch.targets());
                starts.insert(instruction.next());
            }
            _ if instruction.flow() != opcode::Flow::Next => {
                starts.insert(instruction.next());
            }
            _ => {}
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    for instruction in instructions {
        let exits = matches!(
            instruction.flow(),
            opcode::Flow::Return | opcode::Flow::Throw
        );
        let (pc, end) = (instruction.pc, instruction.next());
        match blocks.last_mut() {
            Some(block) if !starts.contains(&pc) => {
                (block.last, block.end, block.exits) = (pc, end, exits);
            }
            _ => blocks.push(Block {
                start: pc,
                last: pc,
                end,
                exits,
            }),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subroutine_comes_back_behind_every_call_of_it() {
        let code = Code {
            max_stack: 1,
            max_locals: 1,
            // 0: jsr 7, 3: jsr 7, 6: return, 7: astore_0, 8: ret 0
            bytes: vec![0xa8, 0, 7, 0xa8, 0, 4, 0xb1, 0x4b, 0xa9, 0].into(),
            handlers: Vec::new(),
            attributes: Vec::new(),
            offset: 0,
            short: false,
        };
        let flow = FlowGraph::of(&code);
        let starts: Vec<u32> = flow.blocks.iter().map(|block| block.start).collect();
        assert_eq!(starts, vec![0, 3, 6, 7]);
        let edges = flow
            .edges
            .iter()
            .map(|edge| (edge.from.0, edge.to.0, edge.kind));
        let expected = [
            (0, 3, EdgeKind::Call),
            (1, 3, EdgeKind::Call),
            (3, 1, EdgeKind::Return),
            (3, 2, EdgeKind::Return),
        ];
        assert_eq!(edges.collect::<Vec<_>>(), expected);
        assert!(flow.post_dominators().dominates(3, 0));
    }
}
