//! The entry: a `main` or static method that is the one operation of a run.

use super::error::Error;
use super::members::Collector;
use super::method_pattern::parameter_lists;
use super::places::Stop;
use super::summary::{MemberSummary, Summary, access};
use engine::similar;
use std::rc::Rc;

/// Adds the one candidate that an entry names: `org.example.Main`, `org.example.Foo.run` or `org.example.Foo.run(int)`.
pub fn find_entry(
    entry: &str,
    summaries: &[Rc<Summary>],
    collector: &mut Collector,
) -> Result<(), Error> {
    let (class, method) = resolve(entry, summaries)?;
    match collector.entry(class, method) {
        Ok(candidate) => {
            collector.candidates.push(candidate);
            Ok(())
        }
        Err(Stop::Reason(reason, _)) => Err(failed(entry, reason.text())),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn resolve<'a>(
    entry: &str,
    summaries: &'a [Rc<Summary>],
) -> Result<(&'a Summary, &'a MemberSummary), Error> {
    let entry_text: String = entry.split_whitespace().collect();
    let (path, parameters) = match entry_text.split_once('(') {
        Some((path, parameters)) => (path, Some(parameters.trim_end_matches(')'))),
        None => (entry_text.as_str(), None),
    };
    let class_named = |name: &str| {
        let mut classes = summaries.iter();
        classes.find(|class| class.source_name == name || class.name.replace('/', ".") == name)
    };
    let (class, name) = match (class_named(path), path.rsplit_once('.')) {
        (Some(class), _) => (class, "main"),
        (None, Some((owner, name))) => {
            let class = class_named(owner).ok_or_else(|| unknown(path, summaries))?;
            (class, name)
        }
        (None, None) => return Err(unknown(path, summaries)),
    };
    let fits = |method: &&MemberSummary| {
        let (full, simple) = parameter_lists(&method.descriptor);
        let asked = parameters.is_none_or(|asked| asked == full || asked == simple);
        method.name == name && method.is(access::STATIC) && asked
    };
    let mut methods: Vec<&MemberSummary> = class.methods.iter().filter(fits).collect();
    if let (true, Some(main)) = (
        name == "main",
        methods
            .iter()
            .find(|one| one.parameters() == "([Ljava/lang/String;"),
    ) {
        methods = vec![main];
    }
    match methods[..] {
        [method] => Ok((class, method)),
        [] => Err(failed(
            entry,
            &format!(
                "`{}` has no static method `{name}` like this",
                class.source_name
            ),
        )),
        _ => {
            let lists = methods
                .iter()
                .map(|method| format!("`{name}({})`", parameter_lists(&method.descriptor).1));
            let lists = lists.collect::<Vec<_>>().join(", ");
            Err(failed(entry, &format!("there are several: {lists}")))
        }
    }
}

fn unknown(path: &str, summaries: &[Rc<Summary>]) -> Error {
    let names = summaries.iter().map(|class| class.source_name.as_str());
    Error::NoMatch {
        what: "class",
        pattern: path.to_owned(),
        hint: similar::hint(path, names).unwrap_or_default(),
    }
}

fn failed(entry: &str, cause: &str) -> Error {
    Error::Entry {
        entry: entry.to_owned(),
        cause: cause.to_owned(),
    }
}
