//! Reads a specification from disk together with the files it names. The only file access of this module tree.

use super::model::{Spec, Subject};
use super::place::{Fault, Span, SpecError, SpecErrors};
use crate::generate::{Generator, Loaded};
use std::fs;
use std::path::Path;

/// The largest file that `file` and `line-of` take, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

impl Spec {
    /// Reads and compiles a specification (`.toml`, or `.tsl` in the format of the category-partition tools) and the files
    /// that its generators name. Errors about those are placed where they are named.
    pub fn load(path: &Path) -> Result<Spec, SpecErrors> {
        let text = fs::read_to_string(path).map_err(|error| {
            let cause = format!("cannot read the specification: {error}");
            SpecErrors(vec![SpecError::whole_file(path, cause)])
        })?;
        if path.extension().is_some_and(|ending| ending == "tsl") {
            return crate::tsl::spec(path, &text);
        }
        let mut spec = Spec::parse(path, &text)?;
        let mut faults = spec.load_generators();
        faults.extend(spec.check_paths());
        faults.sort_by_key(|fault| fault.span.start);
        let errors: Vec<SpecError> = faults.into_iter().map(|f| spec.source.error(f)).collect();
        match errors.is_empty() {
            true => Ok(spec),
            false => Err(SpecErrors(errors)),
        }
    }

    fn load_generators(&mut self) -> Vec<Fault> {
        let folder = self.folder().to_owned();
        let mut faults = Vec::new();
        let choices = self.categories.iter_mut().flat_map(|c| &mut c.choices);
        let generators = choices.filter_map(|choice| choice.generator.as_mut());
        for generator in generators.chain(&mut self.input) {
            generator.visit_mut(&mut |generator| {
                let result = match generator {
                    Generator::File(file) => load_file(&folder, file),
                    Generator::LineOf(file) => load_lines(&folder, file),
                    _ => Ok(()),
                };
                faults.extend(result.err());
            });
        }
        faults
    }

    fn check_paths(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut check = |path: &str, span: &Span, wanted: &str, there: &dyn Fn(&Path) -> bool| {
            if !there(&self.resolve(path)) {
                faults.push(Fault::new(
                    span.clone(),
                    format!("there is no {wanted} `{path}`"),
                ));
            }
        };
        if let Subject::Source { source, span, .. } = &self.run.subject {
            check(source, span, "file", &Path::is_file);
        }
        if let Some(learn) = &self.learn {
            check(&learn.folder, &learn.span, "folder", &Path::is_dir);
        }
        faults
    }
}

fn read(folder: &Path, file: &Loaded) -> Result<String, Fault> {
    let path = folder.join(&file.path);
    let fault = |cause: String| Fault::new(file.span.clone(), cause);
    let size = fs::metadata(&path).map(|metadata| metadata.len());
    let size = size.map_err(|error| fault(format!("cannot read `{}`: {error}", file.path)))?;
    if size > MAX_FILE {
        return Err(fault(format!(
            "`{}` is larger than {MAX_FILE} bytes",
            file.path
        )));
    }
    let bytes = fs::read(&path);
    let bytes = bytes.map_err(|error| fault(format!("cannot read `{}`: {error}", file.path)))?;
    String::from_utf8(bytes).map_err(|_| fault(format!("`{}` is not UTF-8 text", file.path)))
}

fn load_file(folder: &Path, file: &mut Loaded) -> Result<(), Fault> {
    file.texts = vec![read(folder, file)?];
    Ok(())
}

fn load_lines(folder: &Path, file: &mut Loaded) -> Result<(), Fault> {
    let text = read(folder, file)?;
    file.texts = text.lines().map(str::to_owned).collect();
    match file.texts.is_empty() {
        true => Err(Fault::new(
            file.span.clone(),
            format!("`{}` has no lines", file.path),
        )),
        false => Ok(()),
    }
}
