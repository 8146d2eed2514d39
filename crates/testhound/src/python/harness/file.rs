//! A pytest file of harness tests. It needs the subject and pytest, nothing of ours.

use super::hooks::{hidden, is_pooled, preparation, test_names};
use crate::python::importing::importing;
use engine::Step;
use python::harness::HarnessTarget;
use std::collections::BTreeSet;
use std::path::Path;

/// A test function.
#[derive(Clone, Debug)]
pub struct TestFunction {
    /// Its name.
    pub name: String,
    /// Its statements, not indented.
    pub lines: Vec<String>,
    /// The steps that it takes.
    pub steps: Vec<Step>,
}

impl TestFunction {
    /// A test named after what it does in the end.
    pub fn new(target: &HarnessTarget, steps: &[Step], lines: Vec<String>) -> TestFunction {
        let called = |step: &Step| {
            let class = target.harness.classes.get(step.operation.0 as usize)?;
            called(&class.text)
        };
        let mut words: Vec<String> = Vec::new();
        for word in steps.iter().rev().filter_map(called) {
            if !words.contains(&word) && words.len() < 3 {
                words.push(word);
            }
        }
        words.reverse();
        let name = match words.as_slice() {
            [] => "test_harness".to_owned(),
            words => format!("test_{}", words.join("_")),
        };
        TestFunction {
            name,
            lines,
            steps: steps.to_vec(),
        }
    }
}

/// The name of the first function or method that an action calls.
fn called(text: &str) -> Option<String> {
    let end = text.match_indices('(').map(|(at, _)| at);
    end.filter_map(|at| {
        let word: String = text[..at]
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let word: String = word.chars().rev().collect::<String>().to_lowercase();
        let word = word.trim_matches('_').to_owned();
        (!word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
    })
    .next()
}

/// Gives every test a name of its own.
pub fn name_apart(tests: &mut [TestFunction]) {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for test in tests {
        let plain = test.name.clone();
        let mut number = 1;
        while !names.insert(test.name.clone()) {
            number += 1;
            test.name = format!("{plain}_{number}");
        }
    }
}

/// The text of a file that will stand in `folder`.
pub fn text(title: &str, target: &HarnessTarget, folder: &Path, tests: &[TestFunction]) -> String {
    let uses = |word: &str| {
        tests
            .iter()
            .flat_map(|test| &test.lines)
            .any(|line| line.contains(word))
    };
    let mut text = format!("\"\"\"{title}\"\"\"\n\nimport os\nimport sys\n\n");
    if uses("pytest.") {
        text.push_str("import pytest\n\n");
    }
    text.push_str(&importing(folder, target.folder()));
    let harness = &target.harness;
    let names = test_names(&harness.raw);
    let lines = harness.raw.lines();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let begins =
            line.starts_with("def ") || line.starts_with("class ") || line.starts_with('@');
        text.push_str(if begins { "\n\n" } else { "" });
        text.push_str(&hidden(line, &names));
        text.push('\n');
    }
    let pooled = is_pooled(tests.iter().flat_map(|test| &test.lines));
    text.push_str(&preparation(harness, &names, pooled));
    for test in tests {
        text.push_str(&format!("\n\ndef {}():\n", test.name));
        for line in &test.lines {
            text.push_str(&format!("    {}\n", hidden(line, &names)));
        }
        if test.lines.is_empty() {
            text.push_str("    pass\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_what_is_called() {
        assert_eq!(called("<avl>.insert(<int>)").as_deref(), Some("insert"));
        assert_eq!(called("<a> := mod.AVLTree()").as_deref(), Some("avltree"));
        assert_eq!(called("<int> := <[1..20]>"), None);
        assert_eq!(called("(1)(f(2))").as_deref(), Some("f"));
    }
}
