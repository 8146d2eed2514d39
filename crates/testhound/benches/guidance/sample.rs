//! Which classes of a jar are tested: all, or those with the lowest checksums (CRC-32) of their names. Nested classes belong to their
//! outermost one and are not drawn.

use anyhow::{Context, Result};
use classfile::jar::Jar;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// How many classes are tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// All of them.
    All,
    /// At most so many.
    Most(usize),
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Sample, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Sample::All),
            (_, Ok(count)) if count > 0 => Ok(Sample::Most(count)),
            _ => Err("a number above 0, or `all`".to_owned()),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sample::All => to.write_str("all"),
            Sample::Most(count) => write!(to, "{count}"),
        }
    }
}

impl Sample {
    /// The classes of a jar that are tested, with dots, of those whose names begin with `package`.
    pub fn of_jar(self, path: &Path, package: &str) -> Result<Vec<String>> {
        let (bytes, broken) = (read(path)?, || broken(path));
        let jar = Jar::parse(&bytes).with_context(broken)?;
        Ok(self.of(jar.entries().map(|entry| &*entry.name), package))
    }

    /// The same of the names of a jar's entries.
    fn of<'a>(self, entries: impl Iterator<Item = &'a str>, package: &str) -> Vec<String> {
        let plain = |name: &&str| !name.contains(['$', '-']) && !name.starts_with("META-INF");
        let classes = entries.filter_map(|entry| entry.strip_suffix(".class"));
        let mut names: Vec<String> = classes
            .filter(plain)
            .map(|name| name.replace('/', "."))
            .filter(|name| name.starts_with(package))
            .collect();
        names.sort_by_cached_key(|name| (crc32fast::hash(name.as_bytes()), name.clone()));
        if let Sample::Most(count) = self {
            names.truncate(count);
        }
        names
    }
}

/// Writes classes of a jar, with those nested in them, into a folder.
pub fn unpack(path: &Path, classes: &[String], folder: &Path) -> Result<()> {
    let (bytes, broken) = (read(path)?, || broken(path));
    let jar = Jar::parse(&bytes).with_context(broken)?;
    for entry in jar.entries() {
        let Some(name) = entry.name.strip_suffix(".class") else {
            continue;
        };
        if classes.contains(&outermost(name)) {
            let to = folder.join(&*entry.name);
            std::fs::create_dir_all(to.parent().unwrap_or(folder))?;
            std::fs::write(&to, jar.read(entry).with_context(broken)?)?;
        }
    }
    Ok(())
}

/// The outermost class of one, with dots; both as in class files.
pub fn outermost(name: &str) -> String {
    name.split('$').next().unwrap_or(name).replace('/', ".")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn broken(path: &Path) -> String {
    format!("`{}` is broken", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [&str; 7] = [
        "a/",
        "a/B.class",
        "a/B$Nested.class",
        "a/F.class",
        "a/package-info.class",
        "META-INF/versions/9/a/B.class",
        "a/J.class",
    ];

    const ORDER: [&str; 3] = ["a.F", "a.B", "a.J"];

    #[test]
    fn a_sample_holds_outermost_classes_by_the_checksums_of_their_names() {
        // Python 3.11: sorted(names, key=lambda name: zlib.crc32(name.encode()))
        let all = Sample::All.of(ENTRIES.into_iter(), "");
        assert_eq!(all, ORDER);
        let two = Sample::Most(2).of(ENTRIES.into_iter(), "");
        assert_eq!(two, ORDER[..2]);
        let part = Sample::Most(2).of(ENTRIES.into_iter().chain(["ab/C.class"]), "ab.");
        assert_eq!(part, ["ab.C"]);
    }

    #[test]
    fn nested_classes_belong_to_their_outermost_one() {
        assert_eq!(outermost("a/b/C$D$1"), "a.b.C");
    }

    #[test]
    fn a_sample_prints_as_it_is_written() {
        for text in ["all", "20"] {
            assert_eq!(text.parse::<Sample>().unwrap().to_string(), text);
        }
        assert!("0".parse::<Sample>().is_err());
    }
}
