//! One self-contained HTML page from a list of sections.
//!
//! The page needs no network, no script and no second file, and its own security policy forbids all three, because it
//! shows text that subjects printed. All text is escaped by the template; only drawings of [`plot`](crate::plot) go in as
//! they are. Tables and figures are numbered in reading order.

mod view;

use crate::plot::{STYLE_SHEET, Svg};
use crate::table::Table;
use minijinja::{Environment, Value, context};

/// From this many sections on a page has a table of contents.
const CONTENTS_FROM: usize = 4;

/// A page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The title.
    pub title: String,
    /// One or two sentences under the title; `` `words` `` in backticks become code.
    pub lead: String,
    /// The sections.
    pub sections: Vec<Section>,
    /// The last line of the page; backticks as above.
    pub foot: String,
}

/// A section.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A part of a section. In prose, captions, items and summaries, `` `words` `` in backticks become code.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A paragraph.
    Prose(String),
    /// A list of points.
    Items(Vec<String>),
    /// Names with short values.
    Facts(Vec<(String, String)>),
    /// Text shown as it is.
    Code(String),
    /// Lines of a source file with what was covered of each.
    Source(Vec<SourceLine>),
    /// A table with its caption.
    Table(String, Table),
    /// A drawing with its caption.
    Figure(String, Svg),
    /// Small drawings side by side under one legend, with their caption.
    Figures(String, Svg, Vec<Svg>),
    /// A summary that opens to more.
    Details(String, Vec<Block>),
    /// The same, open from the start.
    Opened(String, Vec<Block>),
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// Its number.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// What was covered of it.
    pub state: LineState,
    /// What to know of it, for example `1 of 2 branches`; may be empty.
    pub note: String,
}

/// What was covered of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// It has no code.
    Plain,
    /// All of it.
    Covered,
    /// Some of its branches.
    Partly,
    /// Nothing.
    Missed,
}

impl Section {
    /// A section.
    #[must_use]
    pub fn new(heading: &str, blocks: Vec<Block>) -> Self {
        Self {
            heading: heading.to_owned(),
            blocks,
        }
    }
}

impl Page {
    /// Writes the page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut environment = Environment::new();
        environment
            .add_template("page.html", include_str!("page.html"))
            .expect("the embedded template is checked by the tests of this file");
        let template = environment
            .get_template("page.html")
            .expect("it was added above");
        let mut numbers = view::Numbers::default();
        let sections = view::sections(&self.sections, &mut numbers);
        let style = format!("{}{STYLE_SHEET}", include_str!("page.css"));
        let values = context! {
            title => crate::escape::one_line(&self.title),
            lead => view::spans(&self.lead),
            foot => view::spans(&self.foot),
            contents => self.sections.len() >= CONTENTS_FROM,
            style => Value::from_safe_string(style),
            sections => sections,
        };
        template.render(values).expect(
            "every block kind has its branch in the template, and all values are plain data",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Entry, Style, legend};
    use crate::table::{Cell, Format};

    fn page(blocks: Vec<Block>) -> Page {
        let sections = vec![Section::new("Results", blocks)];
        Page {
            title: "A <study> & more".into(),
            lead: "Made by `x < y`.".into(),
            sections,
            foot: "end".into(),
        }
    }

    fn every_block() -> Vec<Block> {
        let mut table = Table::new(&[("name", Format::Text), ("value", Format::Fixed(2))]);
        table.row(vec![
            "<script>alert(1)</script>".into(),
            Cell::from(1.5).strong_if(true),
        ]);
        table.row(vec!["b".into(), f64::NAN.into()]);
        let drawing = legend(
            &[Entry {
                name: "a < b".into(),
                style: Style(1),
            }],
            100.0,
        );
        let inner = vec![
            Block::Code("in <pre>\x1b[0m".into()),
            Block::Details("deeper".into(), vec![]),
        ];
        vec![
            Block::Prose("prose with `code` in it".into()),
            Block::Items(vec!["one".into(), "`two`".into()]),
            Block::Facts(vec![("seed".into(), "7".into())]),
            Block::Source(vec![
                source_line(7, "if (a < b) {", LineState::Partly, "1 of 2 branches"),
                source_line(8, "", LineState::Plain, ""),
                source_line(9, "\tx();", LineState::Missed, ""),
                source_line(10, "y(\u{202e});", LineState::Covered, ""),
            ]),
            Block::Table("a table".into(), table),
            Block::Figure("a figure".into(), drawing.clone()),
            Block::Figures(
                "figures".into(),
                drawing.clone(),
                vec![drawing.clone(), drawing],
            ),
            Block::Details("more".into(), inner),
            Block::Opened("open".into(), vec![]),
        ]
    }

    fn source_line(number: u32, text: &str, state: LineState, note: &str) -> SourceLine {
        SourceLine {
            number,
            text: text.into(),
            state,
            note: note.into(),
        }
    }

    fn body(text: &str) -> &str {
        text.split_once("<body>").unwrap().1
    }

    #[test]
    fn every_block_is_rendered_and_escaped() {
        insta::assert_snapshot!(body(&page(every_block()).html()));
    }

    #[test]
    fn foreign_text_never_becomes_markup() {
        let text = page(every_block()).html();
        assert!(!text.contains("<script") && !text.contains("<study>") && !text.contains('\x1b'));
    }

    #[test]
    fn the_page_refers_to_nothing_outside_itself() {
        let text = page(every_block())
            .html()
            .replace("http://www.w3.org/2000/svg", "");
        for needle in ["http:", "https:", "src=", "url(", "@import", "<link"] {
            assert!(!text.contains(needle), "{needle}");
        }
    }

    #[test]
    fn long_pages_have_contents_whose_links_lead_somewhere() {
        let mut page = page(vec![]);
        assert!(!page.html().contains("<nav"));
        page.sections = ["One", "One", "Größe & Form", ""]
            .map(|heading| Section::new(heading, vec![]))
            .into();
        let text = page.html();
        let links: Vec<&str> = text
            .split("href=\"#")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(links, ["one", "one-2", "gr-e-form", "section"]);
        for link in links {
            assert_eq!(text.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
        }
    }
}
