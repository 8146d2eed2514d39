//! The parts of a jar's manifest that decide which classes a JVM sees.

/// What a manifest says. Nothing where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Whether newer classes hide in `META-INF/versions`.
    pub multi_release: bool,
    /// Further entries of the class path, as written: relative, separated by spaces.
    pub class_path: Vec<String>,
    /// The class with the program's `main`, as written.
    pub main_class: Option<String>,
    sealed: bool,
    sections: Vec<(String, bool)>,
}

impl Manifest {
    /// Reads a manifest; lines that are no attributes are skipped.
    pub fn parse(bytes: &[u8]) -> Manifest {
        let text = String::from_utf8_lossy(bytes)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        // A line that begins with a space goes on with the one before.
        let text = text.replace("\n ", "");
        let mut manifest = Manifest::default();
        let mut section = None;
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            let truth = value.eq_ignore_ascii_case("true");
            match (key.to_ascii_lowercase().as_str(), &section) {
                ("name", _) => section = Some(value.trim_end_matches('/').to_owned()),
                ("sealed", None) => manifest.sealed = truth,
                ("sealed", Some(name)) => manifest.sections.push((name.clone(), truth)),
                ("multi-release", None) => manifest.multi_release = truth,
                ("main-class", None) => manifest.main_class = Some(value.to_owned()),
                ("class-path", None) => {
                    let entries = value.split_ascii_whitespace();
                    manifest.class_path = entries.map(str::to_owned).collect();
                }
                _ => {}
            }
        }
        manifest
    }

    /// Whether a package, given with slashes, takes classes of this jar only.
    pub fn seals(&self, package: &str) -> bool {
        let own = self.sections.iter().find(|(name, _)| name == package);
        own.map_or(self.sealed, |(_, sealed)| *sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continued_lines_and_sections_are_read() {
        let text = "Manifest-Version: 1.0\r\nClass-Path: a.jar lib/\r\n b.jar\r\nMulti-Release: true\r\n\r\n\
            Name: org/example/\r\nSealed: true\r\nClass-Path: not.jar\r\n";
        let manifest = Manifest::parse(text.as_bytes());
        assert!(manifest.multi_release);
        assert_eq!(manifest.class_path, ["a.jar", "lib/b.jar"]);
        assert!(manifest.seals("org/example"));
        assert!(!manifest.seals("org/example/deep"));
    }

    #[test]
    fn a_section_can_open_a_package_of_a_sealed_jar() {
        let manifest = Manifest::parse(b"Sealed: true\n\nName: org/open/\nSealed: false\n");
        assert!(manifest.seals("org/example"));
        assert!(!manifest.seals("org/open"));
    }
}
