//! How plain a test is: a measure that every rewriting of a failing test must lower, so that rewriting ends.
//!
//! Fewer steps come first, then plainer classes (fewer holes, then earlier in the harness), simpler values, lower slots, and last
//! the order of steps. Numbers near zero are simple, then short texts; what is equally simple keeps the order of the harness.

use engine::{Argument, Literal, OperationId, Step, Value};

use super::model::{Harness, Hole, Values};

/// The most values that are put in order one by one; longer lists keep their own.
const ORDERED: usize = 1000;

/// What makes one test plainer than another. Lower is plainer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    steps: usize,
    classes: usize,
    values: u64,
    slots: u64,
    order: Vec<Vec<u64>>,
}

/// Which classes and values of a harness are simple.
#[derive(Debug, Clone)]
pub struct Simplicity {
    /// For every class its place among all, plainest first.
    ranks: Vec<usize>,
    /// For every class and hole its values; nothing for slots.
    values: Vec<Vec<Option<Ranked>>>,
}

/// Values of a hole with their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    values: Values,
    /// The values by simplicity, where they are not numbers.
    order: Vec<usize>,
}

impl Simplicity {
    /// The simplicity of what a harness has.
    pub fn new(harness: &Harness) -> Simplicity {
        let classes = &harness.classes;
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|&class| classes[class].holes.len());
        let mut ranks = vec![0; classes.len()];
        for (rank, class) in order.into_iter().enumerate() {
            ranks[class] = rank;
        }
        let ranked = |hole: &Hole| match hole {
            Hole::Slot { .. } => None,
            Hole::Value(values) => Some(Ranked::new(values)),
        };
        let holes = classes.iter().map(|class| class.holes.iter());
        Simplicity {
            ranks,
            values: holes.map(|holes| holes.map(ranked).collect()).collect(),
        }
    }

    /// The place of a class among all, plainest first.
    pub fn class(&self, class: OperationId) -> usize {
        self.ranks.get(class.0 as usize).copied().unwrap_or(0)
    }

    /// The values of a hole; nothing if it is a slot.
    pub fn values(&self, class: OperationId, hole: usize) -> Option<&Ranked> {
        self.values.get(class.0 as usize)?.get(hole)?.as_ref()
    }

    /// How simple what fills a hole is.
    fn filling(&self, class: OperationId, hole: usize, argument: &Argument) -> u64 {
        match (argument, self.values(class, hole)) {
            (Argument::Slot { slot, .. }, _) => u64::from(*slot),
            (argument, Some(ranked)) => index(argument).map_or(0, |index| ranked.rank(index)),
            _ => 0,
        }
    }

    /// A step as it is put in order.
    pub fn key(&self, step: &Step) -> Vec<u64> {
        let fillings = step.arguments.iter().enumerate();
        let fillings = fillings.map(|(hole, one)| self.filling(step.operation, hole, one));
        std::iter::once(u64::from(step.operation.0))
            .chain(fillings)
            .collect()
    }

    /// How plain a test is.
    pub fn measure(&self, steps: &[Step]) -> Measure {
        let (mut values, mut slots) = (0_u64, 0_u64);
        for step in steps {
            for (hole, argument) in step.arguments.iter().enumerate() {
                let rank = self.filling(step.operation, hole, argument);
                match argument {
                    Argument::Slot { .. } => slots = slots.saturating_add(rank),
                    _ => values = values.saturating_add(rank),
                }
            }
        }
        Measure {
            steps: steps.len(),
            classes: steps.iter().map(|step| self.class(step.operation)).sum(),
            values,
            slots,
            order: steps.iter().map(|step| self.key(step)).collect(),
        }
    }
}

impl Ranked {
    fn new(values: &Values) -> Ranked {
        let count = usize::try_from(values.count()).unwrap_or(usize::MAX);
        let mut order: Vec<usize> = match values {
            Values::Ints(..) => Vec::new(),
            _ if count > ORDERED => Vec::new(),
            _ => (0..count).collect(),
        };
        match values {
            Values::Ints(..) => {}
            Values::Chars(low, _) => order.sort_by_key(|&index| {
                let character = char::from_u32(*low as u32 + index as u32);
                !character.is_some_and(char::is_alphanumeric)
            }),
            Values::Texts(texts) => order.sort_by(|&one, &other| {
                let (one, other) = (complexity(&texts[one]), complexity(&texts[other]));
                one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
            }),
        }
        Ranked {
            values: values.clone(),
            order,
        }
    }

