//! From a subject to what can be called: reads all classes, selects, collects members, drops what cannot be made, numbers
//! the rest.

use super::candidate::{Candidate, Place};
use super::checks::find_checks;
use super::detective::Detective;
use super::entry::find_entry;
use super::error::Error;
use super::filter::{Filters, Inputs, Selection};
use super::hierarchy::Hierarchy;
use super::inherited::add_inherited;
use super::jdk::Jdk;
use super::makeable::makeable;
use super::members::Collector;
use super::nest::Visibility;
use super::places::Places;
use super::reason::{Reason, Untested};
use super::relations::Relations;
use super::subject::Subject;
use super::summary::{Summary, access};
use super::types::{self, TypeTable};
use crate::model::{JvmClass, JvmModel, JvmOperation, OperationKind};
use engine::calls::{CallModel, Parameter, PlaceId, Signature};
use engine::{Operation, OperationId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What can be called, what is under test, and why the rest cannot be called.
#[derive(Clone, Debug)]
pub struct Discovered {
    /// Types, signatures and operations.
    pub model: JvmModel,
    /// The operations for the engine, with the same numbers.
    pub operations: Vec<Operation>,
    /// Operations by which objects check themselves.
    pub checks: Vec<OperationId>,
    /// The package, in internal form, that a test with this operation must be in, where it cannot be in any.
    pub packages: Vec<Option<String>>,
    /// The classes under test, in the order of their names, also those that no test can name.
    pub classes: Vec<ClassUnderTest>,
    /// Why classes and members were left out or can be called only in part, in order.
    pub reasons: Vec<Untested>,
}

/// A class under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassUnderTest {
    /// In internal form.
    pub name: String,
    /// As Java source writes it; for a local class as the JVM does.
    pub source_name: String,
    /// The source file without folder.
    pub source_file: Option<String>,
    /// Whether no test can be put into its package.
    pub closed: bool,
    /// The methods under test by name and descriptor, where not all are.
    pub methods: Option<BTreeSet<(String, String)>>,
}

/// Finds what can be called.
pub fn discover(subject: &Subject, jdk: &Jdk, filters: &Filters) -> Result<Discovered, Error> {
    let (summaries, mut reasons) = read(subject, jdk);
    let selection = filters.select(&summaries, &reasons)?;
    reasons.retain(|one| filters.means_unreadable(&one.class));
    let mut hierarchy = Hierarchy::new(subject, jdk, summaries.clone());
    let chosen: Vec<Rc<Summary>> = summaries
        .iter()
        .filter(|class| selection.classes.contains(&class.name))
        .cloned()
        .collect();
    let mut collector = Collector::new(Places::new(subject, &mut hierarchy), filters.deprecated);
    match &filters.entry {
        Some(entry) => find_entry(entry, &summaries, &mut collector)?,
        None => collect(&chosen, &selection, &mut collector)?,
    }
    if filters.inputs == Inputs::Everywhere {
        let others = summaries
            .iter()
            .filter(|class| !selection.classes.contains(&class.name));
        let relations = Relations::new(subject, jdk, &summaries);
        Detective::new(&mut collector, relations, others)?.investigate(&chosen)?;
    }
    let Collector {
        mut candidates,
        reasons: more,
        ..
    } = collector;
    reasons.extend(more);
    drop_unmakeable(&mut candidates, &mut reasons, &mut hierarchy)?;
    add_arrays(&mut candidates, &mut hierarchy)?;
    reasons.retain(|one| match (&filters.entry, &one.name) {
        (Some(_), _) => false,
        (None, Some(name)) => selection.has_method(&one.class, name, &one.descriptor),
        (None, None) => true,
    });
    reasons.sort();
    let classes = chosen
        .iter()
        .map(|class| under_test(class, subject, &selection))
        .collect();
    let checks = find_checks(&filters.checks, &candidates, &mut hierarchy)?;
    let discovered = number(candidates, classes, reasons, &mut hierarchy)?;
    Ok(Discovered {
        checks,
        ..discovered
    })
}

