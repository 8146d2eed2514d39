//! Reads `[oracle]` and `[learn]`.

use super::model::{Learn, Normaliser, OracleSpec, Reference};
use super::pattern::compile_bytes_regex;
use super::place::Fault;
use super::reader::{Entry, Problems, Spot, TableReader};
use super::run::not_empty;
use engine::similar;
use regex::bytes::Regex;

/// The chance of reusing an observed text where nothing is said.
const DEFAULT_REUSE: f64 = 0.5;

pub(super) fn read_oracle(mut table: TableReader<'_>, problems: &mut Problems<'_>) -> OracleSpec {
    let signal = watched(table.get("signal"), problems);
    let timeout = watched(table.get("timeout"), problems);
    let sanitizer = watched(table.get("sanitizer"), problems);
    let exit = table.get("exit").map(|entry| codes(&entry, problems));
    let exit_on_error = table.get("exit-on-error");
    let exit_on_error = exit_on_error.map(|entry| codes(&entry, problems));
    let forbid = patterns(table.get("forbid"), problems);
    let require = patterns(table.get("require"), problems);
    let reference = table.get("reference");
    let reference = reference.and_then(|reference| read_reference(&reference, problems));
    let normalise = table.get("normalise");
    let normalise = normalise
        .and_then(|list| list.list(problems))
        .unwrap_or_default();
    let normalise = normalise
        .iter()
        .filter_map(|entry| normaliser(entry, problems))
        .collect();
    let check = table.get("check");
    if let Some(check) = check.as_ref().filter(|check| check.is_list()) {
        let empty = check.list(problems).is_some_and(|list| list.is_empty());
        if empty {
            problems.at(&check.span, "`check` must not be empty");
        }
    }
    let check = check.map(|check| check.texts(problems));
    let check = check.map(|words| words.iter().map(|word| word.text.to_owned()).collect());
    table.finish(problems);
    OracleSpec {
        signal,
        timeout,
        sanitizer,
        exit,
        exit_on_error,
        forbid,
        require,
        reference,
        normalise,
        check,
    }
}

/// Whether something counts as a failure: yes, unless it is `"ignore"`.
fn watched(entry: Option<Entry<'_>>, problems: &mut Problems<'_>) -> bool {
    let Some(entry) = entry else {
        return true;
    };
    if let Some(spot) = entry.text(problems)
        && spot.text != "ignore"
    {
        let cause = format!("`{}` can only be `\"ignore\"`", entry.key);
        let fault = Fault::new(spot.span, cause);
        problems.add(fault.hint("leave it out to have it count as a failure"));
    }
    false
}

fn codes(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Vec<i32> {
    let list = match entry.is_list() {
        true => entry.list(problems).unwrap_or_default(),
        false => vec![entry.clone()],
    };
    let codes = list.iter().filter_map(|code| code.whole(0, 255, problems));
    codes.filter_map(|code| i32::try_from(code).ok()).collect()
}

fn patterns(entry: Option<Entry<'_>>, problems: &mut Problems<'_>) -> Vec<Regex> {
    let spots = entry.map(|entry| entry.texts(problems)).unwrap_or_default();
    spots
        .iter()
        .filter_map(|spot| pattern(spot, problems))
        .collect()
}

fn pattern(spot: &Spot<'_>, problems: &mut Problems<'_>) -> Option<Regex> {
    match compile_bytes_regex(spot.text) {
        Ok(regex) => Some(regex),
        Err(fault) => {
            problems.add(spot.lift(problems.source, fault));
            None
        }
    }
}

fn read_reference(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<Reference> {
    let mut reference = Reference {
        program: String::new(),
        stdout: true,
        exit: true,
        stderr: false,
    };
    if entry.is_text() {
        reference.program = not_empty(entry, problems)?.text.to_owned();
        return Some(reference);
    }
    let mut table = entry.table("`reference`", problems)?;
    let program = table.get("program");
    if program.is_none() {
        problems.at(&table.span, "`reference` does not name a program");
    }
    let program = program.and_then(|program| not_empty(&program, problems));
    if let Some(compare) = table.get("compare") {
        let words = compare.texts(problems);
        for word in &words {
            if !["stdout", "exit", "stderr"].contains(&word.text) {
                let cause = format!("`{}` cannot be compared", word.text);
                let mut fault = Fault::new(word.span.clone(), cause);
                fault.hint = similar::hint(word.text, ["stdout", "exit", "stderr"]);
                problems.add(fault);
            }
        }
        let has = |name: &str| words.iter().any(|word| word.text == name);
        reference.stdout = has("stdout");
        reference.exit = has("exit");
        reference.stderr = has("stderr");
        if words.is_empty() {
            problems.at(&compare.span, "`compare` must not be empty");
        }
    }
    table.finish(problems);
    reference.program = program?.text.to_owned();
    Some(reference)
}

fn normaliser(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<Normaliser> {
    let mut table = entry.table("an element of `normalise`", problems)?;
    let pattern_entry = table.get("pattern");
    let with = table.get("with").and_then(|with| with.text(problems));
    if pattern_entry.is_none() {
        problems.at(&table.span, "an element of `normalise` needs a `pattern`");
    }
    let spot = pattern_entry.and_then(|entry| entry.text(problems));
    let regex = spot.and_then(|spot| pattern(&spot, problems));
    table.finish(problems);
    Some(Normaliser {
        pattern: regex?,
        with: with.map_or_else(String::new, |with| with.text.to_owned()),
    })
}

pub(super) fn read_learn(mut table: TableReader<'_>, problems: &mut Problems<'_>) -> Option<Learn> {
    let folder = table.get("folder");
    if folder.is_none() {
        problems.at(&table.span, "`[learn]` does not name a `folder`");
    }
    let folder = folder.and_then(|folder| not_empty(&folder, problems));
    let reuse = table.get("reuse");
    let reuse = reuse.and_then(|entry| {
        let reuse = entry.number(problems)?;
        if !(0.0..=1.0).contains(&reuse) {
            problems.at(&entry.span, "`reuse` must be from 0 to 1");
        }
        Some(reuse)
    });
    table.finish(problems);
    let folder = folder?;
    Some(Learn {
        folder: folder.text.to_owned(),
        reuse: reuse.unwrap_or(DEFAULT_REUSE),
        span: folder.span,
    })
}
