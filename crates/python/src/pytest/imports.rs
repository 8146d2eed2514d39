//! Which modules a test file imports, and how it calls them.
//!
//! The module under test goes by its last name (`from package import module`), or by all of them where the last one is that of another
//! module that the file needs; others go by their whole names. What Python cannot import by a statement is imported by a function.

use super::body::KEYWORDS;
use std::collections::BTreeSet;

/// The imports of one file.
#[derive(Debug, Clone)]
pub struct Imports {
    subject: String,
    others: BTreeSet<String>,
    pytest: bool,
    /// Whether no statement imports the subject: its package has something else under its name, or that is not a name in Python.
    shadowed: bool,
}

impl Imports {
    /// The imports of a file that tests a module.
    pub fn of(subject: &str) -> Imports {
        let imports = Imports {
            subject: subject.to_owned(),
            others: BTreeSet::new(),
            pytest: false,
            shadowed: false,
        };
        let spelled = subject.split('.').all(is_identifier);
        imports.shadowed(!spelled)
    }

    /// The same where the package has something else under the subject's name, such as a function.
    pub fn shadowed(mut self, shadowed: bool) -> Imports {
        self.shadowed |= shadowed;
        if self.shadowed {
            self.module("importlib");
        }
        self
    }

    /// What the module under test is called.
    fn alias(&self) -> String {
        let last = self.last();
        let first = |module: &String| module.split('.').next() == Some(last);
        let taken = last == "pytest" || self.others.iter().any(first);
        let name = if taken { &self.subject } else { last };
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let name: String = name.chars().map(plain).collect();
        match is_identifier(&name) {
            true => name,
            false => format!("module_{name}"),
        }
    }

    /// The subject's last name.
    fn last(&self) -> &str {
        self.subject.rsplit('.').next().unwrap_or(&self.subject)
    }

    /// What a module is called, which is imported from now on. Built-in things have no module.
    pub fn module(&mut self, name: &str) -> String {
        if name == self.subject {
            return self.alias();
        }
        self.others.insert(name.to_owned());
        name.to_owned()
    }

    /// Something that a module has, by its path there.
    pub fn member(&mut self, module: &str, path: &str) -> String {
        match module {
            "" | "builtins" => path.to_owned(),
            module => format!("{}.{path}", self.module(module)),
        }
    }

    /// pytest, which is imported from now on.
    pub fn pytest(&mut self) -> &'static str {
        self.pytest = true;
        "pytest"
    }

    /// An expression in which the Python side marked the names of modules.
    pub fn named(&mut self, source: &str) -> String {
        let mut text = String::new();
        let mut rest = source;
        while let Some((before, after)) = rest.split_once('\u{1}') {
            let (module, after) = after.split_once('\u{2}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(&self.module(module));
            rest = after;
        }
        text + rest
    }

    /// Names that variables must not have.
    pub fn taken(&self, name: &str) -> bool {
        let first = |module: &String| module.split('.').next() == Some(name);
        name == self.alias() || name == "pytest" || self.others.iter().any(first)
    }

    /// The lines at the head of the file. What no line of its body needs any more is not imported.
    pub fn lines(&self, body: &[&str]) -> Vec<String> {
        let needed = |module: &str| {
            let member = format!("{module}.");
            body.iter().any(|line| line.contains(&member)) || self.shadowed && module == "importlib"
        };
        let imports = |modules: Vec<&str>| {
            let modules = modules.into_iter().filter(|module| needed(module));
            modules.map(|module| format!("import {module}")).collect()
        };
        let others = self.others.iter().map(String::as_str).collect();
        let pytest = if self.pytest {
            vec!["pytest"]
        } else {
            Vec::new()
        };
        let mut groups: Vec<Vec<String>> = vec![imports(others), imports(pytest)];
        let (subject, alias) = (&self.subject, self.alias());
        let subject = match subject.rsplit_once('.') {
            _ if self.shadowed => format!("{alias} = importlib.import_module(\"{subject}\")"),
            Some((package, name)) if name == alias => format!("from {package} import {name}"),
            Some((package, name)) => format!("from {package} import {name} as {alias}"),
            None => format!("import {subject}"),
        };
        groups.push(vec![subject]);
        groups.retain(|group| !group.is_empty());
        let groups: Vec<String> = groups.iter().map(|group| group.join("\n")).collect();
        groups.join("\n\n").lines().map(str::to_owned).collect()
    }
}

/// Whether Python takes this for a name.
fn is_identifier(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    begins && goes_on && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_its_package_hides_is_imported_by_name() {
        let imports = Imports::of("pkg.mod").shadowed(true);
        let text = "import importlib\n\nmod = importlib.import_module(\"pkg.mod\")";
        assert_eq!(imports.lines(&[]).join("\n"), text);
    }

    #[test]
    fn a_module_whose_name_python_cannot_write_is_imported_by_a_function() {
        for (subject, alias) in [
            ("my-module", "my_module"),
            ("pkg.2nd", "module_2nd"),
            ("my-pkg.mod", "mod"),
            ("pkg.class", "module_class"),
        ] {
            let mut imports = Imports::of(subject);
            assert_eq!(imports.member(subject, "f"), format!("{alias}.f"));
            let text =
                format!("import importlib\n\n{alias} = importlib.import_module(\"{subject}\")");
            assert_eq!(imports.lines(&[]).join("\n"), text);
        }
    }

    #[test]
    fn a_module_with_the_name_of_another_one_that_is_needed_goes_by_its_whole_name() {
        let mut imports = Imports::of("pkg.datetime");
        imports.module("datetime");
        assert_eq!(imports.member("pkg.datetime", "f"), "pkg_datetime.f");
        assert!(imports.taken("datetime") && imports.taken("pkg_datetime"));
        let text = "import datetime\n\nfrom pkg import datetime as pkg_datetime";
        let body = ["    pkg_datetime.f(datetime.date(1, 2, 3))"];
        assert_eq!(imports.lines(&body).join("\n"), text);
        let unclear = Imports::of("pkg.pytest").lines(&[]).join("\n");
        assert_eq!(unclear, "from pkg import pytest as pkg_pytest");
    }

    #[test]
    fn imports_are_sorted_in_groups_and_the_subject_goes_by_its_last_name() {
        let mut imports = Imports::of("pkg.mod");
        imports.pytest();
        assert_eq!(imports.member("pkg.mod", "C.f"), "mod.C.f");
        assert_eq!(
            imports.named("[\u{1}zlib\u{2}.x, \u{1}pkg.mod\u{2}.Y]"),
            "[zlib.x, mod.Y]"
        );
        assert_eq!(imports.member("builtins", "int"), "int");
        imports.module("abc");
        let text = "import abc\nimport zlib\n\nimport pytest\n\nfrom pkg import mod";
        let body = ["    with pytest.raises(abc.Error):", "        zlib.x()"];
        assert_eq!(imports.lines(&body).join("\n"), text);
        let less = "import zlib\n\nfrom pkg import mod";
        assert_eq!(imports.lines(&body[1..]).join("\n"), less);
        assert!(imports.taken("mod") && imports.taken("zlib") && !imports.taken("x"));
    }
}
