//! The steps of a test as statements. What only makes a value is written where it is used; objects get variables.

use std::collections::BTreeSet;

use engine::{Argument, Step, Test, Value};

use super::imports::Imports;
use super::literal::{literal, quoted};
use super::operator::{receiver, special};
use crate::module::{ModuleModel, ModuleOperation, OperationKind};

/// Words that are no names in Python.
pub(super) const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None",
    "True", "False",
];

/// Names that are used in written tests and mean something else there.
const USED: &[&str] = &[
    "print", "list", "dict", "set", "str", "int", "len", "type", "repr", "hash", "float", "tuple",
    "object", "bytes", "bool", "iter", "next", "range", "id", "input", "format", "result", "error",
];

/// A test as statements and the expression of its last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The statements before the last step.
    pub statements: Vec<String>,
    /// The last step.
    pub last: String,
    /// Whether the last step is a statement, without a value.
    pub statement: bool,
    /// The variable of every step that has one.
    pub variables: Vec<Option<String>>,
}

struct Writing<'a> {
    model: &'a ModuleModel,
    imports: &'a mut Imports,
    test: &'a Test,
    /// How often the result of every step is used.
    used: Vec<usize>,
    texts: Vec<String>,
    variables: Vec<Option<String>>,
    names: BTreeSet<String>,
    /// Statements that must stand before the step that is being written.
    before: Vec<String>,
}

/// The statements of a test. Steps in `named` get variables even if nothing needs them.
pub fn body(model: &ModuleModel, test: &Test, named: &[u32], imports: &mut Imports) -> Body {
    let mut used = vec![0; test.steps.len()];
    for argument in test.steps.iter().flat_map(|step| &step.arguments) {
        if let Argument::Result(step) = argument {
            used[*step as usize] += 1;
        }
    }
    for step in named {
        used[*step as usize] += 2;
    }
    let mut writing = Writing {
        model,
        imports,
        test,
        used,
        texts: Vec::new(),
        variables: Vec::new(),
        names: BTreeSet::new(),
        before: Vec::new(),
    };
    let mut statements = Vec::new();
    let last = test.steps.len().saturating_sub(1);
    for (index, step) in test.steps.iter().enumerate() {
        let own = writing.step(index, step, index == last);
        statements.append(&mut writing.before);
        statements.extend(own);
    }
    let statement = test
        .steps
        .last()
        .is_some_and(|step| is_statement(writing.operation(step)));
    Body {
        statements,
        last: writing.texts.pop().unwrap_or_default(),
        statement,
        variables: writing.variables,
    }
}

/// Whether an operation is written as a statement.
fn is_statement(operation: &ModuleOperation) -> bool {
    operation.kind == OperationKind::Setter
        || operation.kind == OperationKind::Method
            && matches!(operation.name.as_str(), "__setitem__" | "__delitem__")
}

