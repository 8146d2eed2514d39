//! Reads `[run]`.

use super::model::{Allow, Argument, Run, Subject};
use super::outline::Outline;
use super::place::Fault;
use super::reader::{Entry, Problems, Spot, TableReader};
use super::template::{Part, Template, named};
use crate::expression::Stage;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

pub(super) fn read_run(
    mut table: TableReader<'_>,
    outline: &Outline,
    problems: &mut Problems<'_>,
) -> Run {
    let subject = subject(&mut table, problems);
    let args = table.get("args");
    let args = args
        .and_then(|args| args.list(problems))
        .unwrap_or_default();
    let args = args
        .iter()
        .filter_map(|arg| argument(arg, true, outline, problems));
    let args = args.collect();
    let stdin = table.get("stdin");
    let stdin = stdin.and_then(|stdin| template(&stdin, outline, problems));
    let files = table.get("files");
    let files = templates(files, outline, problems, &|name| {
        let inside = is_inside(name) && !name.ends_with('/');
        (!inside).then_some("a file's name must be a relative path inside the scratch folder")
    });
    let env = table.get("env");
    let env = templates(env, outline, problems, &|name| {
        let wrong = name.is_empty() || name.contains(['=', '\0']);
        wrong.then_some("a variable's name must not be empty or contain `=`")
    });
    let folder = table.get("folder").and_then(|folder| folder.text(problems));
    let timeout = table
        .get("timeout")
        .and_then(|entry| timeout(&entry, problems));
    let allow = table.get("allow");
    let allow = allow.map(|allow| allow.texts(problems)).unwrap_or_default();
    let allow = allow
        .iter()
        .filter_map(|spot| allowed(spot, problems))
        .collect();
    if let Some(folder) = folder.as_ref().filter(|folder| !is_inside(folder.text)) {
        let cause = "the working folder must be a relative path inside the scratch folder";
        problems.at(&folder.span, cause);
    }
    table.finish(problems);
    Run {
        subject,
        args,
        stdin: stdin.unwrap_or_default(),
        files,
        env,
        folder: folder.map_or_else(String::new, |folder| folder.text.to_owned()),
        timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
        allow,
    }
}

fn subject(table: &mut TableReader<'_>, problems: &mut Problems<'_>) -> Subject {
    let program = table.get("program");
    let source = table.get("source");
    let compile = table.get("compile");
    if let (Some(compile), None) = (&compile, &source) {
        let fault = Fault::new(
            compile.key_span.clone(),
            "`compile` has no meaning without `source`",
        );
        problems.add(fault);
    }
    let flags = compile.map(|flags| flags.texts(problems));
    match (program, source) {
        (Some(program), Some(_)) => {
            let fault = Fault::new(program.key_span, "both `program` and `source` are given");
            problems.add(fault.hint("remove one of them"));
        }
        (None, None) => {
            let fault = Fault::new(
                table.span.clone(),
                "`[run]` does not say which program to run",
            );
            problems.add(fault.hint("add `program = \"…\"`, or `source = \"….c\"`"));
        }
        (Some(program), None) => {
            if let Some(program) = not_empty(&program, problems) {
                return Subject::Program(program.text.to_owned());
            }
        }
        (None, Some(source)) => {
            if let Some(source) = not_empty(&source, problems) {
                let flags = flags.map_or_else(
                    || vec!["-O1".to_owned()],
                    |flags| flags.iter().map(|flag| flag.text.to_owned()).collect(),
                );
                return Subject::Source {
                    source: source.text.to_owned(),
                    compile: flags,
                    span: source.span,
                };
            }
        }
    }
    Subject::Program(String::new())
}

/// A text that holds something and no zero byte.
pub(super) fn not_empty<'d>(entry: &Entry<'d>, problems: &mut Problems<'_>) -> Option<Spot<'d>> {
    let spot = entry.text(problems)?;
    if spot.text.is_empty() || spot.text.contains('\0') {
        let cause = format!("`{}` must not be empty or contain a zero byte", entry.key);
        problems.at(&spot.span, cause);
        return None;
    }
    Some(spot)
}

pub(super) fn template(
    entry: &Entry<'_>,
    outline: &Outline,
    problems: &mut Problems<'_>,
) -> Option<Template> {
    let spot = entry.text(problems)?;
    match Template::parse(spot.text, &outline.names(Stage::Making)) {
        Ok(template) => Some(template),
        Err(fault) => {
            problems.add(spot.lift(problems.source, fault));
            None
        }
    }
}

