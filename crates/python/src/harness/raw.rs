//! Raw Python of a harness: which modules it imports, and what TSTL adds to its functions.
//!
//! Functions may look at values that expressions had when they were entered (`pre<(e)>`), and a function called `guarded…` can be
//! asked whether it would do something: it answers at its `%COMMIT%`.

use super::lines::Line;
use super::model::Harness;

/// Puts raw Python into the harness, at the lines of the file.
pub fn add_raw(harness: &mut Harness, lines: &[Line]) {
    let mut text = String::new();
    let mut number = 1;
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        imports(harness, line);
        if line.place(0).column == 2 {
            harness.marked.push(line.place(0).line);
        }
        while number < line.place(0).line {
            text.push('\n');
            number += 1;
        }
        // A function reaches up to the next line that is not indented.
        let body = after
            .iter()
            .take_while(|line| line.text.starts_with([' ', '\t']))
            .count();
        let is_function = line.text.starts_with("def ");
        if is_function {
            text.push_str(&head(&line.text));
            text.push_str(&earlier_values(&after[..body]));
        } else {
            text.push_str(&body_line(&line.text));
        }
        text.push('\n');
        number += 1;
        rest = after;
    }
    harness.raw = text;
}

fn head(text: &str) -> String {
    if !text.starts_with("def guarded") {
        return text.to_owned();
    }
    let open = text.contains("()");
    text.replace(
        "):",
        if open {
            "SPECULATIVE_CALL=False):"
        } else {
            ", SPECULATIVE_CALL=False):"
        },
    )
}

/// The statements that keep what a function's `pre<(e)>` ask for, on lines of their own.
fn earlier_values(body: &[Line]) -> String {
    let indent: String = match body.first() {
        Some(line) => line
            .text
            .chars()
            .take_while(|c| c.is_whitespace())
            .collect(),
        None => return String::new(),
    };
    let mut added = String::new();
    for line in body {
        let mut rest = line.text.as_str();
        while let Some((inner, after)) = earlier(rest).map(|(_, inner, after)| (inner, after)) {
            added.push_str(&format!("\n{indent}__pre[{inner:?}] = {inner}"));
            rest = after;
        }
    }
    if added.is_empty() {
        return added;
    }
    format!("\n{indent}__pre = {{}}{added}")
}

/// The text before, inside and after the first `pre<(e)>`.
fn earlier(text: &str) -> Option<(&str, &str, &str)> {
    let forms = [
        ("pre<(", ")>"),
        ("PRE<(", ")>"),
        ("PRE%(", ")%"),
        ("pre%(", ")%"),
    ];
    forms.into_iter().find_map(|(open, close)| {
        let (before, rest) = text.split_once(open)?;
        let (inner, after) = rest.split_once(close)?;
        Some((before, inner, after))
    })
}

fn body_line(text: &str) -> String {
    let mut text = text.replace("%COMMIT%", "if SPECULATIVE_CALL: return True");
    while let Some((before, inner, after)) = earlier(&text) {
        text = format!("{before}__pre[{inner:?}]{after}");
    }
    text
}

/// A plain import names modules under test.
fn imports(harness: &mut Harness, line: &Line) {
    let mut words = line.text.split_whitespace();
    match words.next() {
        Some("import") => {
            let names = line.text.trim_start().trim_start_matches("import");
            for name in names.split([',', ';', '#']) {
                if let Some(module) = name.split_whitespace().next() {
                    harness.modules.push(module.to_owned());
                }
            }
        }
        Some("from") => harness
            .imported_from
            .extend(words.next().map(str::to_owned)),
        _ => {}
    }
}
