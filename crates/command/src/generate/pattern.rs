//! Regular expressions as generators: a sampler for the texts they match as a whole.
//!
//! Assertions (`^`, `$`, `\b`) give no text of their own; a pattern that has them is sampled until a text matches.

use super::characters::Characters;
use super::{Problem, pattern_compiler};
use crate::spec::{Fault, compile_regex, parse_regex};
use engine::{Seed, Stream};
use regex::Regex;

/// The most characters a text of one pattern may have.
pub const MAX_PATTERN_TEXT: u64 = 65_536;

/// How many samples are tried when a pattern has assertions.
const TRIES: usize = 200;

/// A regular expression that can be matched and sampled.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    whole: Regex,
    sampler: Sampler,
    checked: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Sampler {
    Text(String),
    Class(Characters),
    Repeat(Box<Sampler>, u32, u32),
    Row(Vec<Sampler>),
    Either(Vec<Sampler>),
}

impl Pattern {
    /// Compiles a pattern; places in the fault are relative to it.
    pub fn compile(pattern: &str, max_repeat: u32) -> Result<Pattern, Fault> {
        let ast = parse_regex(pattern)?;
        let compiled = pattern_compiler::compile(pattern, &ast, max_repeat)?;
        let sampler = compiled.sampler;
        if sampler.longest() > MAX_PATTERN_TEXT {
            let cause = format!("its texts can be longer than {MAX_PATTERN_TEXT} characters");
            let hint = "use smaller repetition counts, or a smaller `max-repeat`";
            return Err(Fault::new(0..pattern.len(), cause).hint(hint));
        }
        // Where space is ignored up to the end, a comment could swallow what is put behind the pattern.
        let end = if compiled.ignores_space { "\n" } else { "" };
        let whole = compile_regex(&format!(r"\A(?:{pattern}{end})\z")).map_err(|fault| Fault {
            span: 0..pattern.len(),
            ..fault
        })?;
        let pattern = Pattern {
            source: pattern.to_owned(),
            whole,
            sampler,
            checked: compiled.assertions,
        };
        pattern.try_out()
    }

    /// The pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches a text from start to end.
    pub fn matches(&self, text: &str) -> bool {
        self.whole.is_match(text)
    }

    /// Appends a text that it matches.
    pub fn make(&self, stream: &mut Stream, out: &mut String) -> Result<(), Problem> {
        let start = out.len();
        if !self.checked {
            self.sampler.sample(stream, out);
            return Ok(());
        }
        for _ in 0..TRIES {
            self.sampler.sample(stream, out);
            if self.matches(&out[start..]) {
                return Ok(());
            }
            out.truncate(start);
        }
        Err(Problem::NoMatch(self.source.clone()))
    }

    /// Refuses a pattern whose assertions no sample satisfies.
    fn try_out(self) -> Result<Pattern, Fault> {
        let mut text = String::new();
        match self.make(&mut Seed(0).stream(), &mut text) {
            Ok(()) => Ok(self),
            Err(_) => {
                let cause =
                    format!("none of {TRIES} samples satisfied the assertions of this pattern");
                let hint = "the pattern must match the whole text, so `^` and `$` are not needed";
                Err(Fault::new(0..self.source.len(), cause).hint(hint))
            }
        }
    }
}

impl Sampler {
    fn sample(&self, stream: &mut Stream, out: &mut String) {
        match self {
            Sampler::Text(text) => out.push_str(text),
            Sampler::Class(characters) => out.push(characters.draw(stream)),
            Sampler::Repeat(inner, least, most) => {
                let count = stream.range(i64::from(*least), i64::from(*most));
                for _ in 0..count {
                    inner.sample(stream, out);
                }
            }
            Sampler::Row(parts) => parts.iter().for_each(|part| part.sample(stream, out)),
            Sampler::Either(parts) => parts[stream.index(parts.len())].sample(stream, out),
        }
    }

    /// The length of the longest text, in characters; empty repetitions count too, because they take time.
    fn longest(&self) -> u64 {
        match self {
            Sampler::Text(text) => text.chars().count() as u64,
            Sampler::Class(_) => 1,
            Sampler::Repeat(inner, _, most) => {
                inner.longest().max(1).saturating_mul(u64::from(*most))
            }
            Sampler::Row(parts) => {
                let lengths = parts.iter().map(Sampler::longest);
                lengths.fold(0, u64::saturating_add)
            }
            Sampler::Either(parts) => parts.iter().map(Sampler::longest).max().unwrap_or(0),
        }
    }
}
