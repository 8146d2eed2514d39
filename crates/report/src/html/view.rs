//! What the template sees: blocks as plain values, with numbers for tables and figures and ids for sections.

use super::{Block, LineState, Section, SourceLine};
use crate::escape;
use crate::table::{ShownCell, Table};
use minijinja::{Value, context};
use std::collections::BTreeSet;

/// How many tables and figures there have been.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    tables: u32,
    figures: u32,
}

pub(super) fn sections(sections: &[Section], numbers: &mut Numbers) -> Vec<Value> {
    let mut taken = BTreeSet::new();
    let mut values = Vec::with_capacity(sections.len());
    for section in sections {
        let blocks = blocks(&section.blocks, numbers);
        let id = id(&section.heading, &mut taken);
        values.push(
            context! { id => id, heading => escape::one_line(&section.heading), blocks => blocks },
        );
    }
    values
}

fn blocks(blocks: &[Block], numbers: &mut Numbers) -> Vec<Value> {
    blocks.iter().map(|each| block(each, numbers)).collect()
}

fn block(block: &Block, numbers: &mut Numbers) -> Value {
    match block {
        Block::Prose(text) => context! { kind => "prose", spans => spans(text) },
        Block::Items(items) => {
            let items: Vec<Vec<Value>> = items.iter().map(|item| spans(item)).collect();
            context! { kind => "items", items => items }
        }
        Block::Facts(facts) => {
            let fact = |(name, value): &(String, String)| {
                (escape::one_line(name), escape::one_line(value))
            };
            context! { kind => "facts", facts => facts.iter().map(fact).collect::<Vec<_>>() }
        }
        Block::Code(text) => context! { kind => "code", text => escape::visible(text) },
        Block::Source(lines) => {
            context! { kind => "source", lines => lines.iter().map(source_line).collect::<Vec<_>>() }
        }
        Block::Table(caption, table) => {
            numbers.tables += 1;
            let (columns, rows) = table_values(table);
            context! { kind => "table", number => numbers.tables, caption => spans(caption), columns, rows }
        }
        Block::Figure(caption, drawing) => figure(caption, None, &[drawing.embedded()], numbers),
        Block::Figures(caption, legend, drawings) => {
            let drawings: Vec<String> = drawings.iter().map(|drawing| drawing.embedded()).collect();
            figure(caption, Some(legend.embedded()), &drawings, numbers)
        }
        Block::Details(summary, inner) => details(summary, inner, false, numbers),
        Block::Opened(summary, inner) => details(summary, inner, true, numbers),
    }
}

/// A line with its class and, for readers who see no colour, a sign.
fn source_line(line: &SourceLine) -> Value {
    let (class, sign) = match line.state {
        LineState::Plain => ("", " "),
        LineState::Covered => ("covered", "+"),
        LineState::Partly => ("partly", "~"),
        LineState::Missed => ("missed", "-"),
    };
    context! {
        class,
        sign,
        number => line.number,
        text => escape::visible(&line.text),
        note => escape::one_line(&line.note),
    }
}

fn details(summary: &str, inner: &[Block], open: bool, numbers: &mut Numbers) -> Value {
    context! { kind => "details", open, summary => spans(summary), blocks => blocks(inner, numbers) }
}

fn table_values(table: &Table) -> (Vec<Value>, Vec<Vec<Value>>) {
    let shown = table.shown();
    let sides: Vec<&str> = shown.columns.iter().map(|column| column.side).collect();
    let columns = shown.columns.iter().map(|column| {
        context! { heading => column.heading.as_str(), class => class(column.side, &column.heading, 14) }
    });
    let rows = shown.rows.iter().map(|row| {
        let cell = |(cell, side): (&ShownCell, &&str)| {
            context! { spans => spans(&cell.text), strong => cell.strong, class => class(side, &cell.text, 46) }
        };
        row.iter().zip(&sides).map(cell).collect()
    });
    (columns.collect(), rows.collect())
}

/// The side of a cell; short text is kept on one line, so that a narrow page scrolls instead of crumbling it.
fn class(side: &str, text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        format!("{side} whole")
    } else {
        side.to_owned()
    }
}

fn figure(
    caption: &str,
    legend: Option<String>,
    drawings: &[String],
    numbers: &mut Numbers,
) -> Value {
    numbers.figures += 1;
    let drawings: Vec<Value> = drawings
        .iter()
        .cloned()
        .map(Value::from_safe_string)
        .collect();
    let legend = legend.map(Value::from_safe_string);
    context! { kind => "figure", number => numbers.figures, caption => spans(caption), legend, drawings }
}

/// Text cut at backticks; every second piece is code. A last backtick without a partner stays text.
pub(super) fn spans(text: &str) -> Vec<Value> {
    let text = escape::visible(text);
    let pieces: Vec<&str> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let mut spans = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        let code = index % 2 == 1 && (paired || index + 1 < pieces.len());
        let lonely = !paired && index + 1 == pieces.len();
        let text = if lonely {
            format!("`{piece}")
        } else {
            (*piece).to_owned()
        };
        if !text.is_empty() {
            spans.push(context! { code, text });
        }
    }
    spans
}

/// An id made of the heading's letters and digits, different from all before.
fn id(heading: &str, taken: &mut BTreeSet<String>) -> String {
    let mut id = String::new();
    for character in heading.chars().take(60) {
        match character {
            'a'..='z' | '0'..='9' => id.push(character),
            'A'..='Z' => id.push(character.to_ascii_lowercase()),
            _ if id.ends_with('-') || id.is_empty() => {}
            _ => id.push('-'),
        }
    }
    let base = match id.trim_end_matches('-') {
        "" => "section",
        id => id,
    };
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let candidates = std::iter::once(base.to_owned()).chain(numbered);
    let free = candidates
        .into_iter()
        .find(|candidate| !taken.contains(candidate));
    let id = free.expect("the numbers do not end");
    taken.insert(id.clone());
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_code_and_a_lonely_one_stays() {
        let text = |text: &str| {
            let spans = spans(text);
            let show = |span: &Value| {
                format!(
                    "{}:{}",
                    span.get_attr("code").unwrap(),
                    span.get_attr("text").unwrap()
                )
            };
            spans.iter().map(show).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text("a `b` c"), "False:a  True:b False: c");
        assert_eq!(text("`b`"), "True:b");
        assert_eq!(text("it`s"), "False:it False:`s");
        assert_eq!(text(""), "");
    }
}
