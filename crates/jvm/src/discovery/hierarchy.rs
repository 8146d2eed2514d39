//! Looks up classes of the subject, its class path and the JDK, and who extends whom. Reads a class when first asked.

use super::archive::Lookup;
use super::error::Error;
use super::jdk::Jdk;
use super::nest::Visibility;
use super::subject::Subject;
use super::summary::Summary;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The subject itself.
    Subject,
    /// Its class path.
    Classpath,
    /// The JDK.
    Jdk,
}

/// A class that was found.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it is; members only for classes of the subject.
    pub summary: Rc<Summary>,
    /// Where it comes from.
    pub origin: Origin,
}

/// All classes that are within reach.
pub struct Hierarchy<'a> {
    jdk: &'a Jdk,
    jdk_lookup: Option<Lookup<'a>>,
    classpath: Vec<Lookup<'a>>,
    known: BTreeMap<String, Option<Known>>,
    supertypes: BTreeMap<String, Rc<Supertypes>>,
    exported: BTreeMap<String, bool>,
}

impl<'a> Hierarchy<'a> {
    /// Begins with the summaries of the subject's readable classes.
    pub fn new(subject: &'a Subject, jdk: &'a Jdk, summaries: Vec<Rc<Summary>>) -> Hierarchy<'a> {
        let known = summaries.into_iter().map(|summary| {
            let known = Known {
                summary: summary.clone(),
                origin: Origin::Subject,
            };
            (summary.name.clone(), Some(known))
        });
        Hierarchy {
            jdk,
            jdk_lookup: jdk.lookup(),
            classpath: subject.lookups(),
            known: known.collect(),
            supertypes: BTreeMap::new(),
            exported: BTreeMap::new(),
        }
    }

    /// A class by its internal name; none when it is nowhere or broken.
    pub fn get(&mut self, name: &str) -> Result<Option<Known>, Error> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        let known = self.bytes(name)?.and_then(|(bytes, origin)| {
            let summary = Rc::new(Summary::parse_head(&bytes).ok()?);
            Some(Known { summary, origin })
        });
        self.known.insert(name.to_owned(), known.clone());
        Ok(known)
    }

    /// The bytes of a class outside the subject. The JDK comes first, as class loaders ask their parents first.
    fn bytes(&self, name: &str) -> Result<Option<(Vec<u8>, Origin)>, Error> {
        let of_jdk = match &self.jdk_lookup {
            Some(jar) => jar.class(name),
            None => self.jdk.class(name)?,
        };
        if let Some(bytes) = of_jdk {
            return Ok(Some((bytes, Origin::Jdk)));
        }
        let found = self.classpath.iter().find_map(|entry| entry.class(name));
        Ok(found.map(|bytes| (bytes, Origin::Classpath)))
    }

    /// A class with its members, also outside the subject.
    pub fn with_members(&mut self, name: &str) -> Result<Option<Known>, Error> {
        let Some(known) = self.get(name)? else {
            return Ok(None);
        };
        if known.origin == Origin::Subject {
            return Ok(Some(known));
        }
        let bytes = self.bytes(name)?;
        let summary = bytes.and_then(|(bytes, _)| Summary::parse(&bytes).ok());
        Ok(summary.map(|summary| Known {
            summary: Rc::new(summary),
            origin: known.origin,
        }))
    }

    /// Who can name a class, all classes around it and the exports of its module taken into account.
    pub fn visibility(&mut self, known: &Known) -> Result<Visibility, Error> {
        let mut visibility = known.summary.visibility;
        if known.summary.outermost != known.summary.name
            && let Some(outermost) = self.get(&known.summary.outermost)?
        {
            visibility = visibility.max(outermost.summary.visibility);
        }
        // No test can be in a package of the JDK.
        let closed = known.origin == Origin::Jdk
            && (visibility != Visibility::Public || !self.is_exported(known.summary.package())?);
        Ok(match closed {
            true => Visibility::Hidden,
            false => visibility,
        })
    }

    fn is_exported(&mut self, package: &str) -> Result<bool, Error> {
        if let Some(exported) = self.exported.get(package) {
            return Ok(*exported);
        }
        let exported = self.jdk.exports(package)?;
        self.exported.insert(package.to_owned(), exported);
        Ok(exported)
    }

    /// All supertypes of a class, in internal form, without itself, as far as they are there.
    pub fn supertypes(&mut self, name: &str) -> Result<Rc<Supertypes>, Error> {
        if let Some(supertypes) = self.supertypes.get(name) {
            return Ok(supertypes.clone());
        }
        let mut supertypes = Supertypes::default();
        let mut open = vec![name.to_owned()];
        while let Some(one) = open.pop() {
            let Some(known) = self.get(&one)? else {
                supertypes.missing = Some(one);
                continue;
            };
            let direct = known
                .summary
                .super_name
                .iter()
                .chain(&known.summary.interfaces);
            for supertype in direct {
                if supertype != name && supertypes.all.insert(supertype.clone()) {
                    open.push(supertype.clone());
                }
            }
        }
        let supertypes = Rc::new(supertypes);
        self.supertypes.insert(name.to_owned(), supertypes.clone());
        Ok(supertypes)
    }
}

/// The supertypes of a class.
#[derive(Clone, Debug, Default)]
pub struct Supertypes {
    /// Their internal names.
    pub all: BTreeSet<String>,
    /// One that is nowhere, the class itself included.
    pub missing: Option<String>,
}
