//! Puts a specification together from its tables.

use super::category::CategoryReader;
use super::generator::{DEFAULT_REPEAT, NoGenerator, no_generator, read_generator, read_max_depth};
use super::model::{OracleSpec, Run, Spec};
use super::oracle::{read_learn, read_oracle};
use super::outline::Outline;
use super::place::{Fault, Source, Span, SpecErrors};
use super::reader::{Entry, Problems, Spot, TableReader};
use super::run::read_run;
use crate::generate::{Generator, Grammar, making_order};
use engine::frames::FrameSpace;
use std::path::Path;
use toml_edit::Document;

/// The longest specification, in bytes.
pub const MAX_SPEC: usize = 1 << 20;

impl Spec {
    /// Compiles a specification that is shown under this path in errors. Reads no file: those that generators name stay
    /// empty until [`Spec::load`].
    pub fn parse(label: &Path, text: &str) -> Result<Spec, SpecErrors> {
        let source = Source::new(label, text);
        let one = |fault: Fault| SpecErrors(vec![source.error(fault)]);
        if text.len() > MAX_SPEC {
            let cause = format!("the specification is longer than {MAX_SPEC} bytes");
            return Err(one(Fault::new(0..0, cause)));
        }
        let document = Document::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(text.len()..text.len());
            one(Fault::new(
                span,
                format!("not valid TOML: {}", error.message()),
            ))
        })?;
        let mut problems = Problems {
            source: &source,
            errors: Vec::new(),
        };
        let table = TableReader::new(document.as_table(), "the specification", 0..0);
        let spec = read_spec(table, &mut problems);
        let errors = std::mem::take(&mut problems.errors);
        match (spec, errors.is_empty()) {
            (Some(spec), true) => Ok(Spec {
                name: name_of(label),
                source,
                ..spec
            }),
            (_, false) => Err(SpecErrors(sorted(errors))),
            (None, true) => Err(one(Fault::new(0..0, "the specification is incomplete"))),
        }
    }
}

/// In the order of the file.
fn sorted(mut errors: Vec<super::SpecError>) -> Vec<super::SpecError> {
    errors.sort_by_key(|error| (error.line, error.column));
    errors
}

fn name_of(label: &Path) -> String {
    let stem = label
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "specification".to_owned())
}

fn read_spec(mut table: TableReader<'_>, problems: &mut Problems<'_>) -> Option<Spec> {
    let about = table.get("about").and_then(|about| about.text(problems));
    let run = table.get("run");
    let categories = table.get("category");
    let input = table.get("input");
    let grammar = table.get("grammar");
    let learn = table.get("learn");
    let oracle = table.get("oracle");
    table.finish(problems);
    let entries = categories
        .map(|entry| entry.entries(problems))
        .unwrap_or_default();
    let mut outline = Outline::read(&entries, input.is_some(), problems);
    outline.has_grammar = grammar.is_some();
    let rules = grammar.and_then(|grammar| read_grammar(&grammar, &mut outline, problems));
    let mut space = FrameSpace {
        categories: Vec::new(),
        properties: outline.properties.clone(),
    };
    let mut specs = Vec::new();
    let mut reader = CategoryReader::default();
    for (index, entry) in entries.iter().enumerate() {
        let (category, spec) = reader.read(index, entry, &mut outline, problems)?;
        space.categories.push(category);
        specs.push(spec);
    }
    let input_span = input.as_ref().map(|input| input.key_span.clone());
    let input = input.and_then(|input| read_input(&input, &mut outline, problems));
    let run = run_or_error(run, &outline, problems);
    let learn = learn.and_then(|learn| learn.table("`[learn]`", problems));
    let learn = learn.and_then(|learn| read_learn(learn, problems));
    let oracle = oracle.and_then(|oracle| oracle.table("`[oracle]`", problems));
    let oracle = oracle.map_or_else(OracleSpec::default, |oracle| read_oracle(oracle, problems));
    check_nothing_to_draw(&entries, input_span.as_ref(), problems);
    if let Some(rules) = &rules {
        check_reachable(rules, &outline, problems);
    }
    if !problems.errors.is_empty() {
        return None;
    }
    let order = match making_order(&space, &specs, input.as_ref(), input_span) {
        Ok(order) => order,
        Err(fault) => {
            problems.add(fault);
            return None;
        }
    };
    Some(Spec {
        name: String::new(),
        about: about.map_or_else(String::new, |about| about.text.to_owned()),
        run: run?,
        space,
        categories: specs,
        input,
        grammar: outline.grammar.take().unwrap_or_default(),
        learn,
        oracle,
        source: problems.source.clone(),
        order,
    })
}

