//! The manifest of a jar: attributes of the whole jar, then sections about single entries.

/// A parsed manifest. Attribute names are found whatever their case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The attributes of the whole jar.
    pub main: Section,
    /// The sections about entries: each one's `Name` with its attributes.
    pub sections: Vec<(String, Section)>,
}

/// Attributes in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Names and values.
    pub attributes: Vec<(String, String)>,
}

impl Section {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter();
        found
            .rev()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

impl Manifest {
    /// Parses the text of a manifest; the error is the number of a malformed line, counted from 1.
    pub fn parse(text: &str) -> Result<Manifest, usize> {
        let mut manifest = Manifest::default();
        let mut section: Option<Section> = Some(Section::default());
        let mut is_main = true;
        for (number, line) in lines(text).enumerate() {
            let wrong = number + 1;
            if line.is_empty() {
                if let Some(done) = section.take() {
                    manifest.keep(done, &mut is_main);
                }
                continue;
            }
            let current = section.get_or_insert_default();
            match line.strip_prefix(' ') {
                Some(more) => {
                    let (_, value) = current.attributes.last_mut().ok_or(wrong)?;
                    value.push_str(more);
                }
                None => {
                    let (name, value) = line.split_once(':').ok_or(wrong)?;
                    let value = value.strip_prefix(' ').unwrap_or(value);
                    current.attributes.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        if let Some(done) = section {
            manifest.keep(done, &mut is_main);
        }
        Ok(manifest)
    }

    fn keep(&mut self, mut section: Section, is_main: &mut bool) {
        if *is_main {
            self.main = section;
            *is_main = false;
            return;
        }
        let name = section
            .attributes
            .iter()
            .position(|(key, _)| key.eq_ignore_ascii_case("Name"));
        if let Some(at) = name {
            let (_, name) = section.attributes.remove(at);
            self.sections.push((name, section));
        }
    }

    /// An attribute of the whole jar.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.main.get(name)
    }

    /// Whether the jar has classes for several Java versions.
    pub fn is_multi_release(&self) -> bool {
        self.get("Multi-Release")
            .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    }
}

/// Lines end with CR LF, LF or CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_end_matches('\0');
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let line = &rest[..end];
        let after = &rest[end..];
        rest = after
            .strip_prefix("\r\n")
            .or_else(|| after.strip_prefix(['\r', '\n']))
            .unwrap_or_default();
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_after_a_space_and_sections_follow_empty_lines() {
        let text = "Manifest-Version: 1.0\r\nClass-Path: a.jar b\r\n .jar\r\n\r\n\r\nName: a/B.class\r\nSealed: true\r\n";
        let manifest = Manifest::parse(text).unwrap();
        assert_eq!(manifest.get("class-path"), Some("a.jar b.jar"));
        assert_eq!(manifest.sections.len(), 1);
        let (name, section) = &manifest.sections[0];
        assert_eq!(
            (name.as_str(), section.get("SEALED")),
            ("a/B.class", Some("true"))
        );
        assert!(!manifest.is_multi_release());
    }

    #[test]
    fn a_line_without_a_colon_is_named() {
        assert_eq!(Manifest::parse("A: b\nnonsense\n"), Err(2));
        assert_eq!(Manifest::parse(" continued\n"), Err(1));
        assert_eq!(Manifest::parse(""), Ok(Manifest::default()));
    }

    #[test]
    fn a_jar_says_that_it_is_multi_release_in_any_case() {
        assert!(
            Manifest::parse("multi-release:  TRUE \r")
                .unwrap()
                .is_multi_release()
        );
    }
}
