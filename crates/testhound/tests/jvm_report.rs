//! What reports on Java classes claim, end to end: workers that were given up, reasons, and coverage as the real JaCoCo sees it.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Project, code, junit_jars, stderr, stdout, tree};

const TROUBLE: &str = "package t;
public class Trouble {
    public int fine(int a) { return a > 3 ? 1 : 0; }
    public void leaks() {
        new Thread() {
            public void run() {
                while (true) {
                    try {
                        sleep(1000000);
                    } catch (InterruptedException e) {
                    }
                }
            }
        }.start();
    }
    public void refuses() { throw new UnsupportedOperationException(); }
    public void exits() { System.exit(3); }
    public void spins() { for (;;) { } }
    private void hidden() { }
}
";

const BROKEN: &str = "package t;
public class Broken {
    static final int[] TABLE = new int[2];
    static { TABLE[TABLE.length] = 1; }
    public static int get(int a) { return TABLE[a]; }
}
";

#[test]
fn lost_workers_and_members_that_never_end_well_are_reported() {
    let sources = [
        ("src/t/Trouble.java", TROUBLE),
        ("src/t/Broken.java", BROKEN),
    ];
    let project = Project::new(&sources);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--executions", "200", "--json"];
    let output = project.run(&[&words[..], &["--mutants", "0", "--out", "out"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let retired = &record["workers-retired"][0];
    assert_eq!(retired["reason"], "a test left a thread behind");
    let example = retired["example"].as_str().unwrap();
    assert!(example.contains(".leaks();"), "{example}");
    let lost = retired["count"].as_u64().unwrap();
    assert!(lost > 0 && record["workers-started"].as_u64().unwrap() > lost);
    let classes = record["classes"].as_array().unwrap();
    let reason = |class: &str, name: &str| {
        let class = classes.iter().find(|one| one["name"] == class).unwrap();
        let mut methods = class["methods"].as_array().unwrap().iter();
        let method = methods.find(|method| method["name"] == name);
        method.unwrap()["reason"].clone()
    };
    let code = |name: &str| {
        let reason = reason("t/Trouble", name);
        reason["code"].as_str().unwrap_or("").to_owned()
    };
    let reasons = ["fine", "leaks", "refuses", "exits", "spins", "hidden"].map(code);
    let expected = [
        "",
        "leaks-threads",
        "always-throws",
        "exits-jvm",
        "times-out",
        "private-member",
    ];
    assert_eq!(reasons, expected);
    let threw = reason("t/Trouble", "refuses")["detail"].clone();
    assert_eq!(threw, "java.lang.UnsupportedOperationException");
    let broken = reason("t/Broken", "get")["code"].clone();
    assert_eq!(broken, "static-initialiser-throws");
    let html = std::fs::read_to_string(project.path("out/report.html")).unwrap();
    assert!(html.contains("a test left a thread behind") && html.contains("leaks-threads"));
}

const RUNNER: &str = "import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.*;
public class RunAll {
    public static void main(String[] names) throws Exception {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : System.getProperty(\"tests\").split(\",\")) {
            request.selectors(DiscoverySelectors.selectClass(Class.forName(name)));
        }
        LauncherFactory.create().execute(request.build());
    }
}
";

/// Instructions, branches, lines and methods of each class, as covered of all.
type Counters = BTreeMap<String, [(u64, u64); 4]>;

/// Runs a written suite under JaCoCo, with the program that the tests of `classfile` compare totals by.
fn jacoco(project: &Project, out: &str) -> Counters {
    let suite = project.path(out).join("suite");
    let files: Vec<PathBuf> = tree(&suite).into_iter().map(|(path, _)| path).collect();
    let names: Vec<String> = files
        .iter()
        .map(|path| path.with_extension("").display().to_string())
        .map(|name| name.replace('/', "."))
        .collect();
    std::fs::write(project.path("RunAll.java"), RUNNER).unwrap();
    let measure = Path::new(env!("CARGO_MANIFEST_DIR"));
    let measure = measure.join("../classfile/testdata/jacoco/Measure.java");
    let jars = ["org.jacoco.core", "asm", "asm-commons", "asm-tree"];
    let jars = jars.map(|jar| format!("/usr/share/java/{jar}.jar"));
    let classes = project.path("classes");
    let tool = project.path("tool");
    let classpath = format!("{}:{}:{}", jars.join(":"), junit_jars(), tool.display());
    let mut sources: Vec<PathBuf> = files.iter().map(|path| suite.join(path)).collect();
    sources.push(project.path("RunAll.java"));
    for (sources, target) in [(vec![measure], &tool), (sources, &classes)] {
        let output = Command::new("javac")
            .args(["-nowarn", "-cp"])
            .arg(format!("{classpath}:{}", classes.display()))
            .arg("-d")
            .arg(target)
            .args(["--release", "11"])
            .args(sources)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let output = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-cp", &classpath])
        .arg(format!("-Dtests={}", names.join(",")))
        .args(["Measure", "run"])
        .arg(&classes)
        .arg("RunAll")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let classes = text.lines().filter_map(|line| line.strip_prefix("class "));
    let pair = |word: &str| {
        let (covered, total) = word.split_once('/').unwrap();
        (covered.parse().unwrap(), total.parse().unwrap())
    };
    classes
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let counters = [words[1], words[2], words[3], words[4]].map(pair);
            (words[0].to_owned(), counters)
        })
        .collect()
}

/// The counters of classes in `coverage.xml`.
fn claimed(xml: &str) -> Counters {
    let mut classes = Counters::new();
    for class in xml.split("<class ").skip(1) {
        let name = class.split('"').nth(1).unwrap();
        let body = class.split("</class>").next().unwrap();
        // The counters of the class follow those of its last method.
        let own = body.rsplit("</method>").next().unwrap();
        let counter = |kind: &str| {
            let found = own.split("<counter ").find(|one| one.contains(kind));
            let number = |one: &str, key: &str| -> u64 {
                let value = one.split(key).nth(1).unwrap();
                value.split('"').nth(1).unwrap().parse().unwrap()
            };
            found.map_or((0, 0), |one| {
                let covered = number(one, "covered=");
                (covered, covered + number(one, "missed="))
            })
        };
        let kinds = ["INSTRUCTION", "BRANCH", "LINE", "METHOD"];
        classes.insert(name.to_owned(), kinds.map(counter));
    }
    classes
}

#[test]
fn jacoco_sees_the_coverage_that_is_claimed() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bank/src");
    let files = ["Account", "Currency", "Money"].map(|name| {
        let path = format!("bank/{name}.java");
        let text = std::fs::read_to_string(sources.join(&path)).unwrap();
        (format!("src/{path}"), text)
    });
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let project = Project::new(&files);
    project.compile_for("8", "src", "classes");
    let words = ["generate", "classes", "--executions", "3000"];
    let output = project.run(&[&words[..], &["--mutants", "200", "--out", "out"]].concat());
    assert!(code(&output) <= 1, "{}", stderr(&output));
    let xml = std::fs::read_to_string(project.path("out/coverage.xml")).unwrap();
    let claimed = claimed(&xml);
    let seen = jacoco(&project, "out");
    assert_eq!(claimed.len(), 3, "{claimed:?}");
    let mut covered = 0;
    for (name, claims) in &claimed {
        let seen = &seen[name];
        for (claim, seen) in claims.iter().zip(seen) {
            assert_eq!(claim.1, seen.1, "{name}: {claims:?} {seen:?}");
            let away = claim.0.abs_diff(seen.0);
            assert!(away * 100 <= seen.1, "{name}: {claims:?} {seen:?}");
            covered += seen.0;
        }
    }
    assert!(covered > 200, "{covered}");
}