    /// The place of a value among all, simplest first.
    pub fn rank(&self, index: u64) -> u64 {
        let Values::Ints(low, high) = self.values else {
            let place = self.order.iter().position(|&one| one as u64 == index);
            return place.map_or(index, |place| place as u64);
        };
        let value = i128::from(low) + i128::from(index);
        let (low, high) = (i128::from(low), i128::from(high));
        // 0, 1, -1, 2, -2 and so on, as far as there are both.
        let both = high.min(-low);
        let rank = if low >= 0 {
            value - low
        } else if high <= 0 {
            high - value
        } else if value.abs() <= both {
            2 * value.abs() - i128::from(value > 0)
        } else {
            value.abs() + both
        };
        u64::try_from(rank).unwrap_or(u64::MAX)
    }

    /// The value at a place.
    pub fn at(&self, rank: u64) -> u64 {
        let Values::Ints(low, high) = self.values else {
            let value = self.order.get(usize::try_from(rank).unwrap_or(usize::MAX));
            return value.map_or(rank, |&value| value as u64);
        };
        let (low, high, rank) = (i128::from(low), i128::from(high), i128::from(rank));
        let both = high.min(-low);
        let value = if low >= 0 {
            low + rank
        } else if high <= 0 {
            high - rank
        } else if rank <= 2 * both {
            (rank + 1) / 2 * if rank % 2 == 1 { 1 } else { -1 }
        } else if high > -low {
            rank - both
        } else {
            both - rank
        };
        u64::try_from(value - low).unwrap_or(0)
    }
}

/// Numbers by how far from zero they are, then everything else by its length.
fn complexity(text: &str) -> (f64, usize) {
    let text = text.trim();
    let number = text.trim_start_matches(['-', '+']);
    let number = number.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let number = text.parse::<f64>().ok().filter(|_| number);
    let length = text.chars().count();
    (number.map_or(f64::INFINITY, f64::abs), length)
}

/// Which value fills a hole; nothing if a slot does.
pub fn index(argument: &Argument) -> Option<u64> {
    match argument {
        Argument::Literal(Literal {
            value: Value::Int(index),
            ..
        }) => u64::try_from(*index).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn in_order(values: &Values) -> Vec<String> {
        let ranked = Ranked::new(values);
        let text = |index: u64| match values {
            Values::Ints(low, _) => (low + index as i64).to_string(),
            Values::Chars(low, _) => char::from_u32(*low as u32 + index as u32)
                .unwrap()
                .to_string(),
            Values::Texts(texts) => texts[index as usize].clone(),
        };
        (0..values.count())
            .map(|rank| text(ranked.at(rank)))
            .collect()
    }

    #[test]
    fn numbers_near_zero_and_short_texts_come_first() {
        let ints = |low, high| in_order(&Values::Ints(low, high)).join(" ");
        assert_eq!(ints(-2, 4), "0 1 -1 2 -2 3 4");
        assert_eq!(ints(-4, 1), "0 1 -1 -2 -3 -4");
        assert_eq!(ints(3, 5), "3 4 5");
        assert_eq!(ints(-5, -3), "-3 -4 -5");
        let texts = ["'abc'", "None", "-7", "''", "0.5", "[]", "inf"];
        let texts = Values::Texts(texts.map(str::to_owned).to_vec());
        let expected = ["0.5", "-7", "''", "[]", "inf", "None", "'abc'"];
        assert_eq!(in_order(&texts), expected);
        assert_eq!(in_order(&Values::Chars('/', ':')).concat(), "0123456789/:");
    }

    proptest! {
        #[test]
        fn rank_and_value_are_inverse(low in -40i64..40, length in 0i64..60, rank in 0u64..60) {
            let ranked = Ranked::new(&Values::Ints(low, low + length));
            prop_assume!(rank <= length as u64);
            prop_assert_eq!(ranked.rank(ranked.at(rank)), rank);
        }

        #[test]
        fn the_longest_range_has_ranks(index in any::<u64>()) {
            let ranked = Ranked::new(&Values::Ints(i64::MIN, i64::MAX));
            prop_assert_eq!(ranked.at(ranked.rank(index)), index);
        }
    }
}