/// Reads all classes; those that cannot be used at all get a reason.
fn read(subject: &Subject, jdk: &Jdk) -> (Vec<Rc<Summary>>, Vec<Untested>) {
    let mut summaries = Vec::new();
    let mut reasons = Vec::new();
    let mut reject = |name: &str, reason, detail: String| {
        reasons.push(whole_class(name, reason, detail));
    };
    for (name, cause) in &subject.broken {
        reject(name, Reason::UnreadableClass, cause.clone());
    }
    for (name, class) in &subject.classes {
        match Summary::parse(&class.bytes) {
            Err(error) => reject(name, Reason::UnreadableClass, error.to_string()),
            Ok(summary) if summary.name != *name => {
                reject(
                    name,
                    Reason::MisplacedClass,
                    format!("it is `{}`", summary.name),
                );
            }
            Ok(summary) if summary.major > jdk.major() => {
                let detail = format!("Java {}", summary.major.saturating_sub(44));
                reject(name, Reason::ClassTooNew, detail);
            }
            Ok(summary) => summaries.push(Rc::new(summary)),
        }
    }
    (summaries, reasons)
}

fn whole_class(name: &str, reason: Reason, detail: String) -> Untested {
    Untested {
        class: name.to_owned(),
        name: None,
        descriptor: String::new(),
        reason,
        detail,
    }
}

fn collect(
    chosen: &[Rc<Summary>],
    selection: &Selection,
    collector: &mut Collector,
) -> Result<(), Error> {
    for class in chosen {
        if let Some((reason, detail)) = collector.class_obstacle(class)? {
            collector
                .reasons
                .push(whole_class(&class.name, reason, detail));
            continue;
        }
        collector.add_class(class)?;
        if !class.is(access::INTERFACE) {
            add_inherited(class, &selection.classes, collector)?;
        }
    }
    for candidate in &mut collector.candidates {
        let operation = &candidate.operation;
        // What is not to be tested may still make what the rest needs.
        candidate.auxiliary |=
            !selection.has_method(&operation.owner, &operation.name, &operation.descriptor);
    }
    Ok(())
}

/// Drops what needs an instance that nothing gives, and notes parameters of which nothing gives a value.
fn drop_unmakeable(
    candidates: &mut Vec<Candidate>,
    reasons: &mut Vec<Untested>,
    hierarchy: &mut Hierarchy,
) -> Result<(), Error> {
    let made = makeable(candidates, hierarchy)?;
    let constructible: BTreeSet<String> = candidates
        .iter()
        .filter(|one| one.operation.kind == OperationKind::Constructor)
        .map(|one| one.operation.owner.clone())
        .collect();
    let (kept, dropped): (Vec<Candidate>, Vec<Candidate>) =
        std::mem::take(candidates).into_iter().partition(|one| {
            !one.receiver
                || one
                    .parameters
                    .first()
                    .is_some_and(|first| made.contains(first))
        });
    for candidate in dropped.iter().filter(|one| !one.foreign) {
        let owner = &candidate.operation.owner;
        let is_abstract = hierarchy
            .get(owner)?
            .is_some_and(|known| known.summary.is(access::ABSTRACT));
        let reason = match candidate.operation.kind {
            OperationKind::Field => continue,
            OperationKind::Method if is_abstract => Reason::AbstractWithoutImplementor,
            OperationKind::Method if !constructible.contains(owner) => {
                Reason::NoAccessibleConstructor
            }
            _ => Reason::NoReceiver,
        };
        reasons.push(of_candidate(candidate, reason, String::new()));
    }
    for candidate in kept.iter().filter(|one| !one.foreign) {
        let names = candidate.only_null(&made).map(types::plain_name);
        let names: BTreeSet<String> = names.collect();
        if !names.is_empty() {
            let detail = names.into_iter().collect::<Vec<_>>().join(", ");
            reasons.push(of_candidate(candidate, Reason::ParameterOnlyNull, detail));
        }
    }
    *candidates = kept;
    Ok(())
}

fn of_candidate(candidate: &Candidate, reason: Reason, detail: String) -> Untested {
    Untested {
        class: candidate.operation.owner.clone(),
        name: Some(candidate.operation.name.clone()),
        descriptor: candidate.operation.descriptor.clone(),
        reason,
        detail,
    }
}

/// Adds one way to make each type of array that a parameter asks for.
fn add_arrays(candidates: &mut Vec<Candidate>, hierarchy: &mut Hierarchy) -> Result<(), Error> {
    let mut arrays: BTreeMap<String, Place> = BTreeMap::new();
    for candidate in candidates.iter() {
        for array in candidate.array_parameters() {
            arrays.entry(array.to_owned()).or_insert(Place::Anywhere);
        }
    }
    for (array, place) in arrays {
        let place = match types::innermost_class(&array) {
            Some(name) => match hierarchy.get(name)? {
                Some(known) if hierarchy.visibility(&known)? != Visibility::Public => {
                    Place::Package(known.summary.package().to_owned())
                }
                _ => place,
            },
            None => place,
        };
        let name = types::source_name(&array, hierarchy)?;
        candidates.push(Candidate::array(&array, &name, place));
    }
    Ok(())
}

