//! A subject ready for workers: one folder with the Java runtime and one file with operations, trampolines and classes.
//!
//! All workers of a run read the same files; nothing of the subject is sent to them otherwise. The layout of the subject's file
//! is that of the Java side's `Subject`, in order: settings, class path, resettable classes, trampolines, checks, classes
//! with their lengths, operations, the names of their members, and the bytes of the classes.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use classfile::utf8;
use engine::OperationId;

use crate::implementors;
use crate::model::{JvmModel, OperationKind};
use crate::shape::Shape;
use crate::trampolines::Trampolines;

/// The Java side, compiled by our build.
pub(crate) const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.jar"));

/// A class as workers define it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerClass {
    /// Its name in internal form.
    pub name: String,
    /// Its class file, rewritten.
    pub bytes: Vec<u8>,
}

/// How many numbers of each kind the inserted code uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbered {
    /// Places that can be hit.
    pub places: u32,
    /// Edges for counts, traces and distances.
    pub edges: u32,
    /// Path registers.
    pub paths: u32,
    /// Classes whose static state can be reset, by their numbers, in internal form.
    pub resettable: Vec<String>,
}

/// How tests run inside a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    /// Ticks of back edges and method entries that one test may take.
    pub ticks: u32,
    /// Elements that an array made by the subject may have.
    pub array_limit: u32,
    /// What the clock shows, in milliseconds since 1970.
    pub clock: i64,
    /// Whether `assert` statements are executed.
    pub assertions: bool,
    /// Whether the time that tests take is told, which no two runs do alike.
    pub timed: bool,
    /// Whether operations are called by reflection only; exists to measure what trampolines gain.
    pub reflective: bool,
    /// Operations without parameters that check the state of their receiver, such as `checkRep`.
    pub checks: Vec<OperationId>,
}

impl Default for Inside {
    fn default() -> Inside {
        Inside {
            ticks: 200_000,
            array_limit: 1 << 20,
            // A moment that is no boundary of anything: 2020-09-13, 12:26:40.
            clock: 1_600_000_000_000,
            assertions: true,
            timed: false,
            reflective: false,
            checks: Vec::new(),
        }
    }
}

/// A subject ready for workers.
#[derive(Debug)]
pub struct Prepared {
    folder: tempfile::TempDir,
    /// The shapes of all operations.
    pub shapes: Vec<Shape>,
    /// How many operations have no trampoline and are called by reflection.
    pub reflective: usize,
}

impl Prepared {
    /// Writes the files of a subject into a new folder inside `parent`.
    pub fn write(
        parent: &Path,
        model: &JvmModel,
        classes: &[WorkerClass],
        numbered: &Numbered,
        classpath: &[PathBuf],
        inside: &Inside,
    ) -> io::Result<Prepared> {
        let folder = tempfile::Builder::new()
            .prefix("subject-")
            .tempdir_in(parent)?;
        // The sandbox runs workers as another user where we are root.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        let shapes: Vec<Shape> = model
            .operations
            .iter()
            .map(|operation| Shape::of(operation).ok_or_else(|| malformed(&operation.descriptor)))
            .collect::<io::Result<_>>()?;
        let trampolines = Trampolines::emit(&model.operations, &shapes);
        let reflective = trampolines
            .places
            .iter()
            .filter(|place| place.is_none())
            .count();
        let mut out = Vec::new();
        settings(&mut out, numbered, inside);
        let paths = classpath
            .iter()
            .map(|path| path.to_string_lossy().into_owned());
        texts(&mut out, paths.collect());
        texts(
            &mut out,
            numbered
                .resettable
                .iter()
                .map(|name| dotted(name))
                .collect(),
        );
        texts(
            &mut out,
            trampolines
                .classes
                .iter()
                .map(|(name, _)| dotted(name))
                .collect(),
        );
        number(&mut out, inside.checks.len());
        for check in &inside.checks {
            number(&mut out, check.0 as usize);
        }
        let emitted = trampolines.classes.iter().chain(&trampolines.implementors);
        let emitted = emitted.map(|(name, bytes)| (name, bytes));
        let all: Vec<(&String, &Vec<u8>)> = classes
            .iter()
            .map(|class| (&class.name, &class.bytes))
            .chain(emitted)
            .collect();
        number(&mut out, all.len());
        for (name, bytes) in &all {
            text(&mut out, &dotted(name));
            number(&mut out, bytes.len());
        }
        operations(&mut out, model, &shapes, &trampolines);
        let header = 4 + out.len();
        let mut file =
            Vec::with_capacity(header + all.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
        number(&mut file, header);
        file.extend(out);
        for (_, bytes) in all {
            file.extend_from_slice(bytes);
        }
        fs::write(folder.path().join("subject"), file)?;
        fs::write(folder.path().join("runtime.jar"), RUNTIME)?;
        Ok(Prepared {
            folder,
            shapes,
            reflective,
        })
    }

    /// The folder of all files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The subject's file.
    pub fn subject(&self) -> PathBuf {
        self.folder.path().join("subject")
    }

    /// The jar of the Java side.
    pub fn runtime(&self) -> PathBuf {
        self.folder.path().join("runtime.jar")
    }
}

fn malformed(descriptor: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("malformed descriptor `{descriptor}`"),
    )
}

