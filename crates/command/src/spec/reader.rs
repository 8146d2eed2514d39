//! Walks a TOML document with places: typed access to keys, and a report of the keys nobody asked for.

use super::place::{Fault, MAX_ERRORS, Source, Span, SpecError};
use engine::similar;
use toml_edit::{Item, TableLike, Value};

/// What has been found wrong so far.
pub(super) struct Problems<'s> {
    pub source: &'s Source,
    pub errors: Vec<SpecError>,
}

impl Problems<'_> {
    /// Records a fault whose place is one of the file. The first ones are enough.
    pub fn add(&mut self, fault: Fault) {
        if !self.are_many() {
            self.errors.push(self.source.error(fault));
        }
    }

    /// Whether there are so many errors that no more are recorded.
    pub fn are_many(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Records an error at a place of the file.
    pub fn at(&mut self, span: &Span, cause: impl Into<String>) {
        self.add(Fault::new(span.clone(), cause));
    }
}

/// A value with the key it was found under.
#[derive(Clone)]
pub(super) struct Entry<'d> {
    /// The key; that of the array for its elements.
    pub key: String,
    /// The number of the element in its array, from 1.
    element: Option<usize>,
    /// Where the key is written; the value's own place for elements of arrays.
    pub key_span: Span,
    /// Where the value is written; the key's place for tables that are spread over the file.
    pub span: Span,
    node: Node<'d>,
}

#[derive(Clone, Copy)]
enum Node<'d> {
    Value(&'d Value),
    Table(&'d dyn TableLike),
    Tables(&'d toml_edit::ArrayOfTables),
}

/// A text with its place, so that places inside it can be found.
pub(super) struct Spot<'d> {
    pub text: &'d str,
    pub span: Span,
}

impl Spot<'_> {
    /// Turns places inside the text into places of the file.
    pub fn lift(&self, source: &Source, mut fault: Fault) -> Fault {
        let raw = source.text().get(self.span.clone()).unwrap_or_default();
        let end = fault.span.end.max(fault.span.start);
        let start = super::raw::raw_offset(raw, self.text, fault.span.start);
        let end = super::raw::raw_offset(raw, self.text, end);
        fault.span = self.span.start + start..self.span.start + end;
        fault
    }
}

