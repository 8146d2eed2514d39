//! Part `swarm`: every test may use only a random half of the action classes, so that different tests do different things often.
//!
//! What: each class is allowed with probability one half. Then, until nothing changes, every pool that an allowed class uses gets a
//! random allowed class that fills it, and every allowed class that fills pools which no allowed class uses gets a random user.
//! Why: some states are only reached where some actions never happen.
//! Source: Groce, Zhang, Eide, Chen, Regehr, "Swarm testing", ISSTA 2012; the closure is TSTL 1.2.39's.
//!
//! Differences: classes marked essential are always allowed before the closure is made, not after. Where allowed classes only fill pools
//! for each other, so that none can ever be first, one is added that can: TSTL's tests then do nothing.

use crate::actions::model::ActionModel;
use crate::stream::Stream;
use std::collections::BTreeSet;

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
    first_ones(model, allowed)
}

/// Classes that can fill a pool which the allowed ones use but can never fill, for want of another; nothing where there is no such pool.
fn first_ones(model: &ActionModel, allowed: &[bool]) -> Option<Vec<usize>> {
    let classes = &model.classes;
    let all = 0..classes.len();
    let filled = filled(model, &|class| allowed[class]);
    let with_all = self::filled(model, &|_| true);
    let stuck = |class: &usize| {
        let class = &classes[*class];
        within(&class.uses, &with_all) && !within(&class.uses, &filled)
    };
    let stuck: Vec<usize> = all
        .clone()
        .filter(|class| allowed[*class] && stuck(class))
        .collect();
    if stuck.is_empty() {
        return None;
    }
    let helps = |class: &usize| {
        let class = &classes[*class];
        within(&class.uses, &filled) && !within(&class.fills, &filled)
    };
    let wanted = |class: &usize| {
        let fills = &classes[*class].fills;
        let mut uses = stuck.iter().flat_map(|class| &classes[*class].uses);
        uses.any(|pool| fills.contains(pool) && !filled.contains(pool))
    };
    let helping: Vec<usize> = all.filter(helps).collect();
    let direct: Vec<usize> = helping.iter().copied().filter(wanted).collect();
    Some(if direct.is_empty() { helping } else { direct })
}

/// The pools that some classes can fill, beginning with nothing.
fn filled(model: &ActionModel, allowed: &dyn Fn(usize) -> bool) -> BTreeSet<u32> {
    let mut filled = BTreeSet::new();
    loop {
        let before = filled.len();
        for (number, class) in model.classes.iter().enumerate() {
            if allowed(number) && within(&class.uses, &filled) {
                filled.extend(&class.fills);
            }
        }
        if filled.len() == before {
            return filled;
        }
    }
}

fn within(pools: &[u32], filled: &BTreeSet<u32>) -> bool {
    pools.iter().all(|pool| filled.contains(pool))
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

    /// The classes that can ever be taken, of those that are allowed.
    fn taken(model: &ActionModel, allowed: &[bool]) -> Vec<bool> {
        let mut taken = vec![false; allowed.len()];
        loop {
            let next: Vec<bool> = (0..allowed.len())
                .map(|class| {
                    let filled = |pool: &u32| {
                        (0..allowed.len())
                            .any(|other| taken[other] && model.classes[other].fills.contains(pool))
                    };
                    allowed[class] && model.classes[class].uses.iter().all(filled)
                })
                .collect();
            if next == taken {
                return taken;
            }
            taken = next;
        }
    }

    #[test]
    fn classes_that_fill_pools_only_for_each_other_get_one_that_can_be_first() {
        // A time from a text, a text from a time, and a time from nothing.
        let model = ActionModel {
            classes: vec![class(&[0], &[1]), class(&[1], &[0]), class(&[0], &[])],
        };
        for seed in 0..20 {
            let allowed = subset(&model, &mut Seed(seed).stream());
            assert_eq!(taken(&model, &allowed), allowed);
        }
    }

    /// Up to eleven classes that fill and use up to four pools.
    fn models() -> impl Strategy<Value = ActionModel> {
        let pools = |most: usize| proptest::collection::vec(0u32..4, 0..most);
        let class = (pools(2), pools(3)).prop_map(|(fills, uses)| class(&fills, &uses));
        proptest::collection::vec(class, 1..12).prop_map(|classes| ActionModel { classes })
    }

    proptest! {
        #[test]
        fn what_can_be_taken_with_all_classes_can_be_taken_with_those_that_are_allowed(
            model in models(),
            seed: u64,
        ) {
            let allowed = subset(&model, &mut Seed(seed).stream());
            let (all, some) = (taken(&model, &vec![true; allowed.len()]), taken(&model, &allowed));
            for number in (0..allowed.len()).filter(|number| allowed[*number] && all[*number]) {
                prop_assert!(some[number], "{number}");
            }
        }

        #[test]
        fn every_used_pool_has_a_filler_and_every_filled_pool_a_user(
            model in models(),
            seed: u64,
        ) {
            let allowed = subset(&model, &mut Seed(seed).stream());
            prop_assert!(allowed.contains(&true));
            for (number, one) in model.classes.iter().enumerate().filter(|(number, _)| allowed[*number]) {
                for pool in &one.uses {
                    let fillers: Vec<usize> = (0..allowed.len())
                        .filter(|other| model.classes[*other].fills.contains(pool)).collect();
                    prop_assert!(fillers.is_empty() || fillers.iter().any(|other| allowed[*other]), "{number}");
                }
                let users: Vec<usize> = (0..allowed.len())
                    .filter(|other| model.classes[*other].uses.iter().any(|pool| one.fills.contains(pool))).collect();
                prop_assert!(users.is_empty() || users.iter().any(|other| allowed[*other]), "{number}");
            }
        }
    }
}
