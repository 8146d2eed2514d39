//! Dominators and post-dominators.
//!
//! Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001, figure 3: immediate dominators by iteration over
//! reverse postorder.
//!
//! Differences: nodes that the root does not reach have no dominators. Post-dominators are the dominators of the reversed
//! graph with one virtual exit; a part of the graph from which no exit can be reached (an endless loop) gets an edge from its
//! first node to the virtual exit, so that every node has a post-dominator.

use super::Graph;

/// A dominator tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    root: usize,
    /// The parent in the tree; `None` for the root and for what it does not reach.
    parent: Vec<Option<usize>>,
    /// How far from the root in the tree; `None` for what it does not reach.
    depth: Vec<Option<u32>>,
}

impl Dominators {
    /// The dominators of all nodes that can be reached from the root.
    pub fn of(graph: &Graph, root: usize) -> Dominators {
        let mut order = graph.postorder(root);
        let mut rank = vec![usize::MAX; graph.len()];
        for (number, node) in order.iter().enumerate() {
            rank[*node] = number;
        }
        order.reverse();
        let predecessors = graph.reversed();
        let mut parent: Vec<Option<usize>> = vec![None; graph.len()];
        if root < graph.len() {
            parent[root] = Some(root);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().skip(1) {
                let known = predecessors.successors(*node).iter().copied();
                let known = known.filter(|from| parent[*from].is_some());
                let found = known.reduce(|a, b| meet(&parent, &rank, a, b));
                if found != parent[*node] {
                    parent[*node] = found;
                    changed = true;
                }
            }
        }
        Dominators::from_tree(root, parent, &order)
    }

    fn from_tree(root: usize, mut parent: Vec<Option<usize>>, order: &[usize]) -> Dominators {
        let mut depth = vec![None; parent.len()];
        for node in order {
            depth[*node] = match parent[*node] {
                Some(above) if above != *node => depth[above].map(|depth: u32| depth + 1),
                _ => Some(0),
            };
        }
        if let Some(above) = parent.get_mut(root) {
            *above = None;
        }
        Dominators {
            root,
            parent,
            depth,
        }
    }

    /// The post-dominators. The virtual exit is the node after the graph's last one.
    pub fn post(graph: &Graph, exits: &[usize]) -> Dominators {
        let exit = graph.len();
        let mut reversed = graph.reversed();
        for node in exits.iter().filter(|node| **node < exit) {
            reversed.add(exit, *node);
        }
        if reversed.len() == exit {
            reversed.add(exit, exit);
        }
        let mut reached = reversed.reachable(&[exit]);
        // Components come sinks first, so one that still reaches no exit is a loop that nothing leaves: those it leads to
        // were given an exit before it.
        for component in graph.components() {
            if !reached[component[0]] {
                reversed.add(exit, component[0]);
                spread(&reversed, component[0], &mut reached);
            }
        }
        Dominators::of(&reversed, exit)
    }

    /// The node that dominates all; the virtual exit for post-dominators.
    pub fn root(&self) -> usize {
        self.root
    }

    /// The closest strict dominator; `None` for the root and for what it does not reach.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        self.parent.get(node).copied().flatten()
    }

    /// Whether the root reaches the node.
    pub fn reaches(&self, node: usize) -> bool {
        self.depth.get(node).is_some_and(Option::is_some)
    }

    /// Whether every way from the root to `node` passes `above`. Each reached node dominates itself.
    pub fn dominates(&self, above: usize, node: usize) -> bool {
        let (Some(Some(target)), Some(Some(_))) = (self.depth.get(above), self.depth.get(node))
        else {
            return false;
        };
        let mut node = node;
        while self.depth[node].is_some_and(|depth| depth > *target) {
            match self.parent[node] {
                Some(parent) => node = parent,
                None => break,
            }
        }
        node == above
    }
}

/// Marks what a node reaches, as far as it is not marked yet.
fn spread(graph: &Graph, from: usize, reached: &mut [bool]) {
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            work.extend(graph.successors(node));
        }
    }
}

/// The closest common ancestor of two nodes whose dominators are known so far.
fn meet(parent: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let lower = if rank[a] < rank[b] { &mut a } else { &mut b };
        match parent[*lower] {
            Some(above) => *lower = above,
            None => break,
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(nodes);
        for (from, to) in edges {
            graph.add(*from, *to);
        }
        graph
    }

    /// The definition: `above` dominates `node` when cutting it off makes `node` unreachable.
    fn naive(graph: &Graph, root: usize, above: usize, node: usize) -> bool {
        if !graph.reachable(&[root])[node] || !graph.reachable(&[root])[above] {
            return false;
        }
        if above == root || above == node {
            return true;
        }
        let mut cut = Graph::new(graph.len());
        for from in (0..graph.len()).filter(|from| *from != above) {
            for to in graph.successors(from) {
                cut.add(from, *to);
            }
        }
        !cut.reachable(&[root])[node]
    }

    #[test]
    fn each_of_many_endless_loops_gets_an_exit() {
        let mut graph = Graph::new(1);
        for node in 0..100_000 {
            graph.add(node, node);
        }
        let post = Dominators::post(&graph, &[]);
        assert!((0..100_000).all(|node| post.immediate(node) == Some(100_000)));
    }

    #[test]
    fn an_endless_loop_has_post_dominators() {
        let graph = graph(4, &[(0, 1), (1, 2), (2, 1), (0, 3)]);
        let post = Dominators::post(&graph, &[3]);
        assert_eq!(post.immediate(2), Some(1));
        assert_eq!(post.immediate(0), Some(4));
        assert!((0..4).all(|node| post.reaches(node)));
    }

    proptest! {
        #[test]
        fn dominators_are_those_of_the_definition(
            edges in prop::collection::vec((0usize..9, 0usize..9), 0..26)
        ) {
            let graph = graph(9, &edges);
            let dominators = Dominators::of(&graph, 0);
            for above in 0..9 {
                for node in 0..9 {
                    let expected = naive(&graph, 0, above, node);
                    prop_assert_eq!(dominators.dominates(above, node), expected, "{} {}", above, node);
                }
            }
        }

        #[test]
        fn every_node_has_post_dominators_and_they_follow_the_definition(
            edges in prop::collection::vec((0usize..8, 0usize..8), 0..22)
        ) {
            let graph = graph(8, &edges);
            let exits: Vec<_> = (0..8).filter(|node| graph.successors(*node).is_empty()).collect();
            let post = Dominators::post(&graph, &exits);
            let mut reversed = graph.reversed();
            exits.iter().for_each(|exit| reversed.add(8, *exit));
            let ends = if exits.is_empty() { vec![false; 8] } else { reversed.reachable(&[8]) };
            for node in 0..8 {
                prop_assert!(post.reaches(node));
                // Where all ways end at a real exit, no virtual edge plays a part.
                let free = graph.reachable(&[node]).iter().zip(&ends).all(|(reached, ends)| !reached || *ends);
                for above in (0..8).filter(|_| free) {
                    prop_assert_eq!(post.dominates(above, node), naive(&reversed, 8, above, node));
                }
            }
        }
    }
}
