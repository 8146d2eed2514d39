//! Parses expressions by recursive descent, with a bound on how deep they nest.

use super::lex::{Token, tokens};
use super::tree::{Arithmetic, By, Compare, Measure, Node};
use crate::spec::{Fault, Span, compile_regex};
use engine::similar;

/// How deep an expression may nest.
pub const MAX_HEIGHT: usize = 100;

/// When an expression is evaluated, which decides what it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// While texts are being made: only other categories and `input` are known.
    Making,
    /// On a finished input.
    Finished,
}

/// What an expression may name.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The names of the categories.
    pub categories: &'a [String],
    /// For each category, whether it is read off the finished input instead of being made.
    pub read_off: &'a [bool],
    /// Whether there is a whole-input generator.
    pub has_input: bool,
    /// When the expression is evaluated.
    pub stage: Stage,
}

/// A parsed expression and what it refers to.
pub(super) struct Parsed {
    pub tree: Node,
    pub fields: Vec<usize>,
    pub uses_input: bool,
    pub uses_run: bool,
}

/// Names that stand for something by themselves.
const WORDS: [&str; 6] = ["text", "value", "stdin", "args", "input", "otherwise"];

/// Functions with their numbers of arguments.
const FUNCTIONS: [(&str, usize); 14] = [
    ("arg", 1),
    ("file", 1),
    ("env", 1),
    ("len", 1),
    ("lines", 1),
    ("words", 1),
    ("count", 2),
    ("min", 2),
    ("max", 2),
    ("abs", 1),
    ("floor", 1),
    ("is-number", 1),
    ("sorted", 1),
    ("unique", 1),
];

pub(super) fn parse(text: &str, names: &Names<'_>) -> Result<Parsed, Fault> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: text.len(),
        names,
        fields: Vec::new(),
        uses_input: false,
        uses_run: false,
        nesting: 0,
    };
    let (tree, _) = parser.any()?;
    if let Some((_, span)) = parser.tokens.get(parser.at) {
        let unexpected = format!("unexpected `{}`", &text[span.clone()]);
        return Err(Fault::new(span.clone(), unexpected).hint(
            "expected an operator or the end; names contain `-`, so put spaces around a minus sign",
        ));
    }
    parser.fields.sort_unstable();
    parser.fields.dedup();
    Ok(Parsed {
        tree,
        fields: parser.fields,
        uses_input: parser.uses_input,
        uses_run: parser.uses_run,
    })
}

struct Parser<'a> {
    tokens: Vec<(Token, Span)>,
    at: usize,
    end: usize,
    names: &'a Names<'a>,
    fields: Vec<usize>,
    uses_input: bool,
    uses_run: bool,
    nesting: usize,
}

/// A node and its height.
type Tall = (Node, usize);

