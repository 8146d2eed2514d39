//! A subject ready to be tested: its model, its goals and the files that workers read.

use std::io;
use std::path::Path;
use std::sync::Arc;

use classfile::rewrite::Reduced;
use engine::Needs;

use crate::coverage::Coverage;
use crate::discovery::{Discovered, Subject};
use crate::edges::Edges;
use crate::instrument::{Extras, Instrumented, OriginalClass, instrument};
use crate::model::JvmModel;
use crate::prepared::{Inside, Prepared};

/// A subject ready to be tested.
#[derive(Debug, Clone)]
pub struct Target {
    /// What can be called.
    pub model: Arc<JvmModel>,
    /// What can be covered.
    pub coverage: Arc<Coverage>,
    /// What counts, traces and distances of edges mean.
    pub edges: Arc<Edges>,
    /// The files that workers read.
    pub prepared: Arc<Prepared>,
    /// Methods whose probes did not all fit, by class.
    pub reduced: Vec<(String, Reduced)>,
    /// Classes that could not be read, with the reason.
    pub unreadable: Vec<(String, String)>,
}

impl Target {
    /// Rewrites the classes of a subject and writes the files for its workers into a new folder inside `parent`.
    pub fn prepare(
        parent: &Path,
        subject: &Subject,
        discovered: &Discovered,
        needs: Needs,
        inside: &Inside,
    ) -> io::Result<Target> {
        let extras = Extras::default();
        Target::with_extras(parent, subject, discovered, needs, inside, &extras)
    }

    /// The same with path registers, or without the probes of goals that are covered.
    pub fn with_extras(
        parent: &Path,
        subject: &Subject,
        discovered: &Discovered,
        needs: Needs,
        inside: &Inside,
        extras: &Extras,
    ) -> io::Result<Target> {
        let originals = originals(subject, discovered);
        let Instrumented {
            classes,
            numbered,
            coverage,
            edges,
            reduced,
            unreadable,
        } = instrument(&originals, needs, extras);
        let classpath = subject.full_classpath();
        let prepared = Prepared::write(
            parent,
            &discovered.model,
            &classes,
            &numbered,
            &classpath,
            inside,
        )?;
        Ok(Target {
            model: Arc::new(discovered.model.clone()),
            coverage: Arc::new(coverage),
            edges: Arc::new(edges),
            prepared: Arc::new(prepared),
            reduced,
            unreadable,
        })
    }
}

/// The classes of a subject as they were read, in the order in which they are instrumented.
pub fn originals<'a>(subject: &'a Subject, discovered: &'a Discovered) -> Vec<OriginalClass<'a>> {
    let classes = subject.classes.iter();
    classes
        // No loader but the JVM's own may define these.
        .filter(|(name, _)| !name.starts_with("java/"))
        .map(|(name, class)| {
            let tested = &discovered.classes;
            let place = tested.binary_search_by(|one| one.name.as_str().cmp(name));
            OriginalClass {
                name,
                bytes: &class.bytes,
                under_test: place.is_ok(),
                methods: place.ok().and_then(|place| tested[place].methods.as_ref()),
            }
        })
        .collect()
}
