//! Sets of characters.

use engine::Stream;

/// A set of characters as ranges of code points.
#[derive(Clone, Debug, Default)]
pub(super) struct Characters {
    pub ranges: Vec<(u32, u32)>,
    pub total: u64,
}

impl Characters {
    pub fn add(&mut self, start: u32, end: u32) {
        // Surrogates are no characters, but ranges may run over them.
        for (start, end) in [(start, end.min(0xd7ff)), (start.max(0xe000), end)] {
            if start <= end {
                self.total += u64::from(end - start) + 1;
                self.ranges.push((start, end));
            }
        }
    }

    pub fn intersect(&self, low: u32, high: u32) -> Characters {
        let mut inside = Characters::default();
        for (start, end) in &self.ranges {
            inside.add(*start.max(&low), *end.min(&high));
        }
        inside
    }

    pub fn draw(&self, stream: &mut Stream) -> char {
        let mut index = stream.below(self.total.max(1)) as u32;
        for (start, end) in &self.ranges {
            let count = end - start + 1;
            if index < count {
                return char::from_u32(start + index).unwrap_or('?');
            }
            index -= count;
        }
        '?'
    }
}

/// Sorted ranges without overlap.
pub(super) fn merged(mut ranges: Vec<(u32, u32)>) -> Characters {
    ranges.sort_unstable();
    let mut characters = Characters::default();
    let mut next = 0;
    for (start, end) in ranges {
        let start = start.max(next);
        if start <= end {
            characters.add(start, end);
            next = end + 1;
        }
    }
    characters
}