fn argument(
    entry: &Entry<'_>,
    groups: bool,
    outline: &Outline,
    problems: &mut Problems<'_>,
) -> Option<Argument> {
    if entry.is_list() {
        if !groups {
            problems.at(&entry.span, "a group inside a group");
            return None;
        }
        let list = entry.list(problems)?;
        let inner = list
            .iter()
            .filter_map(|inner| argument(inner, false, outline, problems));
        return Some(Argument::Group(inner.collect()));
    }
    let spot = entry.text(problems)?;
    let inside = spot
        .text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix("...}"));
    match inside.filter(|inside| !inside.contains(['{', '}', '='])) {
        None => template(entry, outline, problems).map(Argument::One),
        Some(name) => {
            let span = 1..1 + name.len();
            match named(name, span, &outline.names(Stage::Making)) {
                Ok(part) => Some(Argument::Split(Template { parts: vec![part] })),
                Err(fault) => {
                    problems.add(spot.lift(problems.source, fault));
                    None
                }
            }
        }
    }
}

fn templates(
    table: Option<Entry<'_>>,
    outline: &Outline,
    problems: &mut Problems<'_>,
    wrong: &dyn Fn(&str) -> Option<&'static str>,
) -> BTreeMap<String, Template> {
    let entries = table
        .map(|table| table.entries(problems))
        .unwrap_or_default();
    let mut templates = BTreeMap::new();
    for entry in entries {
        if let Some(cause) = wrong(&entry.key) {
            problems.at(&entry.key_span, cause);
        }
        if let Some(template) = template(&entry, outline, problems) {
            templates.insert(entry.key, template);
        }
    }
    templates
}

/// Whether a path stays inside the folder it starts from.
fn is_inside(path: &str) -> bool {
    let plain = |component: Component<'_>| matches!(component, Component::Normal(_));
    !path.is_empty() && !path.contains('\0') && Path::new(path).components().all(plain)
}

fn timeout(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<Duration> {
    let spot = entry.text(problems)?;
    let digits = spot.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = spot.text.split_at(digits);
    let milliseconds = match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        _ => None,
    };
    let number = number.parse::<u64>().ok();
    let duration = number
        .zip(milliseconds)
        .and_then(|(number, unit)| number.checked_mul(unit))
        .map(Duration::from_millis);
    match duration {
        Some(duration) if duration > MAX_TIMEOUT || duration.is_zero() => {
            problems.at(&spot.span, "a time-out must be above 0 and at most `60m`");
            None
        }
        Some(duration) => Some(duration),
        None => {
            let fault = Fault::new(spot.span, format!("`{}` is no duration", spot.text));
            problems.add(
                fault.hint("write a whole number and a unit: `\"500ms\"`, `\"2s\"` or `\"1m\"`"),
            );
            None
        }
    }
}

fn allowed(spot: &Spot<'_>, problems: &mut Problems<'_>) -> Option<Allow> {
    let net = |rest: &str| {
        let (host, port) = rest.rsplit_once(':')?;
        let port = port.parse().ok()?;
        (!host.is_empty()).then(|| Allow::Net(host.to_owned(), port))
    };
    let allow = match spot.text.split_once(':') {
        Some(("write", folder)) if !folder.is_empty() => Some(Allow::Write(PathBuf::from(folder))),
        Some(("net", rest)) => net(rest),
        _ => None,
    };
    if allow.is_none() {
        let cause = format!("`{}` cannot be allowed", spot.text);
        let fault = Fault::new(spot.span.clone(), cause);
        problems.add(fault.hint("write `\"write:DIR\"` or `\"net:HOST:PORT\"`"));
    }
    allow
}

impl Argument {
    /// The templates in it, in order.
    pub fn templates(&self) -> Vec<&Template> {
        match self {
            Argument::One(template) | Argument::Split(template) => vec![template],
            Argument::Group(inner) => inner.iter().flat_map(Argument::templates).collect(),
        }
    }

    /// The category that is split, where it is one.
    pub fn split_category(&self) -> Option<usize> {
        match self {
            Argument::Split(template) => match template.parts.first() {
                Some(Part::Category(category)) => Some(*category),
                _ => None,
            },
            _ => None,
        }
    }
}