fn run_or_error(
    run: Option<Entry<'_>>,
    outline: &Outline,
    problems: &mut Problems<'_>,
) -> Option<Run> {
    let Some(run) = run else {
        let fault = Fault::new(0..0, "there is no `[run]` table");
        problems.add(fault.hint("add `[run]` with `program = \"…\"`"));
        return None;
    };
    let table = run.table("`[run]`", problems)?;
    Some(read_run(table, outline, problems))
}

fn check_nothing_to_draw(
    categories: &[Entry<'_>],
    input: Option<&Span>,
    problems: &mut Problems<'_>,
) {
    if categories.is_empty() && input.is_none() {
        let fault = Fault::new(0..0, "there are no categories and no whole-input generator");
        problems.add(fault.hint("add `[category.NAME]` with choices, or `[input]`"));
    }
}

fn read_input(
    entry: &Entry<'_>,
    outline: &mut Outline,
    problems: &mut Problems<'_>,
) -> Option<Generator> {
    let mut table = entry.table("`[input]`", problems)?;
    let generator = read_generator(&mut table, outline, 1, problems);
    if matches!(generator, Err(NoGenerator::Missing)) {
        no_generator(&table, problems);
    }
    table.finish(problems);
    generator.ok()
}

/// Reads `[grammar]` into the outline; returns the text of the rules for later complaints.
fn read_grammar<'d>(
    entry: &Entry<'d>,
    outline: &mut Outline,
    problems: &mut Problems<'_>,
) -> Option<Spot<'d>> {
    let mut table = entry.table("`[grammar]`", problems)?;
    outline.max_depth = read_max_depth(&mut table, problems);
    let rules = table.get("rules");
    if rules.is_none() {
        problems.at(&table.span, "`[grammar]` has no `rules`");
    }
    let spot = rules.and_then(|rules| rules.text(problems));
    table.finish(problems);
    let spot = spot?;
    match Grammar::parse(spot.text, DEFAULT_REPEAT) {
        Ok(grammar) => outline.grammar = Some(grammar),
        Err(faults) => {
            for fault in faults {
                problems.add(spot.lift(problems.source, fault));
            }
        }
    }
    Some(spot)
}

/// Reports rules that no generator leads to.
fn check_reachable(rules: &Spot<'_>, outline: &Outline, problems: &mut Problems<'_>) {
    let Some(grammar) = &outline.grammar else {
        return;
    };
    if outline.used_symbols.is_empty() {
        // A generator that is itself wrong may be the one that uses it.
        if problems.errors.is_empty() {
            let fault = Fault::new(rules.span.clone(), "no generator uses this grammar");
            problems.add(fault.hint("use it with `grammar = \"symbol\"`"));
        }
        return;
    }
    let reached = grammar.reachable(&outline.used_symbols);
    for (rule, reached) in grammar.rules.iter().zip(reached) {
        if !reached {
            let cause = format!("nothing leads to `<{}>`", rule.name);
            let fault = Fault::new(rule.span.clone(), cause).hint("use it or remove it");
            problems.add(rules.lift(problems.source, fault));
        }
    }
}
