//! The source lines of a method.
//!
//! Reads `LineNumberTable` attributes. Columns and other files (`SourceDebugExtension`) are not looked at.

use crate::attributes;
use crate::code::Code;
use crate::error::Error;
use crate::pool::ConstantPool;

/// Which line each instruction of a method comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Where lines start: offset and line, by offset; of equal offsets the last in the file counts.
    starts: Vec<(u32, u32)>,
}

impl Lines {
    /// Reads all line tables of a code.
    pub fn of(code: &Code, pool: &ConstantPool) -> Result<Lines, Error> {
        let mut starts = Vec::new();
        let tables = code.attributes.iter();
        for table in tables.filter(|table| pool.is_utf8(table.name, "LineNumberTable")) {
            let rows = attributes::line_numbers(table)?;
            starts.extend(
                rows.iter()
                    .map(|row| (u32::from(row.pc), u32::from(row.line))),
            );
        }
        starts.sort_by_key(|(pc, _)| *pc);
        starts.reverse();
        starts.dedup_by_key(|(pc, _)| *pc);
        starts.reverse();
        Ok(Lines { starts })
    }

    /// The line of the instruction at an offset; `None` before the first entry and without a table.
    pub fn at(&self, pc: u32) -> Option<u32> {
        let after = self.starts.partition_point(|(start, _)| *start <= pc);
        Some(self.starts[after.checked_sub(1)?].1)
    }

    /// Whether a line starts at this offset.
    pub fn starts_at(&self, pc: u32) -> bool {
        self.starts
            .binary_search_by_key(&pc, |(start, _)| *start)
            .is_ok()
    }

    /// Where lines start: offset and line, by offset.
    pub fn starts(&self) -> &[(u32, u32)] {
        &self.starts
    }

    /// The different lines, rising.
    pub fn distinct(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = self.starts.iter().map(|(_, line)| *line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The method's size: how many different lines have code.
    pub fn count(&self) -> usize {
        self.distinct().len()
    }
}
