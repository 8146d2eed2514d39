//! One table type, written as aligned text, Markdown or CSV; HTML pages render it from [`Table::shown`].
//!
//! Cells hold values, columns hold the rule that formats them. So the same table gives a person three digits and a
//! spreadsheet all of them. Colour is never used; a significant cell carries a `*` in text and bold type elsewhere.

mod cell;

use crate::escape;
use crate::number::ABSENT;

pub use cell::{Cell, Format, Value};

/// A column: its heading and its rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub heading: String,
    /// The rule for its values.
    pub format: Format,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; a short row is filled with absent cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A table with its values already written, as templates want it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTable {
    /// Heading and side (`left` or `right`) per column.
    pub columns: Vec<ShownColumn>,
    /// Text and emphasis per cell.
    pub rows: Vec<Vec<ShownCell>>,
}

/// A column of a [`ShownTable`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownColumn {
    /// The heading.
    pub heading: String,
    /// `left` or `right`.
    pub side: &'static str,
}

/// A cell of a [`ShownTable`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCell {
    /// The value as text.
    pub text: String,
    /// Whether it is emphasised.
    pub strong: bool,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[(&str, Format)]) -> Self {
        let columns = columns
            .iter()
            .map(|&(heading, format)| Column {
                heading: heading.to_owned(),
                format,
            })
            .collect();
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a column at the right.
    pub fn column(&mut self, heading: impl Into<String>, format: Format) {
        self.columns.push(Column {
            heading: heading.into(),
            format,
        });
    }

    /// Adds a row at the bottom.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The values as people see them.
    #[must_use]
    pub fn shown(&self) -> ShownTable {
        let columns = self.columns.iter().map(|column| ShownColumn {
            heading: escape::one_line(&column.heading),
            side: if column.format.is_text() {
                "left"
            } else {
                "right"
            },
        });
        let rows = self.rows.iter().map(|row| {
            let cells =
                self.columns
                    .iter()
                    .enumerate()
                    .map(|(index, column)| match row.get(index) {
                        Some(cell) => ShownCell {
                            text: column.format.show(&cell.value),
                            strong: cell.strong,
                        },
                        None => ShownCell {
                            text: ABSENT.to_owned(),
                            strong: false,
                        },
                    });
            cells.collect()
        });
        ShownTable {
            columns: columns.collect(),
            rows: rows.collect(),
        }
    }

    /// Aligned plain text, one line per row, without trailing spaces. Emphasised cells carry a `*`.
    #[must_use]
    pub fn text(&self) -> String {
        let shown = self.shown();
        let columns: Vec<Vec<String>> = (0..shown.columns.len())
            .map(|index| text_column(&shown, index))
            .collect();
        let mut text = String::new();
        for line in 0..=shown.rows.len() {
            let cells: Vec<&str> = columns.iter().map(|column| column[line].as_str()).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
            if line == 0 {
                let width = columns
                    .iter()
                    .map(|column| column[0].chars().count() + 2)
                    .sum::<usize>();
                text.push_str(&"-".repeat(width.saturating_sub(2)));
                text.push('\n');
            }
        }
        text
    }

    /// A Markdown table. Emphasised cells are bold.
    #[must_use]
    pub fn markdown(&self) -> String {
        let shown = self.shown();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(
            shown
                .columns
                .iter()
                .map(|column| markdown_text(&column.heading))
                .collect(),
        );
        let rule = |column: &ShownColumn| {
            if column.side == "right" {
                "---:"
            } else {
                "---"
            }
            .to_owned()
        };
        text.push_str(&line(shown.columns.iter().map(rule).collect()));
        for row in &shown.rows {
            text.push_str(&line(row.iter().map(markdown_cell).collect()));
        }
        text
    }

    /// Comma-separated values (RFC 4180, line feed at line ends) with full precision; absent values are empty.
    #[must_use]
    pub fn csv(&self) -> String {
        let headings: Vec<String> = self
            .columns
            .iter()
            .map(|column| csv_text(&column.heading))
            .collect();
        let mut text = headings.join(",");
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = (0..self.columns.len())
                .map(|index| row.get(index).map_or_else(String::new, csv_cell))
                .collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

/// The cells of one column with heading, padded to one width. A column with an emphasised cell keeps room for the `*` in
/// all cells, so that digits stay under digits.
fn text_column(shown: &ShownTable, index: usize) -> Vec<String> {
    let column = &shown.columns[index];
    let starred = shown.rows.iter().any(|row| row[index].strong);
    let mut cells = vec![column.heading.clone()];
    cells.extend(shown.rows.iter().map(|row| match (&row[index], starred) {
        (cell, true) if cell.strong => format!("{}*", cell.text),
        (cell, true) => format!("{} ", cell.text),
        (cell, false) => cell.text.clone(),
    }));
    let width = cells
        .iter()
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0);
    let pad = |cell: String| match column.side {
        "right" => format!("{cell:>width$}"),
        _ => format!("{cell:<width$}"),
    };
    cells.into_iter().map(pad).collect()
}

fn markdown_cell(cell: &ShownCell) -> String {
    let text = markdown_text(&cell.text);
    if cell.strong {
        format!("**{text}**")
    } else {
        text
    }
}

fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '|' | '\\' | '*' | '_' | '`' | '<' | '[') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn csv_cell(cell: &Cell) -> String {
    match &cell.value {
        Value::Text(text) => csv_text(text),
        Value::Count(count) => count.to_string(),
        Value::Number(number) if number.is_finite() => number.to_string(),
        Value::Number(_) | Value::Absent => String::new(),
    }
}

fn csv_text(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(&[
            ("version", Format::Clipped(12)),
            ("rate", Format::Percent(2)),
            ("wins", Format::Count),
            ("F-ratio", Format::Fixed(3)),
            ("p", Format::PValue),
        ]);
        table.row(vec![
            "m1".into(),
            0.01234.into(),
            1234.into(),
            Cell::from(0.91234).strong_if(true),
            0.0004.into(),
        ]);
        table.row(vec![
            "m2, \"odd|one\" \x1b[1m".into(),
            0.5.into(),
            7.into(),
            12.5.into(),
            0.25.into(),
        ]);
        table.row(vec!["m3".into(), f64::NAN.into(), Cell::absent()]);
        table
    }

    #[test]
    fn text_is_aligned_and_starred() {
        insta::assert_snapshot!(sample().text());
    }

    #[test]
    fn markdown_escapes_pipes_and_bolds_significant_cells() {
        insta::assert_snapshot!(sample().markdown());
    }

    #[test]
    fn csv_keeps_full_precision_and_quotes() {
        insta::assert_snapshot!(sample().csv());
    }

    #[test]
    fn a_table_without_rows_or_columns_is_still_text() {
        assert_eq!(Table::new(&[("a", Format::Text)]).text(), "a\n-\n");
        assert_eq!(Table::default().text(), "\n\n");
        assert_eq!(Table::default().csv(), "\n");
    }
}
