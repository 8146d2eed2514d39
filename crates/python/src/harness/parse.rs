//! From the text of a harness to its model, with a place for everything that is wrong.
//!
//! Differences from TSTL 1.2.39, where that version is broken:
//! - Section heads `assumptions:`, `hints:`, `finallys:` and `exceptions:` also work after another head.
//! - A line with a prefix of its own keeps it under a section head.
//! - `x[0]>3` compares; there `]>` always ended a range.
//! - A list of one value is that value; there the line vanished.
//! - `%COMMIT%` works; there the generated file did not compile.
//! - Slots in a guard are used, not assigned, where the action assigns another.
//! - Decorators in a block of Python stay.
//! - Pool names may have underscores in angle brackets, too.

use super::error::{HarnessError, Problem};
use super::lines::{Kind, Line, lines};
use super::model::{ActionClass, Check, Compare, Harness, Hole, Pool, Reference, Use};
use super::raw::add_raw;
use super::template::Scanned;

/// The most slots of a pool, and the most copies of a line.
const MOST: u32 = 10_000;

/// What a line declares, by prefix and by section head.
const SECTIONS: &[(&str, &str)] = &[
    ("pool:", "pools:"),
    ("property:", "properties:"),
    ("assume:", "assumptions:"),
    ("log:", "logs:"),
    ("hint:", "hints:"),
    ("init:", "inits:"),
    ("finally:", "finallys:"),
    ("reference:", "references:"),
    ("compare:", "compares:"),
    ("feature:", "features:"),
    ("source:", "sources:"),
    ("exception:", "exceptions:"),
    ("expect:", "expects:"),
    ("", "actions:"),
];

/// Reads a harness; `file` is its name in errors.
pub fn parse(text: &str, file: &str) -> Result<Harness, HarnessError> {
    read(text).map_err(|problem| problem.in_file(file))
}

fn read(text: &str) -> Result<Harness, Problem> {
    let mut harness = Harness::default();
    let (mut raw, mut items) = (Vec::new(), Vec::new());
    for kind in lines(text)? {
        match kind {
            Kind::Raw(line) => raw.push(line),
            Kind::Item(line) => items.push(line),
        }
    }
    add_raw(&mut harness, &raw);
    let items = prefixed(&items)?;
    for (prefix, line) in &items {
        if *prefix == "pool:" {
            let pool = pool(line)?;
            if harness.pools.iter().any(|other| other.name == pool.name) {
                let cause = format!("the pool `{}` is declared twice", pool.name);
                return Err(Problem::new(line.place(0), cause, "remove one of the two"));
            }
            harness.pools.push(pool);
        }
    }
    for (prefix, line) in &items {
        item(&mut harness, prefix, line)?;
    }
    if harness.classes.is_empty() {
        let start = super::error::Place { line: 1, column: 1 };
        return Err(Problem::new(
            start,
            "the harness has no actions",
            "write an action such as `f(<[1..3]>)`",
        ));
    }
    Ok(harness)
}

/// Lines with their prefixes: their own, or that of the section head above.
fn prefixed(items: &[Line]) -> Result<Vec<(&'static str, Line)>, Problem> {
    let mut section = "";
    let mut all = Vec::new();
    for line in items {
        let line = line.trim();
        let word = line.text.split_whitespace().next().unwrap_or_default();
        if let Some((prefix, _)) = SECTIONS.iter().find(|(_, head)| *head == word) {
            section = prefix;
            continue;
        }
        let own = SECTIONS.iter().find(|(prefix, _)| *prefix == word);
        match own {
            Some((prefix, _)) => {
                let rest = line.rest(prefix.len()).trim();
                if rest.text.is_empty() {
                    let cause = format!("`{prefix}` says nothing");
                    return Err(Problem::new(
                        line.place(0),
                        cause,
                        "write what it declares in the same line",
                    ));
                }
                all.push((*prefix, rest));
            }
            None => all.push((section, line)),
        }
    }
    Ok(all)
}

