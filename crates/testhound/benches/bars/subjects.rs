//! The subjects: Debian's jars, with what they need on the class path.

use std::path::PathBuf;

/// A jar of Debian's.
pub struct Subject {
    /// Its name in tables.
    pub name: &'static str,
    /// The file without folder and `.jar`.
    jar: &'static str,
    /// What its classes refer to, the same way.
    needs: &'static [&'static str],
}

const fn subject(name: &'static str, needs: &'static [&'static str]) -> Subject {
    Subject {
        name,
        jar: name,
        needs,
    }
}

/// All subjects.
pub const SUBJECTS: [Subject; 13] = [
    subject("commons-lang3", &[]),
    subject("commons-collections4", &[]),
    subject("commons-math3", &[]),
    subject("commons-cli", &[]),
    subject("commons-codec", &[]),
    subject("commons-compress", &["xz", "commons-codec"]),
    subject("joda-time", &["joda-convert"]),
    subject("guava", &["jsr305", "error-prone-annotations"]),
    Subject {
        name: "jdom",
        jar: "jdom1",
        needs: &["jaxen"],
    },
    subject("jaxen", &["jdom1", "xom", "dom4j"]),
    subject("jsoup", &["jsr305"]),
    subject("bcel", &["commons-lang3"]),
    subject("asm", &[]),
];

fn jar(name: &str) -> PathBuf {
    PathBuf::from("/usr/share/java").join(format!("{name}.jar"))
}

impl Subject {
    /// The jar.
    pub fn path(&self) -> PathBuf {
        jar(self.jar)
    }

    /// The jars that it needs, as far as they are installed.
    pub fn classpath(&self) -> Vec<PathBuf> {
        let needs = self.needs.iter().map(|name| jar(name));
        needs.filter(|path| path.exists()).collect()
    }
}
