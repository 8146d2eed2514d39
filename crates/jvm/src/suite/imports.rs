//! Imports of a file: turns the marks of classes into simple names where that is clear, else into qualified ones.
//!
//! Of several classes with one simple name, that of the file's own package goes first, then that of `java.lang`, then the
//! first by qualified name, JUnit's last. A class of the own package that the file does not use hides nothing but
//! `java.lang`.

use super::junit::Junit;
use super::source_name::{ASSERTION, CLASS, END, ascii, package_of, path_of};
use crate::model::JvmModel;
use std::collections::{BTreeMap, BTreeSet};

/// How a file names classes and what it imports for that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports {
    /// What stands for each class, by internal name.
    written: BTreeMap<String, String>,
    /// The names to import, without `import` and semicolon, sorted.
    pub classes: BTreeSet<String>,
    /// The static methods to import, sorted.
    pub statics: BTreeSet<String>,
}

impl Imports {
    /// Chooses names for all marks in the texts of a file.
    pub fn of<'a>(
        model: &JvmModel,
        package: &str,
        test_class: &str,
        junit: Junit,
        texts: impl Iterator<Item = &'a str>,
    ) -> Imports {
        let mut used = BTreeSet::new();
        let mut imports = Imports::default();
        for text in texts {
            for (kind, name) in marks(text) {
                if kind == ASSERTION {
                    let class = dotted(junit.assertion_class());
                    imports.statics.insert(format!("{class}.{name}"));
                } else {
                    used.insert(name.to_owned());
                }
            }
        }
        let rank = |class: &str| match package_of(class) {
            own if own == package => 0,
            "java/lang" => 1,
            "org/junit" | "org/junit/jupiter/api" => 3,
            _ => 2,
        };
        let mut ordered: Vec<&String> = used.iter().collect();
        ordered.sort_by_key(|class| (rank(class), class.as_str()));
        // The simple names that are taken, by the qualified name that has them.
        let mut taken = BTreeMap::from([(test_class.to_owned(), String::new())]);
        for class in ordered {
            let path = path_of(model, class).unwrap_or_default();
            let Some(top) = path.first() else { continue };
            let here = package_of(class);
            let outermost = match here {
                "" => top.clone(),
                _ => format!("{here}/{top}"),
            };
            let hidden = here == "java/lang"
                && package != "java/lang"
                && model.classes.contains_key(&format!("{package}/{top}"));
            let owner = taken
                .entry(top.clone())
                .or_insert_with(|| outermost.clone());
            let simple = *owner == outermost && !hidden;
            let nested = ascii(&path.join("."));
            let name = match simple {
                true => nested,
                false if here.is_empty() => nested,
                false => format!("{}.{nested}", dotted(here)),
            };
            if simple && !here.is_empty() && here != package && here != "java/lang" {
                imports.classes.insert(dotted(&outermost));
            }
            imports.written.insert(class.clone(), name);
        }
        imports
    }

    /// The text with names for marks.
    pub fn resolve(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find([CLASS, ASSERTION]) {
            out.push_str(&rest[..start]);
            let mark = &rest[start + 1..];
            let end = mark.find(END).unwrap_or(mark.len());
            let name = &mark[..end];
            match rest[start..].starts_with(CLASS) {
                true => out.push_str(self.written.get(name).map_or(name, String::as_str)),
                false => out.push_str(name),
            }
            rest = mark.get(end + 1..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }
}

/// The marks of a text: what begins them and what they name.
pub fn marks(text: &str) -> impl Iterator<Item = (char, &str)> {
    text.match_indices([CLASS, ASSERTION])
        .filter_map(|(start, kind)| {
            let mark = &text[start + 1..];
            Some((kind.chars().next()?, &mark[..mark.find(END)?]))
        })
}

fn dotted(name: &str) -> String {
    ascii(&name.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JvmClass;

    fn mark(class: &str) -> String {
        format!("{CLASS}{class}{END}")
    }

    #[test]
    fn clashing_names_are_qualified_and_only_what_is_used_is_imported() {
        let mut model = JvmModel::default();
        for simple in ["List", "String"] {
            let class = JvmClass {
                access: 1,
                simple: Some(simple.to_owned()),
                ..JvmClass::default()
            };
            model.classes.insert(format!("a/{simple}"), class);
        }
        let classes = [
            "a/List",
            "java/util/List",
            "java/lang/String",
            "java/util/Map$Entry",
            "b/Date",
            "java/util/Date",
            "c/FooTest",
            "org/junit/jupiter/api/Test",
        ];
        let text: Vec<String> = classes.iter().map(|class| mark(class)).collect();
        let text = text.join(" ");
        let imports = Imports::of(
            &model,
            "a",
            "FooTest",
            Junit::Five,
            [text.as_str()].into_iter(),
        );
        assert_eq!(
            imports.resolve(&text),
            "List java.util.List java.lang.String Map.Entry Date java.util.Date c.FooTest Test"
        );
        let imported: Vec<&str> = imports.classes.iter().map(String::as_str).collect();
        assert_eq!(
            imported,
            ["b.Date", "java.util.Map", "org.junit.jupiter.api.Test"]
        );
    }

    #[test]
    fn a_class_under_test_named_test_keeps_its_name() {
        let text = mark("Test") + &mark("org/junit/Test") + &format!("{ASSERTION}fail{END}");
        let model = JvmModel::default();
        let imports = Imports::of(
            &model,
            "",
            "TestTest",
            Junit::Four,
            [text.as_str()].into_iter(),
        );
        assert_eq!(imports.resolve(&text), "Testorg.junit.Testfail");
        assert!(imports.classes.is_empty());
        assert!(imports.statics.contains("org.junit.Assert.fail"));
    }
}
