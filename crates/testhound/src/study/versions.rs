//! The faulty versions of a study: mutants of the C source, or programs that the user has.
//!
//! Mutants are compiled to object code first; what does not compile, is the same as the original or as another mutant is
//! left out (see the `mutants` crate for why equal object code is compared).

use crate::exit::Failed;
use crate::setup::cannot_prepare;
use command::execute::compile;
use command::spec::{Spec, Subject};
use mutants::{Fate, MutantId, ObjectCode};
use rayon::prelude::*;
use report::LeftOut;
use std::path::{Path, PathBuf};

/// A faulty version that can be run.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its name.
    pub name: String,
    /// Which mutant it is, if it is one.
    pub mutant: Option<MutantId>,
    /// What was changed; empty where it is not known.
    pub change: String,
    /// The program.
    pub path: PathBuf,
}

/// Versions, and those that were left out.
#[derive(Debug, Default)]
pub struct Versions {
    /// To be run.
    pub versions: Vec<Version>,
    /// Not worth running.
    pub left_out: Vec<LeftOut>,
}

/// The versions in a folder: C files are compiled into `build`, other files are programs.
pub fn from_folder(spec: &Spec, folder: &Path, build: &Path) -> Result<Versions, Failed> {
    let cannot = |error: std::io::Error| {
        Failed::input(format!("cannot read `{}`: {error}", folder.display()))
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        paths.extend(path.is_file().then_some(path));
    }
    paths.sort();
    let flags = match &spec.run.subject {
        Subject::Source { compile, .. } => compile.clone(),
        Subject::Program(_) => vec!["-O1".to_owned()],
    };
    let mut found = Versions::default();
    for path in paths {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let program = if path.extension().is_some_and(|extension| extension == "c") {
            compile(&path, &flags, &build.join(&name)).map_err(cannot_prepare)?
        } else {
            path.canonicalize().map_err(cannot)?
        };
        found.versions.push(Version {
            name,
            mutant: None,
            change: String::new(),
            path: program,
        });
    }
    if found.versions.is_empty() {
        return Err(Failed::input(format!(
            "`{}` holds no versions",
            folder.display()
        )));
    }
    Ok(found)
}

/// All mutants of the specification's source that compile to new object code, in an order drawn by the seed so that any
/// first part of them is a sample.
pub fn from_mutants(
    spec: &Spec,
    limit: usize,
    seed: u64,
    build: &Path,
) -> Result<Versions, Failed> {
    let Subject::Source {
        source,
        compile: flags,
        ..
    } = &spec.run.subject
    else {
        return Err(Failed::input(
            "mutants are made of C sources, and this specification names a program",
        )
        .hint("give `source` in `[run]`, or faulty versions with `--versions`"));
    };
    let path = spec.resolve(source);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failed::input(format!("cannot read `{}`: {error}", path.display())))?;
    let all = mutants::c::mutants(&text, &mutants::c::Options::default());
    let sample = mutants::sample(&all, limit, seed);
    let original = object_code(&text, flags, &build.join("original"));
    let original =
        original.ok_or_else(|| Failed::input(format!("`{}` does not compile", path.display())))?;
    let compiled: Vec<(MutantId, Option<ObjectCode>)> = sample
        .par_iter()
        .map(|mutant| {
            let mutated = mutant.apply(&text).ok();
            let code =
                mutated.and_then(|text| object_code(&text, flags, &build.join(mutant.id.as_str())));
            (mutant.id.clone(), code)
        })
        .collect();
    let mut found = Versions::default();
    for (mutant, (_, fate)) in sample
        .iter()
        .zip(mutants::filter_by_object_code(&original, &compiled))
    {
        let name = mutant.id.as_str().to_owned();
        match fate {
            Fate::Kept => {
                let path = build.join(&name).join("program");
                found.versions.push(Version {
                    name,
                    mutant: Some(mutant.id.clone()),
                    change: mutant.to_string(),
                    path,
                });
            }
            fate => found.left_out.push(LeftOut {
                name,
                reason: fate.to_string(),
            }),
        }
    }
    Ok(found)
}

/// Compiles a source in a folder of its own, always under the same name, to object code and then to `program`.
fn object_code(text: &str, flags: &[String], folder: &Path) -> Option<ObjectCode> {
    std::fs::create_dir_all(folder).ok()?;
    let (source, object) = (folder.join("subject.c"), folder.join("subject.o"));
    std::fs::write(&source, text).ok()?;
    let mut arguments: Vec<std::ffi::OsString> = flags.iter().map(Into::into).collect();
    arguments.extend([
        "-g0".into(),
        "-w".into(),
        "-ftrivial-auto-var-init=zero".into(),
        "-c".into(),
        "-o".into(),
        "subject.o".into(),
        "subject.c".into(),
    ]);
    let mut tool = sandbox::Tool::new("cc".into(), arguments);
    tool.folder = Some(folder.to_owned());
    if tool.run().ok()?.end != sandbox::End::Exited(0) {
        return None;
    }
    let code = std::fs::read(&object).ok()?;
    let arguments = ["-o", "program", "subject.o", "-lm"]
        .map(Into::into)
        .to_vec();
    let mut tool = sandbox::Tool::new("cc".into(), arguments);
    tool.folder = Some(folder.to_owned());
    (tool.run().ok()?.end == sandbox::End::Exited(0)).then_some(ObjectCode(code))
}