fn under_test(class: &Summary, subject: &Subject, selection: &Selection) -> ClassUnderTest {
    let methods = selection.methods.as_ref().map(|methods| {
        let own = methods.iter().filter(|(owner, _, _)| *owner == class.name);
        own.map(|(_, name, descriptor)| (name.clone(), descriptor.clone()))
            .collect()
    });
    ClassUnderTest {
        name: class.name.clone(),
        source_name: class.source_name.clone(),
        source_file: class.source_file.clone(),
        closed: subject.is_closed(&class.name),
        methods,
    }
}

/// Gives types and operations their numbers.
fn number(
    candidates: Vec<Candidate>,
    classes: Vec<ClassUnderTest>,
    reasons: Vec<Untested>,
    hierarchy: &mut Hierarchy,
) -> Result<Discovered, Error> {
    let mut table = TypeTable::default();
    let mut signatures = Vec::with_capacity(candidates.len());
    let mut operations = Vec::with_capacity(candidates.len());
    let mut packages = Vec::with_capacity(candidates.len());
    let mut named = Vec::with_capacity(candidates.len());
    let mut places: BTreeMap<String, PlaceId> = BTreeMap::new();
    for candidate in candidates {
        let package = candidate.place.package();
        let parameters = candidate.parameters.iter().enumerate();
        let parameters = parameters.map(|(index, descriptor)| Parameter {
            kind: table.id(descriptor),
            nullable: types::is_reference(descriptor) && !(index == 0 && candidate.receiver),
        });
        signatures.push(Signature {
            parameters: parameters.collect(),
            repeats: candidate.repeats,
            result: candidate.result.as_deref().map(|result| table.id(result)),
            auxiliary: candidate.auxiliary,
            observed: false,
            place: package.clone().map(|package| {
                let next = PlaceId(places.len() as u32);
                *places.entry(package).or_insert(next)
            }),
        });
        // Static members alone do not bring their class into the table, and renderers need its name.
        if candidate.operation.kind != OperationKind::Array {
            table.id(&types::of_class(&candidate.operation.owner));
        }
        named.push(Operation {
            name: candidate.name,
            lines: candidate.lines,
        });
        packages.push(package);
        operations.push(candidate.operation);
    }
    let (types, descriptors) = table.finish(hierarchy)?;
    let named_classes = named_classes(&descriptors, &operations, hierarchy)?;
    Ok(Discovered {
        model: JvmModel {
            calls: CallModel { types, signatures },
            descriptors,
            operations,
            classes: named_classes,
        },
        operations: named,
        checks: Vec::new(),
        packages,
        classes,
        reasons,
    })
}

/// All classes that types, owners and declared exceptions name, as source code sees them.
fn named_classes(
    descriptors: &[String],
    operations: &[JvmOperation],
    hierarchy: &mut Hierarchy,
) -> Result<BTreeMap<String, JvmClass>, Error> {
    let thrown = operations
        .iter()
        .flat_map(|operation| operation.throws.iter().map(String::as_str));
    let typed = descriptors
        .iter()
        .filter_map(|descriptor| types::innermost_class(descriptor));
    let made = operations
        .iter()
        .filter_map(|one| one.implementation.as_ref());
    let made = made.flat_map(|one| one.methods.iter().filter_map(|one| one.source.as_ref()));
    let made = made.flat_map(|(parameters, result)| parameters.iter().chain(result));
    let made = made.filter_map(|descriptor| types::innermost_class(descriptor));
    let named = thrown.chain(typed).chain(made);
    let mut open: Vec<String> = named.map(str::to_owned).collect();
    let mut classes = BTreeMap::new();
    while let Some(name) = open.pop() {
        if classes.contains_key(&name) {
            continue;
        }
        let Some(known) = hierarchy.get(&name)? else {
            continue;
        };
        let summary = &known.summary;
        open.extend(summary.outer.clone());
        let class = JvmClass {
            access: summary.access,
            outer: summary.outer.clone(),
            simple: summary.simple_name.clone(),
            signature: summary.signature.clone(),
        };
        classes.insert(name, class);
    }
    Ok(classes)
}
