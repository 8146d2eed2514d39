//! Which modules a test file imports, and how it calls them.
//!
//! The module under test goes by its last name (`from package import module`), others by their whole names.

use std::collections::BTreeSet;

/// The imports of one file.
#[derive(Debug, Clone)]
pub struct Imports {
    subject: String,
    others: BTreeSet<String>,
    pytest: bool,
    /// Whether the package has something else under the subject's name.
    shadowed: bool,
}

impl Imports {
    /// The imports of a file that tests a module.
    pub fn of(subject: &str) -> Imports {
        Imports {
            subject: subject.to_owned(),
            others: BTreeSet::new(),
            pytest: false,
            shadowed: false,
        }
    }

    /// The same where the package has something else under the subject's name, such as a function.
    pub fn shadowed(mut self, shadowed: bool) -> Imports {
        self.shadowed = shadowed;
        if shadowed {
            self.module("importlib");
        }
        self
    }

    /// What the module under test is called.
    fn alias(&self) -> &str {
        self.subject.rsplit('.').next().unwrap_or(&self.subject)
    }

    /// What a module is called, which is imported from now on. Built-in things have no module.
    pub fn module(&mut self, name: &str) -> String {
        if name == self.subject {
            return self.alias().to_owned();
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
        let subject = match self.subject.rsplit_once('.') {
            Some((_, name)) if self.shadowed => {
                format!("{name} = importlib.import_module(\"{}\")", self.subject)
            }
            Some((package, name)) => format!("from {package} import {name}"),
            None => format!("import {}", self.subject),
        };
        groups.push(vec![subject]);
        groups.retain(|group| !group.is_empty());
        let groups: Vec<String> = groups.iter().map(|group| group.join("\n")).collect();
        groups.join("\n\n").lines().map(str::to_owned).collect()
    }
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