fn dotted(name: &str) -> String {
    name.replace('/', ".")
}

fn number(out: &mut Vec<u8>, number: usize) {
    out.extend((number as u32).to_be_bytes());
}

/// As `DataInput.readUTF` reads it.
fn text(out: &mut Vec<u8>, text: &str) {
    let bytes = utf8::encode(text);
    out.extend((bytes.len() as u16).to_be_bytes());
    out.extend_from_slice(&bytes);
}

fn texts(out: &mut Vec<u8>, all: Vec<String>) {
    number(out, all.len());
    for one in &all {
        text(out, one);
    }
}

fn settings(out: &mut Vec<u8>, numbered: &Numbered, inside: &Inside) {
    out.push(u8::from(inside.reflective));
    out.push(u8::from(inside.assertions));
    out.push(u8::from(inside.timed));
    out.extend((inside.ticks.min(i32::MAX as u32)).to_be_bytes());
    out.extend((inside.array_limit.min(i32::MAX as u32)).to_be_bytes());
    out.extend(inside.clock.to_be_bytes());
    for count in [numbered.places, numbered.edges, numbered.paths] {
        out.extend(count.to_be_bytes());
    }
}

fn operations(out: &mut Vec<u8>, model: &JvmModel, shapes: &[Shape], trampolines: &Trampolines) {
    let mut names = Vec::new();
    number(out, model.operations.len());
    let all = model.operations.iter().zip(shapes).zip(&trampolines.places);
    for (index, ((operation, shape), place)) in all.enumerate() {
        out.push(match operation.kind {
            OperationKind::Constructor => 0,
            OperationKind::StaticMethod => 1,
            OperationKind::Method => 2,
            OperationKind::StaticField => 3,
            OperationKind::Field => 4,
            OperationKind::Array => 5,
            OperationKind::Implementor => 6,
            OperationKind::ClassLiteral => 7,
        });
        out.push(shape.result);
        let parameters = if shape.repeats {
            -1
        } else {
            shape.parameters.len() as i16
        };
        out.extend(parameters.to_be_bytes());
        let place = place.map_or(-1, |(class, local)| (class << 8 | u32::from(local)) as i32);
        out.extend(place.to_be_bytes());
        number(out, names.len());
        let owner = implementors::name(index, operation);
        text(
            &mut names,
            &dotted(owner.as_ref().unwrap_or(&operation.owner)),
        );
        text(&mut names, &operation.name);
        text(&mut names, &operation.descriptor);
    }
    number(out, names.len());
    out.extend(names);
}
