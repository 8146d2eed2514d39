//! Which entries a Java version sees: entries under `META-INF/versions/N/` replace the plain ones from version N on.

use super::{Entry, Jar, JarError};

/// An entry as a Java version sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected<'j, 'a> {
    /// The name without the folder of its version, such as `a/B.class`.
    pub name: &'j str,
    /// The entry that gives the content.
    pub entry: &'j Entry<'a>,
}

impl<'a> Jar<'a> {
    /// The files that a Java version (8, 17, 25) sees, in order of name, without folders. In a jar that is not multi-release
    /// nothing is replaced, and `META-INF/versions/` holds plain files.
    pub fn select(&self, java: u16) -> Result<Vec<Selected<'_, 'a>>, JarError> {
        let manifest = self.manifest()?;
        let multi = manifest.is_some_and(|manifest| manifest.is_multi_release()) && java >= 9;
        let mut found: Vec<(u16, Selected)> = Vec::new();
        for entry in self.entries().filter(|entry| !entry.name.ends_with('/')) {
            let (version, name) = match versioned(&entry.name) {
                Some((version, name)) if multi => (version, name),
                _ => (0, &*entry.name),
            };
            if version <= java {
                found.push((version, Selected { name, entry }));
            }
        }
        found.sort_by(|(a_version, a), (b_version, b)| {
            a.name.cmp(b.name).then(b_version.cmp(a_version))
        });
        found.dedup_by(|(_, a), (_, b)| a.name == b.name);
        Ok(found.into_iter().map(|(_, selected)| selected).collect())
    }

    /// The class files that a Java version sees, module descriptions and package annotations included, without anything in
    /// `META-INF/`.
    pub fn classes(&self, java: u16) -> Result<Vec<Selected<'_, 'a>>, JarError> {
        let mut selected = self.select(java)?;
        selected
            .retain(|file| file.name.ends_with(".class") && !file.name.starts_with("META-INF/"));
        Ok(selected)
    }
}

/// The name of an entry without the folder of a Java version.
pub fn base_name(name: &str) -> &str {
    versioned(name).map_or(name, |(_, name)| name)
}

/// The version and the name that an entry replaces from that version on. `META-INF` itself has no versions.
fn versioned(name: &str) -> Option<(u16, &str)> {
    let (version, name) = name.strip_prefix("META-INF/versions/")?.split_once('/')?;
    let version = version.parse().ok()?;
    (version >= 9 && !name.starts_with("META-INF/") && !name.is_empty()).then_some((version, name))
}