impl Writing<'_> {
    fn operation(&self, step: &Step) -> &ModuleOperation {
        &self.model.operations[step.operation.0 as usize]
    }

    /// Adds a step; gives its statement, if it needs one.
    fn step(&mut self, index: usize, step: &Step, last: bool) -> Option<String> {
        let expression = self.expression(step);
        let operation = self.operation(step);
        let (tested, statement) = (operation.tested, is_statement(operation));
        let inline =
            !tested && operation.kind != OperationKind::Constructor && self.used[index] < 2;
        if last || (inline && !statement) {
            self.texts.push(expression);
            self.variables.push(None);
            return None;
        }
        if self.used[index] == 0 || statement {
            self.texts.push("None".to_owned());
            self.variables.push(None);
            return Some(expression);
        }
        let name = self.variable(index);
        self.texts.push(name.clone());
        self.variables.push(Some(name.clone()));
        Some(format!("{name} = {expression}"))
    }

    /// A name for the result of a step.
    fn variable(&mut self, index: usize) -> String {
        let operation = self.operation(&self.test.steps[index]);
        let word = match operation.kind {
            OperationKind::Constructor => snake(&operation.name),
            OperationKind::List
            | OperationKind::Tuple
            | OperationKind::Set
            | OperationKind::FrozenSet => "items".to_owned(),
            OperationKind::Dict => "mapping".to_owned(),
            OperationKind::Iterator => "iterator".to_owned(),
            OperationKind::Expression
            | OperationKind::Wrap
            | OperationKind::Value
            | OperationKind::Concatenation => "value".to_owned(),
            _ => match snake(operation.name.trim_matches('_')) {
                name if operation.name.starts_with("__") => format!("{name}_result"),
                name => name,
            },
        };
        self.free(&word)
    }

    /// A name that nothing has, from now on taken.
    fn free(&mut self, word: &str) -> String {
        let fits = |name: &String| {
            !KEYWORDS.contains(&name.as_str())
                && !USED.contains(&name.as_str())
                && !self.imports.taken(name)
                && !self.names.contains(name)
        };
        let numbered = (0..).map(|number| match number {
            0 => word.to_owned(),
            1 => format!("a_{word}"),
            _ => format!("{word}_{number}"),
        });
        let name = numbered
            .into_iter()
            .find(fits)
            .unwrap_or_else(|| word.to_owned());
        self.names.insert(name.clone());
        name
    }

    fn argument(
        &mut self,
        operation: &ModuleOperation,
        place: usize,
        argument: &Argument,
    ) -> Option<String> {
        let place = place.min(operation.bytes.len().saturating_sub(1));
        match argument {
            Argument::Result(step) => Some(self.texts[*step as usize].clone()),
            Argument::Slot { .. } => None,
            Argument::Literal(one)
                if one.value == Value::Nothing && operation.optional.get(place) == Some(&true) =>
            {
                None
            }
            Argument::Literal(one) => Some(literal(
                &one.value,
                operation.bytes.get(place) == Some(&true),
            )),
        }
    }

    fn expression(&mut self, step: &Step) -> String {
        let operation = self.model.operations[step.operation.0 as usize].clone();
        if operation.kind == OperationKind::Concatenation {
            return self.concatenation(step);
        }
        let places = step.arguments.iter().enumerate();
        let given: Vec<Option<String>> = places
            .map(|(place, argument)| self.argument(&operation, place, argument))
            .collect();
        let all: Vec<String> = given.iter().flatten().cloned().collect();
        match operation.kind {
            OperationKind::List => format!("[{}]", all.join(", ")),
            OperationKind::Tuple if all.len() == 1 => format!("({},)", all[0]),
            OperationKind::Tuple => format!("({})", all.join(", ")),
            OperationKind::Set if all.is_empty() => "set()".to_owned(),
            OperationKind::Set => format!("{{{}}}", all.join(", ")),
            OperationKind::FrozenSet => format!("frozenset([{}])", all.join(", ")),
            OperationKind::Iterator => format!("iter([{}])", all.join(", ")),
            OperationKind::Value => all.into_iter().next().unwrap_or_default(),
            OperationKind::Dict => {
                let pairs: Vec<String> = all.chunks(2).map(|pair| pair.join(": ")).collect();
                format!("{{{}}}", pairs.join(", "))
            }
            OperationKind::Expression | OperationKind::Wrap => {
                if !operation.module.is_empty() && operation.module != "builtins" {
                    self.imports.module(&operation.module);
                }
                match all.first() {
                    Some(inner) => operation.path.replace("{}", inner),
                    None => operation.path,
                }
            }
            OperationKind::Constant => self.imports.member(&operation.module, &operation.path),
            OperationKind::Setter => {
                format!("{}.{} = {}", receiver(&all[0]), operation.name, all[1])
            }
            OperationKind::Drain => format!("list({})", all.join(", ")),
            OperationKind::Getter => format!("{}.{}", receiver(&all[0]), operation.name),
            OperationKind::Concatenation => String::new(),
            OperationKind::Function | OperationKind::Constructor | OperationKind::Method => {
                self.call(&operation, &given)
            }
        }
    }

    fn call(&mut self, operation: &ModuleOperation, given: &[Option<String>]) -> String {
        let named = operation.names.iter().any(Option::is_some);
        let all: Vec<&str> = given.iter().flatten().map(String::as_str).collect();
        if operation.kind == OperationKind::Method
            && !named
            && let Some(text) = special(&operation.name, &all, self.imports)
        {
            return text;
        }
        let (target, first) = match operation.kind {
            OperationKind::Method => {
                let object = receiver(given[0].as_deref().unwrap_or("None"));
                (format!("{object}.{}", operation.name), 1)
            }
            _ => (self.imports.member(&operation.module, &operation.path), 0),
        };
        // Python wants positions before keywords, whatever comes last here.
        let (mut positions, mut keywords) = (Vec::new(), Vec::new());
        for (place, text) in given.iter().enumerate().skip(first) {
            let name = operation.names.get(place).and_then(Option::as_ref);
            match (text, name) {
                (Some(text), Some(name)) => keywords.push(format!("{name}={text}")),
                (Some(text), None) => positions.push(text.clone()),
                (None, _) => {}
            }
        }
        positions.extend(keywords);
        let text = format!("{target}({})", positions.join(", "));
        match (operation.awaits, operation.yields) {
            (false, false) if operation.enters => self.entered(&text),
            (false, false) => text,
            (false, true) => format!("list({text})"),
            (true, false) => format!("{}.run({text})", self.imports.module("asyncio")),
            (true, true) => self.collected(&text),
        }
    }

    /// What a context manager gives. It is left before anything is said of that.
    fn entered(&mut self, manager: &str) -> String {
        // The name must not hide a variable that the manager is made of.
        let (name, value) = (self.free("entered"), self.free("value"));
        self.before.extend([
            format!("def {name}():"),
            format!("    with {manager} as {value}:"),
            format!("        return {value}"),
            String::new(),
        ]);
        format!("{name}()")
    }

    /// What an asynchronous generator gives, as a list. Only an asynchronous function can ask it.
    fn collected(&mut self, generator: &str) -> String {
        let name = self.free("collected");
        self.before.extend([
            format!("async def {name}():"),
            format!("    return [item async for item in {generator}]"),
            String::new(),
        ]);
        format!("{}.run({name}())", self.imports.module("asyncio"))
    }

    /// A text of pieces, as one literal where all of them are.
    fn concatenation(&mut self, step: &Step) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut open = String::new();
        for argument in &step.arguments {
            match argument {
                Argument::Literal(one) => {
                    if let Value::Text(text) = &one.value {
                        open.push_str(text);
                    }
                }
                Argument::Result(step) => {
                    if !open.is_empty() {
                        parts.push(quoted(&std::mem::take(&mut open), false));
                    }
                    parts.push(self.texts[*step as usize].clone());
                }
                Argument::Slot { .. } => {}
            }
        }
        if !open.is_empty() || parts.is_empty() {
            parts.push(quoted(&open, false));
        }
        match parts.as_slice() {
            [one] => one.clone(),
            _ => format!("\"\".join([{}])", parts.join(", ")),
        }
    }
}

/// A name as variables and tests spell it.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (index, one) in letters.iter().enumerate() {
        let after_lower =
            index > 0 && (letters[index - 1].is_lowercase() || letters[index - 1].is_ascii_digit());
        let before_lower = index > 0
            && letters
                .get(index + 1)
                .is_some_and(|next| next.is_lowercase());
        if one.is_uppercase() && (after_lower || before_lower) && !text.ends_with('_') {
            text.push('_');
        }
        match one {
            one if one.is_alphanumeric() || *one == '_' => text.extend(one.to_lowercase()),
            _ => text.push('_'),
        }
    }
    let text = text.trim_matches('_').to_owned();
    match text.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("value_{text}"),
        Some(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_snake_case() {
        let names = ["HTTPServer", "parseISBN", "Shelf", "_private", "x2Y", "__"];
        let expected = [
            "http_server",
            "parse_isbn",
            "shelf",
            "private",
            "x2_y",
            "value",
        ];
        assert_eq!(names.map(snake), expected);
    }
}
