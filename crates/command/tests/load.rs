//! Loading a specification together with the files it names.
#![allow(clippy::unwrap_used)]

use command::Spec;
use engine::Seed;
use engine::frames::Frame;
use std::fs;
use std::path::Path;

const TEXT: &str = r#"
[run]
source = "p.c"

[category.a]
choice.all = { file = "data/all" }
choice.one = { any = [{ line-of = "data/lines" }] }

[learn]
folder = "inputs"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("data")).unwrap();
    fs::create_dir(path.join("inputs")).unwrap();
    fs::write(path.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    fs::write(path.join("data/all"), "x\ny\n").unwrap();
    fs::write(path.join("data/lines"), "one\r\ntwo\n").unwrap();
    fs::write(path.join("spec.toml"), TEXT).unwrap();
    folder
}

fn errors(folder: &Path) -> String {
    match Spec::load(&folder.join("spec.toml")) {
        Ok(_) => String::new(),
        Err(errors) => {
            let line = |error: &command::SpecError| {
                format!("{}:{}: {}", error.line, error.column, error.cause)
            };
            errors.0.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn files_are_read_relative_to_the_specification() {
    let folder = folder();
    let spec = Spec::load(&folder.path().join("spec.toml")).unwrap();
    let mut stream = Seed(1).stream();
    let mut text = |choice: u16| {
        let frame = &mut Frame(vec![choice]);
        let made = spec.concretise(frame, &mut stream, &mut |_, _| Err(String::new()));
        made.unwrap().0.0[0].clone().unwrap()
    };
    assert_eq!(text(1), "x\ny\n");
    let mut lines: Vec<String> = (0..20).map(|_| text(2)).collect();
    lines.sort();
    lines.dedup();
    assert_eq!(lines, ["one", "two"]);
    assert_eq!(spec.name, "spec");
    assert_eq!(spec.resolve("p.c"), folder.path().join("p.c"));
}

#[test]
fn a_file_that_was_not_loaded_has_no_text() {
    let spec = Spec::parse(Path::new("spec.toml"), TEXT).unwrap();
    let made = spec.concretise(&mut Frame(vec![1]), &mut Seed(1).stream(), &mut |_, _| {
        Err(String::new())
    });
    let message = made.unwrap_err().to_string();
    assert!(
        message.ends_with("the file `data/all` has no text to take"),
        "{message}"
    );
}

#[test]
fn what_is_missing_is_placed_where_it_is_named() {
    let folder = folder();
    let path = folder.path();
    fs::remove_file(path.join("p.c")).unwrap();
    fs::remove_dir(path.join("inputs")).unwrap();
    fs::remove_file(path.join("data/all")).unwrap();
    fs::write(path.join("data/lines"), "").unwrap();
    assert_eq!(
        errors(path),
        "3:10: there is no file `p.c`\n\
         6:23: cannot read `data/all`: No such file or directory (os error 2)\n\
         7:35: `data/lines` has no lines\n\
         10:10: there is no folder `inputs`"
    );
}

#[test]
fn files_that_are_not_text_are_refused() {
    let folder = folder();
    fs::write(folder.path().join("data/all"), [0xff, 0xfe]).unwrap();
    assert_eq!(errors(folder.path()), "6:23: `data/all` is not UTF-8 text");
}

#[test]
fn a_missing_specification_is_said_to_be_missing() {
    let error = Spec::load(Path::new("/nowhere/spec.toml")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "error: cannot read the specification: No such file or directory (os error 2)\n  --> /nowhere/spec.toml"
    );
}

#[test]
fn a_tsl_file_is_a_specification_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("size.tsl");
    fs::write(&path, "Size:\n  small.\n  large. [error]\n").unwrap();
    let spec = Spec::load(&path).unwrap();
    assert_eq!(spec.space.count(100).total(), 2);
    fs::write(&path, "Size:\n  small\n").unwrap();
    let errors = Spec::load(&path).unwrap_err();
    assert_eq!((errors.0[0].line, errors.0[0].column), (2, 3));
}

#[test]
fn a_specification_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Spec>();
}
