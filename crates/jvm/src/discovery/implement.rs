//! Implementors made for tests: constructors of classes that extend an abstract class or implement an interface and whose methods
//! only answer. They are makers of last resort, and for functional interfaces what a lambda is to a programmer.
//!
//! They do not pretend to be useful: their methods give 0, false and `null`, or 1, true and what they were given.

use super::candidate::{Candidate, Place};
use super::error::Error;
use super::hierarchy::Origin;
use super::members::Collector;
use super::nest::Nesting;
use super::open_methods::open_methods;
use super::places::Stop;
use super::summary::{MemberSummary, Summary, access};
use super::types;
use crate::model::{Implementation, ImplementedMethod, JvmOperation, Manner, OperationKind};
use std::rc::Rc;

const PROTECTED: u16 = 0x0004;
const FINAL: u16 = 0x0010;
const ANNOTATION: u16 = 0x2000;

/// The most methods of a class made for a test: more are no longer read.
const MOST_METHODS: usize = 30;

/// The most constructors of one abstract class that are called.
const MOST_CONSTRUCTORS: usize = 3;

/// What can be implemented of a class.
pub struct Implementable {
    class: Rc<Summary>,
    origin: Origin,
    methods: Vec<ImplementedMethod>,
    manners: Vec<Manner>,
    place: Place,
}

impl Implementable {
    /// What is to be implemented of an abstract class or interface, where a test could do it.
    pub fn of(name: &str, collector: &mut Collector) -> Result<Option<Implementable>, Error> {
        let Some(known) = collector.places.hierarchy.with_members(name)? else {
            return Ok(None);
        };
        let class = known.summary;
        let inner = class.nesting == Nesting::Inner && !class.is(access::INTERFACE);
        let unfit = class.is(FINAL | access::ENUM | ANNOTATION) || inner || class.sealed;
        if unfit || !class.is(access::ABSTRACT) || collector.class_obstacle(&class)?.is_some() {
            return Ok(None);
        }
        let Some(methods) = open_methods(&class, collector.places.hierarchy)? else {
            return Ok(None);
        };
        if methods.len() > MOST_METHODS {
            return Ok(None);
        }
        let place = match place(&class, &methods, collector) {
            Ok(place) => place,
            Err(Stop::Reason(..)) => return Ok(None),
            Err(Stop::Failed(error)) => return Err(error),
        };
        Ok(Some(Implementable {
            manners: manners(&class, &methods, collector)?,
            class,
            origin: known.origin,
            methods,
            place,
        }))
    }

    /// Whether it is an interface with one method in source.
    pub fn is_functional(&self) -> bool {
        let written = self.methods.iter().filter(|one| one.source.is_some());
        self.class.is(access::INTERFACE) && written.count() == 1
    }

    /// Whether it is an interface of the subject.
    pub fn is_own_interface(&self) -> bool {
        self.class.is(access::INTERFACE) && self.origin == Origin::Subject
    }

