//! Lines of a harness file: continuations joined, comments dropped, raw Python told from the rest.

use std::ops::Range;

use super::error::{Place, Problem};

/// A line after joining, which remembers where its text stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text, without the end of line.
    pub text: String,
    /// For every joined part: where it begins in `text`, and its place in the file.
    parts: Vec<(usize, Place)>,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Python that is copied.
    Raw(Line),
    /// Something of the language itself.
    Item(Line),
}

impl Line {
    /// The place of a byte of the text.
    pub fn place(&self, offset: usize) -> Place {
        let part = self.parts.iter().rev().find(|part| part.0 <= offset);
        let &(begin, place) = part.unwrap_or(&self.parts[0]);
        let end = offset.min(self.text.len());
        let before = self.text.get(begin..end).unwrap_or("");
        Place {
            line: place.line,
            column: place.column + before.chars().count() as u32,
        }
    }

    /// The pieces of a part of the line that stand in one line of the file each.
    pub fn pieces(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let begins = self.parts.iter().map(|part| part.0);
        let inside = begins.filter(|begin| *begin > range.start && *begin < range.end);
        let mut at = range.start;
        let mut pieces = Vec::new();
        for end in inside.chain([range.end]).collect::<Vec<_>>() {
            if at < end {
                pieces.push(at..end);
            }
            at = end;
        }
        pieces
    }

    /// The part of the line from this byte on.
    pub fn rest(&self, offset: usize) -> Line {
        let mut parts = vec![(0, self.place(offset))];
        let later = self.parts.iter().filter(|part| part.0 > offset);
        parts.extend(later.map(|&(begin, place)| (begin - offset, place)));
        Line {
            text: self.text[offset..].to_owned(),
            parts,
        }
    }

    /// The part of the line up to this byte.
    pub fn until(&self, offset: usize) -> Line {
        Line {
            text: self.text[..offset].to_owned(),
            parts: self.parts.clone(),
        }
    }

    /// The same line without white space at both ends.
    pub fn trim(&self) -> Line {
        let line = self.until(self.text.trim_end().len());
        let begin = line.text.len() - line.text.trim_start().len();
        line.rest(begin)
    }
}

/// Splits a file. Columns count characters, lines count from 1.
pub fn lines(text: &str) -> Result<Vec<Kind>, Problem> {
    let joined = join(text);
    let mut kinds = Vec::new();
    let mut block: Option<Place> = None;
    let mut rest = joined.into_iter().peekable();
    while let Some(line) = rest.next() {
        let first = line.text.trim_start();
        if first.is_empty() || first.starts_with('#') {
            continue;
        }
        if line.text.starts_with("<@") {
            block = Some(line.place(0));
        } else if line.text.starts_with("@>") {
            block = None;
        } else if block.is_some() {
            let decorates = rest.peek().is_some_and(|next| is_decorated(&next.text));
            let strip = line.text.starts_with('@') && !decorates;
            kinds.push(Kind::Raw(line.rest(usize::from(strip))));
        } else if line.text.starts_with('@') {
            kinds.push(Kind::Raw(line.rest(1)));
        } else {
            kinds.push(Kind::Item(line));
        }
    }
    match block {
        None => Ok(kinds),
        Some(place) => Err(Problem::new(
            place,
            "this block of Python has no end",
            "end it with a line `@>`",
        )),
    }
}

/// Whether a line of a block can follow a decorator.
fn is_decorated(text: &str) -> bool {
    ["def ", "class ", "async def ", "@"]
        .iter()
        .any(|start| text.starts_with(start) && !text.starts_with("@>"))
}

fn join(text: &str) -> Vec<Line> {
    let mut joined: Vec<Line> = Vec::new();
    let mut open = false;
    for (number, line) in text.split('\n').enumerate() {
        let line = line.replace('\r', "");
        let place = Place {
            line: number as u32 + 1,
            column: 1,
        };
        let continues = line.ends_with('\\');
        let content = line.strip_suffix('\\').unwrap_or(&line);
        match joined.last_mut() {
            Some(last) if open => {
                last.parts.push((last.text.len(), place));
                last.text.push_str(content);
            }
            _ => joined.push(Line {
                text: content.to_owned(),
                parts: vec![(0, place)],
            }),
        }
        open = continues;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |kind: &Kind| match kind {
            Kind::Raw(line) => format!("raw {}:{}", line.place(0).line, line.text),
            Kind::Item(line) => format!("item {}:{}", line.place(0).line, line.text),
        };
        lines(text).unwrap().iter().map(show).collect()
    }

    #[test]
    fn raw_python_comments_and_continuations_are_told_apart() {
        let text = "@import avl\n# no\n  # neither\n<@\n@fixture\ndef f():\n    pass\n@x = 1\n@>\n\npool: <a> \\\n 3\nf()\r\n";
        let expected = [
            "raw 1:import avl",
            "raw 5:@fixture",
            "raw 6:def f():",
            "raw 7:    pass",
            "raw 8:x = 1",
            "item 11:pool: <a>  3",
            "item 13:f()",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn places_count_characters_through_continuations() {
        let Kind::Item(line) = &lines("äb \\\ncd <x>").unwrap()[0] else {
            panic!("an item");
        };
        let at = |text: &str| line.place(line.text.find(text).unwrap());
        assert_eq!((at("b").line, at("b").column), (1, 2));
        assert_eq!((at("<").line, at("<").column), (2, 4));
        let rest = line.rest(line.text.find("cd").unwrap());
        assert_eq!(rest.place(3), at("<"));
    }

    #[test]
    fn a_block_without_an_end_is_refused_at_its_beginning() {
        assert_eq!(lines("\n<@\nx = 1\n").unwrap_err().place.line, 2);
    }
}