impl<'d> Entry<'d> {
    fn new(key: &str, key_span: Span, item: &'d Item) -> Option<Entry<'d>> {
        let node = match item {
            Item::None => return None,
            Item::Value(Value::InlineTable(table)) => Node::Table(table),
            Item::Value(value) => Node::Value(value),
            Item::Table(table) => Node::Table(table),
            Item::ArrayOfTables(tables) => Node::Tables(tables),
        };
        // A table made by headers or dotted keys has no range of its own that would be worth showing.
        let span = match item {
            Item::Value(Value::InlineTable(table)) if table.is_dotted() => None,
            Item::Value(value) => value.span(),
            _ => None,
        };
        Some(Entry {
            key: key.to_owned(),
            element: None,
            span: span.unwrap_or_else(|| key_span.clone()),
            key_span,
            node,
        })
    }

    fn element(&self, index: usize, value: &'d Value) -> Entry<'d> {
        let span = value.span().unwrap_or_else(|| self.span.clone());
        Entry {
            key: self.key.clone(),
            element: Some(index + 1),
            key_span: span.clone(),
            span,
            node: match value {
                Value::InlineTable(table) => Node::Table(table),
                value => Node::Value(value),
            },
        }
    }

    fn kind(&self) -> &'static str {
        match self.node {
            Node::Value(Value::String(_)) => "a text",
            Node::Value(Value::Integer(_)) => "a whole number",
            Node::Value(Value::Float(_)) => "a decimal number",
            Node::Value(Value::Boolean(_)) => "true or false",
            Node::Value(Value::Datetime(_)) => "a date or time",
            Node::Value(Value::Array(_)) => "a list",
            Node::Value(Value::InlineTable(_)) | Node::Table(_) => "a table",
            Node::Tables(_) => "a list of tables",
        }
    }

    /// How the value is called in messages.
    fn title(&self) -> String {
        match self.element {
            Some(number) => format!("element {number} of `{}`", self.key),
            None => format!("`{}`", self.key),
        }
    }

    fn wrong(&self, wanted: &str, problems: &mut Problems<'_>) {
        let cause = format!("{} must be {wanted}, not {}", self.title(), self.kind());
        let mut fault = Fault::new(self.span.clone(), cause);
        if wanted == "a text"
            && matches!(self.node, Node::Value(Value::Integer(_) | Value::Float(_)))
        {
            fault = fault.hint("put it in quotes");
        }
        problems.add(fault);
    }

    pub fn text(&self, problems: &mut Problems<'_>) -> Option<Spot<'d>> {
        if let Node::Value(Value::String(text)) = self.node {
            return Some(Spot {
                text: text.value(),
                span: self.span.clone(),
            });
        }
        self.wrong("a text", problems);
        None
    }

    pub fn boolean(&self, problems: &mut Problems<'_>) -> Option<bool> {
        if let Node::Value(Value::Boolean(boolean)) = self.node {
            return Some(*boolean.value());
        }
        self.wrong("true or false", problems);
        None
    }

    /// A whole number from a range.
    pub fn whole(&self, low: i64, high: i64, problems: &mut Problems<'_>) -> Option<i64> {
        let Node::Value(Value::Integer(number)) = self.node else {
            self.wrong("a whole number", problems);
            return None;
        };
        let number = *number.value();
        if (low..=high).contains(&number) {
            return Some(number);
        }
        let range = match high {
            i64::MAX => format!("at least {low}"),
            _ => format!("from {low} to {high}"),
        };
        let cause = format!("{} must be {range}", self.title());
        problems.at(&self.span, cause);
        None
    }

    /// A finite number, whole or decimal, and whether it was written as a whole one.
    pub fn number(&self, problems: &mut Problems<'_>) -> Option<f64> {
        let number = match self.node {
            Node::Value(Value::Integer(number)) => *number.value() as f64,
            Node::Value(Value::Float(number)) => *number.value(),
            _ => {
                self.wrong("a number", problems);
                return None;
            }
        };
        if number.is_finite() {
            return Some(number);
        }
        problems.at(
            &self.span,
            format!("{} must be a finite number", self.title()),
        );
        None
    }

    /// A finite number that is not negative.
    pub fn weight(&self, problems: &mut Problems<'_>) -> Option<f64> {
        let number = self.number(problems)?;
        if number >= 0.0 {
            return Some(number);
        }
        problems.at(&self.span, format!("{} must not be negative", self.title()));
        None
    }

    pub fn as_whole(&self) -> Option<i64> {
        match self.node {
            Node::Value(Value::Integer(number)) => Some(*number.value()),
            _ => None,
        }
    }

    pub fn is_text(&self) -> bool {
        matches!(self.node, Node::Value(Value::String(_)))
    }

    pub fn is_list(&self) -> bool {
        matches!(self.node, Node::Value(Value::Array(_)) | Node::Tables(_))
    }

    /// The elements of a list.
    pub fn list(&self, problems: &mut Problems<'_>) -> Option<Vec<Entry<'d>>> {
        match self.node {
            Node::Value(Value::Array(array)) => {
                let elements = array.iter().enumerate();
                let element = |(index, value)| self.element(index, value);
                Some(elements.map(element).collect())
            }
            Node::Tables(tables) => {
                let elements = tables.iter().enumerate();
                let element = |(index, table): (usize, &'d toml_edit::Table)| Entry {
                    key: self.key.clone(),
                    element: Some(index + 1),
                    key_span: self.key_span.clone(),
                    span: table.span().unwrap_or_else(|| self.span.clone()),
                    node: Node::Table(table),
                };
                Some(elements.map(element).collect())
            }
            _ => {
                self.wrong("a list", problems);
                None
            }
        }
    }

    /// A list of texts; a single text counts as a list of one.
    pub fn texts(&self, problems: &mut Problems<'_>) -> Vec<Spot<'d>> {
        if self.is_text() {
            return self.text(problems).into_iter().collect();
        }
        let list = self.list(problems).unwrap_or_default();
        list.iter()
            .filter_map(|element| element.text(problems))
            .collect()
    }

    /// A table, described by `name` in messages.
    pub fn table(&self, name: &str, problems: &mut Problems<'_>) -> Option<TableReader<'d>> {
        let Node::Table(table) = self.node else {
            self.wrong("a table", problems);
            return None;
        };
        Some(TableReader::new(table, name, self.key_span.clone()))
    }

    /// The entries of a table whose keys are free.
    pub fn entries(&self, problems: &mut Problems<'_>) -> Vec<Entry<'d>> {
        match self.node {
            Node::Table(table) => entries(table, &self.key_span),
            _ => {
                self.wrong("a table", problems);
                Vec::new()
            }
        }
    }
}

fn entries<'d>(table: &'d dyn TableLike, outer: &Span) -> Vec<Entry<'d>> {
    let entry = |(key, item): (&'d str, &'d Item)| {
        let span = table.key(key).and_then(toml_edit::Key::span);
        Entry::new(key, span.unwrap_or_else(|| outer.clone()), item)
    };
    table.iter().filter_map(entry).collect()
}

/// A table whose keys are asked for one by one; those left over are errors.
pub(super) struct TableReader<'d> {
    /// How the table is called in messages.
    pub name: String,
    /// Where its name is written.
    pub span: Span,
    entries: Vec<Entry<'d>>,
    asked: Vec<&'static str>,
}

impl<'d> TableReader<'d> {
    pub fn new(table: &'d dyn TableLike, name: &str, span: Span) -> TableReader<'d> {
        TableReader {
            name: name.to_owned(),
            entries: entries(table, &span),
            span,
            asked: Vec::new(),
        }
    }

    /// The value of a key, which from now on is a known one.
    pub fn get(&mut self, key: &'static str) -> Option<Entry<'d>> {
        self.asked.push(key);
        let found = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(found))
    }

    /// Reports the keys nobody asked for.
    pub fn finish(self, problems: &mut Problems<'_>) {
        for entry in self.entries {
            if problems.are_many() {
                return;
            }
            let cause = format!("unknown key `{}` in {}", entry.key, self.name);
            let mut fault = Fault::new(entry.key_span, cause);
            fault.hint = similar::hint(&entry.key, self.asked.iter().copied());
            problems.add(fault);
        }
    }
}
