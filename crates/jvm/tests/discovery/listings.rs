//! Every package in `testdata/discovery` is compiled by each JDK and gives the listing beside it, the same one for all.
//! `UPDATE_EXPECT=1` rewrites the listings.

use crate::compiler::{compile, jdks};
use jvm::discovery::{Discovered, Filters, Jdk, Pattern, Subject, discover};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/discovery")
}

fn packages() -> Vec<String> {
    let entries = fs::read_dir(testdata()).unwrap().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders
        .map(|e| e.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn sources() -> Vec<PathBuf> {
    let folders = packages()
        .into_iter()
        .map(|package| testdata().join(package));
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap().flatten())
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

/// Compiles all packages into a folder.
pub fn compile_packages(home: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    compile(home, &["--release", "17"], &sources(), folder.path());
    folder
}

fn listing(discovered: &Discovered) -> String {
    let mut text = String::new();
    let model = &discovered.model;
    let type_name = |id: engine::calls::TypeId| model.calls.types[id.0 as usize].name.as_str();
    text.push_str("operations\n");
    for (index, operation) in discovered.operations.iter().enumerate() {
        let signature = &model.calls.signatures[index];
        write!(text, "  {}", operation.name).unwrap();
        if let Some(result) = signature.result {
            write!(text, " -> {}", type_name(result)).unwrap();
        }
        if let Some(lines) = operation.lines {
            write!(text, ", {lines} lines").unwrap();
        }
        if let Some(package) = &discovered.packages[index] {
            write!(text, ", in {package}").unwrap();
        }
        if signature.auxiliary {
            text.push_str(", auxiliary");
        }
        let throws = &model.operations[index].throws;
        if !throws.is_empty() {
            write!(text, ", throws {}", throws.join(" ")).unwrap();
        }
        let fixed = signature
            .parameters
            .iter()
            .filter(|parameter| !parameter.nullable);
        let fixed: Vec<&str> = fixed.map(|parameter| type_name(parameter.kind)).collect();
        if !fixed.is_empty() {
            write!(text, ", not null: {}", fixed.join(" ")).unwrap();
        }
        text.push('\n');
    }
    text.push_str("types\n");
    for kind in &model.calls.types {
        let supertypes = kind.supertypes.iter().map(|id| type_name(*id));
        let supertypes: Vec<&str> = supertypes.collect();
        let literals = kind.literals.len();
        writeln!(
            text,
            "  {}: {} ({literals} literals)",
            kind.name,
            supertypes.join(" ")
        )
        .unwrap();
    }
    text.push_str("reasons\n");
    for untested in &discovered.reasons {
        writeln!(text, "  {untested}").unwrap();
    }
    text.push_str("classes\n");
    for class in &discovered.classes {
        writeln!(text, "  {}", class.source_name).unwrap();
    }
    text
}

#[test]
fn packages_give_their_listings_on_every_jdk() {
    let mut wrong = Vec::new();
    for (index, home) in jdks().iter().enumerate() {
        let folder = compile_packages(home);
        let jdk = Jdk::open(home).unwrap();
        let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
        for package in packages() {
            let filters = Filters {
                packages: vec![Pattern::new(&package)],
                ..Filters::default()
            };
            let actual = listing(&discover(&subject, &jdk, &filters).unwrap());
            let expected = testdata().join(format!("{package}.expected"));
            if index == 0 && std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::write(&expected, &actual).unwrap();
            }
            if fs::read_to_string(&expected).unwrap_or_default() != actual {
                wrong.push(format!("{package} with {}:\n{actual}", home.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
