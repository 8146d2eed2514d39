//! Why a class or member was not tested, or not fully: one table for discovery, workers, reports and `docs/reasons.md`.
//!
//! A reason says what stood in the way and nothing about how good the tests are.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a class or member was not tested, or not fully.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The member is private.
    PrivateMember,
    /// The class or one around it is private.
    PrivateClass,
    /// The class is local or anonymous.
    LocalClass,
    /// The compiler made the member or class.
    CompilerMade,
    /// The member is a `main` method.
    MainMethod,
    /// The member is a finalizer.
    Finalizer,
    /// The member or class is deprecated.
    Deprecated,
    /// All constructors are out of reach and nothing else gives an instance.
    NoAccessibleConstructor,
    /// The type is abstract and no class under test can be used in its place.
    AbstractWithoutImplementor,
    /// The member is a constructor of an abstract class.
    AbstractConstructor,
    /// The instance of the outer class or another receiver cannot be made.
    NoReceiver,
    /// A parameter can only be given `null`.
    ParameterOnlyNull,
    /// A type in the signature cannot be named by a test.
    InaccessibleType,
    /// The member needs a test in its package, where none can be.
    ClosedPackage,
    /// The name cannot be written in Java source.
    NotAJavaName,
    /// Java source cannot tell the member from another one.
    AmbiguousInSource,
    /// A class that is needed is not on the class path.
    MissingClass,
    /// The bytes are not a class file.
    UnreadableClass,
    /// The class file is of a newer version than the JDK knows.
    ClassTooNew,
    /// The class file is not where its name says.
    MisplacedClass,
    /// The class did not link.
    DoesNotLink,
    /// The static initialiser threw.
    StaticInitialiserThrows,
    /// Every call ran out of its budget or time.
    TimesOut,
    /// The member ends the JVM.
    ExitsJvm,
    /// The member makes the JVM crash.
    CrashesJvm,
    /// The member uses up the memory.
    OutOfMemory,
    /// The member leaves threads behind.
    LeaksThreads,
    /// A method was too large for all probes.
    TooLargeForProbes,
    /// Every call threw.
    AlwaysThrows,
    /// No call was made before the budget was over.
    NeverCalled,
}

/// When a reason is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// By reading class files.
    Discovery,
    /// By running tests.
    Run,
}

/// Every reason with its code, when it is found, and its text.
pub const REASONS: &[(Reason, &str, Found, &str)] = &[
    (
        Reason::PrivateMember,
        "private-member",
        Found::Discovery,
        "the member is private; it is reached only through others",
    ),
    (
        Reason::PrivateClass,
        "private-class",
        Found::Discovery,
        "the class, or a class around it, is private",
    ),
    (
        Reason::LocalClass,
        "local-class",
        Found::Discovery,
        "the class is local to a method or anonymous, so that no test can name it",
    ),
    (
        Reason::CompilerMade,
        "compiler-made",
        Found::Discovery,
        "the compiler made it (bridge, synthetic, `values` and `valueOf` of an enum); there is no source to test",
    ),
    (
        Reason::MainMethod,
        "main-method",
        Found::Discovery,
        "a `main` method is a program, not a part; `--entry` tests it",
    ),
    (
        Reason::Finalizer,
        "finalizer",
        Found::Discovery,
        "`finalize()` is called by the garbage collector, not by users",
    ),
    (
        Reason::Deprecated,
        "deprecated",
        Found::Discovery,
        "the member or its class is deprecated; `--deprecated` tests it",
    ),
    (
        Reason::NoAccessibleConstructor,
        "no-accessible-constructor",
        Found::Discovery,
        "no constructor can be called from the class's package, and no other member under test gives an instance",
    ),
    (
        Reason::AbstractWithoutImplementor,
        "abstract-without-implementor",
        Found::Discovery,
        "the type is an interface or abstract, and no member under test gives an instance of an implementor",
    ),
    (
        Reason::AbstractConstructor,
        "abstract-constructor",
        Found::Discovery,
        "the class is abstract; its constructors are reached through those of subclasses",
    ),
    (
        Reason::NoReceiver,
        "no-receiver",
        Found::Discovery,
        "an instance is needed to call it (the receiver, or the outer instance of an inner class), and none can be made",
    ),
    (
        Reason::ParameterOnlyNull,
        "parameter-only-null",
        Found::Discovery,
        "it is called, but a parameter has a type of which no member under test gives a value, so that `null` is all it gets",
    ),
    (
        Reason::InaccessibleType,
        "inaccessible-type",
        Found::Discovery,
        "a type in its signature is private, of another package or of a package that its module does not export",
    ),
    (
        Reason::ClosedPackage,
        "closed-package",
        Found::Discovery,
        "it is visible in its package only, and no test can be put there because the jar is signed or the package sealed",
    ),
    (
        Reason::NotAJavaName,
        "not-a-java-name",
        Found::Discovery,
        "its name, made by another language or tool, cannot be written in Java source",
    ),
    (
        Reason::AmbiguousInSource,
        "ambiguous-in-source",
        Found::Discovery,
        "another member has the same name and parameter types, so that Java source cannot choose it",
    ),
    (
        Reason::MissingClass,
        "missing-class",
        Found::Discovery,
        "a class that it needs is not in the subject, its class path or the JDK; `--classpath` adds entries",
    ),
    (
        Reason::UnreadableClass,
        "unreadable-class",
        Found::Discovery,
        "the class file is broken",
    ),
    (
        Reason::ClassTooNew,
        "class-too-new",
        Found::Discovery,
        "the class file is of a newer Java version than the JDK that runs the tests",
    ),
    (
        Reason::MisplacedClass,
        "misplaced-class",
        Found::Discovery,
        "the class file is not in the folder that its name asks for, so that no JVM would find it",
    ),
    (
        Reason::DoesNotLink,
        "does-not-link",
        Found::Run,
        "the JVM refused to link the class",
    ),
    (
        Reason::StaticInitialiserThrows,
        "static-initialiser-throws",
        Found::Run,
        "the static initialiser of the class threw, so that the class cannot be used",
    ),
    (
        Reason::TimesOut,
        "times-out",
        Found::Run,
        "every call, or the static initialiser that it needs, ran out of its budget or was stopped by the watchdog",
    ),
    (
        Reason::ExitsJvm,
        "exits-jvm",
        Found::Run,
        "every call ended the JVM",
    ),
    (
        Reason::CrashesJvm,
        "crashes-jvm",
        Found::Run,
        "every call made the JVM crash",
    ),
    (
        Reason::OutOfMemory,
        "out-of-memory",
        Found::Run,
        "every call used up the memory of the worker",
    ),
    (
        Reason::LeaksThreads,
        "leaks-threads",
        Found::Run,
        "every call left threads behind",
    ),
    (
        Reason::TooLargeForProbes,
        "too-large-for-probes",
        Found::Run,
        "a method is so near the limit of 64 KiB that some probes were left out; its coverage is less exact",
    ),
    (
        Reason::AlwaysThrows,
        "always-throws",
        Found::Run,
        "every call that was made threw an exception",
    ),
    (
        Reason::NeverCalled,
        "never-called",
        Found::Run,
        "the budget was over before a call was tried, or no call was possible",
    ),
];

