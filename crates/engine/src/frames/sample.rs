//! Drawing random frames that satisfy the constraints.
//!
//! Categories are drawn in order; conditions look back only, so one pass always succeeds and nothing is rejected. A category
//! none of whose choices is possible is absent. At most one choice of a frame is single or error.
//!
//! Chances that no condition can change are put into tables once (see `table.rs`), and one 64-bit random number serves up to
//! eight categories. Only choices with conditions of their own are weighed anew in every frame. Drawing does not allocate.

use super::block::{ABSENT, FrameBlock};
use super::partial::Partial;
use super::space::{Category, ChoiceKind, FrameSpace};
use super::table::{Entries, REMAINDER, Remainder, table};
use crate::Stream;

/// Draws frames of one space.
#[derive(Clone, Debug)]
pub struct Sampler {
    space: FrameSpace,
    /// No condition and no special choice anywhere: every category is drawn from its table.
    free: bool,
    /// Per category.
    entries: Vec<Entries>,
    remainders: Vec<Remainder>,
    ways: Vec<Way>,
}

/// How a category is drawn.
#[derive(Clone, Debug)]
enum Way {
    /// Not at all.
    Derived,
    /// From its table, where its own condition holds.
    Table,
    /// From its table, or from this one once the frame has a special choice.
    Special(Box<(Entries, Remainder)>),
    /// By weighing the choices that are possible now.
    Weigh,
}

impl Sampler {
    /// A sampler for a valid space (see [`FrameSpace::validate`]).
    pub fn new(space: &FrameSpace) -> Sampler {
        let categories = &space.categories;
        let tables = categories.iter().map(|c| table(c, &|_| !c.derived));
        let (mut entries, remainders): (Vec<_>, Vec<_>) = tables.unzip();
        for (entries, _) in entries
            .iter_mut()
            .zip(categories)
            .filter(|(_, c)| c.derived)
        {
            entries.fill(ABSENT as u8);
        }
        let ways: Vec<Way> = categories.iter().map(Way::new).collect();
        let free = |(category, way): (&Category, &Way)| match way {
            Way::Derived => true,
            Way::Table => category.condition.is_none(),
            Way::Special(_) | Way::Weigh => false,
        };
        Sampler {
            free: categories.iter().zip(&ways).all(free),
            space: space.clone(),
            entries,
            remainders,
            ways,
        }
    }

    /// Draws one frame into `row`. Derived categories are left absent.
    #[inline]
    pub fn draw(&self, stream: &mut Stream, row: &mut [u16]) {
        if self.free {
            self.draw_free(stream, row);
        } else {
            self.draw_constrained(stream, row);
        }
    }

    /// Draws a frame into every row: the same frames as drawing them one by one.
    pub fn fill(&self, stream: &mut Stream, block: &mut FrameBlock) {
        for row in 0..block.rows() {
            self.draw(stream, block.row_mut(row));
        }
    }

    #[inline]
    fn draw_free(&self, stream: &mut Stream, row: &mut [u16]) {
        let (parts, rest) = row.as_chunks_mut::<8>();
        let (tables, last) = self.entries.as_chunks::<8>();
        let mut all = 0;
        for (cells, entries) in parts.iter_mut().zip(tables) {
            all |= draw_from_bytes(stream.bits(), entries, cells);
        }
        if !rest.is_empty() {
            all |= draw_from_bytes(stream.bits(), last, rest);
        }
        if all >= REMAINDER {
            self.draw_remainders(stream, row);
        }
    }

    /// Replaces the cells whose bytes met the remainder.
    #[cold]
    fn draw_remainders(&self, stream: &mut Stream, row: &mut [u16]) {
        for (cell, remainder) in row.iter_mut().zip(&self.remainders) {
            if *cell == u16::from(REMAINDER) {
                *cell = remainder.draw(stream);
            }
        }
    }

    #[inline(never)]
    fn draw_constrained(&self, stream: &mut Stream, row: &mut [u16]) {
        row.fill(ABSENT);
        let mut partial = Partial::new(&self.space);
        let (mut word, mut bytes) = (0, 0);
        for (index, way) in self.ways.iter().enumerate() {
            if matches!(way, Way::Derived) || !partial.is_open(index, row) {
                continue;
            }
            let (entries, remainder) = match way {
                Way::Special(after) if partial.special => (&after.0, &after.1),
                Way::Weigh => {
                    row[index] = weigh(&partial, index, stream, row);
                    partial.choose(index, row[index], row);
                    continue;
                }
                _ => (&self.entries[index], &self.remainders[index]),
            };
            if bytes == 0 {
                (word, bytes) = (stream.bits(), 8);
            }
            row[index] = match entries[usize::from(word as u8)] {
                REMAINDER => remainder.draw(stream),
                choice => u16::from(choice),
            };
            (word, bytes) = (word >> 8, bytes - 1);
            partial.choose(index, row[index], row);
        }
    }
}

