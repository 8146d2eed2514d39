//! The call graph of many classes.
//!
//! Virtual and interface calls lead to what every known subtype of the receiver's static type would run: Dean, Grove and
//! Chambers, "Optimization of object-oriented programs using static class hierarchy analysis", 1995. An `invokedynamic` leads
//! to the bodies among its bootstrap arguments. Using a class statically or making an instance leads to its initialiser.
//!
//! Differences: calls by reflection and calls back from classes that were not added are not seen.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;
use super::hierarchy::{ClassId, Hierarchy, MethodId};
use super::lines::Lines;
use crate::attributes::{self, BootstrapMethod};
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::Error;
use crate::opcode::Opcode;
use crate::pool::{Constant, ConstantPool, MemberRef};

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    /// `invokestatic`
    Static,
    /// `invokespecial`: constructors, private methods, `super`.
    Special,
    /// `invokevirtual`
    Virtual,
    /// `invokeinterface`
    Interface,
    /// A lambda body or method reference of an `invokedynamic`.
    Dynamic,
    /// A class initialiser, run by a use of the class.
    Initialiser,
}

/// An edge of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The method that calls.
    pub from: MethodId,
    /// The method that may run.
    pub to: MethodId,
    /// How it is called.
    pub kind: CallKind,
    /// The first instruction that calls it so.
    pub pc: u32,
}

/// Who calls whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallGraph {
    /// The methods with code, in the order of classes and methods.
    pub methods: Vec<MethodId>,
    /// The calls, sorted.
    pub calls: Vec<Call>,
    numbers: BTreeMap<MethodId, usize>,
    /// How many lines each method has, in the order of `methods`.
    lines: Vec<u32>,
}

impl CallGraph {
    /// The call graph of the classes of a hierarchy. A class that is not in it is passed over.
    pub fn of(hierarchy: &Hierarchy, classes: &[&ClassFile]) -> Result<CallGraph, Error> {
        let mut graph = CallGraph::default();
        let mut finder = Finder {
            hierarchy,
            targets: BTreeMap::new(),
            calls: BTreeMap::new(),
        };
        for class in classes {
            if let Some(id) = hierarchy.find(class.name()) {
                graph.add_class(class, id, &mut finder)?;
            }
        }
        let calls = finder.calls.into_iter();
        let calls = calls.map(|((from, to, kind), pc)| Call { from, to, kind, pc });
        graph.calls = calls.collect();
        graph.numbers = (graph.methods.iter().copied().enumerate())
            .map(|(number, method)| (method, number))
            .collect();
        Ok(graph)
    }

    fn add_class(
        &mut self,
        class: &ClassFile,
        id: ClassId,
        finder: &mut Finder,
    ) -> Result<(), Error> {
        let bootstraps = match class.attribute("BootstrapMethods") {
            Some(attribute) => attributes::bootstrap_methods(attribute, &class.pool)?,
            None => Vec::new(),
        };
        for (method, member) in class.methods.iter().enumerate() {
            let Some(code) = member.code(&class.pool)? else {
                continue;
            };
            let from = MethodId { class: id, method };
            if self.methods.last() >= Some(&from) {
                // The same class was given twice.
                continue;
            }
            let lines = Lines::of(&code, &class.pool)?.count();
            self.methods.push(from);
            self.lines.push(u32::try_from(lines).unwrap_or(u32::MAX));
            finder.calls_of(&class.pool, &bootstraps, from, &code)?;
        }
        Ok(())
    }

    /// The number of a method in `methods`.
    pub fn number(&self, method: MethodId) -> Option<usize> {
        self.numbers.get(&method).copied()
    }

    /// The graph over the numbers of methods.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.methods.len());
        for call in &self.calls {
            if let (Some(from), Some(to)) = (self.number(call.from), self.number(call.to)) {
                graph.add(from, to);
            }
        }
        graph
    }

    /// How many lines each method has by itself, in the order of `methods`.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// How many lines each method can reach by calls, its own included, in the order of `methods`.
    pub fn reachable_lines(&self) -> Vec<u64> {
        let graph = self.graph();
        let components = graph.components();
        let mut component_of = vec![0; self.methods.len()];
        for (number, component) in components.iter().enumerate() {
            component
                .iter()
                .for_each(|node| component_of[*node] = number);
        }
        let weights = components.iter().map(|component| {
            let lines = component.iter().map(|node| u64::from(self.lines[*node]));
            lines.sum::<u64>()
        });
        let weights: Vec<u64> = weights.collect();
        // Components come before those that lead to them, so what they reach is known when it is needed.
        let words = components.len().div_ceil(64);
        let mut reached: Vec<Vec<u64>> = Vec::with_capacity(components.len());
        for (number, component) in components.iter().enumerate() {
            let mut set = vec![0u64; words];
            set[number / 64] |= 1 << (number % 64);
            let callees = component.iter().flat_map(|node| graph.successors(*node));
            let callees: BTreeSet<usize> = callees.map(|node| component_of[*node]).collect();
            for callee in callees.into_iter().filter(|callee| *callee != number) {
                for (word, other) in set.iter_mut().zip(&reached[callee]) {
                    *word |= other;
                }
            }
            reached.push(set);
        }
        let total = |set: &Vec<u64>| {
            let inside = |number: &usize| set[number / 64] >> (number % 64) & 1 == 1;
            let numbers = (0..weights.len()).filter(inside);
            numbers.map(|number| weights[number]).sum::<u64>()
        };
        let totals: Vec<u64> = reached.iter().map(total).collect();
        component_of
            .iter()
            .map(|component| totals[*component])
            .collect()
    }
}

