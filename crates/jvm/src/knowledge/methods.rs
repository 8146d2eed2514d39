//! The lines and branches that belong to each operation: those of its method, and of the methods without an operation of
//! their own that it leads to, such as private ones and lambda bodies.

use crate::coverage::Coverage;
use crate::model::{JvmModel, JvmOperation};
use classfile::ClassFile;
use classfile::analysis::calls::CallGraph;
use classfile::analysis::coverage::Criterion;
use classfile::analysis::hierarchy::{Hierarchy, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// The methods of some classes and who calls whom.
pub struct Methods {
    hierarchy: Hierarchy,
    graph: CallGraph,
}

impl Methods {
    /// The methods of some classes. Calls to other classes are not followed, nor those of a class with code that cannot be read.
    pub fn of(classes: &[&ClassFile]) -> Methods {
        let mut hierarchy = Hierarchy::default();
        for class in classes {
            hierarchy.add(class);
        }
        let graph = CallGraph::of(&hierarchy, classes).unwrap_or_else(|_| {
            let readable = |class: &&&ClassFile| CallGraph::of(&hierarchy, &[**class]).is_ok();
            let readable: Vec<&ClassFile> = classes.iter().filter(readable).copied().collect();
            CallGraph::of(&hierarchy, &readable).unwrap_or_default()
        });
        Methods { hierarchy, graph }
    }

    fn method(&self, operation: &JvmOperation) -> Option<MethodId> {
        let JvmOperation {
            owner,
            name,
            descriptor,
            ..
        } = operation;
        self.hierarchy.resolve(owner, name, descriptor)
    }

    /// How many lines each operation can reach by calls, its own included; 0 where it has no code here.
    pub fn reachable_lines(&self, model: &JvmModel) -> Vec<u64> {
        let lines = self.graph.reachable_lines();
        let of = |operation| {
            let number = self.graph.number(self.method(operation)?)?;
            lines.get(number).copied()
        };
        let operations = model.operations.iter();
        operations.map(|one| of(one).unwrap_or(0)).collect()
    }

    /// The branches of each operation, by their numbers as goals of the first criterion.
    pub fn branches(&self, model: &JvmModel, coverage: &Coverage) -> Vec<Vec<u32>> {
        let mut own: BTreeMap<MethodId, Vec<u32>> = BTreeMap::new();
        for class in coverage.classes() {
            let Some(id) = self.hierarchy.find(&class.name) else {
                continue;
            };
            for (goal, found) in class.goals.of_criterion(Criterion::Branch) {
                let method = MethodId {
                    class: id,
                    method: found.method,
                };
                own.entry(method).or_default().push(class.goal(goal).number);
            }
        }
        let graph = self.graph.graph();
        let operations: Vec<Option<usize>> = model
            .operations
            .iter()
            .map(|one| self.graph.number(self.method(one)?))
            .collect();
        let called: BTreeSet<usize> = operations.iter().flatten().copied().collect();
        let of = |start: usize| {
            let mut seen = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(method) = open.pop() {
                for next in graph.successors(method) {
                    if !called.contains(next) && seen.insert(*next) {
                        open.push(*next);
                    }
                }
            }
            let methods = seen.iter().map(|number| self.graph.methods[*number]);
            let branches = methods.flat_map(|method| own.get(&method).into_iter().flatten());
            branches.copied().collect::<Vec<u32>>()
        };
        let all = operations.iter();
        all.map(|one| one.map(of).unwrap_or_default()).collect()
    }
}
