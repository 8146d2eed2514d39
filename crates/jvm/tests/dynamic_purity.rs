//! The purity analysis against the facts: methods that it calls pure are run on real objects, and what these show of themselves, by
//! getters, `toString` and fields, must be as before. `testdata/purity` makes the objects and compares.
#![allow(clippy::unwrap_used)]

mod support;

use classfile::ClassFile;
use classfile::analysis::purity::{MethodCall, effects};
use jvm::discovery::{Jdk, Subject};
use jvm::{Java, Places};
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const NO_SUBJECT: u16 = 0x0040 | 0x0400 | 0x1000;

/// Classes of the JDK whose objects can be made by constructors or factories of plain values.
const JDK: &[&str] = &[
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/HashSet",
    "java/util/TreeSet",
    "java/util/BitSet",
    "java/util/Vector",
    "java/util/Stack",
    "java/util/Hashtable",
    "java/util/Properties",
    "java/util/StringTokenizer",
    "java/util/StringJoiner",
    "java/util/Scanner",
    "java/util/Random",
    "java/util/UUID",
    "java/util/Date",
    "java/util/GregorianCalendar",
    "java/util/Arrays",
    "java/util/Collections",
    "java/util/Objects",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicReference",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Character",
    "java/io/ByteArrayInputStream",
    "java/io/ByteArrayOutputStream",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/CharArrayReader",
    "java/io/CharArrayWriter",
    "java/io/StreamTokenizer",
    "java/text/SimpleDateFormat",
    "java/text/DecimalFormat",
    "java/text/MessageFormat",
    "java/text/ChoiceFormat",
    "java/text/ParsePosition",
    "java/text/StringCharacterIterator",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/net/URI",
];

/// Packages whose objects' fields are looked at.
const OPENED: &[&str] = &[
    "java.lang",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "java.util.regex",
    "java.io",
    "java.math",
    "java.net",
    "java.nio",
    "java.text",
    "java.time",
    "sun.util.calendar",
];

/// Counts of methods by what calling them showed.
#[derive(Debug, Default)]
struct Checked {
    called: usize,
    hidden: Vec<String>,
    changed: Vec<String>,
}

/// The public methods that classes declare and that the analysis calls pure, one per line.
fn pure(classes: &[&ClassFile], given: &[&ClassFile], jdk: &Jdk) -> Vec<String> {
    let mut calls = Vec::new();
    for class in classes {
        for member in &class.methods {
            let name = member.name(&class.pool);
            if member.access & PUBLIC != 0 && member.access & NO_SUBJECT == 0 && name != "<init>" {
                calls.push(MethodCall {
                    owner: class.name(),
                    name,
                    descriptor: member.descriptor(&class.pool),
                    is_static: member.access & STATIC != 0,
                });
            }
        }
    }
    let found = effects(given, &mut |name| jdk.class(name).ok()?, &calls);
    let pure = calls.iter().zip(found).filter(|(_, one)| one.is_pure());
    pure.map(|(call, _)| format!("{} {} {}\n", call.owner, call.name, call.descriptor))
        .collect()
}

/// Runs the methods and tells what changed.
fn run(java: &Java, methods: &[String], jars: &[PathBuf]) -> Checked {
    let folder = tempfile::tempdir().unwrap();
    support::compile(java, "purity", folder.path(), &[]);
    let mut classpath = vec![folder.path().to_owned()];
    classpath.extend(jars.iter().cloned());
    let mut args: Vec<OsString> = vec!["-Xmx512m".into(), "-XX:TieredStopAtLevel=1".into()];
    for package in OPENED {
        args.push("--add-opens".into());
        args.push(format!("java.base/{package}=ALL-UNNAMED").into());
    }
    args.extend(["-cp".into(), std::env::join_paths(classpath).unwrap()]);
    args.push("PurityCheck".into());
    let tool = Tool {
        stdin: methods.concat().into_bytes(),
        folder: Some(folder.path().to_owned()),
        timeout: Duration::from_secs(300),
        ..Tool::new(java.java(), args)
    };
    let finished = tool.run().unwrap();
    let text = String::from_utf8_lossy(&finished.stdout);
    assert_eq!(finished.end, End::Exited(0), "{text}");
    assert_eq!(text.lines().count(), methods.len());
    let mut checked = Checked::default();
    for line in text.lines() {
        match line {
            line if line.starts_with("uncalled ") => continue,
            line if line.starts_with("hidden") => checked.hidden.push(line.to_owned()),
            line if line.starts_with("changed") => checked.changed.push(line.to_owned()),
            _ => {}
        }
        checked.called += 1;
    }
    checked
}

fn java() -> Java {
    Places::of_this_process(None).find().unwrap()
}

/// Of the methods that show no change outside, how many change fields, and those are caches.
fn assert_pure(what: &str, checked: &Checked, at_least: usize, hidden: &[&str]) {
    println!(
        "{what}: {} methods called, {} changed, {} hidden",
        checked.called,
        checked.changed.len(),
        checked.hidden.len()
    );
    assert!(checked.called >= at_least, "{} called", checked.called);
    assert!(
        checked.changed.is_empty(),
        "{} of {}:\n{}",
        checked.changed.len(),
        checked.called,
        checked.changed.join("\n")
    );
    let known = |line: &&String| hidden.iter().any(|one| line.contains(one));
    let unknown: Vec<&String> = checked.hidden.iter().filter(|one| !known(one)).collect();
    assert!(
        unknown.is_empty(),
        "{} called, {unknown:#?}",
        checked.called
    );
}

#[test]
fn methods_of_the_jdk_that_are_called_pure_change_nothing() {
    let java = java();
    let jdk = Jdk::open(&java.home).unwrap();
    let bytes: Vec<Vec<u8>> = JDK
        .iter()
        .map(|name| jdk.class(name).unwrap().unwrap())
        .collect();
    let classes: Vec<ClassFile> = bytes
        .iter()
        .map(|bytes| ClassFile::parse(bytes).unwrap())
        .collect();
    let classes: Vec<&ClassFile> = classes.iter().collect();
    let checked = run(&java, &pure(&classes, &[], &jdk), &[]);
    // `BigInteger` remembers its length.
    assert_pure("the JDK", &checked, 500, &["bitLengthPlusOne"]);
}

#[test]
fn methods_of_libraries_that_are_called_pure_change_nothing() {
    let java = java();
    let jdk = Jdk::open(&java.home).unwrap();
    for (name, at_least) in [
        ("commons-lang3", 500),
        ("commons-collections4", 200),
        ("commons-codec", 50),
    ] {
        let jar = Path::new("/usr/share/java").join(format!("{name}.jar"));
        let subject = Subject::open(std::slice::from_ref(&jar), &[], jdk.release()).unwrap();
        let classes: Vec<ClassFile> = subject
            .classes
            .values()
            .map(|class| ClassFile::parse(&class.bytes).unwrap())
            .collect();
        let classes: Vec<&ClassFile> = classes.iter().collect();
        let checked = run(&java, &pure(&classes, &classes, &jdk), &[jar]);
        assert_pure(name, &checked, at_least, &[]);
    }
}
