//! Random mutations of specifications and TSL files, and what must hold for each of them. Shared by the tests and by the
//! benchmark `mutated_specs`.

use command::{Spec, SpecErrors, tsl};
use engine::frames::{Frame, Sampler};
use engine::{Seed, Stream};
use std::fs;
use std::path::{Path, PathBuf};

/// A file that is mutated.
pub struct Original {
    pub path: PathBuf,
    pub text: String,
}

/// What became of a mutated file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Valid,
    Invalid,
}

/// All valid specifications and TSL files of the test data and the examples.
pub fn originals() -> Vec<Original> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![here.join("testdata"), here.join("../../examples")];
    let mut originals = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path)
                && check(&path, &text).is_ok_and(|outcome| outcome == Outcome::Valid)
            {
                originals.push(Original { path, text });
            }
        }
    }
    originals.sort_by(|a, b| a.path.cmp(&b.path));
    originals
}

fn is_tsl(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "tsl")
}

/// Parses a file, draws from it where it is valid, and checks that every error has a place.
pub fn check(path: &Path, text: &str) -> Result<Outcome, String> {
    let spec = if is_tsl(path) {
        match tsl::import(path, text) {
            Err(errors) => return placed(&errors),
            Ok(toml) => Spec::parse(path, &toml)
                .map_err(|errors| format!("the imported file is wrong: {errors}\n{toml}"))?,
        }
    } else {
        if path.extension().is_none_or(|ending| ending != "toml") {
            return Ok(Outcome::Invalid);
        }
        match Spec::parse(path, text) {
            Err(errors) => return placed(&errors),
            Ok(spec) => spec,
        }
    };
    spec.space.validate().map_err(|error| error.to_string())?;
    draw(&spec);
    Ok(Outcome::Valid)
}

fn placed(errors: &SpecErrors) -> Result<Outcome, String> {
    let has_place = |error: &command::SpecError| error.line > 0 && error.column > 0;
    match !errors.0.is_empty() && errors.0.iter().all(has_place) {
        true if !errors.to_string().is_empty() => Ok(Outcome::Invalid),
        _ => Err(format!("an error without a place: {errors:?}")),
    }
}

/// Makes a few frames concrete; failing to is fine, panicking is not.
fn draw(spec: &Spec) {
    let sampler = Sampler::new(&spec.space);
    let mut stream = Seed(7).stream();
    for _ in 0..3 {
        let mut frame = Frame(vec![0; spec.categories.len()]);
        sampler.draw(&mut stream, &mut frame.0);
        let made = spec.concretise(&mut frame, &mut stream, &mut |_, seed| Ok(seed.to_string()));
        if let Err(error) = made {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Words and numbers that mean something to the parsers.
const WORDS: [&str; 96] = [
    "0",
    "-1",
    "1000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "nan",
    "inf",
    "65536",
    "true",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "{",
    "}",
    "{{",
    "}}",
    "[",
    "]",
    "(",
    ")",
    "((((((((",
    "!!!!!!!!",
    "=",
    "==",
    "::=",
    "|",
    "||",
    "&&",
    "~",
    "!~",
    ",",
    ".",
    ":",
    "#",
    "\n",
    "\\",
    "\\u0000",
    "é",
    "\u{fffd}",
    "literal",
    "int",
    "float",
    "regex",
    "pick",
    "any",
    "lines",
    "grammar",
    "text",
    "file",
    "line-of",
    "command",
    "count",
    "match",
    "if",
    "else",
    "property",
    "single",
    "error",
    "weight",
    "absent",
    "derived",
    "from",
    "choice",
    "category",
    "run",
    "program",
    "args",
    "stdin",
    "input",
    "oracle",
    "learn",
    "step",
    "width",
    "base",
    "decimals",
    "max-depth",
    "max-repeat",
    "separator",
    "unique",
    "sorted",
    "a{1000}",
    "(a{1000}){1000}",
    "((a*)*)*",
    "[^a]",
    "\\w+",
    "(?i)",
    "(?=x)",
    "^",
    "$",
    "<s>",
    "{input}",
    "{= 1 / 0}",
    "len(stdin)",
    "% 0",
];

/// A mutant of a file: one to four random changes.
pub fn mutate(originals: &[Original], original: &Original, stream: &mut Stream) -> String {
    let mut bytes = original.text.clone().into_bytes();
    for _ in 0..=stream.below(4) {
        bytes = change(bytes, originals, stream);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(mut bytes: Vec<u8>, originals: &[Original], stream: &mut Stream) -> Vec<u8> {
    if bytes.is_empty() {
        return WORDS[stream.index(WORDS.len())].into();
    }
    let at = stream.index(bytes.len());
    let spans = tokens(&bytes);
    match stream.below(10) {
        0 => bytes[at] ^= 1 << stream.below(8),
        1 => bytes.truncate(at),
        2 => {
            let length = stream.index(40);
            bytes.drain(at..(at + length).min(bytes.len()));
        }
        3 => {
            let piece = bytes[at..(at + stream.index(200)).min(bytes.len())].to_vec();
            let to = stream.index(bytes.len());
            bytes.splice(to..to, piece);
        }
        4 => {
            let (a, b) = (stream.index(spans.len()), stream.index(spans.len()));
            let (a, b) = (spans[a.min(b)].clone(), spans[a.max(b)].clone());
            let (first, second) = (bytes[a.clone()].to_vec(), bytes[b.clone()].to_vec());
            if a.end <= b.start {
                bytes.splice(b, first);
                bytes.splice(a, second);
            }
        }
        5 => {
            bytes.drain(spans[stream.index(spans.len())].clone());
        }
        6 => {
            let word = WORDS[stream.index(WORDS.len())];
            bytes.splice(spans[stream.index(spans.len())].clone(), word.bytes());
        }
        7 => {
            let word = WORDS[stream.index(WORDS.len())].repeat(1 + stream.index(3));
            bytes.splice(at..at, word.bytes());
        }
        8 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let mut lines: Vec<Vec<u8>> = lines.into_iter().map(<[u8]>::to_vec).collect();
            let (a, b) = (stream.index(lines.len()), stream.index(lines.len()));
            match stream.below(3) {
                0 => lines.swap(a, b),
                1 => lines.insert(b, lines[a].clone()),
                _ => drop(lines.remove(a)),
            }
            bytes = lines.concat();
        }
        _ => {
            let other = originals[stream.index(originals.len())].text.as_bytes();
            let from = stream.index(other.len().max(1)).min(other.len());
            let to = (from + stream.index(300)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
    }
    bytes
}

/// Words, runs of white space and single symbols; at least one.
fn tokens(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let class = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => 1,
        b' ' | b'\t' => 2,
        _ => 3,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let same = at < bytes.len() && class(&bytes[at]) == class(&bytes[start]);
        if !same || class(&bytes[start]) == 3 {
            tokens.push(start..at);
            start = at;
        }
    }
    tokens
}
