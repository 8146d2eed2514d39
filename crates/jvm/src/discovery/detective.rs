//! Ways to make inputs outside the classes under test, found by following types: constructors, static methods and static fields
//! that give a type which no member under test gives, then what they need in turn.
//!
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-D and Figure 5.
//!
//! Differences
//! - The figure looks at members of the type itself, and so never finds an `InputStream`. Here subtypes are searched too, and
//!   all classes of the subject for members that give the type. Where that gives nothing, so are the classes of the class path and of
//!   some packages of the JDK for members that give it or a subtype. A receiver is one more need.
//! - Of the JDK not all packages are searched, because that would cost seconds: only those that inputs usually come from, the
//!   type's own, and a few that go with it, such as the parsers with documents of XML (`relations` has both lists).
//! - Needs of makers are followed over four steps, and no further: what takes more is made with `null`.
//! - The search is made once, before the run, and gives operations that make inputs only; what is built with them and when
//!   is decided by the run. So their calls are compiled like all others.
//! - Types from outside the subject are searched even where a member under test gives them: one getter of a list is little.
//! - Per type only the makers with the least needs are taken, and what reads files, the clock or randomness, or starts threads is
//!   left out: tests with it would not repeat. So is reflection: the order of `Class.getMethods` is nobody's promise, and a name that
//!   is drawn for `Class.getMethod` names no method.
//! - Where nothing makes an abstract class or an interface, for functional interfaces and for the subject's own ones, a class is made
//!   for the test whose methods only answer; likewise for abstract classes under test. Class literals are makers, too.
//! - Arrays of numbers and letters are also made by `Arrays.copyOf`, of any length, and from texts.
//! - Of types outside the subject that parameters ask for, some methods are added that change their objects: an empty list
//!   alone tests little.

use super::candidate::Candidate;
use super::error::Error;
use super::hierarchy::Origin;
use super::implement::Implementable;
use super::makeable::obtainable;
use super::members::Collector;
use super::relations::Relations;
use super::summary::{Summary, access};
use super::{class_literals, literals, types, unfit};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The most makers of one type.
const MOST_MAKERS: usize = 12;

/// The most subtypes of one type outside the subject whose members are looked at.
const MOST_SUBTYPES: usize = 40;

/// The most other classes outside the subject that are looked at because members of theirs give a type.
const MOST_GIVERS: usize = 40;

/// How far needs of makers are followed.
const DEEPEST: usize = 4;