/// Finds calls. Targets of equal references are looked up once.
struct Finder<'h> {
    hierarchy: &'h Hierarchy,
    targets: BTreeMap<(String, String, String), Vec<MethodId>>,
    calls: BTreeMap<(MethodId, MethodId, CallKind), u32>,
}

impl Finder<'_> {
    fn calls_of(
        &mut self,
        pool: &ConstantPool,
        bootstraps: &[BootstrapMethod],
        from: MethodId,
        code: &Code,
    ) -> Result<(), Error> {
        for instruction in code.instructions() {
            let Some(index) = instruction.constant() else {
                continue;
            };
            let pc = instruction.pc;
            match instruction.opcode {
                Opcode::INVOKEVIRTUAL => {
                    self.virtually(from, pc, pool.member(index)?, CallKind::Virtual)
                }
                Opcode::INVOKEINTERFACE => {
                    self.virtually(from, pc, pool.member(index)?, CallKind::Interface);
                }
                Opcode::INVOKESPECIAL => {
                    self.directly(from, pc, pool.member(index)?, CallKind::Special)
                }
                Opcode::INVOKESTATIC => {
                    let member = pool.member(index)?;
                    self.initialise(from, pc, member.owner);
                    self.directly(from, pc, member, CallKind::Static);
                }
                Opcode::GETSTATIC | Opcode::PUTSTATIC => {
                    self.initialise(from, pc, pool.member(index)?.owner);
                }
                Opcode::NEW => self.initialise(from, pc, pool.class_name(index)?),
                Opcode::INVOKEDYNAMIC => {
                    let (number, _, _) = pool.dynamic(index)?;
                    let bootstrap = bootstraps.get(usize::from(number));
                    let arguments = bootstrap.map_or(&[][..], |bootstrap| &bootstrap.arguments);
                    for argument in arguments {
                        self.handle(from, pc, pool, *argument);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, from: MethodId, pc: u32, to: MethodId, kind: CallKind) {
        self.calls.entry((from, to, kind)).or_insert(pc);
    }

    fn directly(&mut self, from: MethodId, pc: u32, member: MemberRef, kind: CallKind) {
        let resolved = self
            .hierarchy
            .resolve(member.owner, member.name, member.descriptor);
        if let Some(to) = resolved {
            self.add(from, pc, to, kind);
        }
    }

    fn virtually(&mut self, from: MethodId, pc: u32, member: MemberRef, kind: CallKind) {
        let key = (
            member.owner.to_owned(),
            member.name.to_owned(),
            member.descriptor.to_owned(),
        );
        let hierarchy = self.hierarchy;
        let targets = self
            .targets
            .entry(key)
            .or_insert_with(|| hierarchy.targets(member.owner, member.name, member.descriptor));
        for to in targets.clone() {
            self.add(from, pc, to, kind);
        }
    }

    /// The initialisers of a class and of its superclasses.
    fn initialise(&mut self, from: MethodId, pc: u32, class: &str) {
        let hierarchy = self.hierarchy;
        let mut at = hierarchy.find(class);
        let mut seen = BTreeSet::new();
        while let Some(id) = at.filter(|id| seen.insert(*id)) {
            let info = hierarchy.class(id);
            let method = info
                .methods
                .iter()
                .position(|(name, _, _)| name == "<clinit>");
            if let Some(method) = method.filter(|_| id != from.class) {
                let to = MethodId { class: id, method };
                self.add(from, pc, to, CallKind::Initialiser);
            }
            at = info
                .super_name
                .as_ref()
                .and_then(|name| hierarchy.find(name));
        }
    }

    /// A method handle among the arguments of a call site; handles of fields run no code.
    fn handle(&mut self, from: MethodId, pc: u32, pool: &ConstantPool, argument: u16) {
        let Ok(Constant::MethodHandle(kind, index)) = pool.get(argument) else {
            return;
        };
        let Ok(member) = pool.member(*index) else {
            return;
        };
        match kind {
            5 | 9 => self.virtually(from, pc, member, CallKind::Dynamic),
            6..=8 => self.directly(from, pc, member, CallKind::Dynamic),
            _ => {}
        }
    }
}
