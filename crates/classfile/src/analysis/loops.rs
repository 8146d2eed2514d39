//! Loops of a flow graph.
//!
//! Natural loops as in Aho, Sethi and Ullman, "Compilers", section 10.4: a back edge leads to a dominator of its source; the
//! loop is what reaches the source without passing the header.
//!
//! Differences: back edges to one header make one loop. Cycles that are entered at several places (no compiler of Java makes
//! them) are not loops here, but the edges that close them are listed, so that every cycle holds a listed edge.

use std::collections::BTreeMap;

use super::{Dominators, Graph};

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The node through which the loop is entered.
    pub header: usize,
    /// All nodes of the loop, the header included, rising.
    pub body: Vec<usize>,
}

/// The loops of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// The loops, by header.
    pub loops: Vec<Loop>,
    /// The edges that lead back to a dominator.
    pub back_edges: Vec<(usize, usize)>,
    /// The edges that close a cycle with several entries.
    pub irregular: Vec<(usize, usize)>,
}

impl Loops {
    /// The loops among what can be reached from the root of the dominators.
    pub fn of(graph: &Graph, dominators: &Dominators) -> Loops {
        let mut rank = vec![0; graph.len()];
        for (number, node) in graph.postorder(dominators.root()).iter().enumerate() {
            rank[*node] = number;
        }
        let mut found = Loops::default();
        for from in (0..graph.len()).filter(|from| dominators.reaches(*from)) {
            for to in graph.successors(from) {
                if dominators.dominates(*to, from) {
                    found.back_edges.push((from, *to));
                } else if rank[*to] >= rank[from] {
                    // Depth-first search met an open node: the edge closes a cycle that its target does not dominate.
                    found.irregular.push((from, *to));
                }
            }
        }
        found.loops = bodies(graph, dominators, &found.back_edges);
        found
    }

    /// How many loops a node is in.
    pub fn depth(&self, node: usize) -> usize {
        let around = |one: &&Loop| one.body.binary_search(&node).is_ok();
        self.loops.iter().filter(around).count()
    }
}

fn bodies(graph: &Graph, dominators: &Dominators, back_edges: &[(usize, usize)]) -> Vec<Loop> {
    let mut sources: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in back_edges {
        sources.entry(*to).or_default().push(*from);
    }
    let predecessors = graph.reversed();
    let loops = sources.into_iter().map(|(header, mut work)| {
        let mut inside = vec![false; graph.len()];
        inside[header] = true;
        while let Some(node) = work.pop() {
            if !inside[node] && dominators.reaches(node) {
                inside[node] = true;
                work.extend(predecessors.successors(node));
            }
        }
        let body = (0..graph.len()).filter(|node| inside[*node]).collect();
        Loop { header, body }
    });
    loops.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loops(nodes: usize, edges: &[(usize, usize)]) -> Loops {
        let mut graph = Graph::new(nodes);
        edges.iter().for_each(|(from, to)| graph.add(*from, *to));
        Loops::of(&graph, &Dominators::of(&graph, 0))
    }

    #[test]
    fn nested_loops_have_depth_two() {
        let found = loops(5, &[(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (1, 4)]);
        assert_eq!(found.back_edges, vec![(2, 2), (3, 1)]);
        assert_eq!(found.depth(2), 2);
        assert_eq!(found.depth(3), 1);
        assert_eq!(found.depth(4), 0);
    }

    #[test]
    fn a_cycle_with_two_entries_is_irregular() {
        let found = loops(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]);
        assert_eq!(found.loops, vec![]);
        assert_eq!(found.irregular.len(), 1);
    }

    proptest! {
        #[test]
        fn without_the_listed_edges_no_cycle_is_left(
            edges in prop::collection::vec((0usize..9, 0usize..9), 0..26)
        ) {
            let found = loops(9, &edges);
            let mut graph = Graph::new(9);
            edges.iter().for_each(|(from, to)| graph.add(*from, *to));
            let reached = graph.reachable(&[0]);
            let mut rest = Graph::new(9);
            for edge in edges.iter().filter(|edge| reached[edge.0]) {
                if !found.back_edges.contains(edge) && !found.irregular.contains(edge) {
                    rest.add(edge.0, edge.1);
                }
            }
            prop_assert!(rest.components().iter().all(|nodes| nodes.len() == 1));
        }
    }
}
