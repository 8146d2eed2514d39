//! Mutants of Java classes. Needs a JDK; uses every one that it finds. The classes of `testdata/java` are compiled by the
//! tests; `NAME.txt` beside a source lists its mutants. Run with `UPDATE_EXPECT=1` to write the listings anew, and read the
//! difference before you commit it.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use classfile::ClassFile;
use classfile::jar::Jar;
use mutants::Operator;
use mutants::java::{ApplyError, ClassMutant, Options, mutants};

fn testdata() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/java")
}

/// The JDKs of this machine, oldest first.
fn jdks() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let compilers =
        std::env::split_paths(&path).filter_map(|folder| folder.join("javac").canonicalize().ok());
    homes.extend(compilers.filter_map(|javac| Some(javac.parent()?.parent()?.to_owned())));
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    homes.extend(installed.map(|entry| entry.unwrap().path()));
    let found: BTreeSet<(u32, PathBuf)> = homes
        .iter()
        .filter_map(|home| home.canonicalize().ok())
        .filter(|home| home.join("bin/javac").exists())
        .filter_map(|home| Some((version(&home)?, home)))
        .filter(|(version, _)| *version >= 17)
        .collect();
    assert!(!found.is_empty(), "a JDK of Java 17 or newer is needed");
    found.into_iter().map(|(_, home)| home).collect()
}

fn version(home: &Path) -> Option<u32> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let line = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    line.split(['.', '"', '-', '+']).next()?.parse().ok()
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("mutants-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn compile(jdk: &Path, sources: &[PathBuf], folder: &Path) {
    let mut javac = Command::new(jdk.join("bin/javac"));
    javac
        .args(["-nowarn", "-g", "--release", "17", "-d"])
        .arg(folder)
        .args(sources);
    let output = javac.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The classes of a folder by their names.
fn classes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "class")
        })
        .map(|path| fs::read(path).unwrap())
        .map(|bytes| (ClassFile::parse(&bytes).unwrap().name().to_owned(), bytes))
        .collect()
}

fn all(bytes: &[u8]) -> Vec<ClassMutant> {
    mutants(bytes, &Options::default()).unwrap()
}

/// The classes of the subjects, compiled by the oldest JDK.
fn compiled() -> &'static BTreeMap<String, Vec<u8>> {
    static COMPILED: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    COMPILED.get_or_init(|| subjects(&jdks()[0], &Scratch::new("subjects")))
}

fn subjects(jdk: &Path, scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let sources = fs::read_dir(testdata())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sources: Vec<PathBuf> = sources
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "java")
        })
        .collect();
    compile(jdk, &sources, &scratch.0);
    classes(&scratch.0)
}

fn listing(class: &str, bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut last = String::new();
    for mutant in all(bytes) {
        let method = format!("{class}.{}{}", mutant.method, mutant.descriptor);
        if method != last {
            writeln!(text, "{method}").unwrap();
            last = method;
        }
        writeln!(text, "  {mutant}").unwrap();
    }
    text
}

#[test]
fn the_mutants_of_every_class_are_the_listed_ones() {
    let subjects = compiled();
    let mut listings: BTreeMap<&str, String> = BTreeMap::new();
    for (class, bytes) in subjects {
        let file = class.split('$').next().unwrap();
        *listings.entry(file).or_default() += &listing(class, bytes);
    }
    listings.remove("Verify");
    for (file, found) in listings {
        let beside = testdata().join(format!("{file}.txt"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&beside, &found).unwrap();
        }
        let expected = fs::read_to_string(&beside).unwrap();
        let difference = found
            .lines()
            .zip(expected.lines())
            .find(|(found, expected)| found != expected);
        assert!(found == expected, "{file}: first difference {difference:?}");
    }
}

#[test]
fn ids_are_unique_within_a_class_and_every_operator_with_a_meaning_has_mutants() {
    let mut operators = BTreeSet::new();
    for bytes in compiled().values() {
        let mutants = all(bytes);
        let ids: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.id.as_str()).collect();
        assert_eq!(ids.len(), mutants.len());
        operators.extend(mutants.iter().map(|mutant| mutant.operator));
    }
    let without = [
        Operator::Logical,
        Operator::Assignment,
        Operator::BreakContinue,
        Operator::GotoLabel,
    ];
    let expected: BTreeSet<Operator> = Operator::ALL
        .into_iter()
        .filter(|one| !without.contains(one))
        .collect();
    assert_eq!(operators, expected);
}

#[test]
fn fewer_operators_give_a_part_of_the_list() {
    let subjects = compiled();
    let comparable = mutants(&subjects["Calls"], &Options::comparable()).unwrap();
    let further = [Operator::Constant, Operator::CallRemoval];
    let mut expected = all(&subjects["Calls"]);
    expected.retain(|mutant| !further.contains(&mutant.operator));
    assert!(!expected.is_empty());
    assert_eq!(comparable, expected);
}

#[test]
fn a_mutant_does_not_fit_another_class() {
    let subjects = compiled();
    let mutant = all(&subjects["Calls"]).remove(0);
    let error = mutant.apply(&subjects["Returns"]).unwrap_err();
    assert!(matches!(error, ApplyError::Stale { .. }), "{error}");
    assert!(matches!(
        mutant.apply(b"nonsense").unwrap_err(),
        ApplyError::Class(_)
    ));
}

/// A mutant ready for `Verify`: what it is, the class, the bytes.
type Mutated = (String, String, Vec<u8>);

