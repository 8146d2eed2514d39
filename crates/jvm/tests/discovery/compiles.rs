//! Every operation that is discovered can be written in Java, from the package that discovery names: `javac` says so.

use crate::compiler::{compile, jdks};
use crate::listings::compile_packages;
use jvm::OperationKind;
use jvm::discovery::{Discovered, Filters, Jdk, Subject, discover};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A package where nothing of a subject is, for operations that need none.
const ELSEWHERE: &str = "testhound/elsewhere";
/// A class may have so many methods before its constants do not fit.
const MOST: usize = 2000;

/// One call with nothing for every parameter.
fn call(discovered: &Discovered, index: usize) -> String {
    let model = &discovered.model;
    let operation = &model.operations[index];
    let name_of = |id: engine::calls::TypeId| model.calls.types[id.0 as usize].name.as_str();
    let parameters = model.calls.signatures[index].parameters.iter();
    let mut given: Vec<String> = parameters
        .map(|parameter| match name_of(parameter.kind) {
            "boolean" => "false".to_owned(),
            name @ ("byte" | "short" | "char" | "int" | "long" | "float" | "double") => {
                format!("({name}) 0")
            }
            name => format!("(({name}) null)"),
        })
        .collect();
    let owner = model.type_of(&format!("L{};", operation.owner));
    let owner = owner.map_or("", name_of);
    match operation.kind {
        OperationKind::Array => format!(
            "new {} {{ {} }}",
            discovered.operations[index].name.trim_start_matches("new "),
            given[0]
        ),
        OperationKind::Constructor => {
            let class = &model.classes[&operation.owner];
            match class.outer.is_some() && class.access & 0x0008 == 0 {
                true => {
                    let outer = given.remove(0);
                    let simple = class.simple.as_deref().unwrap();
                    format!("{outer}.new {simple}({})", given.join(", "))
                }
                false => format!("new {owner}({})", given.join(", ")),
            }
        }
        OperationKind::StaticMethod => format!("{owner}.{}({})", operation.name, given.join(", ")),
        OperationKind::StaticField => format!("{owner}.{}", operation.name),
        OperationKind::Method => {
            let receiver = given.remove(0);
            format!("{receiver}.{}({})", operation.name, given.join(", "))
        }
        OperationKind::Field => format!("{}.{}", given[0], operation.name),
        OperationKind::Implementor | OperationKind::ClassLiteral => {
            panic!("no such operation without `detective`")
        }
    }
}

/// Writes all calls as Java sources, each in the package that it needs.
fn write_sources(discovered: &Discovered, folder: &Path) -> Vec<PathBuf> {
    let mut packages: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, package) in discovered.packages.iter().enumerate() {
        let package = package.as_deref().unwrap_or(ELSEWHERE);
        packages.entry(package).or_default().push(index);
    }
    let mut files = Vec::new();
    for (package, operations) in packages {
        for (number, operations) in operations.chunks(MOST).enumerate() {
            let mut text = String::new();
            if !package.is_empty() {
                writeln!(text, "package {};", package.replace('/', ".")).unwrap();
            }
            writeln!(text, "class TesthoundCalls{number} {{").unwrap();
            for &index in operations {
                let call = call(discovered, index);
                let result = discovered.model.calls.signatures[index].result;
                let result = result.map(|id| &discovered.model.calls.types[id.0 as usize].name);
                let call = match result {
                    Some(result) => format!("{result} result = {call}"),
                    None => call,
                };
                writeln!(
                    text,
                    "static void call{index}() throws Throwable {{ {call}; }}"
                )
                .unwrap();
            }
            text.push_str("}\n");
            let file = folder
                .join(package)
                .join(format!("TesthoundCalls{number}.java"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            files.push(file);
        }
    }
    files
}

fn check(home: &Path, path: &Path) {
    let jdk = Jdk::open(home).unwrap();
    let subject = Subject::open(&[path.to_owned()], &[], jdk.release()).unwrap();
    let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
    assert!(discovered.operations.len() > 50);
    let folder = tempfile::tempdir().unwrap();
    let sources = write_sources(&discovered, folder.path());
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    compile(
        home,
        &[
            "-proc:none",
            "-Xmaxerrs",
            "20",
            "-cp",
            path.to_str().unwrap(),
        ],
        &sources,
        &out,
    );
}

#[test]
fn every_operation_can_be_written_in_java() {
    for home in jdks() {
        let classes = compile_packages(&home);
        check(&home, classes.path());
    }
    check(&jdks()[0], Path::new("/usr/share/java/commons-lang3.jar"));
}
