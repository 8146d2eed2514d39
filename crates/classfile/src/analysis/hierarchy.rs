//! The class hierarchy of many class files, and what calls can mean in it.
//!
//! Method resolution and selection follow the JVM specification, sections 5.4.3.3, 5.4.3.4 and 5.4.6.
//!
//! Differences: access is not checked, except that private methods are not overridden; package-private methods are taken as
//! overridden across packages. Classes that were not added are unknown: what they declare is not found.

use std::collections::{BTreeMap, BTreeSet};

use crate::class::ClassFile;

const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;

/// The number of a class in a hierarchy, in the order they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub usize);

/// A method: its class, and its number in the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    /// The class that declares it.
    pub class: ClassId,
    /// Its number in that class file.
    pub method: usize,
}

/// A class as the hierarchy keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    /// The name, such as `java/util/Map$Entry`.
    pub name: String,
    /// The access flags of the class file.
    pub access: u16,
    /// The superclass.
    pub super_name: Option<String>,
    /// The direct superinterfaces.
    pub interfaces: Vec<String>,
    /// The methods in file order: name, descriptor, access flags.
    pub methods: Vec<(String, String, u16)>,
}

impl ClassInfo {
    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & INTERFACE != 0
    }

    /// Whether it can have instances of its own.
    pub fn is_concrete(&self) -> bool {
        self.access & (INTERFACE | ABSTRACT) == 0
    }

    fn find(&self, name: &str, descriptor: &str) -> Option<usize> {
        let mut methods = self.methods.iter();
        methods.position(|(own, kind, _)| own == name && kind == descriptor)
    }
}

/// Classes and their subtype relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    classes: Vec<ClassInfo>,
    by_name: BTreeMap<String, ClassId>,
    /// The direct subtypes by the name of the supertype, which need not be known itself.
    subtypes: BTreeMap<String, Vec<ClassId>>,
}

impl Hierarchy {
    /// Adds a class. The first of several with one name counts, as on a class path; the others give `None`.
    pub fn add(&mut self, class: &ClassFile) -> Option<ClassId> {
        if self.by_name.contains_key(class.name()) {
            return None;
        }
        let pool = &class.pool;
        let methods = class.methods.iter().map(|method| {
            let name = method.name(pool).to_owned();
            (name, method.descriptor(pool).to_owned(), method.access)
        });
        let info = ClassInfo {
            name: class.name().to_owned(),
            access: class.access,
            super_name: class.super_name().map(str::to_owned),
            interfaces: class.interface_names().map(str::to_owned).collect(),
            methods: methods.collect(),
        };
        let id = ClassId(self.classes.len());
        for above in info.super_name.iter().chain(&info.interfaces) {
            self.subtypes.entry(above.clone()).or_default().push(id);
        }
        self.by_name.insert(info.name.clone(), id);
        self.classes.push(info);
        Some(id)
    }

    /// The class of this name.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name).copied()
    }

    /// A class by its number.
    ///
    /// # Panics
    /// When the number is of another hierarchy.
    pub fn class(&self, id: ClassId) -> &ClassInfo {
        &self.classes[id.0]
    }

    /// All classes with their numbers.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &ClassInfo)> {
        let all = self.classes.iter().enumerate();
        all.map(|(number, class)| (ClassId(number), class))
    }

    /// The names of all supertypes, the class itself first, then superclasses upward, then interfaces. Unknown classes are
    /// named, but nothing above them.
    pub fn supertypes(&self, name: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut class = Some(name);
        while let Some(name) = class.filter(|name| seen.insert(name.to_string())) {
            found.push(name.to_owned());
            class = self.info(name).and_then(|info| info.super_name.as_deref());
        }
        let mut next = 0;
        while let Some(name) = found.get(next).cloned() {
            let interfaces = self.info(&name).map(|info| info.interfaces.clone());
            for interface in interfaces.unwrap_or_default() {
                if seen.insert(interface.clone()) {
                    found.push(interface);
                }
            }
            next += 1;
        }
        found
    }

    /// Whether a class is a subtype of another, or is it itself. Everything is a subtype of `java/lang/Object`.
    pub fn is_subtype(&self, name: &str, above: &str) -> bool {
        above == "java/lang/Object" || self.supertypes(name).iter().any(|found| found == above)
    }

    /// All known subtypes of a class, itself included where known, in the order they were added.
    pub fn subtypes(&self, name: &str) -> Vec<ClassId> {
        let mut found: BTreeSet<ClassId> = self.find(name).into_iter().collect();
        let mut work = vec![name];
        while let Some(name) = work.pop() {
            for id in self.subtypes.get(name).into_iter().flatten() {
                if found.insert(*id) {
                    work.push(&self.classes[id.0].name);
                }
            }
        }
        found.into_iter().collect()
    }

    /// The method that a reference names: superclasses first, then the most specific interface with a body, then any.
    pub fn resolve(&self, owner: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let mut found = Vec::new();
        for above in self.supertypes(owner) {
            let Some(class) = self.find(&above) else {
                continue;
            };
            if let Some(method) = self.classes[class.0].find(name, descriptor) {
                let id = MethodId { class, method };
                if !self.classes[class.0].is_interface() {
                    return Some(id);
                }
                found.push(id);
            }
        }
        let specific = found.iter().copied().filter(|id| {
            let own = &self.classes[id.class.0].name;
            let overridden = |other: &MethodId| {
                let other = &self.classes[other.class.0].name;
                other != own && self.is_subtype(other, own)
            };
            !found.iter().any(overridden)
        });
        let specific: Vec<MethodId> = specific.collect();
        let with_body = specific.iter().find(|id| self.access(**id) & ABSTRACT == 0);
        with_body.or(specific.first()).copied()
    }

    /// The access flags of a method.
    pub fn access(&self, id: MethodId) -> u16 {
        self.classes[id.class.0].methods[id.method].2
    }

    /// The methods with code that a virtual or interface call can run: for every concrete known subtype of the owner, what
    /// it inherits or declares.
    pub fn targets(&self, owner: &str, name: &str, descriptor: &str) -> Vec<MethodId> {
        if let Some(resolved) = self.resolve(owner, name, descriptor)
            && self.access(resolved) & (PRIVATE | STATIC) != 0
        {
            return vec![resolved];
        }
        let mut targets = BTreeSet::new();
        for receiver in self.subtypes(owner) {
            let receiver = &self.classes[receiver.0];
            if receiver.is_concrete() {
                let selected = self.resolve(&receiver.name, name, descriptor);
                targets.extend(selected.filter(|id| self.access(*id) & (ABSTRACT | STATIC) == 0));
            }
        }
        targets.into_iter().collect()
    }

    fn info(&self, name: &str) -> Option<&ClassInfo> {
        self.find(name).map(|id| &self.classes[id.0])
    }
}
