//! LCOV tracefiles: coverage per source file, as `genhtml`, editors and code-hosting services read it.
//!
//! Counts are tests, not executions: `DA:12,3` says that three tests covered line 12. Classes without source file and
//! methods without line numbers have no place in the format and are left out. Only the records that every reader knows
//! are written (`TN`, `SF`, `FN`, `FNDA`, `FNF`, `FNH`, `BRDA`, `BRF`, `BRH`, `DA`, `LF`, `LH`).

use crate::escape::one_line;
use crate::jvm::{BranchRecord, ClassRecord, MethodRecord};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The tracefile. `place` gives the path to write for a source file such as `org/example/Outer.java`.
#[must_use]
pub fn document(classes: &[ClassRecord], place: &dyn Fn(&str) -> String) -> String {
    let mut files: BTreeMap<String, Vec<&ClassRecord>> = BTreeMap::new();
    for class in classes.iter().filter(|class| !class.methods.is_empty()) {
        if let Some(path) = class.source_path() {
            files.entry(path).or_default().push(class);
        }
    }
    let mut text = String::new();
    for (path, classes) in &files {
        let place = one_line(&place(path));
        text += &format!("TN:\nSF:{place}\n");
        text += &functions(classes);
        let lines = lines(classes);
        text += &branches(classes, &lines);
        for (line, tests) in &lines {
            text += &format!("DA:{line},{tests}\n");
        }
        let hit = lines.values().filter(|tests| **tests > 0).count();
        text += &format!("LF:{}\nLH:{hit}\nend_of_record\n", lines.len());
    }
    text
}

/// Methods of a file that have a first line.
fn functions(classes: &[&ClassRecord]) -> String {
    let (mut places, mut counts) = (String::new(), String::new());
    let (mut found, mut hit) = (0, 0);
    for class in classes {
        for method in &class.methods {
            let Some(line) = method.lines.iter().map(|line| line.line).min() else {
                continue;
            };
            let name = function_name(class, method);
            let _ = writeln!(places, "FN:{line},{name}");
            let _ = writeln!(counts, "FNDA:{},{name}", method.tests);
            found += 1;
            hit += u64::from(method.tests > 0);
        }
    }
    format!("{places}{counts}FNF:{found}\nFNH:{hit}\n")
}

/// A name that no other method of the file has, and without a comma, which ends fields.
fn function_name(class: &ClassRecord, method: &MethodRecord) -> String {
    let name = format!(
        "{}.{}{}",
        class.dotted_name(),
        method.name,
        method.descriptor
    );
    one_line(&name).replace(',', "_")
}

/// The lines of a file with the tests that covered each, at least: tests of several methods cannot be told apart.
fn lines(classes: &[&ClassRecord]) -> BTreeMap<u32, u64> {
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    for method in classes.iter().flat_map(|class| &class.methods) {
        for line in &method.lines {
            let tests = lines.entry(line.line).or_default();
            *tests = (*tests).max(line.tests);
        }
    }
    lines
}

/// The sides of a file's branches; a block is one instruction, numbered within its line.
fn branches(classes: &[&ClassRecord], lines: &BTreeMap<u32, u64>) -> String {
    let mut by_line: BTreeMap<u32, Vec<&BranchRecord>> = BTreeMap::new();
    for method in classes.iter().flat_map(|class| &class.methods) {
        for branch in &method.branches {
            if let Some(line) = branch.line {
                by_line.entry(line).or_default().push(branch);
            }
        }
    }
    let mut text = String::new();
    let (mut found, mut hit) = (0, 0);
    for (line, branches) in &by_line {
        let reached = lines.get(line).is_some_and(|tests| *tests > 0);
        for (block, branch) in branches.iter().enumerate() {
            for (side, tests) in branch.sides.iter().enumerate() {
                let taken = match tests {
                    0 if !reached => "-".to_owned(),
                    tests => tests.to_string(),
                };
                let _ = writeln!(text, "BRDA:{line},{block},{side},{taken}");
            }
            let counter = branch.counter();
            found += counter.total;
            hit += counter.covered;
        }
    }
    format!("{text}BRF:{found}\nBRH:{hit}\n")
}
