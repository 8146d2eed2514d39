//! The order in which texts are made, so that every reference finds what it refers to.

use super::Generator;
use crate::spec::{CategorySpec, Fault, Span};
use engine::frames::FrameSpace;
use std::collections::BTreeSet;

/// The made categories, and the whole input as the number of categories, each after all that it refers to; otherwise in the
/// order of the file.
pub(crate) fn making_order(
    space: &FrameSpace,
    specs: &[CategorySpec],
    input: Option<&Generator>,
    input_span: Option<Span>,
) -> Result<Vec<usize>, Fault> {
    let count = specs.len();
    let mut needs: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count + 1];
    for (category, spec) in specs.iter().enumerate() {
        for generator in spec.choices.iter().filter_map(|c| c.generator.as_ref()) {
            if !space.categories[category].derived {
                add_references(generator, count, &mut needs[category]);
            }
        }
    }
    if let Some(input) = input {
        add_references(input, count, &mut needs[count]);
    }
    let is_made = |node: usize| match node == count {
        true => input.is_some(),
        false => !space.categories[node].derived,
    };
    let mut order = Vec::new();
    let mut waiting: BTreeSet<usize> = (0..=count).filter(|node| is_made(*node)).collect();
    while !waiting.is_empty() {
        let free = |node: &usize| needs[*node].is_disjoint(&waiting);
        let ready: Vec<usize> = waiting.iter().copied().filter(free).collect();
        if ready.is_empty() {
            return Err(cycle(space, specs, &needs, &waiting, input_span));
        }
        for node in ready {
            waiting.remove(&node);
            order.push(node);
        }
    }
    Ok(order)
}

/// Adds what a generator refers to.
fn add_references(generator: &Generator, input: usize, needs: &mut BTreeSet<usize>) {
    let mut add = |fields: &mut dyn Iterator<Item = usize>, uses_input: bool| {
        needs.extend(fields);
        needs.extend(uses_input.then_some(input));
    };
    generator.visit(&mut |generator| {
        let bounds = match generator {
            Generator::Text(template) => {
                add(&mut template.fields(), template.uses_input());
                return;
            }
            Generator::Int(range) => [&range.low, &range.high],
            Generator::Float(range) => [&range.low, &range.high],
            Generator::Lines(lines) => [&lines.count.0, &lines.count.1],
            _ => return,
        };
        for bound in bounds {
            if let super::Bound::Expression(expression) = bound {
                let mut fields = expression.fields().iter().copied();
                add(&mut fields, expression.uses_input());
            }
        }
    });
}

/// Names one cycle among nodes that all wait for another one.
fn cycle(
    space: &FrameSpace,
    specs: &[CategorySpec],
    needs: &[BTreeSet<usize>],
    waiting: &BTreeSet<usize>,
    input_span: Option<Span>,
) -> Fault {
    let mut path: Vec<usize> = waiting.iter().take(1).copied().collect();
    let start = loop {
        let last = path[path.len() - 1];
        let next = needs[last].intersection(waiting).next().copied();
        let next = next.unwrap_or(last);
        if let Some(position) = path.iter().position(|node| *node == next) {
            break position;
        }
        path.push(next);
    };
    let name = |node: &usize| match space.categories.get(*node) {
        Some(category) => format!("`{}`", category.name),
        None => "`input`".to_owned(),
    };
    let mut names: Vec<String> = path[start..].iter().map(name).collect();
    names.push(names[0].clone());
    let span = match specs.get(path[start]) {
        Some(spec) => spec.span.clone(),
        None => input_span.unwrap_or_default(),
    };
    let cause = format!(
        "values refer to each other in a circle: {}",
        names.join(" needs ")
    );
    Fault::new(span, cause)
}