impl Reason {
    fn row(self) -> &'static (Reason, &'static str, Found, &'static str) {
        let row = REASONS.iter().find(|row| row.0 == self);
        row.expect("a test checks that the table has every reason")
    }

    /// The word for it in reports.
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// When it is found.
    pub fn found(self) -> Found {
        self.row().2
    }

    /// What it means, for people.
    pub fn text(self) -> &'static str {
        self.row().3
    }

    /// Whether the member is called all the same, with less to give.
    pub fn is_partial(self) -> bool {
        matches!(
            self,
            Reason::ParameterOnlyNull | Reason::TooLargeForProbes | Reason::AlwaysThrows
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A class or member with the reason why it was not tested, or not fully.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Untested {
    /// The class in internal form.
    pub class: String,
    /// The member's name; none where the whole class is meant.
    pub name: Option<String>,
    /// The member's descriptor; empty where the whole class is meant.
    pub descriptor: String,
    /// Why.
    pub reason: Reason,
    /// What exactly: the missing class, the place in the broken file; often empty.
    pub detail: String,
}

impl fmt::Display for Untested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        if let Some(name) = &self.name {
            write!(f, ".{name}{}", self.descriptor)?;
        }
        write!(f, ": {}", self.reason)?;
        match self.detail.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", self.detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_codes_are_what_serde_writes() {
        for (index, (reason, code, ..)) in REASONS.iter().enumerate() {
            assert_eq!(*reason as usize, index, "{code}");
            let written = serde_json::to_string(reason).unwrap();
            assert_eq!(written, format!("\"{code}\""));
        }
        assert_eq!(REASONS.len(), Reason::NeverCalled as usize + 1);
    }

    #[test]
    fn the_page_lists_exactly_the_codes_with_their_texts() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reasons.md");
        let mut expected = String::new();
        for found in [Found::Discovery, Found::Run] {
            expected.push_str(match found {
                Found::Discovery => "## Found by reading class files\n\n",
                Found::Run => "\n## Found by running tests\n\n",
            });
            expected.push_str("| code | meaning |\n|---|---|\n");
            for (_, code, _, text) in REASONS.iter().filter(|row| row.2 == found) {
                expected.push_str(&format!("| `{code}` | {text} |\n"));
            }
        }
        let old = std::fs::read_to_string(&page).unwrap_or_default();
        let start = old.find("## Found by").unwrap_or(old.len());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&page, format!("{}{expected}", &old[..start])).unwrap();
            return;
        }
        assert_eq!(&old[start..], expected, "run with UPDATE_EXPECT=1");
    }
}
