//! The coverage goals against the real JaCoCo: needs a JDK and Debian's `libjacoco-java`.
//!
//! JaCoCo runs a program and analyses whole jars; its counters per class and method must be ours. Both sides number probes
//! alike, so the probes JaCoCo saw hit are what our counting is given.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use classfile::ClassFile;
use classfile::analysis::coverage::{ClassGoals, Counters, ProbeId};
use classfile::jar::Jar;
use classfile::rewrite::{Chosen, Hit, Numbers, Probes, Rewriter};

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

/// The program under `testdata`, compiled, and what JaCoCo says of a run of it.
struct Program {
    folder: PathBuf,
    classes: BTreeMap<String, Vec<u8>>,
    theirs: Theirs,
}

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jacoco");
    // What an earlier run left must not be found.
    drop(std::fs::remove_dir_all(&folder));
    let compiled = folder.join("classes");
    std::fs::create_dir_all(&compiled).unwrap();
    let mut compiler = Command::new(jdk("javac"));
    compiler.args(["-nowarn", "-g", "--release", "8", "-d"]);
    compiler.arg(&compiled);
    for file in ["Main.java", "Shapes.java", "Resources.java", "Kinds.java"] {
        compiler.arg(testdata("jacoco").join(file));
    }
    run(&mut compiler);
    let mut measure = measure(&folder);
    let output = run(measure.arg("run").arg(&compiled).arg("subject.Main"));
    let files = std::fs::read_dir(compiled.join("subject")).unwrap();
    let files = files.map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let classes = files.map(|bytes| (ClassFile::parse(&bytes).unwrap().name().to_owned(), bytes));
    Program {
        classes: classes.collect(),
        theirs: Theirs::read(&output),
        folder,
    }
});

#[test]
fn a_program_covers_what_jacoco_says_it_covers() {
    let program = &*PROGRAM;
    assert!(program.theirs.probes.len() > 5 && program.classes.len() > 8);
    for (name, bytes) in &program.classes {
        let class = ClassFile::parse(bytes).unwrap();
        let goals = ClassGoals::of(&class).unwrap();
        let hits = program.theirs.probes.get(name).cloned().unwrap_or_default();
        let total = program.theirs.totals.get(name);
        if let Some(total) = total.filter(|_| !goals.goals.is_empty()) {
            assert_eq!(goals.probes.len(), *total, "probes of {name}");
        }
        let expected = program.theirs.classes.get(name).cloned();
        assert_eq!(ours(bytes, &hits), expected.unwrap_or_default());
    }
}

#[test]
fn inserted_probes_are_hit_where_those_of_jacoco_are() {
    let program = &*PROGRAM;
    let folder = program.folder.join("rewritten");
    std::fs::create_dir_all(folder.join("subject")).unwrap();
    let mut rewriter = Rewriter::new(Probes::default());
    let mut expected = BTreeSet::new();
    let mut first = 0;
    for (name, bytes) in &program.classes {
        let mut class = ClassFile::parse(bytes).unwrap();
        let goals = ClassGoals::of(&class).unwrap();
        let mut hits = Vec::new();
        for (probe, number) in goals.probes.iter().zip(first..) {
            let places = probe.places.iter().filter(|_| probe.counts);
            hits.extend(places.map(|&place| Hit {
                method: probe.method as u16,
                place,
                number,
            }));
        }
        hits.sort();
        let theirs = program.theirs.probes.get(name).into_iter().flatten();
        let counted = theirs.filter(|probe| {
            let probe = goals.probes.get(probe.0 as usize);
            probe.is_some_and(|probe| probe.counts)
        });
        expected.extend(counted.map(|probe| first + probe.0));
        let chosen = Chosen {
            hits: &hits,
            ..Chosen::default()
        };
        let rewritten = rewriter.rewrite(&mut class, &chosen, Numbers::default());
        assert!(rewritten.reduced.is_empty());
        std::fs::write(folder.join(format!("{name}.class")), class.write()).unwrap();
        first += goals.probes.len() as u32;
    }
    let mut compiler = Command::new(jdk("javac"));
    run(compiler
        .arg("-d")
        .arg(&folder)
        .arg(testdata("jacoco/Probes.java")));
    let mut java = Command::new(jdk("java"));
    java.args(["-Xverify:all", "-cp"]).arg(&folder);
    let output = run(java.args(["testhound.rt.Probes", "subject.Main"]));
    let hit: BTreeSet<u32> = output.lines().map(|line| line.parse().unwrap()).collect();
    assert!(hit.len() > 50);
    assert_eq!(hit, expected);
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
