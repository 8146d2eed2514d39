//! Maven and Gradle projects: where their compiled classes are and what these need.
//!
//! Nothing is compiled or downloaded: build tools run offline and are only asked for the class path. Where that fails, the
//! run goes on without it and says so.

use super::error::Error;
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How deep modules are looked for.
const DEEPEST: usize = 4;

/// A project's compiled classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Class folders of all modules.
    pub classes: Vec<PathBuf>,
    /// What they need.
    pub classpath: Vec<PathBuf>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// A tool that builds projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildTool {
    Maven,
    Gradle,
}

const MAVEN_FILES: &[&str] = &["pom.xml"];
const GRADLE_FILES: &[&str] = &[
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
];

impl Project {
    /// The project in a folder; none where there is no build file.
    pub fn find(folder: &Path) -> Result<Option<Project>, Error> {
        let Some(tool) = BuildTool::of(folder) else {
            return Ok(None);
        };
        let mut modules = Vec::new();
        find_modules(folder, 0, &mut modules);
        let classes = modules.iter().flat_map(|module| class_folders(module));
        let classes: Vec<PathBuf> = classes.filter(|classes| classes.is_dir()).collect();
        if classes.is_empty() {
            return Err(Error::NoClasses {
                path: folder.to_owned(),
                hint: format!("run `{}` in it first", tool.compile()),
            });
        }
        let mut project = Project {
            classes,
            classpath: copied_dependencies(&modules),
            notes: Vec::new(),
        };
        if project.classpath.is_empty() {
            project.ask(tool, &tool.program(folder), folder);
        }
        Ok(Some(project))
    }

    fn ask(&mut self, tool: BuildTool, program: &Path, folder: &Path) {
        match tool.classpath(program, folder) {
            Ok(mut entries) => {
                entries.retain(|entry| !self.classes.contains(entry));
                self.classpath = entries;
            }
            Err(cause) => self.notes.push(format!(
                "the class path of `{}` is not known: {cause}; `--classpath` adds entries",
                folder.display()
            )),
        }
    }
}

/// Folders with a build file, the upper ones first.
fn find_modules(folder: &Path, depth: usize, modules: &mut Vec<PathBuf>) {
    if BuildTool::of(folder).is_some() {
        modules.push(folder.to_owned());
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let skipped = ["src", "target", "build", "node_modules"].contains(&name.as_ref());
        !skipped && !name.starts_with('.') && path.is_dir() && !path.is_symlink()
    });
    folders.sort();
    if depth < DEEPEST {
        for folder in &folders {
            find_modules(folder, depth + 1, modules);
        }
    }
}

fn class_folders(module: &Path) -> Vec<PathBuf> {
    match BuildTool::of(module) {
        Some(BuildTool::Maven) => vec![module.join("target/classes")],
        Some(BuildTool::Gradle) => {
            let languages = ["java", "kotlin", "groovy", "scala"].iter();
            languages
                .map(|language| module.join(format!("build/classes/{language}/main")))
                .collect()
        }
        None => Vec::new(),
    }
}

/// Jars that `dependency:copy-dependencies` left behind: then no build tool needs to be started.
fn copied_dependencies(modules: &[PathBuf]) -> Vec<PathBuf> {
    let mut jars = Vec::new();
    for module in modules {
        let Ok(entries) = fs::read_dir(module.join("target/dependency")) else {
            continue;
        };
        let files = entries.flatten().map(|entry| entry.path());
        jars.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "jar")));
    }
    jars.sort();
    jars
}

impl BuildTool {
    fn of(folder: &Path) -> Option<BuildTool> {
        let has = |files: &[&str]| files.iter().any(|file| folder.join(file).is_file());
        if has(MAVEN_FILES) {
            return Some(BuildTool::Maven);
        }
        has(GRADLE_FILES).then_some(BuildTool::Gradle)
    }

