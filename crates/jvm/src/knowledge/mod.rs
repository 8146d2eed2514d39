//! What analyses of class files tell the engine before a run: constants, purity, lines, branches per operation. Only what the
//! parts of a guide use is computed. Nothing of the subject runs here.

mod called;
mod constants;
mod methods;
mod purity;

use crate::coverage::Coverage;
use crate::discovery::{Discovered, Jdk, Subject};
use classfile::ClassFile;
use engine::calls::{Domain, Knowledge};
use std::collections::BTreeMap;

/// What a guide with these parts is told about a subject. Classes that cannot be read tell nothing.
pub fn knowledge(
    subject: &Subject,
    jdk: &Jdk,
    discovered: &Discovered,
    coverage: &Coverage,
    parts: &[&str],
) -> Knowledge {
    let has = |name: &str| parts.contains(&name);
    let mut known = Knowledge {
        domains: discovered
            .model
            .descriptors
            .iter()
            .map(|one| domains(one))
            .collect(),
        ..Knowledge::default()
    };
    let parsed: BTreeMap<&str, ClassFile> = subject
        .classes
        .iter()
        .filter_map(|(name, class)| Some((name.as_str(), ClassFile::parse(&class.bytes).ok()?)))
        .collect();
    let under_test: Vec<&ClassFile> = discovered
        .classes
        .iter()
        .filter_map(|class| parsed.get(class.name.as_str()))
        .collect();
    if has("constants") {
        known.documents = constants::documents(&under_test);
        known.document_of = constants::document_of(&discovered.model, &known.documents);
    }
    if has("impurity") {
        let classes: Vec<&ClassFile> = parsed.values().collect();
        known.changes = purity::changes(&discovered.model, &classes, subject, jdk);
    }
    if has("loc") || has("bloodhound") {
        let lines = discovered.operations.iter();
        known.lines = lines.map(|one| one.lines.unwrap_or(0).into()).collect();
        let methods = methods::Methods::of(&under_test);
        known.branches = methods.branches(&discovered.model, coverage);
    }
    if has("loc-calls") {
        let called = called::classes(&under_test, subject);
        let called: Vec<ClassFile> = called
            .iter()
            .filter_map(|bytes| ClassFile::parse(bytes).ok())
            .collect();
        let classes: Vec<&ClassFile> = under_test.iter().copied().chain(&called).collect();
        let methods = methods::Methods::of(&classes);
        known.reachable_lines = methods.reachable_lines(&discovered.model);
    }
    known
}

/// Which values can be written down for a type.
fn domains(descriptor: &str) -> Vec<Domain> {
    let int = Domain::Whole(i32::MIN.into(), i32::MAX.into());
    match descriptor {
        "B" | "Ljava/lang/Byte;" => vec![Domain::Whole(i8::MIN.into(), i8::MAX.into())],
        "S" | "Ljava/lang/Short;" => vec![Domain::Whole(i16::MIN.into(), i16::MAX.into())],
        "C" | "Ljava/lang/Character;" => vec![Domain::Whole(0, u16::MAX.into())],
        "I" | "Ljava/lang/Integer;" => vec![int],
        "J" | "Ljava/lang/Long;" => vec![Domain::Whole(i64::MIN, i64::MAX)],
        "F" | "D" | "Ljava/lang/Float;" | "Ljava/lang/Double;" => vec![Domain::Real],
        "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => vec![Domain::Text],
        "Ljava/lang/Number;" => vec![int, Domain::Real],
        "Ljava/lang/Object;" | "Ljava/lang/Comparable;" | "Ljava/io/Serializable;" => {
            vec![Domain::Text, int]
        }
        _ => Vec::new(),
    }
}
