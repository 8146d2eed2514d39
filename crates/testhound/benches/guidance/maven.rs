//! What Maven fetches, once each: the jars of subjects with what they need, and other people's tools that measure suites.

use super::subjects::{Artifact, Subject};
use super::tools::checked;
use anyhow::{Context, Result};
use report::escape::xml;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The plugin that copies artifacts into a folder.
const GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";

/// A tool: the folder it is kept in, and its artifacts.
pub struct Tool(&'static str, &'static [Artifact]);

/// JaCoCo's agent and its command line.
pub const JACOCO: Tool = Tool(
    "jacoco",
    &[
        ("org.jacoco", "org.jacoco.cli", "0.8.14", Some("nodeps")),
        ("org.jacoco", "org.jacoco.agent", "0.8.14", Some("runtime")),
    ],
);

/// JUnit's console launcher.
pub const CONSOLE: Tool = Tool(
    "console",
    &[(
        "org.junit.platform",
        "junit-platform-console-standalone",
        "1.10.2",
        None,
    )],
);

/// PIT with what it needs for JUnit 5.
pub const PIT: Tool = Tool(
    "pit",
    &[
        ("org.pitest", "pitest-command-line", "1.20.3", None),
        ("org.pitest", "pitest-junit5-plugin", "1.2.3", None),
        ("org.junit.jupiter", "junit-jupiter-engine", "5.10.2", None),
        (
            "org.junit.platform",
            "junit-platform-launcher",
            "1.10.2",
            None,
        ),
    ],
);

/// The jar of a subject.
pub struct Jars {
    /// Its own.
    pub own: PathBuf,
    /// Those that it needs.
    pub needs: Vec<PathBuf>,
}

impl Jars {
    /// The class path for everything that uses the subject with some tools.
    pub fn with(&self, tools: &[PathBuf]) -> Vec<PathBuf> {
        let own = [&self.own].into_iter();
        own.chain(&self.needs).chain(tools).cloned().collect()
    }
}

/// The jars of a tool.
pub fn tool(work: &Path, Tool(name, artifacts): &Tool) -> Result<Vec<PathBuf>> {
    fetch(&work.join("tools").join(name), artifacts)
}

/// The jars of a subject.
pub fn jars(work: &Path, subject: &Subject) -> Result<Jars> {
    let mut needs = fetch(&work.join("jars").join(subject.name), &subject.artifacts())?;
    let name = format!("{}-{}.jar", subject.name, subject.version);
    let own = needs.iter().position(|jar| jar.ends_with(&name));
    let own = own.with_context(|| format!("Maven brought no `{name}`"))?;
    Ok(Jars {
        own: needs.remove(own),
        needs,
    })
}

/// Fetches artifacts with what they need into a folder, unless the same have been fetched.
fn fetch(folder: &Path, artifacts: &[Artifact]) -> Result<Vec<PathBuf>> {
    let (done, description) = (folder.join("done"), description(artifacts));
    if std::fs::read_to_string(&done).ok().as_deref() != Some(&description) {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        let project = folder.join("pom.xml");
        std::fs::write(&project, &description)?;
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B", "-f"]).arg(&project);
        maven.args([GOAL, "-DoutputDirectory=jars"]);
        let context = || format!("Maven cannot fetch what `{}` asks for", project.display());
        checked(&mut maven).with_context(context)?;
        std::fs::write(&done, description)?;
    }
    super::suites::junit::files(&folder.join("jars"), "jar")
}

/// A project that depends on artifacts.
fn description(artifacts: &[Artifact]) -> String {
    let mut text = "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId>\
                    <version>1</version><dependencies>"
        .to_owned();
    for (group, name, version, classifier) in artifacts {
        let tag = |tag: &str, value: &str| format!("<{tag}>{}</{tag}>", xml(value));
        text += "<dependency>";
        text += &tag("groupId", group);
        text += &tag("artifactId", name);
        text += &tag("version", version);
        text += &classifier.map_or(String::new(), |one| tag("classifier", one));
        text += "</dependency>";
    }
    text + "</dependencies></project>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_names_what_is_fetched() {
        let text = description(&[("g", "a", "1", None), ("h", "b", "2", Some("c"))]);
        assert!(text.contains("<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>"));
        assert!(text.contains(
            "<version>2</version><classifier>c</classifier></dependency></dependencies>"
        ));
    }
}
