//! Rules that propose plainer tests: each gives, site by site, tests that differ there. Which of them are plainer and still fail is the
//! caller's question, so a rule may propose freely.
//!
//! The rules are those of Groce, Holmes, Kellar, "One test to rule them all", ISSTA 2017, and two on values.
//!
//! Differences: values that are equal change together, two values change places; a step moves over any number of others.

use engine::{Argument, Literal, Origin, Step, Value};

use super::measure::{Ranked, Simplicity, index};
use super::model::{Harness, Hole, Use};

/// Up to this rank all simpler values are tried.
const SMALL: u64 = 16;
/// So many simple values are tried with another class.
const TRIED: u64 = 3;
/// From this number of steps on, only neighbours are put in order.
const MANY: usize = 30;

/// What rules look at.
pub struct Rewriting<'a> {
    pub harness: &'a Harness,
    pub simplicity: Simplicity,
}

/// A rule: the tests that it proposes at a site; nothing after the last site.
pub type Rule = fn(&Rewriting<'_>, &[Step], usize) -> Option<Vec<Vec<Step>>>;

/// All rules in the order in which they are tried.
pub const RULES: &[Rule] = &[
    lower_slots,
    lower_and_move,
    simplify_equal_values,
    simplify_value,
    replace_class,
    exchange_slots,
    exchange_values,
    put_in_order,
];

/// All uses of one slot become uses of a lower one: first one that the test does not use, then one that makes assignments superfluous.
fn lower_slots(_: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let slots = slots(steps);
    let &(pool, slot) = slots.get(site)?;
    let (used, free): (Vec<u32>, Vec<u32>) =
        (0..slot).partition(|lower| slots.contains(&(pool, *lower)));
    let lower = free.into_iter().take(1).chain(used);
    let lowered = lower.map(|lower| {
        let rename = |one: u32| if one == slot { lower } else { one };
        renamed(steps, pool, &rename)
    });
    Some(lowered.collect())
}

/// A slot is assigned directly before its first use, and is a lower one from there to its next assignment, or a higher one is the same.
fn lower_and_move(this: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let step = steps.get(site)?;
    let Some((pool, slot)) = this.assigned(step) else {
        return Some(Vec::new());
    };
    let wanted = Argument::Slot { pool, slot };
    let later = &steps[site + 1..];
    let Some(first) = later.iter().position(|one| one.arguments.contains(&wanted)) else {
        return Some(Vec::new());
    };
    let end = later
        .iter()
        .position(|one| this.assigned(one) == Some((pool, slot)))
        .unwrap_or(later.len());
    let end = end.max(first);
    let mut moved = vec![step.clone()];
    moved.extend_from_slice(&later[first..end]);
    let around = |moved: &[Step]| [&steps[..site], &later[..first], moved, &later[end..]].concat();
    let lowered = (0..slot).map(|lower| {
        let rename = |one: u32| if one == slot { lower } else { one };
        around(&renamed(&moved, pool, &rename))
    });
    // Out of the way of a higher slot, which then need not be another.
    let higher = slots(steps).into_iter();
    let higher = higher.filter(|one| one.0 == pool && one.1 > slot);
    let joined = higher.map(|(_, higher)| {
        let rename = |one: u32| if one == higher { slot } else { one };
        renamed(&around(&moved), pool, &rename)
    });
    let lowered = lowered.chain(joined);
    Some(lowered.collect())
}

/// All equal values of holes with the same values become a simpler one.
fn simplify_equal_values(
    this: &Rewriting<'_>,
    steps: &[Step],
    site: usize,
) -> Option<Vec<Vec<Step>>> {
    let values = this.values(steps);
    let mut groups: Vec<(&Ranked, u64)> = Vec::new();
    for (_, _, ranked, value) in &values {
        if !groups.contains(&(ranked, *value)) {
            groups.push((ranked, *value));
        }
    }
    let &(ranked, value) = groups.get(site)?;
    let places: Vec<(usize, usize)> = values
        .iter()
        .filter(|one| (one.2, one.3) == (ranked, value))
        .map(|one| (one.0, one.1))
        .collect();
    if places.len() < 2 {
        return Some(Vec::new());
    }
    let simpler = simpler(ranked.rank(value)).into_iter();
    Some(
        simpler
            .map(|rank| with_value(steps, &places, ranked.at(rank)))
            .collect(),
    )
}

/// One value becomes a simpler one.
fn simplify_value(this: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let values = this.values(steps);
    let &(step, hole, ranked, value) = values.get(site)?;
    let simpler = simpler(ranked.rank(value)).into_iter();
    Some(
        simpler
            .map(|rank| with_value(steps, &[(step, hole)], ranked.at(rank)))
            .collect(),
    )
}

/// A step becomes one of a plainer class that assigns the same pools and needs no slot that is not there, with simple values.
fn replace_class(this: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let step = steps.get(site)?;
    let own = this.simplicity.class(step.operation);
    let mut classes: Vec<engine::OperationId> = (0..this.harness.classes.len())
        .map(|class| engine::OperationId(class as u32))
        .filter(|class| this.simplicity.class(*class) < own)
        .collect();
    classes.sort_by_key(|class| this.simplicity.class(*class));
    let tries = classes
        .into_iter()
        .flat_map(|class| (0..TRIED).map(move |rank| (class, rank)));
    let replaced = tries.filter_map(|(class, rank)| {
        let arguments = this.refilled(step, class, rank)?;
        let mut steps = steps.to_vec();
        steps[site] = Step {
            operation: class,
            arguments,
        };
        Some(steps)
    });
    Some(replaced.collect())
}

/// Two slots of a pool change places.
fn exchange_slots(_: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let slots = slots(steps);
    let &(pool, slot) = slots.get(site)?;
    let others = slots.iter().filter(|one| one.0 == pool && one.1 < slot);
    let exchanged = others.map(|&(_, other)| {
        let exchange = |one: u32| match one {
            one if one == slot => other,
            one if one == other => slot,
            one => one,
        };
        renamed(steps, pool, &exchange)
    });
    Some(exchanged.collect())
}

/// Two values change places, so that the simpler one comes first.
fn exchange_values(this: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let values = this.values(steps);
    let &(step, hole, ranked, value) = values.get(site)?;
    let later = values[site + 1..].iter();
    let simpler = later.filter(|one| one.2 == ranked && ranked.rank(one.3) < ranked.rank(value));
    let exchanged = simpler.map(|one| {
        let first = with_value(steps, &[(step, hole)], one.3);
        with_value(&first, &[(one.0, one.1)], value)
    });
    Some(exchanged.collect())
}

/// A later step that is less in order comes to this place, the least one first.
fn put_in_order(this: &Rewriting<'_>, steps: &[Step], site: usize) -> Option<Vec<Vec<Step>>> {
    let own = this.simplicity.key(steps.get(site)?);
    let reach = if steps.len() > MANY { 1 } else { steps.len() };
    let later = (site + 1..steps.len()).take(reach);
    let mut less: Vec<(Vec<u64>, usize)> = later
        .map(|place| (this.simplicity.key(&steps[place]), place))
        .filter(|(key, _)| *key < own)
        .collect();
    less.sort();
    let moved = less.into_iter().map(|(_, place)| {
        let mut steps = steps.to_vec();
        steps[site..=place].rotate_right(1);
        steps
    });
    Some(moved.collect())
}

impl Rewriting<'_> {
    /// The first slot that a step assigns.
    fn assigned(&self, step: &Step) -> Option<(u32, u32)> {
        let class = self.harness.classes.get(step.operation.0 as usize)?;
        let assigned = class.holes.iter().zip(&step.arguments);
        let mut assigned = assigned.filter_map(|(hole, argument)| match (hole, argument) {
            (
                Hole::Slot {
                    how: Use::Assign, ..
                },
                Argument::Slot { pool, slot },
            ) => Some((*pool, *slot)),
            _ => None,
        });
        assigned.next()
    }

    /// All values of a test: step, hole, what may stand there, what does.
    fn values(&self, steps: &[Step]) -> Vec<(usize, usize, &Ranked, u64)> {
        let mut found = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            for (hole, argument) in step.arguments.iter().enumerate() {
                let ranked = self.simplicity.values(step.operation, hole);
                if let Some((ranked, value)) = ranked.zip(index(argument)) {
                    found.push((number, hole, ranked, value));
                }
            }
        }
        found
    }

    /// What fills the holes of another class in place of a step: its slots, and values of a rank, where there are
    /// so many.
    fn refilled(
        &self,
        step: &Step,
        class: engine::OperationId,
        rank: u64,
    ) -> Option<Vec<Argument>> {
        let holes = |class: engine::OperationId| {
            let class = self.harness.classes.get(class.0 as usize);
            class.map(|class| class.holes.as_slice())
        };
        let mut slots: Vec<(bool, &Argument)> = holes(step.operation)?
            .iter()
            .zip(&step.arguments)
            .filter_map(|(hole, argument)| match hole {
                Hole::Slot { how, .. } => Some((*how == Use::Assign, argument)),
                Hole::Value(_) => None,
            })
            .collect();
        let mut arguments = Vec::new();
        for (number, hole) in holes(class)?.iter().enumerate() {
            arguments.push(match hole {
                Hole::Value(values) => {
                    let rank = rank.min(values.count().saturating_sub(1));
                    value(self.simplicity.values(class, number)?.at(rank))
                }
                Hole::Slot { pool, how } => {
                    let fits = |one: &(bool, &Argument)| {
                        let in_pool =
                            matches!(one.1, Argument::Slot { pool: of, .. } if *of as usize == *pool);
                        one.0 == (*how == Use::Assign) && in_pool
                    };
                    let place = slots.iter().position(fits)?;
                    slots.remove(place).1.clone()
                }
            });
        }
        slots
            .iter()
            .all(|(assigned, _)| !assigned)
            .then_some(arguments)
    }
}

