//! Control dependence: which decisions a piece of code hangs on.
//!
//! Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", 1987, section 3.1: what is
//! post-dominated from an edge on, but not from its source on, depends on that edge.
//!
//! Differences: dependence is kept per edge, so that the two sides of a conditional stay apart even where they lead to the
//! same place.

use super::Dominators;

/// A node runs only if control takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependence {
    /// The node that depends.
    pub node: usize,
    /// The number of the edge in the list that was given.
    pub edge: usize,
}

/// The control dependences on the edges of a graph, sorted by node.
pub fn control_dependence(post: &Dominators, edges: &[(usize, usize)]) -> Vec<Dependence> {
    let mut dependences = Vec::new();
    for (edge, (from, to)) in edges.iter().enumerate() {
        let stop = post.immediate(*from);
        let mut node = Some(*to);
        while node != stop {
            let Some(at) = node.filter(|at| *at != post.root()) else {
                break;
            };
            dependences.push(Dependence { node: at, edge });
            node = post.immediate(at);
        }
    }
    dependences.sort_unstable();
    dependences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Graph;

    fn dependences(nodes: usize, edges: &[(usize, usize)], exits: &[usize]) -> Vec<(usize, usize)> {
        let mut graph = Graph::new(nodes);
        edges.iter().for_each(|(from, to)| graph.add(*from, *to));
        let found = control_dependence(&Dominators::post(&graph, exits), edges);
        found.iter().map(|found| (found.node, found.edge)).collect()
    }

    #[test]
    fn the_arms_of_a_conditional_depend_on_their_own_side() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3)];
        assert_eq!(dependences(4, &edges, &[3]), vec![(1, 0), (2, 1)]);
    }

    #[test]
    fn a_loop_depends_on_its_own_condition() {
        // 0 enters the condition 1, whose body 2 comes back; 3 is the exit.
        let edges = [(0, 1), (1, 2), (2, 1), (1, 3)];
        assert_eq!(dependences(4, &edges, &[3]), vec![(1, 1), (2, 1)]);
    }

    #[test]
    fn sides_that_lead_to_one_place_decide_nothing() {
        assert_eq!(dependences(2, &[(0, 1), (0, 1)], &[1]), vec![]);
    }
}
