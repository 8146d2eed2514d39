//! Part `swarm`: every test may use only a random half of the action classes, so that different tests do different things often.
//!
//! What: each class is allowed with probability one half. Then, until nothing changes, every pool that an allowed class uses gets a
//! random allowed class that fills it, and every allowed class that fills pools which no allowed class uses gets a random user.
//! Why: some states are only reached where some actions never happen.
//! Source: Groce, Zhang, Eide, Chen, Regehr, "Swarm testing", ISSTA 2012; the closure is TSTL 1.2.39's.
//!
//! Differences: classes marked essential are always allowed before the closure is made, not after.

use crate::actions::model::ActionModel;
use crate::stream::Stream;

/// Which classes a test may use.
pub fn subset(model: &ActionModel, stream: &mut Stream) -> Vec<bool> {
    let classes = &model.classes;
    let mut allowed: Vec<bool> = classes
        .iter()
        .map(|class| stream.chance(0.5) || class.essential)
        .collect();
    if !classes.is_empty() && !allowed.contains(&true) {
        allowed[stream.index(classes.len())] = true;
    }
    while let Some(wanted) = missing(model, &allowed) {
        let chosen = wanted[stream.index(wanted.len())];
        allowed[chosen] = true;
    }
    allowed
}

/// Classes of which one must be added; nothing when the subset is closed.
fn missing(model: &ActionModel, allowed: &[bool]) -> Option<Vec<usize>> {
    let those = |test: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..model.classes.len())
            .filter(|class| test(*class))
            .collect()
    };
    for class in those(&|class| allowed[class]) {
        for pool in &model.classes[class].uses {
            let fillers = those(&|other| model.classes[other].fills.contains(pool));
            if !fillers.is_empty() && !fillers.iter().any(|other| allowed[*other]) {
                return Some(fillers);
            }
        }
        let fills = &model.classes[class].fills;
        let users = those(&|other| {
            model.classes[other]
                .uses
                .iter()
                .any(|pool| fills.contains(pool))
        });
        if !users.is_empty() && !users.iter().any(|other| allowed[*other]) {
            return Some(users);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::model::ActionClass;
    use crate::stream::Seed;
    use proptest::prelude::*;

    fn class(fills: &[u32], uses: &[u32]) -> ActionClass {
        ActionClass {
            fills: fills.to_vec(),
            uses: uses.to_vec(),
            ..ActionClass::default()
        }
    }

    #[test]
    fn half_of_independent_classes_are_allowed() {
        let model = ActionModel {
            classes: vec![class(&[], &[]); 1000],
        };
        let allowed = subset(&model, &mut Seed(1).stream());
        let count = allowed.iter().filter(|one| **one).count();
        assert!((450..550).contains(&count), "{count}");
    }

    #[test]
    fn essential_classes_are_always_allowed() {
        let mut essential = class(&[], &[]);
        essential.essential = true;
        let model = ActionModel {
            classes: vec![class(&[], &[]), essential],
        };
        for seed in 0..20 {
            assert!(subset(&model, &mut Seed(seed).stream())[1]);
        }
    }

    proptest! {
        #[test]
        fn every_used_pool_has_a_filler_and_every_filled_pool_a_user(
            classes in proptest::collection::vec(
                (proptest::collection::vec(0u32..4, 0..2), proptest::collection::vec(0u32..4, 0..3)), 1..12),
            seed: u64,
        ) {
            let classes: Vec<ActionClass> =
                classes.iter().map(|(fills, uses)| class(fills, uses)).collect();
            let model = ActionModel { classes };
            let allowed = subset(&model, &mut Seed(seed).stream());
            prop_assert!(allowed.contains(&true));
            for (number, one) in model.classes.iter().enumerate().filter(|(number, _)| allowed[*number]) {
                for pool in &one.uses {
                    let fillers: Vec<usize> = (0..allowed.len())
                        .filter(|other| model.classes[*other].fills.contains(pool)).collect();
                    prop_assert!(fillers.is_empty() || fillers.iter().any(|other| allowed[*other]), "{number}");
                }
            }
        }
    }
}