/// All slots that a test uses, in order.
fn slots(steps: &[Step]) -> Vec<(u32, u32)> {
    let arguments = steps.iter().flat_map(|step| &step.arguments);
    let mut slots: Vec<(u32, u32)> = arguments
        .filter_map(|one| match one {
            Argument::Slot { pool, slot } => Some((*pool, *slot)),
            _ => None,
        })
        .collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The same steps with other slots of one pool.
fn renamed(steps: &[Step], pool: u32, rename: &dyn Fn(u32) -> u32) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for argument in steps.iter_mut().flat_map(|step| &mut step.arguments) {
        match argument {
            Argument::Slot { pool: of, slot } if *of == pool => *slot = rename(*slot),
            _ => {}
        }
    }
    steps
}

fn value(index: u64) -> Argument {
    Argument::Literal(Literal {
        value: Value::Int(i64::try_from(index).unwrap_or(i64::MAX)),
        origin: Origin::Builtin,
    })
}

fn with_value(steps: &[Step], places: &[(usize, usize)], index: u64) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for &(step, hole) in places {
        steps[step].arguments[hole] = value(index);
    }
    steps
}

/// Ranks below one: all if they are few, else the lowest and some on the way.
fn simpler(rank: u64) -> Vec<u64> {
    if rank <= SMALL {
        return (0..rank).collect();
    }
    let mut ranks: Vec<u64> = (0..5).collect();
    let mut step = rank / 2;
    while step > 0 {
        ranks.push(rank - step);
        step /= 2;
    }
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}
