//! Which source lines changed since a revision, and so which methods: `git diff` on one side, line tables on the other.
//!
//! Lines are those of the working tree, because that is what was compiled. Files that git does not know yet are changed as a
//! whole. Whether the class files are up to date with the sources is not checked.

use super::error::Error;
use super::filter::{MethodKey, Since, key};
use super::summary::{MemberSummary, Summary};
use sandbox::{End, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The changed lines of source files, by path from the top of the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    files: BTreeMap<String, Vec<(u32, u32)>>,
}

/// A method's place in its source: what [`Changes::touched`] decides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first line with code.
    pub first: u32,
    /// The last line with code.
    pub last: u32,
}

impl Changes {
    /// Asks git for what changed in the repository around a folder.
    pub fn since(revision: &str, folder: &Path) -> Result<Changes, Error> {
        let diff = git(
            revision,
            folder,
            &[
                "-c",
                "core.quotePath=false",
                "diff",
                "-U0",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "--no-renames",
                "--no-relative",
                "--src-prefix=a/",
                "--dst-prefix=b/",
                "--end-of-options",
                revision,
                "--",
            ],
        )?;
        let mut changes = Changes::parse(&diff);
        let new = git(
            revision,
            folder,
            &[
                "ls-files",
                "-z",
                "--full-name",
                "--others",
                "--exclude-standard",
                ":/",
            ],
        )?;
        for file in new.split('\0').filter(|file| !file.is_empty()) {
            changes.files.insert(file.to_owned(), vec![(1, u32::MAX)]);
        }
        Ok(changes)
    }

    /// The changed ranges of lines by path from the top of the repository, with both ends included.
    pub fn files(&self) -> &BTreeMap<String, Vec<(u32, u32)>> {
        &self.files
    }

    /// Reads a diff without context lines.
    pub fn parse(diff: &str) -> Changes {
        let mut changes = Changes::default();
        let mut file = None;
        // Lines of content that are left in the current hunk, so that content looking like a header is not taken for one.
        let mut content = 0;
        for line in diff.lines() {
            if content > 0 && line.starts_with(['+', '-', ' ']) {
                content -= 1;
            } else if let Some(path) = line.strip_prefix("+++ ") {
                let path = path.strip_suffix('\t').unwrap_or(path);
                file = unquoted(path).strip_prefix("b/").map(str::to_owned);
            } else if let Some(hunk) = line.strip_prefix("@@ ").and_then(Hunk::parse) {
                content = u64::from(hunk.removed) + u64::from(hunk.added);
                if let Some(file) = &file {
                    let lines = changes.files.entry(file.clone()).or_default();
                    lines.push(hunk.lines());
                }
            }
        }
        changes
    }

    /// The changed ranges of a source file, given by package and file name, with both ends included.
    ///
    /// Java puts a file in the folder of its package. Other languages need not: then the name alone decides.
    pub fn of_source(&self, package: &str, file: &str) -> Vec<(u32, u32)> {
        let name = |path: &str| path.rsplit('/').next() == Some(file);
        let placed = |path: &str| match path.rsplit_once('/') {
            Some((folder, _)) => {
                package.is_empty() || folder == package || folder.ends_with(&format!("/{package}"))
            }
            None => package.is_empty(),
        };
        let is_java = file.ends_with(".java");
        let fitting = self
            .files
            .iter()
            .filter(|(path, _)| name(path) && (placed(path) || !is_java));
        fitting
            .flat_map(|(_, lines)| lines.iter().copied())
            .collect()
    }

    /// Whether a change belongs to each method of one source file.
    ///
    /// A changed line inside a method's span is its own. One between two methods belongs to the following one, because the
    /// declaration has no line in line tables.
    pub fn touched(ranges: &[(u32, u32)], spans: &[Span]) -> Vec<bool> {
        let starts = |span: &Span| {
            let before = spans
                .iter()
                .map(|other| other.last)
                .filter(|&last| last < span.first);
            before.max().map_or(1, |last| last + 1)
        };
        let one = |span: &Span| {
            let start = starts(span);
            ranges
                .iter()
                .any(|(first, last)| *first <= span.last && *last >= start)
        };
        spans.iter().map(one).collect()
    }
}

/// The counts of a hunk header such as `-3,2 +4 @@ void m()`.
struct Hunk {
    removed: u32,
    start: u32,
    added: u32,
}

impl Hunk {
    fn parse(text: &str) -> Option<Hunk> {
        let mut words = text.split(' ');
        let (_, removed) = range(words.next()?.strip_prefix('-')?)?;
        let (start, added) = range(words.next()?.strip_prefix('+')?)?;
        Some(Hunk {
            removed,
            start,
            added,
        })
    }

    /// Both ends included. A pure removal changes the two lines that it brought together.
    fn lines(&self) -> (u32, u32) {
        match self.added {
            0 => (self.start, self.start.saturating_add(1)),
            added => (self.start, self.start.saturating_add(added - 1)),
        }
    }
}

fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Git quotes paths with control characters, quotes or backslashes; such a source file is not looked for.
fn unquoted(path: &str) -> &str {
    let inner = path
        .strip_prefix('"')
        .and_then(|path| path.strip_suffix('"'));
    inner.unwrap_or(path)
}

fn git(revision: &str, folder: &Path, args: &[&str]) -> Result<String, Error> {
    let failed = |cause: String| Error::Git {
        revision: revision.to_owned(),
        folder: folder.to_owned(),
        cause,
    };
    let args = args.iter().map(OsString::from).collect();
    let mut tool = Tool::new(PathBuf::from("git"), args);
    tool.folder = Some(folder.to_owned());
    let finished = tool.run().map_err(|error| failed(error.to_string()))?;
    if finished.end != End::Exited(0) {
        let said = String::from_utf8_lossy(&finished.stderr);
        let first = said.lines().next().unwrap_or("it gave no reason");
        return Err(failed(first.to_owned()));
    }
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
}

/// The methods with changed lines. Lines of a lambda count for the method that it is written in.
pub fn changed(since: &Since, classes: &[&Rc<Summary>]) -> Result<BTreeSet<MethodKey>, Error> {
    let changes = Changes::since(&since.revision, &since.folder)?;
    let mut files: BTreeMap<(&str, &str), Vec<&Summary>> = BTreeMap::new();
    for class in classes {
        if let Some(file) = &class.source_file {
            files
                .entry((class.package(), file))
                .or_default()
                .push(class);
        }
    }
    let mut chosen = BTreeSet::new();
    for ((package, file), classes) in files {
        let ranges = changes.of_source(package, file);
        let mut methods = Vec::new();
        for class in classes {
            let with_lines = class
                .methods
                .iter()
                .filter(|method| !method.lines.is_empty());
            methods.extend(with_lines.map(|method| (class, method)));
        }
        let spans: Vec<Span> = methods.iter().map(|(_, method)| span(method)).collect();
        let touched = Changes::touched(&ranges, &spans);
        for ((class, method), _) in methods.iter().zip(touched).filter(|(_, touched)| *touched) {
            let written_in = method
                .name
                .strip_prefix("lambda$")
                .and_then(|rest| rest.split('$').next());
            let meant = class.methods.iter().filter(|one| match written_in {
                Some(name) => one.name == if name == "new" { "<init>" } else { name },
                None => one.name == method.name && one.descriptor == method.descriptor,
            });
            chosen.extend(
                meant
                    .filter(|one| one.name != "<clinit>")
                    .map(|one| key(class, one)),
            );
        }
    }
    match chosen.is_empty() {
        true => Err(Error::NothingChanged {
            revision: since.revision.clone(),
        }),
        false => Ok(chosen),
    }
}

fn span(method: &MemberSummary) -> Span {
    Span {
        first: method.lines.first().copied().unwrap_or(0),
        last: method.lines.last().copied().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/org/example/Foo.java b/src/org/example/Foo.java\n\
        --- a/src/org/example/Foo.java\n+++ b/src/org/example/Foo.java\n\
        @@ -10,2 +10,3 @@ class Foo\n-old\n-old\n+++ b/not/a/Header.java\n+new\n+new\n\
        @@ -20 +21,0 @@\n-gone\n\
        diff --git a/Gone.java b/Gone.java\n--- a/Gone.java\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";

    #[test]
    fn a_diff_gives_the_changed_lines_of_the_new_files() {
        let changes = Changes::parse(DIFF);
        assert_eq!(
            changes.of_source("org/example", "Foo.java"),
            [(10, 12), (21, 22)]
        );
        assert_eq!(changes.of_source("org/other", "Foo.java"), []);
        assert_eq!(changes.of_source("", "Header.java"), []);
        assert_eq!(changes.of_source("", "Gone.java"), []);
    }

    #[test]
    fn kotlin_files_may_be_anywhere() {
        let changes = Changes::parse("+++ b/src/Foo.kt\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(changes.of_source("org/example", "Foo.kt"), [(1, 1)]);
    }

    #[test]
    fn a_line_between_methods_belongs_to_the_following_one() {
        let spans = [
            Span {
                first: 10,
                last: 12,
            },
            Span {
                first: 16,
                last: 18,
            },
        ];
        assert_eq!(Changes::touched(&[(11, 11)], &spans), [true, false]);
        assert_eq!(Changes::touched(&[(15, 15)], &spans), [false, true]);
        assert_eq!(Changes::touched(&[(19, 30)], &spans), [false, false]);
        assert_eq!(Changes::touched(&[(12, 16)], &spans), [true, true]);
    }

    #[test]
    fn nested_spans_are_touched_together() {
        let spans = [
            Span {
                first: 10,
                last: 30,
            },
            Span {
                first: 15,
                last: 18,
            },
        ];
        assert_eq!(Changes::touched(&[(16, 16)], &spans), [true, true]);
        assert_eq!(Changes::touched(&[(29, 29)], &spans), [true, false]);
    }
}