/// Draws up to eight categories with one random number. The result is at least [`REMAINDER`] if one of them met its
/// remainder.
#[inline(always)]
fn draw_from_bytes(mut word: u64, entries: &[Entries], cells: &mut [u16]) -> u8 {
    let mut all = 0;
    for (cell, entries) in cells.iter_mut().zip(entries) {
        let entry = entries[usize::from(word as u8)];
        *cell = u16::from(entry);
        all |= entry;
        word >>= 8;
    }
    all
}

impl Way {
    fn new(category: &Category) -> Way {
        let choices = &category.choices;
        let normal =
            |choice: u16| choices[usize::from(choice) - 1].effects.kind == ChoiceKind::Normal;
        if category.derived {
            Way::Derived
        } else if choices.iter().any(|choice| choice.condition.is_some()) {
            Way::Weigh
        } else if (1..=choices.len() as u16).all(normal) {
            Way::Table
        } else {
            Way::Special(Box::new(table(category, &normal)))
        }
    }
}

/// Draws a choice of an open category among those that are possible now, by their weights.
fn weigh(partial: &Partial<'_>, index: usize, stream: &mut Stream, row: &[u16]) -> u16 {
    let category = &partial.space.categories[index];
    let weight = |choice: u16| category.choices[usize::from(choice) - 1].weight;
    let options = (1..=category.choices.len() as u16)
        .filter(|&choice| partial.is_possible(index, choice, row));
    let total: f64 = options.clone().map(weight).sum();
    if total <= 0.0 {
        return ABSENT;
    }
    let mut point = stream.unit() * (total + category.absent);
    let mut chosen = ABSENT;
    for choice in options.filter(|&choice| weight(choice) > 0.0) {
        point -= weight(choice);
        if point < 0.0 {
            return choice;
        }
        chosen = choice;
    }
    // Past all choices lies the chance of leaving it out; without one, rounding led here.
    if category.absent > 0.0 {
        ABSENT
    } else {
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Category, Choice, Condition, PropertyId};
    use super::*;
    use crate::Seed;

    fn space() -> FrameSpace {
        let mut space = FrameSpace::uniform(&[2, 3, 2]);
        space.properties = vec!["Long".to_owned()];
        space.categories[0].choices[1].effects.properties = vec![PropertyId(0)];
        space.categories[1].condition = Some(Condition::Property(PropertyId(0)));
        space.categories[1].choices[2].effects.kind = ChoiceKind::Error;
        space.categories[2].choices[0].condition = Some(Condition::Present(1));
        space.categories[2].choices[1].effects.kind = ChoiceKind::Single;
        space
    }

    #[test]
    fn every_drawn_frame_is_allowed() {
        let space = space();
        space.validate().unwrap();
        let sampler = Sampler::new(&space);
        let mut stream = Seed(1).stream();
        let mut row = [0; 3];
        for _ in 0..1000 {
            sampler.draw(&mut stream, &mut row);
            assert!(space.allows(&row), "{}", space.describe(&row));
            assert!(row[0] == 2 || row[1] == ABSENT);
            assert!(
                !(row[1] == 3 && row[2] == 2),
                "two special choices: {row:?}"
            );
        }
    }

    #[test]
    fn weights_are_the_chances() {
        let mut space = FrameSpace::uniform(&[2]);
        space.categories[0].choices[0].weight = 3.0;
        space.categories[0].absent = 4.0;
        let sampler = Sampler::new(&space);
        let mut stream = Seed(5).stream();
        let mut counts = [0; 3];
        for _ in 0..8000 {
            let mut row = [0];
            sampler.draw(&mut stream, &mut row);
            counts[usize::from(row[0])] += 1;
        }
        assert!((3800..4200).contains(&counts[0]), "{counts:?}");
        assert!((2800..3200).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn filling_a_block_is_drawing_row_by_row() {
        let free = FrameSpace::uniform(&[3; 19]);
        for space in [free, space()] {
            let sampler = Sampler::new(&space);
            let categories = space.categories.len();
            let mut block = FrameBlock::new(categories, 50);
            let (mut first, mut second) = (Seed(6).stream(), Seed(6).stream());
            sampler.fill(&mut first, &mut block);
            for row in block.iter() {
                let mut drawn = vec![7; categories];
                sampler.draw(&mut second, &mut drawn);
                assert_eq!(row, drawn);
            }
        }
    }

    /// The chance of every frame, by following all ways of drawing it.
    fn chances(space: &FrameSpace) -> std::collections::BTreeMap<Vec<u16>, f64> {
        let mut parts = vec![(Vec::new(), Partial::new(space), 1.0)];
        for (index, category) in space.categories.iter().enumerate() {
            let mut next = Vec::new();
            for (row, partial, chance) in parts {
                let weight = |c: u16| category.choices[usize::from(c) - 1].weight;
                let options: Vec<u16> = partial.options(index, &row).collect();
                let total: f64 = options.iter().map(|&c| weight(c)).sum();
                let mut ways: Vec<_> = options.iter().map(|&c| (c, weight(c))).collect();
                ways.push((ABSENT, if total > 0.0 { category.absent } else { 1.0 }));
                let all: f64 = ways.iter().map(|way| way.1).sum();
                for (choice, weight) in ways.into_iter().filter(|way| way.1 > 0.0) {
                    let (mut row, mut partial) = (row.clone(), partial.clone());
                    partial.choose(index, choice, &row);
                    row.push(choice);
                    next.push((row, partial, chance * weight / all));
                }
            }
            parts = next;
        }
        let mut chances = std::collections::BTreeMap::new();
        for (row, _, chance) in parts {
            *chances.entry(row).or_insert(0.0) += chance;
        }
        chances
    }

    #[test]
    fn constraints_and_weights_together_give_the_chances_of_frames() {
        let mut space = space();
        space.categories[0].choices[0].weight = 0.5;
        space.categories[1].absent = 0.7;
        space.categories[2].choices[1].weight = 0.1;
        space.categories[2].absent = 0.3;
        let (sampler, mut stream) = (Sampler::new(&space), Seed(11).stream());
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..100_000 {
            let mut row = vec![0; 3];
            sampler.draw(&mut stream, &mut row);
            *counts.entry(row).or_insert(0.0) += 1.0;
        }
        let chances = chances(&space);
        assert!((chances.values().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(counts.keys().all(|row| chances.contains_key(row)));
        for (row, chance) in chances {
            let count = counts.get(&row).copied().unwrap_or(0.0);
            let deviation = (chance * (1.0 - chance) * 100_000.0).sqrt();
            assert!(
                (count - chance * 100_000.0).abs() < 5.0 * deviation,
                "{row:?}"
            );
        }
    }

    #[test]
    fn derived_categories_are_left_absent() {
        let mut space = FrameSpace::uniform(&[3; 4]);
        space.categories[1].derived = true;
        let mut row = [9; 4];
        Sampler::new(&space).draw(&mut Seed(1).stream(), &mut row);
        assert_eq!(
            row.map(|choice| choice == ABSENT),
            [false, true, false, false]
        );
    }

    #[test]
    fn categories_of_very_many_choices_are_drawn_evenly() {
        let space = FrameSpace::uniform(&[1000]);
        let (sampler, mut stream) = (Sampler::new(&space), Seed(2).stream());
        let mut counts = vec![0; 1001];
        for _ in 0..100_000 {
            let mut row = [0];
            sampler.draw(&mut stream, &mut row);
            counts[usize::from(row[0])] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|count| (50..160).contains(count)));
    }

    #[test]
    fn a_condition_that_looks_forward_is_refused() {
        let mut space = FrameSpace::uniform(&[1, 1]);
        space.categories[0].condition = Some(Condition::Present(1));
        assert!(space.validate().is_err());
    }

    #[test]
    fn a_category_can_be_built_by_hand() {
        let category = Category {
            name: "year".to_owned(),
            weight: 1.0,
            absent: 1.0,
            condition: None,
            derived: false,
            choices: vec![Choice::plain("leap")],
        };
        let space = FrameSpace {
            categories: vec![category],
            properties: vec![],
        };
        assert_eq!(space.describe(&[1]), "year=leap");
        assert_eq!(space.describe(&[0]), "");
    }
}
