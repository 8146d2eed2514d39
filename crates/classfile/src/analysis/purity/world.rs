//! The classes that calls can lead to: those given, and those of libraries as they are met.

use super::known;
use super::sketch::{Dispatch, Sketch, sketch};
use crate::analysis::hierarchy::{ClassId, Hierarchy, MethodId};
use crate::class::ClassFile;
use std::collections::{BTreeMap, BTreeSet};

const ABSTRACT: u16 = 0x0400;
const NATIVE: u16 = 0x0100;

/// Gives the bytes of classes that calls lead to, by internal name.
pub type LibraryClasses<'l> = dyn FnMut(&str) -> Option<Vec<u8>> + 'l;

/// What a call names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub owner: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    pub dispatch: Dispatch,
}

/// What a call can run.
pub(super) enum Runs {
    /// These methods, all with code.
    Code(BTreeSet<MethodId>),
    /// A native method.
    Native,
    /// Nobody knows.
    Unknown,
}

/// All classes within reach.
pub(super) struct World<'c, 'l> {
    given: &'c [&'c ClassFile<'c>],
    /// The index of each given class by its number in the hierarchy.
    index: BTreeMap<ClassId, usize>,
    library: &'l mut LibraryClasses<'l>,
    loaded: BTreeMap<ClassId, Vec<u8>>,
    missing: BTreeSet<String>,
    hierarchy: Hierarchy,
}

impl<'c, 'l> World<'c, 'l> {
    pub(super) fn new(given: &'c [&'c ClassFile<'c>], library: &'l mut LibraryClasses) -> Self {
        let mut hierarchy = Hierarchy::default();
        let mut index = BTreeMap::new();
        for (number, class) in given.iter().enumerate() {
            if let Some(id) = hierarchy.add(class) {
                index.insert(id, number);
            }
        }
        let mut world = World {
            given,
            index,
            library,
            loaded: BTreeMap::new(),
            missing: BTreeSet::new(),
            hierarchy,
        };
        for class in given {
            world.load(class.name());
        }
        world
    }

    /// Makes a class and its supertypes known, as far as they can be had.
    fn load(&mut self, name: &str) {
        let mut open = vec![name.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) || name.starts_with('[') {
                continue;
            }
            if self.hierarchy.find(&name).is_none() && !self.missing.contains(&name) {
                self.read(&name);
            }
            if let Some(id) = self.hierarchy.find(&name) {
                let info = self.hierarchy.class(id);
                open.extend(info.super_name.iter().chain(&info.interfaces).cloned());
            }
        }
    }

    fn read(&mut self, name: &str) {
        let bytes = (self.library)(name);
        let id = bytes.as_ref().and_then(|bytes| {
            let class = ClassFile::parse(bytes).ok()?;
            self.hierarchy.add(&class)
        });
        match (id, bytes) {
            (Some(id), Some(bytes)) => drop(self.loaded.insert(id, bytes)),
            _ => drop(self.missing.insert(name.to_owned())),
        }
    }

    /// What a call can run.
    pub(super) fn runs(&mut self, call: Named) -> Runs {
        let Named {
            owner,
            name,
            descriptor,
            dispatch,
        } = call;
        self.load(owner);
        let mut methods = BTreeSet::new();
        let resolved = self.hierarchy.resolve(owner, name, descriptor);
        methods.extend(resolved.filter(|id| self.has_code(*id)));
        if dispatch == Dispatch::Virtual {
            for id in self.hierarchy.subtypes(owner) {
                let info = self.hierarchy.class(id);
                if self.index.contains_key(&id) && info.is_concrete() {
                    let own = self.hierarchy.resolve(&info.name, name, descriptor);
                    methods.extend(own.filter(|id| self.has_code(*id)));
                }
            }
        }
        // An implementation does not always do what a default method does: `List.sort` copies, `ArrayList.sort` does not.
        if (methods.is_empty() || dispatch == Dispatch::Virtual)
            && let Some(stand_in) = known::implementation(owner)
        {
            self.load(stand_in);
            let resolved = self.hierarchy.resolve(stand_in, name, descriptor);
            methods.extend(resolved.filter(|id| self.has_code(*id)));
        }
        match methods.is_empty() {
            false => Runs::Code(methods),
            true if resolved.is_some_and(|id| self.hierarchy.access(id) & NATIVE != 0) => {
                Runs::Native
            }
            true => Runs::Unknown,
        }
    }

    fn has_code(&self, id: MethodId) -> bool {
        self.hierarchy.access(id) & (ABSTRACT | NATIVE) == 0
    }

    /// What a method does.
    pub(super) fn sketch_of(&self, id: MethodId) -> Sketch {
        let of = |class: &ClassFile| {
            let member = class.methods.get(id.method)?;
            let code = member.code(&class.pool).ok()??;
            Some(sketch(class, member, &code))
        };
        let found = match self.index.get(&id.class) {
            Some(number) => of(self.given[*number]),
            None => {
                let bytes = self.loaded.get(&id.class);
                let class = bytes.and_then(|bytes| ClassFile::parse(bytes).ok());
                class.as_ref().and_then(of)
            }
        };
        found.unwrap_or_default()
    }
}
