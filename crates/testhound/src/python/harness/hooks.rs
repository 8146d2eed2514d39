//! Hooks of a harness in a written file: under names that pytest does not collect, and with pools where they look at them.

use python::harness::Harness;
use std::collections::BTreeSet;

/// How tests make the pools that hooks look at.
const POOLS: &str = "Pools()";

/// The names that raw Python binds at the top and that pytest would take for tests.
pub fn test_names(raw: &str) -> BTreeSet<&str> {
    let bound = |line: &str| {
        let is_function = line.starts_with("def ") || line.starts_with("async def ");
        is_function
            || line
                .split_once('=')
                .is_some_and(|(name, _)| is_name(name.trim_end()))
    };
    let lines = raw.lines().filter(|line| bound(line));
    let names = lines.filter_map(|line| {
        let line = line.trim_start_matches("async ").trim_start_matches("def ");
        let name = line.trim_start();
        name.split(|c: char| !is_part(c)).next()
    });
    names.filter(|name| name.starts_with("test")).collect()
}

/// A text in which these names begin with an underscore, where they are no attributes.
pub fn hidden(text: &str, names: &BTreeSet<&str>) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(is_part) {
        let (before, word) = rest.split_at(begin);
        let (word, after) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
        found.push_str(before);
        if names.contains(word) && !found.ends_with('.') {
            found.push('_');
        }
        found.push_str(word);
        rest = after;
    }
    found + rest
}

/// What a file needs before its tests: pools, if its lines make them, and what is called once.
pub fn preparation(harness: &Harness, names: &BTreeSet<&str>, pooled: bool) -> String {
    let mut text = String::new();
    if pooled {
        text += "\n\nclass Pools:\n    def __init__(self):\n";
        for pool in &harness.pools {
            let (name, size) = (&pool.name, pool.size);
            text += &format!("        self.p_{name} = [None] * {size}\n");
            text += &format!("        self.p_{name}_used = [True] * {size}\n");
            if pool.reference {
                text += &format!("        self.p_{name}_REF = [None] * {size}\n");
            }
        }
        if harness.pools.is_empty() {
            text += "        pass\n";
        }
    }
    if names.contains("test_before_all") {
        let given = if pooled { POOLS } else { "None" };
        // A run goes on where a hook raises.
        let call = format!("    _test_before_all({given})\n");
        text += &format!("\n\ntry:\n{call}except Exception:\n    pass\n");
    }
    text
}

/// Whether lines of tests make pools.
pub fn is_pooled<'a>(mut lines: impl Iterator<Item = &'a String>) -> bool {
    lines.any(|line| line.contains(POOLS))
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_pytest_would_collect_get_an_underscore() {
        let raw = "import tester\ndef test_before_each(self):\n    test = 1\ntesting = print\n";
        let names = test_names(raw);
        assert_eq!(names, BTreeSet::from(["test_before_each", "testing"]));
        let text = "testing(x.testing, testing_more, \"é\"); test_before_each(None)";
        let shown = "_testing(x.testing, testing_more, \"é\"); _test_before_each(None)";
        assert_eq!(hidden(text, &names), shown);
    }
}
