//! The coverage goals against the real JaCoCo: needs a JDK and Debian's `libjacoco-java`.
//!
//! JaCoCo runs a program and analyses whole jars; its counters per class and method must be ours. Both sides number probes
//! alike, so the probes JaCoCo saw hit are what our counting is given.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use classfile::ClassFile;
use classfile::analysis::coverage::{ClassGoals, Counters, ProbeId};
use classfile::jar::Jar;

const JARS: &str = "/usr/share/java";

/// A program of the JDK: `JAVA_HOME`, then the path.
fn jdk(program: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(program));
    home.filter(|path| path.exists())
        .unwrap_or_else(|| program.into())
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the JDK is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    String::from_utf8(output.stdout).expect("the output is text")
}

fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(path)
}

/// The classes of JaCoCo and of the program that asks it.
fn measure(folder: &Path) -> Command {
    let jars = ["org.jacoco.core", "asm", "asm-commons", "asm-tree"];
    let jars: Vec<String> = jars.iter().map(|jar| format!("{JARS}/{jar}.jar")).collect();
    let classpath = format!("{}:{}", jars.join(":"), folder.display());
    let source = testdata("jacoco/Measure.java");
    let mut compiler = Command::new(jdk("javac"));
    compiler.args(["-cp", &classpath, "-d"]).arg(folder);
    run(compiler.arg(source));
    let mut command = Command::new(jdk("java"));
    command.args(["-XX:TieredStopAtLevel=1", "-cp", &classpath, "Measure"]);
    command
}

fn text(counters: Counters) -> String {
    let all = [
        counters.instruction,
        counters.branch,
        counters.line,
        counters.method,
    ];
    let all = all.map(|counter| format!("{}/{}", counter.covered, counter.total));
    all.join(" ")
}

/// Our counters in the form that `Measure` prints: one line for the class, then one per method.
fn ours(bytes: &[u8], hits: &[ProbeId]) -> Vec<String> {
    let class = ClassFile::parse(bytes).expect("a compiler made it");
    let goals = ClassGoals::of(&class).expect("a compiler made it");
    let covered = goals.covered(hits);
    let methods = goals.methods();
    if methods.is_empty() {
        return Vec::new();
    }
    let counters = text(goals.counters(&covered));
    let mut lines = vec![format!("class {} {counters}", class.name())];
    for method in methods {
        let member = &class.methods[method];
        let name = member.name(&class.pool);
        let descriptor = member.descriptor(&class.pool);
        let counters = text(goals.method_counters(method, &covered));
        lines.push(format!("method {name}{descriptor} {counters}"));
    }
    lines
}

/// JaCoCo's output by class, and the probes it saw.
struct Theirs {
    classes: BTreeMap<String, Vec<String>>,
    probes: BTreeMap<String, Vec<ProbeId>>,
    totals: BTreeMap<String, usize>,
}

impl Theirs {
    fn read(output: &str) -> Theirs {
        let mut theirs = Theirs {
            classes: BTreeMap::new(),
            probes: BTreeMap::new(),
            totals: BTreeMap::new(),
        };
        let mut current = String::new();
        for line in output.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "class" => current = words[1].to_owned(),
                "probes" => {
                    let hits = words[2].bytes().enumerate().filter(|(_, hit)| *hit == b'1');
                    let hits = hits.map(|(probe, _)| ProbeId(probe as u32));
                    theirs.probes.insert(words[1].to_owned(), hits.collect());
                    theirs.totals.insert(words[1].to_owned(), words[2].len());
                }
                "failed" => panic!("JaCoCo failed on {}", words[1]),
                _ => {}
            }
            if words[0] == "class" || words[0] == "method" {
                let lines = theirs.classes.entry(current.clone()).or_default();
                lines.push(line.to_owned());
            }
        }
        // Classes without code are of no interest.
        theirs.classes.retain(|_, lines| lines.len() > 1);
        theirs
    }
}

#[test]
fn a_program_covers_what_jacoco_says_it_covers() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let classes = folder.path().join("classes");
    let mut compiler = Command::new(jdk("javac"));
    compiler.args(["-nowarn", "-g", "--release", "8", "-d"]);
    compiler.arg(&classes);
    for file in ["Main.java", "Shapes.java", "Resources.java", "Kinds.java"] {
        compiler.arg(testdata("jacoco").join(file));
    }
    run(&mut compiler);
    let output = run(measure(folder.path())
        .arg("run")
        .arg(&classes)
        .arg("subject.Main"));
    let theirs = Theirs::read(&output);
    assert!(theirs.probes.len() > 5, "{output}");
    let mut seen = 0;
    for entry in std::fs::read_dir(classes.join("subject")).expect("javac made it") {
        let bytes = std::fs::read(entry.expect("readable").path()).expect("readable");
        let class = ClassFile::parse(&bytes).expect("javac made it");
        let goals = ClassGoals::of(&class).expect("javac made it");
        let hits = theirs.probes.get(class.name()).cloned().unwrap_or_default();
        let total = theirs.totals.get(class.name());
        if let Some(total) = total.filter(|_| !goals.goals.is_empty()) {
            assert_eq!(goals.probes.len(), *total, "probes of {}", class.name());
        }
        let expected = theirs.classes.get(class.name()).cloned();
        assert_eq!(ours(&bytes, &hits), expected.unwrap_or_default());
        seen += 1;
    }
    assert!(seen > 8, "only {seen} classes");
}

#[test]
fn jars_have_as_many_goals_as_jacoco_counts() {
    let names = [
        "antlr",
        "asm",
        "bsh",
        "commons-lang3",
        "itext1",
        "joda-time",
    ];
    let paths: Vec<PathBuf> = names
        .iter()
        .map(|name| Path::new(JARS).join(format!("{name}.jar")))
        .collect();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let output = run(measure(folder.path()).args(&paths));
    let theirs = Theirs::read(&output);
    let mut different = Vec::new();
    let mut classes = 0;
    for name in names {
        let path = Path::new(JARS).join(format!("{name}.jar"));
        let bytes = std::fs::read(path).expect("`scripts/install` installs it");
        let jar = Jar::parse(&bytes).unwrap();
        for class in jar.entries().filter(|entry| entry.name.ends_with(".class")) {
            if class.name.starts_with("META-INF/") {
                continue;
            }
            let name = class.name.trim_end_matches(".class");
            let expected = theirs.classes.get(name).cloned().unwrap_or_default();
            let found = ours(&jar.read(class).unwrap(), &[]);
            classes += 1;
            let lines = found.iter().zip(&expected);
            let lines = lines.filter(|(found, expected)| found != expected);
            different.extend(
                lines.map(|(found, expected)| format!("{name}: {found} instead of {expected}")),
            );
            if found.len() != expected.len() {
                let (found, expected) = (found.len(), expected.len());
                different.push(format!("{name}: {found} instead of {expected} lines"));
            }
        }
    }
    assert!(classes > 1000, "only {classes} classes");
    assert_eq!(different, Vec::<String>::new());
}
