//! Folders of existing inputs.

#![allow(clippy::unwrap_used)]

use command::Spec;
use command::pool::{PoolError, load};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SPEC: &str = r#"
[run]
program = "x"
args = ["--fixed", "{mode}"]
stdin = "{body}"
env = { LANG = "C" }
[category.mode]
absent = 1
choice.quiet = { literal = "-q" }
[category.body]
absent = 1
choice.digits = { regex = "[0-9]+\n?" }
choice.letters = { regex = "[a-z]+\n?" }
"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

fn spec() -> Spec {
    Spec::parse(Path::new("test.toml"), SPEC).unwrap()
}

#[test]
fn all_kinds_of_files_give_inputs_in_the_order_of_names_and_lines() {
    let spec = spec();
    let folder = folder(&[
        ("b", "abc\n"),
        (
            "a.args",
            "--fixed -q < used\n\n# none\n--fixed <deep/x\n--fixed -q\n",
        ),
        ("c.json", r#"{"args": ["--fixed"], "stdin": "5"}"#),
        ("used", "12"),
        ("deep/x", "xyz"),
        (".hidden", "1"),
    ]);
    let pool = load(&spec, folder.path()).unwrap();
    let shown: Vec<String> = pool
        .iter()
        .map(|one| format!("{} {}", one.name, spec.space.describe(&one.frame.0)))
        .collect();
    assert_eq!(
        shown,
        [
            "a.args:1 mode=quiet body=digits",
            "a.args:4 body=letters",
            "a.args:5 mode=quiet",
            "b body=letters",
            "c.json body=digits",
        ]
    );
    assert_eq!(pool[3].input.args, ["--fixed"]);
    assert_eq!(pool[3].input.env["LANG"], "C");
}

fn error(files: &[(&str, &str)]) -> String {
    let folder = folder(files);
    let error = load(&spec(), folder.path()).unwrap_err();
    error
        .to_string()
        .replace(&folder.path().display().to_string(), "DIR")
}

#[test]
fn errors_name_file_and_line() {
    assert_eq!(
        error(&[("a.args", "ok\n'open\n")]),
        "DIR/a.args:2:1: this ' is not closed"
    );
    assert!(error(&[("a.args", "ok < none\n")]).starts_with("DIR/a.args:1: cannot read `none`: "));
    assert!(error(&[("a.json", "{\n \"argz\": []}")]).starts_with("DIR/a.json:2:"));
    assert_eq!(error(&[("deep/x", "1")]), "there are no inputs in `DIR`");
    let missing = load(&spec(), Path::new("/nonexistent/pool"));
    assert!(matches!(missing, Err(PoolError::Unreadable { .. })));
}