fn item(harness: &mut Harness, prefix: &str, line: &Line) -> Result<(), Problem> {
    let word = || {
        line.text
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    match prefix {
        "pool:" => {}
        "property:" => harness.properties.push(check(line, &harness.pools)?),
        "assume:" => harness.assumptions.push(check(line, &harness.pools)?),
        "log:" => harness.logs.push(log(line, &harness.pools)?),
        "hint:" => harness.hints.push(check(line, &harness.pools)?),
        "init:" => harness.inits.push(check(line, &harness.pools)?),
        "finally:" => harness.finallys.push(check(line, &harness.pools)?),
        "reference:" => harness.references.push(reference(line)?),
        "compare:" => harness.compares.push(Compare {
            pattern: word(),
            line: line.place(0).line,
            column: line.place(0).column,
        }),
        "feature:" => harness.features.push(word()),
        "source:" => harness.sources.push(word()),
        "exception:" => harness.exceptions.push(line.text.clone()),
        _ => harness.classes.push(action(line, &harness.pools)?),
    }
    Ok(())
}

/// `<n> K [REF] [CONST] [OPAQUE] [: type] [ABSTRACT f]`.
fn pool(line: &Line) -> Result<Pool, Problem> {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    let form = "write `pool: <name> 3`";
    let quoted = words.first().copied().unwrap_or_default();
    let inner = |open, close| quoted.strip_prefix(open)?.strip_suffix(close);
    let name = inner('<', '>').or_else(|| inner('%', '%'));
    let name = name
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    let Some(name) = name else {
        let cause = format!("`{quoted}` is not the name of a pool");
        return Err(Problem::new(line.place(0), cause, form));
    };
    let size = words.get(1).and_then(|word| word.parse::<u32>().ok());
    let Some(size) = size.filter(|size| (1..=MOST).contains(size)) else {
        let at = words.get(1).and_then(|word| line.text.find(word));
        let cause = format!("the pool `{name}` has no number of slots from 1 to {MOST}");
        return Err(Problem::new(line.place(at.unwrap_or(0)), cause, form));
    };
    let after = |word: &str| {
        let at = words.iter().position(|one| *one == word)?;
        words.get(at + 1).map(|word| (*word).to_owned())
    };
    Ok(Pool {
        name: name.to_owned(),
        size,
        reference: words.contains(&"REF"),
        constant: words.contains(&"CONST"),
        opaque: words.contains(&"OPAQUE"),
        kind: after(":"),
        abstraction: after("ABSTRACT"),
        line: line.place(0).line,
        column: line.place(0).column,
    })
}

/// `{E1,!E2}` before a line: expected and warned exceptions, and where the rest begins.
fn exceptions(line: &Line) -> Result<(Vec<String>, Vec<String>, usize), Problem> {
    let Some(inner) = line.text.strip_prefix('{') else {
        return Ok((Vec::new(), Vec::new(), 0));
    };
    let Some(length) = inner.find('}') else {
        let cause = "the list of expected exceptions has no end";
        return Err(Problem::new(
            line.place(0),
            cause,
            "write `{ValueError,KeyError} f()`",
        ));
    };
    let names = inner[..length].split(',').map(str::trim);
    let (warned, expected): (Vec<&str>, Vec<&str>) = names
        .filter(|name| !name.is_empty())
        .partition(|name| name.starts_with('!'));
    let rest = &inner[length + 1..];
    let begin = line.text.len() - rest.trim_start().len();
    Ok((
        expected.into_iter().map(str::to_owned).collect(),
        warned
            .into_iter()
            .map(|name| name[1..].trim().to_owned())
            .collect(),
        begin,
    ))
}

fn check(line: &Line, pools: &[Pool]) -> Result<Check, Problem> {
    let (expected, _, begin) = exceptions(line)?;
    let mut scanned = Scanned::new(line, pools)?;
    for hole in &mut scanned.holes {
        if let Hole::Slot { how, .. } = hole {
            *how = Use::Peek;
        }
    }
    Ok(Check {
        text: line.text.clone(),
        line: line.place(0).line,
        column: line.place(0).column,
        expected,
        template: scanned.template(begin..line.text.len()),
        holes: scanned.holes,
        level: None,
    })
}

/// `[POST] [level] expr`.
fn log(line: &Line, pools: &[Pool]) -> Result<Check, Problem> {
    let after = line.text.strip_prefix("POST ");
    let mut begin = line.text.len() - after.map_or(line.text.len(), str::len);
    let word = line.text[begin..]
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let level = word.parse::<i32>().ok();
    if level.is_some() {
        begin += line.text[begin..].find(word).unwrap_or(0) + word.len();
    }
    let rest = line.rest(begin).trim();
    let mut check = check(&rest, pools)?;
    check.level = Some((level.unwrap_or(0), after.is_some()));
    Ok(check)
}

fn reference(line: &Line) -> Result<Reference, Problem> {
    let Some((left, right)) = line.text.split_once(" ==> ") else {
        let cause = "a reference says what becomes what";
        return Err(Problem::new(
            line.place(0),
            cause,
            "write `reference: mine.f ==> other.f`",
        ));
    };
    let call = |text: &str, form: &str| {
        let inner = text
            .strip_prefix(form)?
            .strip_prefix('(')?
            .strip_suffix(')')?;
        (!inner.contains(char::is_whitespace)).then(|| inner.to_owned())
    };
    let (left, right) = (left.trim(), right.trim());
    let pattern = match (call(left, "METHOD"), call(left, "CALL")) {
        (Some(method), _) => format!(r"(\S+)\.{method}\(\)"),
        (_, Some(function)) => format!(r"{function}\((\S+)\)"),
        _ => left.to_owned(),
    };
    let replacement = match (call(right, "METHOD"), call(right, "CALL")) {
        (Some(method), _) => format!(r"\1.{method}()"),
        (_, Some(function)) => format!(r"{function}(\1)"),
        _ => right.to_owned(),
    };
    Ok(Reference {
        pattern,
        replacement,
        line: line.place(0).line,
        column: line.place(0).column,
    })
}

fn action(line: &Line, pools: &[Pool]) -> Result<ActionClass, Problem> {
    let whole = line;
    let (weight, line) = copies(line)?;
    let (expected, warned, begin) = exceptions(&line)?;
    let text = line.text.as_str();
    let mut scanned = Scanned::new(&line, pools)?;
    let split = |range: std::ops::Range<usize>, separator: &str| {
        let at = text[range.clone()]
            .find(separator)
            .map(|at| range.start + at);
        at.map(|at| (range.start..at, at + separator.len()..range.end))
    };
    let (guard, rest) = match split(begin..text.len(), " -> ") {
        Some((guard, rest)) => (Some(guard), rest),
        None => (None, begin..text.len()),
    };
    let (rest, post) = split(rest.clone(), " => ").map_or((rest, None), |(a, b)| (a, Some(b)));
    let (body, expect) = split(rest.clone(), " ==> ").map_or((rest, None), |(a, b)| (a, Some(b)));
    if text[body.clone()].trim().is_empty() {
        let cause = "this action does nothing";
        return Err(Problem::new(
            line.place(body.start),
            cause,
            "write what it does after the guard",
        ));
    }
    let mut part = body.start;
    for statement in text[body.clone()].split("; ") {
        if let Some(at) = statement.find(":=") {
            scanned.assign(part..part + at);
        }
        part += statement.len() + 2;
    }
    let template =
        |range: Option<std::ops::Range<usize>>| range.map(|range| scanned.template(range));
    Ok(ActionClass {
        text: whole.text.clone(),
        line: whole.place(0).line,
        column: line.place(0).column,
        weight,
        essential: text.contains("#ESSENTIAL"),
        expected,
        warned,
        guard: template(guard),
        body: scanned.template(body),
        post: template(post),
        expect: template(expect),
        holes: scanned.holes,
    })
}

/// `*N action`.
fn copies(line: &Line) -> Result<(u32, Line), Problem> {
    let Some(rest) = line.text.strip_prefix('*') else {
        return Ok((1, line.clone()));
    };
    let number = rest.split_whitespace().next().unwrap_or_default();
    let weight = number.parse::<u32>().ok();
    let Some(weight) = weight.filter(|weight| (1..=MOST).contains(weight)) else {
        let cause = format!("`*{number}` is not a number of copies from 1 to {MOST}");
        return Err(Problem::new(line.place(0), cause, "write `*5 f()`"));
    };
    Ok((weight, line.rest(1 + number.len()).trim()))
}