impl Parser<'_> {
    fn any(&mut self) -> Result<Tall, Fault> {
        self.chain("||", Parser::all, Node::Any)
    }

    fn all(&mut self) -> Result<Tall, Fault> {
        self.chain("&&", Parser::not, Node::All)
    }

    fn chain(
        &mut self,
        symbol: &'static str,
        part: fn(&mut Self) -> Result<Tall, Fault>,
        build: fn(Vec<Node>) -> Node,
    ) -> Result<Tall, Fault> {
        let (first, mut height) = part(self)?;
        let mut nodes = vec![first];
        while self.eat(symbol).is_some() {
            let (node, next) = part(self)?;
            height = height.max(next);
            nodes.push(node);
        }
        match nodes.pop() {
            Some(only) if nodes.is_empty() => Ok((only, height)),
            last => {
                nodes.extend(last);
                self.grown(build(nodes), height)
            }
        }
    }

    fn not(&mut self) -> Result<Tall, Fault> {
        if self.eat("!").is_none() {
            return self.comparison();
        }
        self.nest()?;
        let (inner, height) = self.not()?;
        self.nesting -= 1;
        self.grown(Node::Not(Box::new(inner)), height)
    }

    fn comparison(&mut self) -> Result<Tall, Fault> {
        let (left, height) = self.sum()?;
        let compare = |operator| move |l: Node, r: Node| compare(operator, l, r);
        let operators = [
            ("=", Compare::Equal),
            ("!=", Compare::Unequal),
            ("<=", Compare::LessOrEqual),
            (">=", Compare::GreaterOrEqual),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        for (symbol, operator) in operators {
            if self.eat(symbol).is_some() {
                let (right, right_height) = self.sum()?;
                return self.grown(compare(operator)(left, right), height.max(right_height));
            }
        }
        for (symbol, negated) in [("~", false), ("!~", true)] {
            if self.eat(symbol).is_some() {
                let matches = Node::Matches(Box::new(left), self.regex()?);
                let node = match negated {
                    true => Node::Not(Box::new(matches)),
                    false => matches,
                };
                return self.grown(node, height + 1);
            }
        }
        Ok((left, height))
    }

    fn sum(&mut self) -> Result<Tall, Fault> {
        let operators = [("+", Arithmetic::Plus), ("-", Arithmetic::Minus)];
        self.arithmetic(&operators, Parser::product)
    }

    fn product(&mut self) -> Result<Tall, Fault> {
        let operators = [
            ("*", Arithmetic::Times),
            ("/", Arithmetic::Divide),
            ("%", Arithmetic::Modulo),
        ];
        self.arithmetic(&operators, Parser::signed)
    }

    fn arithmetic(
        &mut self,
        operators: &[(&'static str, Arithmetic)],
        part: fn(&mut Self) -> Result<Tall, Fault>,
    ) -> Result<Tall, Fault> {
        let (mut left, mut height) = part(self)?;
        while let Some((_, operator)) = operators.iter().find(|(s, _)| self.eat(s).is_some()) {
            let (right, right_height) = part(self)?;
            let node = Node::Arithmetic(*operator, Box::new(left), Box::new(right));
            (left, height) = self.grown(node, height.max(right_height))?;
        }
        Ok((left, height))
    }

    fn signed(&mut self) -> Result<Tall, Fault> {
        if self.eat("-").is_none() {
            return self.primary();
        }
        self.nest()?;
        let (inner, height) = self.signed()?;
        self.nesting -= 1;
        self.grown(Node::Negative(Box::new(inner)), height)
    }

    fn primary(&mut self) -> Result<Tall, Fault> {
        let Some((token, span)) = self.tokens.get(self.at).cloned() else {
            let cause = "the expression ends where a value is expected";
            return Err(Fault::new(self.end..self.end, cause));
        };
        self.at += 1;
        match token {
            Token::Number(number) => Ok((Node::Number(number), 1)),
            Token::Text(text) => Ok((Node::Text(text), 1)),
            Token::Symbol("(") => {
                self.nest()?;
                let inner = self.any()?;
                self.nesting -= 1;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Symbol(symbol) => Err(Fault::new(
                span,
                format!("unexpected `{symbol}`, expected a value"),
            )),
            Token::Name(name) if self.eat("(").is_some() => self.function(&name, span),
            Token::Name(name) => Ok((self.name(&name, span)?, 1)),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Node, Fault> {
        if let Some(category) = self.names.categories.iter().position(|c| c == name) {
            if self.names.stage == Stage::Making && self.names.read_off[category] {
                let cause =
                    format!("`{name}` is read off the finished input, so it is not known yet");
                return Err(Fault::new(span, cause));
            }
            self.fields.push(category);
            return Ok(Node::Field(category));
        }
        if WORDS.contains(&name) && name != "input" {
            self.finished_only(name, &span)?;
        }
        Ok(match name {
            "text" => Node::OwnText,
            "value" => Node::Measure(Measure::Value, Box::new(Node::OwnText)),
            "stdin" => Node::Stdin,
            "args" => Node::Args,
            "otherwise" => Node::All(Vec::new()),
            "input" if self.names.has_input => {
                self.uses_input = true;
                Node::Input
            }
            "input" => {
                let fault = Fault::new(span, "there is no whole-input generator");
                return Err(fault.hint("add an `[input]` table"));
            }
            _ => {
                let mut fault = Fault::new(span, format!("unknown name `{name}`"));
                fault.hint = self.hint(name);
                return Err(fault);
            }
        })
    }

    fn hint(&self, name: &str) -> Option<String> {
        let is_known = |part: &str| {
            let category = self.names.categories.iter().any(|c| c == part);
            category || WORDS.contains(&part)
        };
        if name
            .split('-')
            .next()
            .is_some_and(|first| first != name && is_known(first))
        {
            return Some("names contain `-`, so put spaces around a minus sign".to_owned());
        }
        let known = self.names.categories.iter().map(String::as_str);
        similar::hint(name, known.chain(WORDS))
            .or_else(|| Some("texts stand in single quotes: `'text'`".to_owned()))
    }

    fn function(&mut self, name: &str, span: Span) -> Result<Tall, Fault> {
        let Some((_, arity)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            let mut fault = Fault::new(span, format!("unknown function `{name}`"));
            fault.hint = similar::hint(name, FUNCTIONS.iter().map(|(known, _)| *known));
            return Err(fault);
        };
        if matches!(name, "arg" | "file" | "env") {
            self.finished_only(name, &span)?;
        }
        self.nest()?;
        let (node, height) = match name {
            "file" => (Node::File(self.literal("a file's name")?), 1),
            "env" => (Node::Env(self.literal("a variable's name")?), 1),
            _ => {
                let (first, height) = self.any()?;
                if *arity == 1 {
                    (unary(name, first), height)
                } else {
                    self.expect(",")?;
                    self.second(name, first, height)?
                }
            }
        };
        self.nesting -= 1;
        self.expect(")")?;
        self.grown(node, height)
    }

    fn second(&mut self, name: &str, first: Node, height: usize) -> Result<Tall, Fault> {
        if name == "count" {
            return Ok((Node::Count(Box::new(first), self.regex()?), height));
        }
        let operator = match name {
            "min" => Arithmetic::Min,
            _ => Arithmetic::Max,
        };
        let (second, second_height) = self.any()?;
        let node = Node::Arithmetic(operator, Box::new(first), Box::new(second));
        Ok((node, height.max(second_height)))
    }

    fn regex(&mut self) -> Result<regex::Regex, Fault> {
        let start = self.place().start;
        let pattern = self.literal("a regular expression")?;
        let doubled_quotes = pattern.contains('\'');
        compile_regex(&pattern).map_err(|mut fault| {
            // Doubled quotes shift places, so the whole pattern is shown where it has any.
            fault.span = match doubled_quotes {
                true => start..self.tokens[self.at - 1].1.end,
                false => fault.span.start + start + 1..fault.span.end + start + 1,
            };
            fault
        })
    }

    /// A quoted text, which must be written out because it is needed before anything is evaluated.
    fn literal(&mut self, what: &str) -> Result<String, Fault> {
        let place = self.place();
        match self.tokens.get(self.at) {
            Some((Token::Text(text), _)) => {
                self.at += 1;
                Ok(text.clone())
            }
            _ => Err(Fault::new(
                place,
                format!("expected {what} in single quotes"),
            )),
        }
    }

    fn finished_only(&mut self, name: &str, span: &Span) -> Result<(), Fault> {
        if self.names.stage == Stage::Finished {
            self.uses_run |= !matches!(name, "text" | "value" | "otherwise");
            return Ok(());
        }
        let cause = format!("`{name}` is not known before the input is finished");
        Err(Fault::new(span.clone(), cause)
            .hint("only `match` can use it; name a category instead"))
    }

    fn place(&self) -> Span {
        let token = self.tokens.get(self.at);
        token.map_or(self.end..self.end, |(_, span)| span.clone())
    }

    fn eat(&mut self, symbol: &str) -> Option<()> {
        match self.tokens.get(self.at) {
            Some((Token::Symbol(found), _)) if *found == symbol => self.at += 1,
            _ => return None,
        }
        Some(())
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Fault> {
        let place = self.place();
        self.eat(symbol)
            .ok_or_else(|| Fault::new(place, format!("expected `{symbol}`")))
    }

    fn nest(&mut self) -> Result<(), Fault> {
        self.nesting += 1;
        match self.nesting > MAX_HEIGHT {
            true => Err(self.too_deep()),
            false => Ok(()),
        }
    }

    fn grown(&self, node: Node, below: usize) -> Result<Tall, Fault> {
        match below >= MAX_HEIGHT {
            true => Err(self.too_deep()),
            false => Ok((node, below + 1)),
        }
    }

    fn too_deep(&self) -> Fault {
        let cause = format!("the expression nests deeper than {MAX_HEIGHT} levels");
        Fault::new(self.place(), cause)
    }
}

/// Equality compares texts unless one side is a number; order compares numbers unless one side is a quoted text.
fn compare(operator: Compare, left: Node, right: Node) -> Node {
    let equality = matches!(operator, Compare::Equal | Compare::Unequal);
    let quoted = matches!(left, Node::Text(_)) || matches!(right, Node::Text(_));
    let by = match equality {
        true if left.is_number() || right.is_number() => By::Number,
        true => By::Text,
        false if quoted => By::Text,
        false => By::Number,
    };
    Node::Compare(operator, by, Box::new(left), Box::new(right))
}

fn unary(name: &str, inner: Node) -> Node {
    let measure = match name {
        "arg" => return Node::Arg(Box::new(inner)),
        "len" => Measure::Len,
        "lines" => Measure::Lines,
        "words" => Measure::Words,
        "abs" => Measure::Abs,
        "floor" => Measure::Floor,
        "is-number" => Measure::IsNumber,
        "sorted" => Measure::Sorted,
        _ => Measure::Unique,
    };
    Node::Measure(measure, Box::new(inner))
}
