//! Goes through the members of a class under test: each becomes a candidate or gets a reason.
//!
//! Fields that cannot be read are left out without a reason, because nothing is lost with them. Fields are never written:
//! that would test what no method of the class can do to itself.

use super::candidate::Candidate;
use super::error::Error;
use super::filter::Deprecated;
use super::nest::Nesting;
use super::places::{Places, Stop};
use super::reason::{Reason, Untested};
use super::summary::{MemberSummary, Summary, access};
use super::{names, types};
use crate::model::{JvmOperation, OperationKind};
use std::rc::Rc;

/// The descriptors of a method's parameters and of its result.
pub type Types = (Vec<String>, Option<String>);

/// Collects candidates and reasons, class after class.
pub struct Collector<'a, 'h> {
    /// From where things can be named.
    pub places: Places<'a, 'h>,
    deprecated: Deprecated,
    /// What can be called, as far as is known.
    pub candidates: Vec<Candidate>,
    /// What cannot.
    pub reasons: Vec<Untested>,
}

impl<'a, 'h> Collector<'a, 'h> {
    /// Begins with nothing.
    pub fn new(places: Places<'a, 'h>, deprecated: Deprecated) -> Self {
        Collector {
            places,
            deprecated,
            candidates: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// Adds all members of a class that has no reason of its own.
    pub fn add_class(&mut self, class: &Rc<Summary>) -> Result<(), Error> {
        for field in &class.fields {
            let shown =
                !field.is(access::PRIVATE | access::SYNTHETIC) && !self.avoids(field.deprecated);
            if shown && names::is_identifier(&field.name) {
                match self.field(class, field) {
                    Ok(candidate) => self.candidates.push(candidate),
                    Err(Stop::Reason(..)) => {}
                    Err(Stop::Failed(error)) => return Err(error),
                }
            }
        }
        let methods = class
            .methods
            .iter()
            .filter(|method| method.name != "<clinit>");
        for method in methods {
            match self.method(class, method) {
                Ok(candidate) => self.candidates.push(candidate),
                Err(Stop::Reason(reason, detail)) => self.reasons.push(Untested {
                    class: class.name.clone(),
                    name: Some(method.name.clone()),
                    descriptor: method.descriptor.clone(),
                    reason,
                    detail,
                }),
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// What speaks against using a class at all.
    pub fn class_obstacle(&mut self, class: &Summary) -> Result<Option<(Reason, String)>, Error> {
        let plain = |reason| Ok(Some((reason, String::new())));
        if class.is(access::SYNTHETIC) {
            return plain(Reason::CompilerMade);
        }
        if class.nesting == Nesting::Local {
            return plain(Reason::LocalClass);
        }
        match self.places.of_class(&class.name) {
            Ok(_) => {}
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Reason(Reason::MissingClass, missing)) => {
                return Ok(Some((Reason::MissingClass, missing)));
            }
            Err(Stop::Reason(..)) if self.places.subject.is_closed(&class.name) => {
                return plain(Reason::ClosedPackage);
            }
            Err(Stop::Reason(..)) => return plain(Reason::PrivateClass),
        }
        if !names::is_dotted_name(&class.source_name) {
            return plain(Reason::NotAJavaName);
        }
        match self.avoids(class.deprecated) {
            true => plain(Reason::Deprecated),
            false => Ok(None),
        }
    }

    fn avoids(&self, deprecated: bool) -> bool {
        deprecated && self.deprecated == Deprecated::Avoided
    }

    /// What the method itself says against calling it, its types left aside.
    fn obstacle(&self, class: &Summary, method: &MemberSummary) -> Option<Reason> {
        let signature = (method.name.as_str(), method.descriptor.as_str());
        if method.is(access::SYNTHETIC | access::BRIDGE) || is_made_for_enum(class, method) {
            return Some(Reason::CompilerMade);
        }
        if method.is(access::PRIVATE) {
            return Some(Reason::PrivateMember);
        }
        let is_main = matches!(signature, ("main", "([Ljava/lang/String;)V"));
        if is_main && method.is(access::STATIC) {
            return Some(Reason::MainMethod);
        }
        if signature == ("finalize", "()V") {
            return Some(Reason::Finalizer);
        }
        if self.avoids(method.deprecated) {
            return Some(Reason::Deprecated);
        }
        if method.name == "<init>" && class.is(access::ABSTRACT) {
            return Some(Reason::AbstractConstructor);
        }
        if method.name != "<init>" && !names::is_identifier(&method.name) {
            return Some(Reason::NotAJavaName);
        }
        let same = |other: &&MemberSummary| {
            !other.is(access::SYNTHETIC | access::BRIDGE)
                && other.name == method.name
                && other.parameters() == method.parameters()
        };
        if class.methods.iter().filter(same).count() > 1 {
            return Some(Reason::AmbiguousInSource);
        }
        None
    }

    fn method(&mut self, class: &Summary, method: &MemberSummary) -> Result<Candidate, Stop> {
        match self.obstacle(class, method) {
            Some(reason) => Err(Stop::Reason(reason, String::new())),
            None => self.call(class, method, types::of_method(&method.descriptor)),
        }
    }

    /// A method that a class has from another one, with the types that it has there.
    pub fn inherited(
        &mut self,
        class: &Summary,
        method: &MemberSummary,
        types: Types,
    ) -> Result<Candidate, Stop> {
        if let Some(reason) = self.obstacle(class, method) {
            return Err(Stop::Reason(reason, String::new()));
        }
        let candidate = self.call(class, method, Some(types))?;
        Ok(Candidate {
            lines: None,
            foreign: true,
            ..candidate
        })
    }

    /// A static method as the one operation: also `main` and deprecated ones.
    pub fn entry(&mut self, class: &Summary, method: &MemberSummary) -> Result<Candidate, Stop> {
        match self.obstacle(class, method) {
            None | Some(Reason::MainMethod | Reason::Deprecated) => {
                self.call(class, method, types::of_method(&method.descriptor))
            }
            Some(reason) => Err(Stop::Reason(reason, String::new())),
        }
    }

    fn call(
        &mut self,
        class: &Summary,
        method: &MemberSummary,
        types: Option<Types>,
    ) -> Result<Candidate, Stop> {
        let Some((declared, result)) = types else {
            let detail = format!("descriptor `{}`", method.descriptor);
            return Err(Stop::Reason(Reason::UnreadableClass, detail));
        };
        let own = types::of_class(&class.name);
        let (kind, result) = match method.name.as_str() {
            "<init>" => (OperationKind::Constructor, Some(own.clone())),
            _ if method.is(access::STATIC) => (OperationKind::StaticMethod, result),
            _ => (OperationKind::Method, result),
        };
        let place = self
            .places
            .of_member(class, method, declared.iter().chain(&result))?;
        let is_inner = kind == OperationKind::Constructor && class.nesting == Nesting::Inner;
        let shown = declared.get(usize::from(is_inner)..).unwrap_or_default();
        let name = self.name_of(class, method, kind, Some(shown))?;
        let mut parameters = declared;
        if kind == OperationKind::Method {
            parameters.insert(0, own);
        }
        Ok(Candidate {
            operation: operation(class, method, kind),
            receiver: kind == OperationKind::Method || (is_inner && !parameters.is_empty()),
            parameters,
            result,
            repeats: false,
            auxiliary: false,
            foreign: false,
            name,
            lines: lines(method),
            place,
        })
    }

    fn field(&mut self, class: &Summary, field: &MemberSummary) -> Result<Candidate, Stop> {
        let kind = match field.is(access::STATIC) {
            true => OperationKind::StaticField,
            false => OperationKind::Field,
        };
        let place = self.places.of_member(class, field, [&field.descriptor])?;
        let receiver = kind == OperationKind::Field;
        Ok(Candidate {
            operation: operation(class, field, kind),
            parameters: receiver
                .then(|| types::of_class(&class.name))
                .into_iter()
                .collect(),
            receiver,
            result: Some(field.descriptor.clone()),
            repeats: false,
            // Reading a static field runs the initialiser, which is worth a test; a constant is in the test already.
            auxiliary: field.constant || receiver,
            foreign: false,
            name: self.name_of(class, field, kind, None)?,
            lines: None,
            place,
        })
    }

    fn name_of(
        &mut self,
        class: &Summary,
        member: &MemberSummary,
        kind: OperationKind,
        parameters: Option<&[String]>,
    ) -> Result<String, Error> {
        let mut name = match kind {
            OperationKind::Constructor => format!("new {}", class.source_name),
            _ => format!("{}.{}", class.source_name, member.name),
        };
        let Some(parameters) = parameters else {
            return Ok(name);
        };
        name.push('(');
        for (index, parameter) in parameters.iter().enumerate() {
            if index > 0 {
                name.push_str(", ");
            }
            name.push_str(&types::source_name(parameter, self.places.hierarchy)?);
        }
        name.push(')');
        Ok(name)
    }
}

fn is_made_for_enum(class: &Summary, method: &MemberSummary) -> bool {
    let is_made = match method.name.as_str() {
        "values" => method.parameters() == "(",
        "valueOf" => method.parameters() == "(Ljava/lang/String;",
        _ => false,
    };
    is_made && class.is(access::ENUM) && method.is(access::STATIC)
}

fn operation(class: &Summary, member: &MemberSummary, kind: OperationKind) -> JvmOperation {
    JvmOperation {
        kind,
        owner: class.name.clone(),
        interface: class.is(access::INTERFACE),
        name: member.name.clone(),
        descriptor: member.descriptor.clone(),
        access: member.access,
        throws: member.throws.clone(),
        signature: member.signature.clone(),
        implementation: None,
    }
}

fn lines(member: &MemberSummary) -> Option<u32> {
    (!member.lines.is_empty()).then_some(member.lines.len() as u32)
}