    fn compile(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvn compile",
            BuildTool::Gradle => "gradle classes",
        }
    }

    /// The project's own wrapper, else the installed tool.
    fn program(self, folder: &Path) -> PathBuf {
        let (wrapper, name) = match self {
            BuildTool::Maven => ("mvnw", "mvn"),
            BuildTool::Gradle => ("gradlew", "gradle"),
        };
        let wrapper = folder.join(wrapper);
        match wrapper.is_file() {
            true => wrapper.canonicalize().unwrap_or(wrapper),
            false => PathBuf::from(name),
        }
    }

    /// The class path as the tool knows it, or why it does not.
    fn classpath(self, program: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
        // Kept until the tool has ended.
        let mut script = None;
        let args: Vec<OsString> = match self {
            BuildTool::Maven => [
                "-o",
                "-B",
                "dependency:build-classpath",
                "-Dmdep.includeScope=runtime",
            ]
            .map(OsString::from)
            .to_vec(),
            BuildTool::Gradle => {
                let file = tempfile::Builder::new().suffix(".gradle").tempfile();
                let file = file.map_err(|error| error.to_string())?;
                fs::write(file.path(), GRADLE_SCRIPT).map_err(|error| error.to_string())?;
                let mut args = ["--offline", "-q", "--console=plain", "--no-daemon", "-I"]
                    .map(OsString::from)
                    .to_vec();
                args.push(file.path().into());
                args.push("testhoundClasspath".into());
                script = Some(file);
                args
            }
        };
        let mut run = Tool::new(program.to_owned(), args);
        run.folder = Some(folder.to_owned());
        run.timeout = Duration::from_secs(120);
        let finished = run.run().map_err(|error| error.to_string())?;
        drop(script);
        let out = String::from_utf8_lossy(&finished.stdout).into_owned();
        if finished.end == End::Exited(0) {
            return Ok(read_classpath(self, &out));
        }
        let errors = String::from_utf8_lossy(&finished.stderr).into_owned();
        let lines = out.lines().filter(|line| line.starts_with("[ERROR]"));
        let said = lines
            .chain(errors.lines())
            .find(|line| !line.trim().is_empty());
        let said = said
            .unwrap_or("no reason given")
            .trim_start_matches("[ERROR]")
            .trim();
        Err(format!("`{}` failed: {said}", program.display()))
    }
}

const GRADLE_MARK: &str = "testhound-classpath:";
const GRADLE_SCRIPT: &str = "allprojects {
    tasks.create('testhoundClasspath') {
        doLast {
            def sets = project.findProperty('sourceSets')
            if (sets != null) {
                println 'testhound-classpath:' + sets.main.runtimeClasspath.files.findAll { it.exists() }.join(File.pathSeparator)
            }
        }
    }
}
";

/// The entries that a tool printed, in order, each once. Several modules print several lists.
fn read_classpath(tool: BuildTool, out: &str) -> Vec<PathBuf> {
    let mut lists = Vec::new();
    let mut next_is_list = false;
    for line in out.lines() {
        match tool {
            BuildTool::Maven => {
                if next_is_list && !line.starts_with('[') {
                    lists.push(line);
                }
                next_is_list = line.ends_with("Dependencies classpath:");
            }
            BuildTool::Gradle => lists.extend(line.strip_prefix(GRADLE_MARK)),
        }
    }
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in lists.iter().flat_map(|list| list.split(':')) {
        let path = PathBuf::from(entry.trim());
        if !entry.trim().is_empty() && !entries.contains(&path) {
            entries.push(path);
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maven_lists_of_several_modules_are_joined() {
        let out = "[INFO] Scanning\n[INFO] Dependencies classpath:\n/a.jar:/b.jar\n[INFO] done\n\
            [INFO] Dependencies classpath:\n[INFO] \n[INFO] Dependencies classpath:\n/b.jar:/c.jar\n";
        let paths = read_classpath(BuildTool::Maven, out);
        assert_eq!(paths, ["/a.jar", "/b.jar", "/c.jar"].map(PathBuf::from));
    }

    #[test]
    fn gradle_lists_are_marked() {
        let out = "> noise\ntesthound-classpath:/a.jar:/b\n";
        let paths = read_classpath(BuildTool::Gradle, out);
        assert_eq!(paths, ["/a.jar", "/b"].map(PathBuf::from));
    }
}
