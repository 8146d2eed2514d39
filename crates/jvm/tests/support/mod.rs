//! Compiles Java sources, discovers what can be called and runs it, on every Java installation of this machine.
#![allow(dead_code, reason = "each test file uses a part")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use engine::{Argument, Literal, OperationId, Origin, Step, Test, Value};
use jvm::discovery::{Discovered, Filters, Jdk, Subject, discover};
use jvm::prepared::Inside;
use jvm::target::Target;
use jvm::worker::Launch;
use jvm::workers::{PoolSettings, Workers};
use jvm::{Java, OperationKind, Places};
use sandbox::{End, LauncherCommand, Tool};

/// All Java installations with a compiler. There must be one.
pub fn javas() -> Vec<Java> {
    let all = Places::of_this_process(None).all();
    let all: Vec<Java> = all
        .into_iter()
        .filter(|java| java.javac().is_ok())
        .collect();
    assert!(!all.is_empty(), "the tests need a JDK: run scripts/install");
    all
}

/// Compiles all sources below `testdata/NAME`.
pub fn compile(java: &Java, name: &str, target: &Path, options: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name);
    let mut sources = Vec::new();
    collect(&folder, &mut sources);
    let mut args: Vec<OsString> = ["-nowarn", "-g", "-proc:none", "-d"]
        .map(OsString::from)
        .into();
    args.push(target.into());
    args.extend(options.iter().map(OsString::from));
    args.extend(sources.into_iter().map(OsString::from));
    let finished = Tool::new(java.javac().unwrap(), args).run().unwrap();
    assert_eq!(
        finished.end,
        End::Exited(0),
        "{}",
        String::from_utf8_lossy(&finished.stderr)
    );
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, sources);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            sources.push(path);
        }
    }
}

/// A subject, discovered and prepared.
pub struct Ready {
    pub folder: tempfile::TempDir,
    pub java: Java,
    pub discovered: Discovered,
    pub target: Target,
}

impl Ready {
    /// Compiles and prepares a subject.
    pub fn new(java: &Java, name: &str, inside: &Inside) -> Ready {
        Ready::compiled(java, name, inside, &[])
    }

    /// Compiles and prepares a subject with options for the compiler.
    pub fn compiled(java: &Java, name: &str, inside: &Inside, options: &[&str]) -> Ready {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        std::fs::create_dir(&classes).unwrap();
        compile(java, name, &classes, options);
        Ready::of(java, folder, &[classes], inside)
    }

    /// Prepares what is there.
    pub fn of(java: &Java, folder: tempfile::TempDir, paths: &[PathBuf], inside: &Inside) -> Ready {
        let subject = Subject::open(paths, &[], java.version as u16).unwrap();
        let jdk = Jdk::open(&java.home).unwrap();
        let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
        let needs = PoolSettings::default().needs;
        let target = Target::prepare(folder.path(), &subject, &discovered, needs, inside).unwrap();
        Ready {
            folder,
            java: java.clone(),
            discovered,
            target,
        }
    }

    pub fn launch(&self) -> Launch {
        Launch::new(self.java.clone(), LauncherCommand::this_program().unwrap())
    }

    pub fn workers(&self, settings: PoolSettings) -> Workers {
        Workers::start(&self.target, &self.launch(), settings)
    }

    /// The operation of this class and name; of overloads the first.
    pub fn operation(&self, owner: &str, name: &str) -> OperationId {
        let found = self.target.model.operations.iter().position(|one| {
            one.owner == owner
                && (one.name == name || one.kind == OperationKind::Array && name == "[]")
        });
        OperationId(found.unwrap_or_else(|| panic!("no operation {owner}.{name}")) as u32)
    }

    /// A step that calls it.
    pub fn step(&self, owner: &str, name: &str, arguments: Vec<Argument>) -> Step {
        Step {
            operation: self.operation(owner, name),
            arguments,
        }
    }
}

pub fn test(steps: Vec<Step>) -> Test {
    Test { steps }
}

pub fn result(step: u32) -> Argument {
    Argument::Result(step)
}

pub fn literal(value: Value) -> Argument {
    Argument::Literal(Literal {
        value,
        origin: Origin::Builtin,
    })
}

pub fn int(number: i64) -> Argument {
    literal(Value::Int(number))
}

pub fn text(text: &str) -> Argument {
    literal(Value::Text(text.to_owned()))
}
