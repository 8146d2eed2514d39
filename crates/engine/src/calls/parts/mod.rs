//! The parts that guide the generation of call sequences, one file each. A part is asked where its slot is decided and does
//! nothing where analysis told it nothing.

pub(super) mod bloodhound;
pub(super) mod constants;
pub(super) mod detective;
pub(super) mod elephant;
pub(super) mod impurity;
pub(super) mod loc;
pub(super) mod orienteering;

use super::CallModel;
use super::knowledge::Knowledge;
use crate::guide::{Part, Slot, TestKind};
use crate::observation::Needs;
use bloodhound::Bloodhound;
use constants::Constants;
use detective::Detective;
use impurity::Impurity;
use orienteering::Costs;

/// The parts of a guide that were asked for. Parts that only scale weights leave nothing here.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub constants: Option<Constants>,
    pub impurity: Option<Impurity>,
    pub detective: Option<Detective>,
    pub bloodhound: Option<Bloodhound>,
    pub orienteering: Option<Costs>,
    pub elephant: bool,
}

impl Parts {
    /// The parts of these names; those that work on other slots are passed over. Constants become literals of the model.
    pub(super) fn new(names: &[&str], knowledge: &Knowledge, model: &mut CallModel) -> Parts {
        let has = |name: &str| names.contains(&name);
        if has(elephant::NAME) {
            elephant::apply(model);
        }
        let told = |name: &str, something: bool| has(name) && something;
        let mined = told(constants::NAME, !knowledge.documents.is_empty());
        let changes = told(impurity::NAME, !knowledge.changes.is_empty());
        let branches = told(bloodhound::NAME, !knowledge.branches.is_empty());
        Parts {
            constants: mined.then(|| Constants::new(knowledge, model)),
            impurity: changes.then(|| Impurity::new(knowledge, model)),
            detective: has(detective::NAME).then(Detective::default),
            bloodhound: branches.then(|| Bloodhound::new(knowledge, model)),
            orienteering: has(orienteering::NAME).then(|| Costs::new(model.signatures.len())),
            elephant: has(elephant::NAME),
        }
    }
}

/// The parts for the table of guides, in the order of the manual.
pub fn guidance() -> Vec<Part> {
    let part = |name, slot, summary| Part {
        name,
        slot,
        summary,
        needs: Needs {
            hits: name == bloodhound::NAME,
            ..Needs::default()
        },
        fits: &[TestKind::Calls],
    };
    vec![
        part(bloodhound::NAME, Slot::Operation, bloodhound::SUMMARY),
        part(
            loc::NAME_WITH_CALLS,
            Slot::Operation,
            loc::SUMMARY_WITH_CALLS,
        ),
        part(constants::NAME, Slot::Inputs, constants::SUMMARY),
        part(impurity::NAME, Slot::Inputs, impurity::SUMMARY),
        part(elephant::NAME, Slot::Inputs, elephant::SUMMARY),
        part(detective::NAME, Slot::Inputs, detective::SUMMARY),
        part(orienteering::NAME, Slot::Inputs, orienteering::SUMMARY),
    ]
}

/// The factors on the weights of operations that do not change during a run.
pub(super) fn factors(names: &[&str], knowledge: &Knowledge) -> Vec<Vec<f64>> {
    let mut factors = Vec::new();
    for name in names {
        match *name {
            loc::NAME => factors.push(loc::factors(&knowledge.lines)),
            loc::NAME_WITH_CALLS => factors.push(loc::factors(&knowledge.reachable_lines)),
            _ => {}
        }
    }
    factors
}