/// Finds makers of what candidates need.
pub struct Detective<'c, 'a, 'h> {
    pub(super) collector: &'c mut Collector<'a, 'h>,
    relations: Relations<'a>,
    /// The members of classes outside the subject that were looked at.
    foreign: BTreeMap<String, Rc<Vec<Candidate>>>,
    /// Members and constructors of the subject's classes that are not under test, by what they give.
    offers: Vec<Candidate>,
    givers: BTreeMap<String, Vec<usize>>,
    /// Types that can be made, by descriptor.
    made: BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl<'c, 'a, 'h> Detective<'c, 'a, 'h> {
    /// A detective over the subject's classes that are not under test.
    pub fn new<'s>(
        collector: &'c mut Collector<'a, 'h>,
        relations: Relations<'a>,
        others: impl Iterator<Item = &'s Rc<Summary>>,
    ) -> Result<Self, Error> {
        let made = obtainable(&collector.candidates, collector.places.hierarchy)?;
        let mut detective = Detective {
            collector,
            relations,
            foreign: BTreeMap::new(),
            offers: Vec::new(),
            givers: BTreeMap::new(),
            made,
            taken: BTreeSet::new(),
        };
        for class in others {
            let offers = detective.members(class)?;
            detective.offer(offers)?;
        }
        Ok(detective)
    }

    /// Adds what is found for these classes under test to the collector's candidates.
    pub fn investigate(mut self, under_test: &[Rc<Summary>]) -> Result<(), Error> {
        for class in under_test.iter().filter(|one| !one.is(access::INTERFACE)) {
            if let Some(abstract_class) = Implementable::of(&class.name, self.collector)? {
                for candidate in abstract_class.candidates(self.collector)? {
                    self.take(candidate);
                }
            }
        }
        let asked: BTreeSet<String> = self.collector.candidates.iter().flat_map(wanted).collect();
        let mut open: VecDeque<(String, usize)> = VecDeque::new();
        for descriptor in &asked {
            if !self.made.contains(descriptor) || self.is_open(descriptor)? {
                open.push_back((descriptor.clone(), 0));
            }
        }
        if asked.contains(class_literals::CLASS) {
            for literal in class_literals::of(under_test, self.collector)? {
                self.take(literal);
            }
        }
        self.add_array_makers()?;
        let mut seen = BTreeSet::new();
        while let Some((descriptor, depth)) = open.pop_front() {
            if !seen.insert(descriptor.clone()) {
                continue;
            }
            let makers = self.makers(&descriptor)?;
            let more = self.implementors(&descriptor, makers.is_empty())?;
            for maker in makers.into_iter().chain(more) {
                if depth < DEEPEST {
                    let needs = wanted(&maker).filter(|one| !self.made.contains(one));
                    open.extend(needs.map(|one| (one, depth + 1)));
                }
                self.take(maker);
            }
        }
        for descriptor in asked.iter().filter_map(|one| types::class_of(one)) {
            self.add_changers(descriptor)?;
        }
        Ok(())
    }

    /// Whether more makers of a type may help although there is one: it is from outside the subject, or an interface.
    fn is_open(&mut self, descriptor: &str) -> Result<bool, Error> {
        let Some(name) = types::class_of(descriptor) else {
            return Ok(false);
        };
        let known = self.collector.places.hierarchy.get(name)?;
        Ok(known.is_some_and(|known| {
            known.origin != Origin::Subject || known.summary.is(access::INTERFACE)
        }))
    }

    /// Classes that are made for tests: of functional interfaces, of the subject's interfaces, and where nothing else is found.
    fn implementors(&mut self, descriptor: &str, only: bool) -> Result<Vec<Candidate>, Error> {
        let Some(name) = types::class_of(descriptor) else {
            return Ok(Vec::new());
        };
        if !self.is_fit(name)? {
            return Ok(Vec::new());
        }
        let only = only && !self.made.contains(descriptor);
        match Implementable::of(name, self.collector)? {
            Some(one) if only || one.is_functional() || one.is_own_interface() => {
                one.candidates(self.collector)
            }
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn take(&mut self, maker: Candidate) {
        if self.taken.insert(maker.name.clone()) {
            self.collector.candidates.push(Candidate {
                auxiliary: true,
                foreign: true,
                lines: None,
                ..maker
            });
        }
    }

    /// The members of a class as candidates that need no instance.
    pub(super) fn members(&mut self, class: &Rc<Summary>) -> Result<Vec<Candidate>, Error> {
        let (before, reasons) = (
            self.collector.candidates.len(),
            self.collector.reasons.len(),
        );
        if self.collector.class_obstacle(class)?.is_none() {
            self.collector.add_class(class)?;
        }
        self.collector.reasons.truncate(reasons);
        Ok(self.collector.candidates.split_off(before))
    }

    /// Files members under everything that their results are.
    fn offer(&mut self, offers: Vec<Candidate>) -> Result<(), Error> {
        for candidate in offers {
            let Some(result) = candidate.result.clone() else {
                continue;
            };
            if types::is_reference(&result) {
                let given = self.kinds(&result)?;
                let receiver = self.receiver_kinds(&candidate)?;
                for given in given.into_iter().filter(|one| !receiver.contains(one)) {
                    self.givers
                        .entry(given)
                        .or_default()
                        .push(self.offers.len());
                }
                self.offers.push(candidate);
            }
        }
        Ok(())
    }

    /// The makers of a type with the least needs.
    fn makers(&mut self, descriptor: &str) -> Result<Vec<Candidate>, Error> {
        let mut makers: Vec<Candidate> = self
            .givers
            .get(descriptor)
            .into_iter()
            .flatten()
            .map(|index| self.offers[*index].clone())
            .collect();
        if let Some(name) = types::class_of(descriptor) {
            let below = self
                .relations
                .subtypes(name, self.collector.places.hierarchy)?;
            makers.extend(self.makers_in(std::iter::once(name.to_owned()), 1, descriptor)?);
            makers.extend(self.makers_in(below.iter().cloned(), MOST_SUBTYPES, descriptor)?);
            if makers.is_empty() && self.is_fit(name)? {
                let mut kinds = vec![name];
                for one in &below {
                    if self.is_fit(one)? {
                        kinds.push(one);
                    }
                }
                let givers = self.relations.givers(kinds.into_iter());
                makers = self.makers_in(givers.into_iter(), MOST_GIVERS, descriptor)?;
            }
        }
        let needs = |maker: &Candidate| {
            let needs = wanted(maker).filter(|one| !self.made.contains(one));
            (needs.count(), maker.parameters.len(), maker.name.clone())
        };
        makers.sort_by_cached_key(needs);
        makers.dedup_by(|one, other| one.name == other.name);
        makers.truncate(MOST_MAKERS);
        Ok(makers)
    }

    /// Members of the first of these classes outside the subject that give a type.
    fn makers_in(
        &mut self,
        classes: impl Iterator<Item = String>,
        most: usize,
        descriptor: &str,
    ) -> Result<Vec<Candidate>, Error> {
        let mut makers = Vec::new();
        let mut looked = 0;
        for class in classes {
            if looked < most && self.is_fit(&class)? {
                looked += 1;
                makers.extend(self.foreign_makers(&class, descriptor)?);
            }
        }
        Ok(makers)
    }

    /// Members of a class outside the subject that give a type.
    fn foreign_makers(&mut self, name: &str, descriptor: &str) -> Result<Vec<Candidate>, Error> {
        let members = self.foreign_members(name)?;
        let mut makers = Vec::new();
        for candidate in members.iter() {
            let Some(result) = &candidate.result else {
                continue;
            };
            if types::is_reference(result)
                && self.kinds(result)?.contains(descriptor)
                && !self.receiver_kinds(candidate)?.contains(descriptor)
            {
                makers.push(candidate.clone());
            }
        }
        Ok(makers)
    }

    /// Members of a class outside the subject that may make inputs.
    fn foreign_members(&mut self, name: &str) -> Result<Rc<Vec<Candidate>>, Error> {
        if let Some(members) = self.foreign.get(name) {
            return Ok(Rc::clone(members));
        }
        let known = self.collector.places.hierarchy.with_members(name)?;
        let known = known.filter(|known| known.origin != Origin::Subject);
        let mut members = match known {
            Some(known) if self.is_fit(name)? => self.members(&known.summary)?,
            _ => Vec::new(),
        };
        members.retain(unfit::is_fit_maker);
        unfit::drop_searching(&mut members);
        let members = Rc::new(members);
        self.foreign.insert(name.to_owned(), Rc::clone(&members));
        Ok(members)
    }

    /// Whether members of a class may make inputs: all but some classes of the JDK.
    pub(super) fn is_fit(&mut self, name: &str) -> Result<bool, Error> {
        let known = self.collector.places.hierarchy.get(name)?;
        let of_jdk = known.is_some_and(|known| known.origin == Origin::Jdk);
        Ok(!of_jdk || unfit::is_fit(name))
    }

    /// A type with all its supertypes, as descriptors.
    fn kinds(&mut self, descriptor: &str) -> Result<BTreeSet<String>, Error> {
        let mut kinds = types::supertypes(descriptor, self.collector.places.hierarchy)?;
        kinds.insert(descriptor.to_owned());
        Ok(kinds)
    }

    /// What the receiver of a member is: a member that needs a value of some type first does not help to make one.
    fn receiver_kinds(&mut self, candidate: &Candidate) -> Result<BTreeSet<String>, Error> {
        match candidate.parameters.first().filter(|_| candidate.receiver) {
            Some(receiver) => self.kinds(receiver),
            None => Ok(BTreeSet::new()),
        }
    }
}

/// What the parameters of a candidate ask for; for arrays, their elements. Types that have literals ask for nothing, because
/// everything would fit `Object`.
fn wanted(candidate: &Candidate) -> impl Iterator<Item = String> + use<> {
    let parameters = candidate.parameters.iter();
    let elements = parameters.map(|one| one.trim_start_matches('[').to_owned());
    let asking: Vec<String> = elements
        .filter(|one| types::is_reference(one) && literals::of_type(one).is_empty())
        .collect();
    asking.into_iter()
}
