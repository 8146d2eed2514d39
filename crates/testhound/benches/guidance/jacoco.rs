//! What a written suite covers, as JaCoCo counts it: its agent watches the suite, its command line reports about the sampled classes.

use super::maven::{JACOCO, Jars};
use super::sample::{outermost, unpack};
use super::suites::junit::{self, attribute};
use super::tools::{Tools, checked};
use anyhow::{Context, Result};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What is covered.
#[derive(Debug, Default, PartialEq)]
pub struct Covered {
    /// Per outermost class, with those nested in it: instructions covered, all of them, branches covered, all of them.
    pub classes: BTreeMap<String, [u64; 4]>,
    /// Per method with branches, named by class, name and descriptor: branches covered, all of them.
    pub methods: BTreeMap<String, (u64, u64)>,
}

/// Runs a suite and counts.
pub fn measure(tools: &Tools, jars: &Jars, classes: &[String], suite: &Path) -> Result<Covered> {
    let jacoco = tools.fetched(&JACOCO)?;
    let find = |name: &str| {
        let found = jacoco
            .iter()
            .find(|jar| jar.to_string_lossy().ends_with(name));
        found.with_context(|| format!("Maven brought no JaCoCo of the kind `{name}`"))
    };
    let folder = tempfile::tempdir()?;
    let here = |name: &str| folder.path().join(name);
    let classpath = tools.compile(jars, suite, &here("tests"))?;
    unpack(&jars.own, classes, &here("classes"))?;
    let hits = here("hits.exec");
    let agent = find("-runtime.jar")?.display();
    let agent = format!("-javaagent:{agent}=destfile={}", hits.display());
    junit::run(&tools.jdk, &[agent], &classpath, &here("tests"))?;
    let mut report = Command::new(tools.jdk.join("bin/java"));
    report.arg("-jar").arg(find("-nodeps.jar")?).arg("report");
    // A suite without tests leaves no hits.
    report.args(Some(&hits).filter(|hits| hits.exists()));
    report.arg("--classfiles").arg(here("classes"));
    report.arg("--xml").arg(here("covered.xml"));
    checked(&mut report)?;
    read(&std::fs::read_to_string(here("covered.xml"))?)
}

/// Where counters belong to.
#[derive(Default)]
struct Place {
    class: Option<String>,
    method: Option<String>,
}

/// Reads JaCoCo's report. Classes without code have no counters there and are not among the covered ones.
fn read(report: &str) -> Result<Covered> {
    let mut reader = Reader::from_str(report);
    let mut covered = Covered::default();
    let mut place = Place::default();
    loop {
        match reader.read_event()? {
            Event::Start(start) => match start.name().as_ref() {
                "class" => place.class = Some(attribute(&start, "name")?),
                "method" => {
                    let class = place.class.as_deref().unwrap_or_default();
                    let name = attribute(&start, "name")?;
                    let name = format!("{class}.{name}{}", attribute(&start, "desc")?);
                    place.method = Some(name);
                }
                _ => {}
            },
            Event::Empty(counter) if counter.name().as_ref() == "counter" => {
                count(&counter, &place, &mut covered)?;
            }
            Event::End(end) => match end.name().as_ref() {
                "class" => place.class = None,
                "method" => place.method = None,
                _ => {}
            },
            Event::Eof => return Ok(covered),
            _ => {}
        }
    }
}

fn count(counter: &BytesStart<'_>, place: &Place, covered: &mut Covered) -> Result<()> {
    let number = |name: &str| -> Result<u64> {
        let text = attribute(counter, name)?;
        let context = || format!("`{text}` is no count of JaCoCo's");
        text.parse().with_context(context)
    };
    let first = match attribute(counter, "type")?.as_str() {
        "INSTRUCTION" => 0,
        "BRANCH" => 2,
        _ => return Ok(()),
    };
    let (hit, all) = (number("covered")?, number("covered")? + number("missed")?);
    match place {
        Place {
            method: Some(name), ..
        } if first == 2 => {
            covered.methods.insert(name.clone(), (hit, all));
        }
        Place {
            class: Some(name),
            method: None,
        } => {
            let counts = covered.classes.entry(outermost(name)).or_default();
            counts[first] += hit;
            counts[first + 1] += all;
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_nested_classes_are_added_and_methods_keep_their_own() {
        let covered = read(include_str!("jacoco.xml")).unwrap();
        assert_eq!(
            covered.classes,
            BTreeMap::from([
                ("a.One".to_owned(), [7, 13, 3, 6]),
                ("a.Two".to_owned(), [0, 4, 0, 0]),
            ])
        );
        assert_eq!(
            covered.methods,
            BTreeMap::from([
                ("a/One$In.of(I)V".to_owned(), (0, 2)),
                ("a/One.<init>()V".to_owned(), (3, 4)),
            ])
        );
    }
}