    /// Constructors of the classes that implement it.
    pub fn candidates(&self, collector: &mut Collector) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::new();
        let constructors = match self.class.is(access::INTERFACE) {
            true => vec![nothing()],
            false => self.constructors(),
        };
        for constructor in &constructors {
            for manner in &self.manners {
                match self.candidate(constructor, *manner, collector) {
                    Ok(candidate) => candidates.extend(candidate),
                    Err(Stop::Reason(..)) => {}
                    Err(Stop::Failed(error)) => return Err(error),
                }
            }
        }
        Ok(candidates)
    }

    fn constructors(&self) -> Vec<MemberSummary> {
        let all = self.class.methods.iter();
        let callable = |one: &&MemberSummary| {
            let shown = self.origin == Origin::Subject || one.is(access::PUBLIC | PROTECTED);
            one.name == "<init>" && !one.is(access::PRIVATE | access::SYNTHETIC) && shown
        };
        let mut constructors: Vec<MemberSummary> = all.filter(callable).cloned().collect();
        constructors.sort_by_key(|one| types::of_method(&one.descriptor).map(|one| one.0.len()));
        constructors.truncate(MOST_CONSTRUCTORS);
        constructors
    }

    fn candidate(
        &self,
        constructor: &MemberSummary,
        manner: Manner,
        collector: &mut Collector,
    ) -> Result<Option<Candidate>, Stop> {
        let Some((parameters, _)) = types::of_method(&constructor.descriptor) else {
            return Ok(None);
        };
        let mut constructor = constructor.clone();
        if self.origin != Origin::Subject {
            // A subclass may call it from everywhere.
            constructor.access |= access::PUBLIC;
        }
        let place = collector
            .places
            .of_member(&self.class, &constructor, &parameters)?;
        let Some(place) = place.and(self.place.clone()) else {
            return Ok(None);
        };
        let public = match place {
            Place::Anywhere => access::PUBLIC,
            Place::Package(_) => 0,
        };
        let mut names = Vec::new();
        for one in &parameters {
            names.push(types::source_name(one, collector.places.hierarchy)?);
        }
        let (name, names) = (&self.class.source_name, names.join(", "));
        Ok(Some(Candidate {
            operation: JvmOperation {
                kind: OperationKind::Implementor,
                owner: self.class.name.clone(),
                interface: self.class.is(access::INTERFACE),
                name: "<init>".to_owned(),
                descriptor: constructor.descriptor,
                access: constructor.access & !access::PUBLIC | public,
                throws: constructor.throws,
                signature: constructor.signature,
                implementation: Some(Box::new(Implementation {
                    methods: self.methods.clone(),
                    manner,
                })),
            },
            parameters,
            receiver: false,
            result: Some(types::of_class(&self.class.name)),
            repeats: false,
            auxiliary: true,
            foreign: true,
            name: format!("new {name}({names}) {{{manner:?}}}"),
            lines: None,
            place,
        }))
    }
}

/// The manners that make a difference. What is read or gone through must end.
fn manners(
    class: &Summary,
    methods: &[ImplementedMethod],
    collector: &mut Collector,
) -> Result<Vec<Manner>, Error> {
    let above = collector.places.hierarchy.supertypes(&class.name)?;
    let is = |name: &str| class.name == name || above.all.contains(name);
    if is("java/io/InputStream") || is("java/io/Reader") {
        return Ok(vec![Manner::Ended]);
    }
    let goes_through = is("java/util/Iterator") || is("java/util/Enumeration");
    let differs =
        |one: &ImplementedMethod| one.answer(Manner::Empty) != one.answer(Manner::Willing);
    Ok(match methods.iter().any(differs) && !goes_through {
        true => vec![Manner::Empty, Manner::Willing],
        false => vec![Manner::Empty],
    })
}

/// From where all methods can be written.
fn place(
    class: &Summary,
    methods: &[ImplementedMethod],
    collector: &mut Collector,
) -> Result<Place, Stop> {
    let mut place = collector.places.of_class(&class.name)?;
    for method in methods {
        let hidden = method.access & (access::PUBLIC | PROTECTED) == 0;
        let own = match hidden {
            true => Place::Package(class.package().to_owned()),
            false => Place::Anywhere,
        };
        let named = method.source.iter();
        let named = named.flat_map(|(parameters, result)| parameters.iter().chain(result));
        let mut joined = place.and(own);
        for name in named.filter_map(|one| types::innermost_class(one)) {
            let other = collector.places.of_class(name)?;
            joined = joined.and_then(|one| one.and(other));
        }
        place = joined.ok_or((super::reason::Reason::InaccessibleType, class.name.clone()))?;
    }
    Ok(place)
}

/// The constructor of a class that implements an interface.
fn nothing() -> MemberSummary {
    MemberSummary {
        name: "<init>".to_owned(),
        descriptor: "()V".to_owned(),
        access: access::PUBLIC,
        signature: None,
        throws: Vec::new(),
        deprecated: false,
        annotations: Vec::new(),
        constant: false,
        lines: Vec::new(),
    }
}
