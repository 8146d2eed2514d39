//! Special methods as the operators and built-in functions that call them.

use super::imports::Imports;

const BINARY: &[(&str, &str)] = &[
    ("__eq__", "=="),
    ("__ne__", "!="),
    ("__lt__", "<"),
    ("__le__", "<="),
    ("__gt__", ">"),
    ("__ge__", ">="),
    ("__add__", "+"),
    ("__sub__", "-"),
    ("__mul__", "*"),
    ("__truediv__", "/"),
    ("__floordiv__", "//"),
    ("__mod__", "%"),
    ("__and__", "&"),
    ("__or__", "|"),
    ("__xor__", "^"),
    ("__lshift__", "<<"),
    ("__rshift__", ">>"),
    ("__matmul__", "@"),
    ("__pow__", "**"),
];

const UNARY: &[(&str, &str)] = &[
    ("__hash__", "hash({})"),
    ("__len__", "len({})"),
    ("__iter__", "list({})"),
    ("__next__", "next({})"),
    ("__neg__", "-{}"),
    ("__pos__", "+{}"),
    ("__abs__", "abs({})"),
    ("__invert__", "~{}"),
    ("__bool__", "bool({})"),
    ("__int__", "int({})"),
    ("__float__", "float({})"),
    ("__complex__", "complex({})"),
    ("__index__", "operator.index({})"),
    ("__str__", "str({})"),
    ("__repr__", "repr({})"),
    ("__bytes__", "bytes({})"),
    ("__reversed__", "list(reversed({}))"),
];

const IN_PLACE: &[(&str, &str)] = &[
    ("__iadd__", "iadd"),
    ("__isub__", "isub"),
    ("__imul__", "imul"),
    ("__iand__", "iand"),
    ("__ior__", "ior"),
    ("__ixor__", "ixor"),
];

/// A special method as an operator; none if it is called by its name.
pub fn special(name: &str, given: &[&str], imports: &mut Imports) -> Option<String> {
    let find = |table: &[(&str, &'static str)], name: &str| {
        table
            .iter()
            .find(|(one, _)| *one == name)
            .map(|(_, text)| *text)
    };
    match given {
        [one] => {
            let template = find(UNARY, name)?;
            if name == "__index__" {
                imports.module("operator");
            }
            let object = if template.starts_with(['-', '+', '~']) {
                receiver(one)
            } else {
                (*one).to_owned()
            };
            Some(template.replace("{}", &object))
        }
        [one, other] => {
            if let Some(operator) = find(BINARY, name) {
                return Some(format!("{} {operator} {}", operand(one), operand(other)));
            }
            if let Some(function) = find(IN_PLACE, name) {
                let module = imports.module("operator");
                return Some(format!("{module}.{function}({one}, {other})"));
            }
            match name {
                "__contains__" => Some(format!("{} in {}", operand(other), operand(one))),
                "__getitem__" => Some(format!("{}[{other}]", receiver(one))),
                "__delitem__" => Some(format!("del {}[{other}]", receiver(one))),
                "__divmod__" => Some(format!("divmod({one}, {other})")),
                "__getattr__" => Some(format!("getattr({one}, {other})")),
                _ => {
                    let plain = format!("__{}", name.strip_prefix("__r")?);
                    let operator = find(BINARY, &plain)?;
                    Some(format!("{} {operator} {}", operand(other), operand(one)))
                }
            }
        }
        [one, key, value] if name == "__setitem__" => {
            Some(format!("{}[{key}] = {value}", receiver(one)))
        }
        _ => None,
    }
}

/// An expression before a dot or a bracket.
pub fn receiver(text: &str) -> String {
    let plain = text
        .chars()
        .all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '(' | ')' | '"'));
    if plain && !text.starts_with(|one: char| one.is_ascii_digit()) || text.starts_with('[') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// An expression beside an operator.
fn operand(text: &str) -> String {
    let loose = text.starts_with("lambda") || text.starts_with('-') || text.contains(" in ") || {
        let outside = !text.starts_with(['"', '(', '[', '{', 'b']);
        outside && text.contains(' ') && !text.contains('(')
    };
    if loose {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_that_bind_loosely_get_parentheses() {
        assert_eq!(operand("-1"), "(-1)");
        assert_eq!(operand("\"a b\""), "\"a b\"");
        assert_eq!(receiver("a + b"), "(a + b)");
        assert_eq!(receiver("mod.f(1)"), "mod.f(1)");
        assert_eq!(receiver("5"), "(5)");
    }
}
