//! A plain directed graph over the numbers 0 to n - 1.
//!
//! Knows nothing of methods or classes. Strongly connected components are Tarjan's, "Depth-first search and linear graph
//! algorithms", 1972, section 4.
//!
//! Differences: recursion is an explicit stack, because a method may have 65,535 blocks in a row.

/// A directed graph. Parallel edges are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    successors: Vec<Vec<usize>>,
}

impl Graph {
    /// A graph of this many nodes without edges.
    pub fn new(nodes: usize) -> Graph {
        Graph {
            successors: vec![Vec::new(); nodes],
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Adds an edge. Nodes that are not there yet are added.
    pub fn add(&mut self, from: usize, to: usize) {
        let nodes = from.max(to) + 1;
        if nodes > self.len() {
            self.successors.resize(nodes, Vec::new());
        }
        self.successors[from].push(to);
    }

    /// Where the edges of a node lead, in the order they were added.
    pub fn successors(&self, node: usize) -> &[usize] {
        self.successors.get(node).map_or(&[], Vec::as_slice)
    }

    /// The same nodes with all edges turned round.
    pub fn reversed(&self) -> Graph {
        let mut reversed = Graph::new(self.len());
        for (from, successors) in self.successors.iter().enumerate() {
            for to in successors {
                reversed.successors[*to].push(from);
            }
        }
        reversed
    }

    /// The nodes reachable from a root, each after all that depth-first search finds through it.
    pub fn postorder(&self, root: usize) -> Vec<usize> {
        let mut order = Vec::new();
        if root >= self.len() {
            return order;
        }
        let mut seen = vec![false; self.len()];
        seen[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            match self.successors[*node].get(*next) {
                Some(successor) => {
                    *next += 1;
                    if !seen[*successor] {
                        seen[*successor] = true;
                        stack.push((*successor, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order
    }

    /// Which nodes can be reached from the roots, themselves included.
    pub fn reachable(&self, roots: &[usize]) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut work: Vec<usize> = Vec::new();
        for root in roots.iter().filter(|root| **root < self.len()) {
            seen[*root] = true;
            work.push(*root);
        }
        while let Some(node) = work.pop() {
            for successor in &self.successors[node] {
                if !seen[*successor] {
                    seen[*successor] = true;
                    work.push(*successor);
                }
            }
        }
        seen
    }

    /// The strongly connected components, each before those that lead to it; nodes rise inside a component.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut search = Tarjan {
            graph: self,
            number: vec![None; self.len()],
            low: vec![0; self.len()],
            open: vec![false; self.len()],
            stack: Vec::new(),
            count: 0,
            components: Vec::new(),
        };
        for root in 0..self.len() {
            if search.number[root].is_none() {
                search.visit(root);
            }
        }
        search.components
    }
}

struct Tarjan<'g> {
    graph: &'g Graph,
    number: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<bool>,
    stack: Vec<usize>,
    count: usize,
    components: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    fn enter(&mut self, node: usize) {
        self.number[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.open[node] = true;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize) {
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match self.graph.successors(node).get(*next) {
                Some(successor) => {
                    *next += 1;
                    match self.number[*successor] {
                        None => {
                            self.enter(*successor);
                            path.push((*successor, 0));
                        }
                        Some(number) if self.open[*successor] => {
                            self.low[node] = self.low[node].min(number);
                        }
                        Some(_) => {}
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[node]);
                    }
                    self.close(node);
                }
            }
        }
    }

    /// Takes a finished component off the stack, if this node is its root.
    fn close(&mut self, root: usize) {
        if self.number[root] != Some(self.low[root]) {
            return;
        }
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.open[node] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        component.sort_unstable();
        self.components.push(component);
    }
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

    #[test]
    fn components_come_before_those_that_lead_to_them() {
        let graph = graph(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)]);
        assert_eq!(
            graph.components(),
            vec![vec![3], vec![1, 2], vec![0], vec![4]]
        );
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let mut chain = Graph::new(1);
        for node in 0..200_000 {
            chain.add(node, node + 1);
        }
        assert_eq!(chain.components().len(), 200_001);
        assert_eq!(chain.postorder(0).len(), 200_001);
    }

    proptest! {
        #[test]
        fn two_nodes_share_a_component_exactly_when_each_reaches_the_other(
            edges in prop::collection::vec((0usize..9, 0usize..9), 0..24)
        ) {
            let graph = graph(9, &edges);
            let mut component = [0; 9];
            for (number, nodes) in graph.components().iter().enumerate() {
                for node in nodes {
                    component[*node] = number;
                }
            }
            let reach: Vec<_> = (0..9).map(|node| graph.reachable(&[node])).collect();
            for a in 0..9 {
                for b in 0..9 {
                    prop_assert_eq!(component[a] == component[b], reach[a][b] && reach[b][a]);
                }
            }
        }
    }
}
