//! Compiles written suites with a JDK, and runs them in a fresh JVM by JUnit's console launcher. What should pass is the caller's matter.

use anyhow::{Context, Result, bail};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long one run of a suite may take.
const LONGEST: Duration = Duration::from_secs(900);

/// One test of one run.
#[derive(Debug, PartialEq)]
pub struct Ran {
    /// Class and method.
    pub name: String,
    /// How it failed, if it did: the first lines.
    pub failed: Option<String>,
    /// Whether its class holds tests that show failures of the subject, and must fail.
    pub must_fail: bool,
}

impl Ran {
    /// Whether it did not do what it should.
    pub fn wrong(&self) -> bool {
        self.failed.is_some() != self.must_fail
    }
}

/// Compiles all sources in a folder; what the compiler says if it refuses them. The folder of classes is there afterwards.
pub fn compile(
    jdk: &Path,
    classpath: &[PathBuf],
    sources: &Path,
    classes: &Path,
) -> Result<Option<String>> {
    let no_folder = || format!("there is no suite in `{}`", sources.display());
    let files = files(sources, "java").with_context(no_folder)?;
    std::fs::create_dir_all(classes)?;
    if files.is_empty() {
        return Ok(None);
    }
    let output = Command::new(jdk.join("bin/javac"))
        .args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-cp"])
        .arg(std::env::join_paths(classpath)?)
        .arg("-d")
        .arg(classes)
        .args(files)
        .output()
        .with_context(|| format!("cannot run the compiler of `{}`", jdk.display()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((!output.status.success()).then_some(said))
}

/// The files below a folder whose names end in an extension, sorted.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|one| one == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Runs compiled tests in a JVM with these options. The class path holds everything but them, the launcher too.
pub fn run(
    jdk: &Path,
    options: &[String],
    classpath: &[PathBuf],
    classes: &Path,
) -> Result<Vec<Ran>> {
    let reports = tempfile::tempdir()?;
    let scratch = tempfile::tempdir()?;
    let places = classpath.iter().map(PathBuf::as_path).chain([classes]);
    let mut command = Command::new(jdk.join("bin/java"));
    command
        .args(options)
        .arg("-cp")
        .arg(std::env::join_paths(places)?)
        .arg("org.junit.platform.console.ConsoleLauncher")
        .args(["--details=none", "--disable-banner"])
        .arg("--include-classname=.*")
        .arg("--scan-class-path")
        .arg(classes)
        .arg("--reports-dir")
        .arg(reports.path())
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    wait(&mut command)?;
    // A suite without tests leaves no report.
    match std::fs::read(reports.path().join("TEST-junit-jupiter.xml")) {
        Ok(report) => read(&String::from_utf8_lossy(&report)),
        Err(_) => Ok(Vec::new()),
    }
}

fn wait(command: &mut Command) -> Result<()> {
    let begun = Instant::now();
    let mut child = command.spawn().context("cannot start a JVM")?;
    while child.try_wait()?.is_none() {
        if begun.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            bail!("the suite ran for more than {LONGEST:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// The tests of a report.
fn read(report: &str) -> Result<Vec<Ran>> {
    let mut reader = Reader::from_str(report);
    let mut tests: Vec<Ran> = Vec::new();
    let mut inside = false;
    loop {
        match reader.read_event()? {
            Event::Start(start) | Event::Empty(start) if start.name().as_ref() == "testcase" => {
                tests.push(test(&start)?);
            }
            Event::Start(start) | Event::Empty(start)
                if matches!(start.name().as_ref(), "failure" | "error") =>
            {
                inside = true;
                if let Some(last) = tests.last_mut() {
                    last.failed = Some(attribute(&start, "type")?);
                }
            }
            Event::CData(text) if inside => {
                if let Some(last) = tests.last_mut() {
                    let lines: Vec<&str> = text.lines().take(6).collect();
                    last.failed = Some(lines.join(" | "));
                }
                inside = false;
            }
            Event::End(_) => inside = false,
            Event::Eof => return Ok(tests),
            _ => {}
        }
    }
}

fn test(start: &BytesStart<'_>) -> Result<Ran> {
    let class = attribute(start, "classname")?;
    Ok(Ran {
        name: format!("{class}.{}", attribute(start, "name")?),
        failed: None,
        must_fail: class.ends_with("ErrorTest"),
    })
}

/// An attribute's text; nothing if it is not there.
pub fn attribute(start: &BytesStart<'_>, name: &str) -> Result<String> {
    let Some(found) = start.try_get_attribute(name)? else {
        return Ok(String::new());
    };
    let value = found.normalized_value(quick_xml::XmlVersion::Explicit1_0)?;
    Ok(value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_which_tests_failed_and_which_of_them_should() {
        let report = r#"<?xml version="1.0"?><testsuite tests="3">
            <testcase name="a()" classname="p.OneTest" time="0"><system-out><![CDATA[x]]></system-out></testcase>
            <testcase name="b&lt;()" classname="p.OneTest"><failure message="m" type="T"><![CDATA[T: m
	at p.One]]></failure></testcase>
            <testcase name="c()" classname="p.OneErrorTest"><error type="E"/></testcase>
            <testcase name="d()" classname="p.OneErrorTest"/></testsuite>"#;
        let tests = read(report).unwrap();
        let told: Vec<(&str, Option<&str>, bool)> = tests
            .iter()
            .map(|test| (test.name.as_str(), test.failed.as_deref(), test.wrong()))
            .collect();
        assert_eq!(
            told,
            [
                ("p.OneTest.a()", None, false),
                ("p.OneTest.b<()", Some("T: m | \tat p.One"), true),
                ("p.OneErrorTest.c()", Some("E"), false),
                ("p.OneErrorTest.d()", None, true),
            ]
        );
    }

    #[test]
    fn a_torn_report_is_an_error() {
        assert!(read("<testsuite><testcase name=\"a\"></testsuite>").is_err());
    }
}
