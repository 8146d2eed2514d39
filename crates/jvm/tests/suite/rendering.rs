//! Rendering as data: every file in `testdata/suite/cases` gives the Java files beside it, for JUnit 5 and 4, with all JDKs.
//! These files are compiled by every JDK and run by the real JUnit. `UPDATE_EXPECT=1` rewrites them.

use crate::case;
use crate::subject::{compile, java_files, jdks, model, testdata};
use jvm::suite::{Junit, Reason, SuiteInput, SuiteOptions, SuiteSummary, write};
use jvm::{Java, JvmModel};
use sandbox::Tool;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

const CASES: [&str; 6] = [
    "errors",
    "literals",
    "names",
    "overloads",
    "shapes",
    "stack",
];

fn rendered(model: &JvmModel, case: &str, junit: Junit) -> BTreeMap<String, String> {
    let text = fs::read_to_string(testdata().join(format!("cases/{case}.json"))).unwrap();
    let tests = case::read(model, &text);
    let input = SuiteInput {
        model,
        tests: &tests,
        options: SuiteOptions { junit },
        closed: &BTreeSet::new(),
    };
    let suite = write(&input);
    let unexpected = suite
        .dropped
        .iter()
        .find(|dropped| dropped.reason != Reason::Duplicate);
    assert_eq!(unexpected, None, "{case}");
    let files = suite.files.into_iter();
    files.map(|file| (file.path, file.text)).collect()
}

fn expected_folder(case: &str, junit: Junit) -> PathBuf {
    testdata().join(format!("cases/{case}/junit{}", junit.number()))
}

fn expected(case: &str, junit: Junit) -> BTreeMap<String, String> {
    let folder = expected_folder(case, junit);
    let files = java_files(&folder).into_iter();
    files
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn update(case: &str, junit: Junit, files: &BTreeMap<String, String>) {
    let folder = expected_folder(case, junit);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// How many tests the real JUnit, of a file of Debian's, says to have run with which end.
fn junit_counts(java: &Java, classes: &[PathBuf]) -> (usize, usize) {
    let debian = Path::new("/usr/share/java");
    let jars = [
        "junit-platform-console",
        "junit-platform-launcher",
        "junit-platform-engine",
        "junit-platform-commons",
        "junit-platform-reporting",
        "junit-jupiter-engine",
        "junit-jupiter-api",
        "junit-vintage-engine",
        "junit4",
        "hamcrest",
        "opentest4j",
        "opentest4j-reporting-events",
        "opentest4j-reporting-schema",
        "apiguardian-api",
        "picocli",
    ];
    let mut classpath: Vec<PathBuf> = classes.to_vec();
    classpath.extend(jars.map(|jar| debian.join(format!("{jar}.jar"))));
    let mut args: Vec<OsString> = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"]
        .map(OsString::from)
        .to_vec();
    args.push(std::env::join_paths(classpath).unwrap());
    args.extend(
        [
            "org.junit.platform.console.ConsoleLauncher",
            "--disable-banner",
            "--disable-ansi-colors",
            "--include-classname",
            ".*",
            "--scan-classpath",
        ]
        .map(OsString::from),
    );
    args.push(classes[0].clone().into());
    let finished = Tool::new(java.java(), args).run().unwrap();
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let count = |what: &str| -> usize {
        let line = said.lines().find(|line| line.contains(what));
        let line =
            line.unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&finished.stderr)));
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    };
    (count("tests successful"), count("tests failed"))
}

/// Compiles all expected files of a version together and runs them: regression tests pass, error tests fail.
fn check_with_junit(java: &Java, subject: &Path, junit: Junit) {
    let folder = tempfile::tempdir().unwrap();
    let folders = CASES.map(|case| expected_folder(case, junit));
    let sources: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| java_files(folder))
        .collect();
    let mut classpath = jvm::suite::JunitPlaces::of_this_process(Vec::new())
        .find(junit)
        .unwrap();
    classpath.push(subject.to_owned());
    compile(java, &classpath, &sources, folder.path());
    let texts = sources
        .iter()
        .map(|path| (path, fs::read_to_string(path).unwrap()));
    let (errors, passing): (Vec<_>, Vec<_>) =
        texts.partition(|(path, _)| path.display().to_string().contains("ErrorTest"));
    let tests = |files: &[(&PathBuf, String)]| -> usize {
        let methods = files.iter().map(|(_, text)| text.matches("void ").count());
        methods.sum()
    };
    let counted = junit_counts(java, &[folder.path().to_owned(), subject.to_owned()]);
    assert_eq!(counted, (tests(&passing), tests(&errors)));
}

#[test]
fn cases_give_their_files_and_junit_runs_these_on_every_jdk() {
    let mut wrong = Vec::new();
    for (index, java) in jdks().iter().enumerate() {
        let classes = tempfile::tempdir().unwrap();
        let model = model(java, "subject", classes.path());
        for junit in [Junit::Five, Junit::Four] {
            for case in CASES {
                let actual = rendered(&model, case, junit);
                if index == 0 && std::env::var_os("UPDATE_EXPECT").is_some() {
                    update(case, junit, &actual);
                }
                if actual != expected(case, junit) {
                    wrong.push(format!("{case}: {actual:#?}"));
                }
            }
            check_with_junit(java, classes.path(), junit);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_java_cannot_write_is_dropped_with_a_reason() {
    let java = &jdks()[0];
    let classes = tempfile::tempdir().unwrap();
    let mut model = model(java, "subject", classes.path());
    let parse = "demo/Numbers.parse(Ljava/lang/String;)I";
    let operation = case::operation(&model, parse);
    let text = format!(r#"[{{"steps": [{{"call": "{parse}", "args": [""], "gives": 1}}]}}]"#);
    let tests = case::read(&model, &text);
    for (name, reason) in [
        ("parse-it", Reason::NoJavaName("parse-it".to_owned())),
        ("class", Reason::NoJavaName("class".to_owned())),
    ] {
        model.operations[operation.0 as usize].name = name.to_owned();
        let closed = BTreeSet::new();
        let input = SuiteInput {
            model: &model,
            tests: &tests,
            options: SuiteOptions::default(),
            closed: &closed,
        };
        let suite = write(&input);
        assert!(suite.files.is_empty());
        assert_eq!(suite.dropped[0].reason, reason);
        let summary = SuiteSummary::of(&input, &suite);
        assert_eq!(summary.dropped_tests[0].reason, "no-java-name");
    }
}

#[test]
fn the_order_of_tests_does_not_change_the_files() {
    let java = &jdks()[0];
    let classes = tempfile::tempdir().unwrap();
    let model = model(java, "subject", classes.path());
    let text = fs::read_to_string(testdata().join("cases/stack.json")).unwrap();
    let tests = case::read(&model, &text);
    let closed = BTreeSet::new();
    let files = |tests: &[jvm::suite::KeptTest]| {
        let input = SuiteInput {
            model: &model,
            tests,
            options: SuiteOptions::default(),
            closed: &closed,
        };
        let texts = write(&input).files.into_iter();
        texts.map(|file| file.text).collect::<Vec<_>>()
    };
    let reversed: Vec<_> = tests.iter().rev().cloned().collect();
    assert_eq!(files(&tests), files(&reversed));
    let lines = |texts: Vec<String>| -> BTreeSet<String> {
        texts
            .iter()
            .flat_map(|text| text.lines())
            .map(str::to_owned)
            .collect()
    };
    let fewer = lines(files(&tests[1..]));
    let all = lines(files(&tests));
    assert!(fewer.is_subset(&all), "{:?}", fewer.difference(&all));
}
