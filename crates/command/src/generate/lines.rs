//! Several texts after each other.

use super::{Bound, Generator, MAX_TEXT, Making, Problem};
use std::collections::BTreeSet;

/// The most lines one generator makes.
pub const MAX_LINES: i64 = 100_000;

/// How often a line is drawn anew when it must differ from all before it.
const TRIES: usize = 50;

/// Several texts of one generator.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What gives each text.
    pub item: Generator,
    /// The least and the greatest number of texts.
    pub count: (Bound, Bound),
    /// What stands after each text.
    pub end: String,
    /// What stands between two texts.
    pub separator: String,
    /// The texts are put in the order of their bytes.
    pub sorted: bool,
    /// No two texts are the same.
    pub unique: bool,
}

impl Lines {
    pub(super) fn make(
        &self,
        making: &mut Making<'_, '_>,
        out: &mut String,
    ) -> Result<(), Problem> {
        let (low, high) = self.ends(making)?;
        let count = making.stream.range(low, high);
        if !self.sorted && !self.unique {
            return self.stream_out(count, making, out);
        }
        let mut texts = match self.unique {
            true => self.different(count as usize, low as usize, making)?,
            false => self.some(count, making)?,
        };
        if self.sorted {
            texts.sort_unstable();
        }
        for (index, text) in texts.iter().enumerate() {
            self.before(index as i64, out);
            out.push_str(text);
            out.push_str(&self.end);
        }
        Ok(())
    }

    fn ends(&self, making: &Making<'_, '_>) -> Result<(i64, i64), Problem> {
        let low = self.count.0.number(&making.context);
        let high = self.count.1.number(&making.context);
        let ends = (low.ceil().max(0), high.floor());
        match ends {
            (low, _) if low > MAX_LINES => Err(Problem::TooManyLines(low)),
            (_, high) if high > MAX_LINES => Err(Problem::TooManyLines(high)),
            (least, most) if least > most => Err(Problem::EmptyRange {
                low: low.to_string(),
                high: high.to_string(),
            }),
            ends => Ok(ends),
        }
    }

    fn stream_out(
        &self,
        count: i64,
        making: &mut Making<'_, '_>,
        out: &mut String,
    ) -> Result<(), Problem> {
        let start = out.len();
        for index in 0..count {
            self.before(index, out);
            self.item.make(making, out)?;
            out.push_str(&self.end);
            if out.len() - start > MAX_TEXT {
                return Err(Problem::TooLong);
            }
        }
        Ok(())
    }

    fn before(&self, index: i64, out: &mut String) {
        if index > 0 {
            out.push_str(&self.separator);
        }
    }

    fn some(&self, count: i64, making: &mut Making<'_, '_>) -> Result<Vec<String>, Problem> {
        let mut texts = Vec::new();
        let mut size = 0;
        for _ in 0..count {
            let mut text = String::new();
            self.item.make(making, &mut text)?;
            size += text.len() + self.end.len();
            if size > MAX_TEXT {
                return Err(Problem::TooLong);
            }
            texts.push(text);
        }
        Ok(texts)
    }

    /// Texts that all differ, in the order drawn; fewer than `count` where no more are found, but not below `least`.
    fn different(
        &self,
        count: usize,
        least: usize,
        making: &mut Making<'_, '_>,
    ) -> Result<Vec<String>, Problem> {
        let mut seen = BTreeSet::new();
        let mut texts = Vec::new();
        let mut size = 0;
        let mut misses = 0;
        while texts.len() < count && misses < TRIES {
            let mut text = String::new();
            self.item.make(making, &mut text)?;
            if !seen.insert(text.clone()) {
                misses += 1;
                continue;
            }
            misses = 0;
            size += text.len() + self.end.len();
            if size > MAX_TEXT {
                return Err(Problem::TooLong);
            }
            texts.push(text);
        }
        match texts.len() < least {
            true => Err(Problem::TooFew {
                found: texts.len(),
                wanted: least,
            }),
            false => Ok(texts),
        }
    }
}
