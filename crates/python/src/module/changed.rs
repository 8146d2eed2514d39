//! Limits the tests of a module to functions that changed: operations under test, goals and mutants.
//!
//! A function that is not called by tests itself, such as a private one, is tested by those that call it. Changes outside of functions
//! count for none.

use std::collections::{BTreeMap, BTreeSet};

use super::discovered::Discovered;

/// Ranges of changed lines, both ends included, by paths from the top of a repository.
pub type ChangedLines = BTreeMap<String, Vec<(u32, u32)>>;

/// Takes all operations out of the tests that run no changed function; gives the lines of those functions.
pub fn limit(module: &mut Discovered, changed: &ChangedLines) -> Vec<(u32, u32)> {
    let ranges = ranges(&module.file, changed);
    let touched = |first: u32, last: u32| {
        ranges
            .iter()
            .any(|range| range.0 <= last && first <= range.1)
    };
    let functions = &module.functions;
    let changed: BTreeSet<&str> = functions
        .iter()
        .filter(|(_, one)| touched(one.first, one.last))
        .map(|(path, _)| path.as_str())
        .collect();
    let tested: BTreeSet<String> = module
        .operations
        .iter()
        .filter(|one| one.tested)
        .map(|one| code_path(&one.kind, &one.path))
        .collect();
    for operation in &mut module.operations {
        let path = code_path(&operation.kind, &operation.path);
        let mut reached =
            super::knowledge::reached(&path, functions, &|one| !tested.contains(one)).into_iter();
        operation.tested &= reached.any(|one| changed.contains(one));
    }
    let lines = changed.iter().map(|path| &functions[*path]);
    lines.map(|one| (one.first, one.last)).collect()
}

/// The path of the function that an operation runs.
fn code_path(kind: &str, path: &str) -> String {
    match kind {
        "constructor" => format!("{path}.__init__"),
        _ => path.to_owned(),
    }
}

/// The changed lines of a source file: those of the longest path that it ends in.
fn ranges<'c>(file: &str, changed: &'c ChangedLines) -> &'c [(u32, u32)] {
    let fits = |path: &&String| {
        let folder = file.strip_suffix(path.as_str());
        folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    };
    let longest = changed.keys().filter(fits).max_by_key(|path| path.len());
    longest.map_or(&[], |path| &changed[path])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn module() -> Discovered {
        let operation = |kind: &str, path: &str| json!({"kind": kind, "module": "shop", "path": path, "name": path, "parameters": [], "result": null, "tested": true});
        let function = |first: u32, last: u32, calls: &[&str]| json!({"first": first, "last": last, "calls": calls, "changes": []});
        let module = json!({
            "module": "shop", "file": "/home/me/src/shop.py", "classes": {}, "constants": [], "texts": [], "left-out": [],
            "shadowed": false, "documents": [],
            "operations": [operation("function", "price"), operation("function", "total"), operation("constructor", "Cart")],
            "functions": {
                "price": function(1, 4, &[]),
                "_tax": function(6, 9, &[]),
                "total": function(11, 14, &["_tax", "price"]),
                "Cart.__init__": function(20, 22, &[]),
            },
        });
        serde_json::from_value(module).unwrap()
    }

    /// The operations under test and the lines after a change of these lines.
    fn limited(path: &str, lines: (u32, u32)) -> (Vec<String>, Vec<(u32, u32)>) {
        let mut module = module();
        let changed = ChangedLines::from([(path.to_owned(), vec![lines])]);
        let lines = limit(&mut module, &changed);
        let tested = module.operations.into_iter().filter(|one| one.tested);
        (tested.map(|one| one.path).collect(), lines)
    }

    #[test]
    fn operations_are_tested_whose_functions_changed() {
        assert_eq!(
            limited("src/shop.py", (4, 4)),
            (vec!["price".to_owned()], vec![(1, 4)])
        );
        assert_eq!(
            limited("src/shop.py", (21, 21)),
            (vec!["Cart".to_owned()], vec![(20, 22)])
        );
    }

    #[test]
    fn a_changed_function_that_tests_do_not_call_is_tested_by_its_callers() {
        assert_eq!(
            limited("src/shop.py", (6, 6)),
            (vec!["total".to_owned()], vec![(6, 9)])
        );
    }

    #[test]
    fn changes_elsewhere_count_for_nothing() {
        for (path, lines) in [
            ("src/shop.py", (16, 18)),
            ("lib/shop.py", (4, 4)),
            ("op.py", (4, 4)),
        ] {
            assert_eq!(limited(path, lines), (vec![], vec![]));
        }
    }
}
