//! Where the categories of a specification stand: in the templates of `[run]`, or only inside the texts of others.

use crate::generate::Generator;
use crate::spec::{Argument, Spec, Template};

/// In how many places of `[run]` each category stands.
pub(crate) fn uses(spec: &Spec) -> Vec<usize> {
    let run = &spec.run;
    let args = run.args.iter().flat_map(Argument::templates);
    let others = run.files.values().chain(run.env.values());
    let mut uses = vec![0; spec.categories.len()];
    for template in args.chain([&run.stdin]).chain(others) {
        for category in template.fields() {
            uses[category] += 1;
        }
    }
    uses
}

/// Whether the text of a category can only be found inside the text of another one.
fn is_hidden(spec: &Spec, category: usize, uses: &[usize]) -> bool {
    uses[category] == 0 && spec.categories[category].from.is_none() && !spec.is_read_off(category)
}

/// The categories whose texts may be made of hidden ones, with the templates that do so. Outer ones come first, because
/// texts are made from the inside.
pub(super) fn nested<'s>(spec: &'s Spec, uses: &[usize]) -> Vec<(usize, Vec<&'s Template>)> {
    let mut nested = Vec::new();
    let made = spec.order.iter().rev().copied();
    for outer in made.filter(|node| *node < spec.categories.len()) {
        let mut templates = Vec::new();
        for choice in &spec.categories[outer].choices {
            let generator = choice.generator.as_ref();
            generator.into_iter().for_each(|g| add(g, &mut templates));
        }
        templates.retain(|template| {
            template
                .fields()
                .any(|category| is_hidden(spec, category, uses))
        });
        if !templates.is_empty() {
            nested.push((outer, templates));
        }
    }
    nested
}

/// The templates that make a whole text.
fn add<'s>(generator: &'s Generator, templates: &mut Vec<&'s Template>) {
    match generator {
        Generator::Text(template) => templates.push(template),
        Generator::Any(all) => all.iter().for_each(|(_, one)| add(one, templates)),
        _ => {}
    }
}