fn verify(
    jdk: &Path,
    classes: &Path,
    originals: &BTreeMap<String, Vec<u8>>,
    mutated: &[Mutated],
) -> (Vec<String>, usize) {
    let mut data = Vec::new();
    let text = |data: &mut Vec<u8>, text: &str| {
        data.extend((text.len() as u16).to_be_bytes());
        data.extend(text.as_bytes());
    };
    let block = |data: &mut Vec<u8>, bytes: &[u8]| {
        data.extend((bytes.len() as u32).to_be_bytes());
        data.extend(bytes);
    };
    data.extend((originals.len() as u32).to_be_bytes());
    for (name, bytes) in originals {
        text(&mut data, &name.replace('/', "."));
        block(&mut data, bytes);
    }
    data.extend((mutated.len() as u32).to_be_bytes());
    for (label, name, bytes) in mutated {
        text(&mut data, label);
        text(&mut data, &name.replace('/', "."));
        block(&mut data, bytes);
    }
    let file = classes.join("mutants.bin");
    fs::write(&file, data).unwrap();
    let mut java = Command::new(jdk.join("bin/java"));
    java.args(["-Xverify:all", "-XX:TieredStopAtLevel=1", "-cp"]);
    java.arg(classes).arg("Verify").arg(file);
    java.env_remove("JDK_JAVA_OPTIONS");
    let output = java.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut refused: Vec<String> = stdout.lines().map(str::to_owned).collect();
    let last = refused.pop().unwrap_or_default();
    let checked = last.strip_prefix("checked ");
    let checked =
        checked.unwrap_or_else(|| panic!("{last}\n{}", String::from_utf8_lossy(&output.stderr)));
    (refused, checked.parse().unwrap())
}

#[test]
fn a_class_that_pops_too_much_is_refused() {
    let scratch = Scratch::new("refused");
    let subjects = subjects(&jdks()[0], &scratch);
    let mut broken = subjects["Arithmetic"].clone();
    // `aload_0; invokespecial` of the constructor becomes `pop; invokespecial`.
    let at = broken
        .windows(2)
        .position(|bytes| bytes == [0x2a, 0xb7])
        .unwrap();
    broken[at] = 0x57;
    let mutated = [("broken".to_owned(), "Arithmetic".to_owned(), broken)];
    for jdk in jdks() {
        let (refused, checked) = verify(&jdk, &scratch.0, &subjects, &mutated);
        assert!(
            checked == 1 && refused[0].contains("VerifyError"),
            "{refused:?}"
        );
    }
}

#[test]
fn every_mutant_of_the_subjects_is_accepted_by_the_verifier_of_every_jdk() {
    for jdk in jdks() {
        let scratch = Scratch::new("verify");
        let subjects = subjects(&jdk, &scratch);
        let mut mutated = Vec::new();
        for (name, bytes) in &subjects {
            for mutant in all(bytes) {
                let changed = mutant.apply(bytes).unwrap();
                assert_ne!(&changed, bytes, "{mutant}");
                mutated.push((format!("{name} {mutant}"), name.clone(), changed));
            }
        }
        assert!(mutated.len() > 200);
        let (refused, checked) = verify(&jdk, &scratch.0, &subjects, &mutated);
        assert_eq!(refused, [""; 0]);
        assert_eq!(checked, mutated.len());
    }
}

/// The classes of a jar of this machine by their names.
fn jar_classes(name: &str) -> BTreeMap<String, Vec<u8>> {
    let path = Path::new("/usr/share/java").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|_| panic!("`{}` is needed", path.display()));
    let jar = Jar::parse(&bytes).unwrap();
    let classes = jar.classes(17).unwrap();
    let named = classes.iter().map(|class| {
        let name = class.name.strip_suffix(".class").unwrap().to_owned();
        (name, jar.read(class.entry).unwrap().into_owned())
    });
    named
        .filter(|(name, _)| !name.ends_with("module-info"))
        .collect()
}

/// One in this many mutants of a library is made and read back; one in this many of those is loaded.
const MADE: usize = 8;
const LOADED: usize = 5;

fn sweep(name: &str) {
    let scratch = Scratch::new(name);
    let verifier = testdata().join("Verify.java");
    compile(&jdks()[0], &[verifier], &scratch.0);
    let originals = jar_classes(name);
    let (mut mutated, mut count) = (Vec::new(), 0);
    for (class, bytes) in &originals {
        for mutant in all(bytes) {
            count += 1;
            if count % MADE != 0 {
                continue;
            }
            let changed = mutant.apply(bytes).unwrap();
            let read = ClassFile::parse(&changed).unwrap();
            let method = read.method(&mutant.method, &mutant.descriptor).unwrap();
            method.code(&read.pool).unwrap().unwrap();
            if count % (MADE * LOADED) == 0 {
                mutated.push((format!("{class} {mutant}"), class.clone(), changed));
            }
        }
    }
    assert!(count > 5_000, "{count} mutants");
    for jdk in jdks() {
        let (refused, checked) = verify(&jdk, &scratch.0, &originals, &mutated);
        assert_eq!(refused, [""; 0]);
        assert!(
            checked * 10 > mutated.len() * 9,
            "{checked} of {}",
            mutated.len()
        );
    }
}

#[test]
fn sampled_mutants_of_commons_lang_are_classes_that_the_verifier_accepts() {
    sweep("commons-lang3.jar");
}

#[test]
fn sampled_mutants_of_joda_time_are_classes_that_the_verifier_accepts() {
    sweep("joda-time.jar");
}
