//! From where a test can name classes and use members.

use super::candidate::Place;
use super::error::Error;
use super::hierarchy::{Hierarchy, Known};
use super::nest::{Nesting, Visibility};
use super::reason::Reason;
use super::subject::Subject;
use super::summary::{MemberSummary, Summary, access};
use super::types;
use std::collections::BTreeMap;

/// Why something cannot be used, with the detail.
type Obstacle = (Reason, String);

/// Why a look at a member ended early.
pub enum Stop {
    /// The member has a reason.
    Reason(Reason, String),
    /// Nothing can be looked at any more.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl From<Obstacle> for Stop {
    fn from((reason, detail): Obstacle) -> Stop {
        Stop::Reason(reason, detail)
    }
}

/// Decides from where things can be named, and remembers it.
pub struct Places<'a, 'h> {
    /// The subject, whose jars may close packages.
    pub subject: &'a Subject,
    /// The classes within reach.
    pub hierarchy: &'h mut Hierarchy<'a>,
    known: BTreeMap<String, Result<Place, Obstacle>>,
}

impl<'a, 'h> Places<'a, 'h> {
    /// Begins with nothing decided.
    pub fn new(subject: &'a Subject, hierarchy: &'h mut Hierarchy<'a>) -> Self {
        Places {
            subject,
            hierarchy,
            known: BTreeMap::new(),
        }
    }

    /// From where a member can be used: its class, itself, its types and what it throws taken together.
    pub fn of_member<'t>(
        &mut self,
        class: &Summary,
        member: &MemberSummary,
        types: impl IntoIterator<Item = &'t String>,
    ) -> Result<Place, Stop> {
        let mut place = self.of_class(&class.name)?;
        if !member.is(access::PUBLIC) {
            if self.subject.is_closed(&class.name) {
                return Err(Stop::Reason(Reason::ClosedPackage, String::new()));
            }
            place = Place::Package(class.package().to_owned());
        }
        let named = types
            .into_iter()
            .filter_map(|descriptor| types::innermost_class(descriptor));
        for name in named {
            let joined = place.and(self.of_class(name)?);
            place = joined.ok_or((Reason::InaccessibleType, name.replace('/', ".")))?;
        }
        for thrown in &member.throws {
            match self.of_class(thrown) {
                // An exception need not be named by a test.
                Ok(_) | Err(Stop::Reason(Reason::InaccessibleType, _)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(place)
    }

    /// From where a class can be named.
    pub fn of_class(&mut self, name: &str) -> Result<Place, Stop> {
        if let Some(place) = self.known.get(name) {
            return place.clone().map_err(Stop::from);
        }
        let place = match self.hierarchy.get(name)? {
            None => Err((Reason::MissingClass, name.replace('/', "."))),
            Some(known) => self.known_place(&known)?,
        };
        self.known.insert(name.to_owned(), place.clone());
        place.map_err(Stop::from)
    }

    fn known_place(&mut self, known: &Known) -> Result<Result<Place, Obstacle>, Error> {
        let name = &known.summary.name;
        if let Some(missing) = &self.hierarchy.supertypes(name)?.missing {
            return Ok(Err((Reason::MissingClass, missing.replace('/', "."))));
        }
        let hidden = Err((Reason::InaccessibleType, known.summary.source_name.clone()));
        if known.summary.nesting == Nesting::Local {
            return Ok(hidden);
        }
        Ok(match self.hierarchy.visibility(known)? {
            Visibility::Public => Ok(Place::Anywhere),
            Visibility::Package if self.subject.is_closed(name) => hidden,
            Visibility::Package => Ok(Place::Package(known.summary.package().to_owned())),
            Visibility::Hidden => hidden,
        })
    }
}
