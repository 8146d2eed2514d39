//! Frames as plain numbers: one of them, and many in one flat table.

use serde::{Deserialize, Serialize};

/// The choice number that stands for "the test has nothing of this category".
pub const ABSENT: u16 = 0;

/// One choice per category: 0 is absent, `l` is the `l`-th choice (the paper's tuple R).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frame(pub Vec<u16>);

/// Several frames over the same categories, one row each, in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameBlock {
    categories: usize,
    rows: usize,
    choices: Vec<u16>,
}

impl FrameBlock {
    /// A block of `rows` frames, all absent.
    pub fn new(categories: usize, rows: usize) -> FrameBlock {
        FrameBlock {
            categories,
            rows,
            choices: vec![ABSENT; categories * rows],
        }
    }

    /// The number of categories of each frame.
    pub fn categories(&self) -> usize {
        self.categories
    }

    /// The number of frames.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The frame in this row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u16] {
        &self.choices[row * self.categories..(row + 1) * self.categories]
    }

    /// The frame in this row, to be changed.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [u16] {
        &mut self.choices[row * self.categories..(row + 1) * self.categories]
    }

    /// Adds a frame as the last row.
    pub fn push(&mut self, frame: &[u16]) {
        assert_eq!(
            frame.len(),
            self.categories,
            "all frames of a block have the same categories"
        );
        self.choices.extend_from_slice(frame);
        self.rows += 1;
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.choices.clear();
        self.rows = 0;
    }

    /// The choices of all frames, row after row.
    pub fn choices(&self) -> &[u16] {
        &self.choices
    }

    /// All frames in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.rows).map(|row| self.row(row))
    }
}
