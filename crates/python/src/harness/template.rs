//! Finds pool slots, ranges, lists and earlier values in a line, and makes templates of its parts.

use std::ops::Range;

use super::error::Problem;
use super::lines::Line;
use super::model::{Hole, Part, Pool, Template, Use, Values};

/// A piece of a line that is not plain Python.
#[derive(Debug, Clone)]
struct Token {
    range: Range<usize>,
    kind: TokenKind,
}

#[derive(Debug, Clone)]
enum TokenKind {
    /// `<p>` or `~<p>`: the hole with this number.
    Slot(usize),
    /// `REF:<p>`.
    Reference(usize),
    /// `<p,k>`: the k-th slot of that pool in the line.
    Same(usize, usize),
    /// A range or a list.
    Value(usize),
    /// `pre<(e)>`, with where `e` stands.
    Before(Range<usize>),
}

/// A line with its tokens.
#[derive(Debug)]
pub struct Scanned<'a> {
    line: &'a Line,
    tokens: Vec<Token>,
    /// The holes so far, in the order of the text.
    pub holes: Vec<Hole>,
}

/// What a token found at a position is, before it has a hole.
enum Found {
    Slot(usize),
    Same(usize, usize),
    Value(Values),
}

impl<'a> Scanned<'a> {
    /// Finds everything in a line that is not plain Python.
    pub fn new(line: &'a Line, pools: &[Pool]) -> Result<Scanned<'a>, Problem> {
        let mut scanned = Scanned {
            line,
            tokens: Vec::new(),
            holes: Vec::new(),
        };
        let text = line.text.as_str();
        let (mut at, mut inside) = (0, 0);
        while at < text.len() {
            if at >= inside
                && let Some(before) = earlier_value(text, at)
            {
                let TokenKind::Before(inner) = &before.kind else {
                    break;
                };
                (at, inside) = (inner.start, before.range.end);
                scanned.tokens.push(before);
                continue;
            }
            match scanned.found(at, pools)? {
                Some((end, found)) => {
                    scanned.add(at..end, found);
                    at = end;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        scanned.resolve(pools)?;
        Ok(scanned)
    }

    fn found(&self, at: usize, pools: &[Pool]) -> Result<Option<(usize, Found)>, Problem> {
        let text = self.line.text.as_str();
        let rest = &text[at..];
        for (open, close, separator) in [
            ("<,[", "],>", ",,"),
            ("%,[", "],%", ",,"),
            ("<[", "]>", ","),
            ("%[", "]%", ","),
        ] {
            if let Some(inner) = rest.strip_prefix(open)
                && let Some(length) = inner.find(close)
            {
                let begin = at + open.len();
                let values = self.values(begin..begin + length, separator)?;
                return Ok(Some((begin + length + close.len(), Found::Value(values))));
            }
        }
        let (close, old) = match rest.as_bytes().first() {
            Some(b'<') => ('>', false),
            Some(b'%') => ('%', true),
            _ => return Ok(None),
        };
        let Some(length) = rest[1..].find(close) else {
            return Ok(None);
        };
        let inner = &rest[1..1 + length];
        let (name, number) = match inner.split_once(',') {
            Some((name, number)) => (name.trim(), Some(number.trim())),
            None => (inner, None),
        };
        let word =
            |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let number = number.map(str::parse::<usize>);
        if !word(name) || number.as_ref().is_some_and(Result::is_err) {
            return Ok(None);
        }
        let end = at + length + 2;
        let number = number.and_then(Result::ok);
        match pools.iter().position(|pool| pool.name == name) {
            Some(pool) => Ok(Some((
                end,
                number.map_or(Found::Slot(pool), |k| Found::Same(pool, k)),
            ))),
            None if old => Ok(None),
            None => Err(Problem::new(
                self.line.place(at),
                format!("the pool `{name}` is not declared"),
                format!(
                    "declare it with `pool: <{name}> 3`, or put spaces around `<` and `>` if they compare"
                ),
            )),
        }
    }

    fn values(&self, range: Range<usize>, separator: &str) -> Result<Values, Problem> {
        let place = self.line.place(range.start);
        let text = &self.line.text[range];
        let dots = text.find("..").filter(|_| separator == ",");
        let Some(dots) = dots else {
            return Ok(Values::Texts(
                text.split(separator).map(str::to_owned).collect(),
            ));
        };
        let (low, high) = (text[..dots].trim(), text[dots + 2..].trim());
        let bad = || {
            Problem::new(
                place,
                format!("`{text}` is not a range"),
                "write `<[1..20]>`, `<['a'..'z']>` or, with commas, `<[1,2.5]>`",
            )
        };
        let character = |text: &str| {
            let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
            let mut characters = inner.chars();
            characters.next().filter(|_| characters.next().is_none())
        };
        let values = if low.starts_with('\'') {
            let ends = character(low).zip(character(high));
            let (low, high) = ends.ok_or_else(bad)?;
            (low <= high).then_some(Values::Chars(low, high))
        } else {
            let ends = low.parse::<i64>().ok().zip(high.parse::<i64>().ok());
            let (low, high) = ends.ok_or_else(bad)?;
            if i128::from(high) - i128::from(low) >= i128::from(i64::MAX) {
                return Err(Problem::new(
                    place,
                    format!("the range `{text}` has too many values"),
                    "leave out the values that matter least; a range has fewer than 2^63",
                ));
            }
            (low <= high).then_some(Values::Ints(low, high))
        };
        values.ok_or_else(|| {
            Problem::new(
                place,
                format!("the range `{text}` is empty"),
                "write the smaller end first",
            )
        })
    }

    fn add(&mut self, mut range: Range<usize>, found: Found) {
        let before = &self.line.text[..range.start];
        let hole = self.holes.len();
        let kind = match found {
            Found::Value(values) => {
                self.holes.push(Hole::Value(values));
                TokenKind::Value(hole)
            }
            Found::Slot(pool) => {
                let how = if before.ends_with('~') {
                    Use::Peek
                } else {
                    Use::Use
                };
                self.holes.push(Hole::Slot { pool, how });
                if before.ends_with('~') {
                    range.start -= 1;
                    TokenKind::Slot(hole)
                } else if before.ends_with("REF:") {
                    range.start -= 4;
                    TokenKind::Reference(hole)
                } else {
                    TokenKind::Slot(hole)
                }
            }
            Found::Same(pool, number) => {
                if before.ends_with('~') {
                    range.start -= 1;
                }
                TokenKind::Same(pool, number)
            }
        };
        self.tokens.push(Token { range, kind });
    }

    /// Finds the holes that `<p,k>` means.
    fn resolve(&mut self, pools: &[Pool]) -> Result<(), Problem> {
        for token in &mut self.tokens {
            let TokenKind::Same(pool, number) = token.kind else {
                continue;
            };
            let slots = self.holes.iter().enumerate().filter(
                |(_, hole)| matches!(hole, Hole::Slot { pool: other, .. } if *other == pool),
            );
            let found = slots.map(|(hole, _)| hole).nth(number.wrapping_sub(1));
            let name = &pools[pool].name;
            let absent = || {
                Problem::new(
                    self.line.place(token.range.start),
                    format!("there is no slot number {number} of the pool `{name}` in this line"),
                    format!("`<{name},1>` is the same slot as the first `<{name}>`"),
                )
            };
            token.kind = TokenKind::Slot(found.ok_or_else(absent)?);
        }
        Ok(())
    }

    /// Marks the slots in a part of the line as assigned.
    pub fn assign(&mut self, range: Range<usize>) {
        for token in &self.tokens {
            if let TokenKind::Slot(hole) = token.kind
                && range.contains(&token.range.start)
                && let Hole::Slot { how, .. } = &mut self.holes[hole]
            {
                *how = Use::Assign;
            }
        }
    }

    /// The template of a part of the line.
    pub fn template(&self, range: Range<usize>) -> Template {
        let mut template = Template::default();
        let mut at = range.start;
        for token in &self.tokens {
            // Those inside of an earlier value were taken with it.
            if token.range.start < at || token.range.end > range.end {
                continue;
            }
            self.push_text(&mut template, at..token.range.start);
            let part = match &token.kind {
                TokenKind::Slot(hole) | TokenKind::Value(hole) => Part::Hole(*hole),
                TokenKind::Reference(hole) => Part::Reference(*hole),
                TokenKind::Same(..) => Part::Text(String::new()),
                TokenKind::Before(inner) => Part::Before(self.template(inner.clone())),
            };
            self.push(&mut template, token.range.start, part);
            at = token.range.end;
        }
        self.push_text(&mut template, at..range.end);
        template
    }

    fn push_text(&self, template: &mut Template, range: Range<usize>) {
        for piece in self.line.pieces(range) {
            let text = self.line.text[piece.clone()].to_owned();
            self.push(template, piece.start, Part::Text(text));
        }
    }

    fn push(&self, template: &mut Template, at: usize, part: Part) {
        let place = self.line.place(at);
        template.places.push((place.line, place.column));
        template.parts.push(part);
    }
}

/// `pre<(e)>`, also in capitals and in the old syntax.
fn earlier_value(text: &str, at: usize) -> Option<Token> {
    let rest = &text[at..];
    let forms = [
        ("pre<(", ")>"),
        ("PRE<(", ")>"),
        ("PRE%(", ")%"),
        ("pre%(", ")%"),
    ];
    let (open, close) = forms.into_iter().find(|(open, _)| rest.starts_with(open))?;
    let begin = at + open.len();
    let end = begin + text[begin..].find(close)?;
    Some(Token {
        range: at..end + close.len(),
        kind: TokenKind::Before(begin..end),
    })
}
