//! What identifies a difference between two outputs: the shapes of the first lines that differ. Numbers and words are folded,
//! so that the same cause on other data gives the same signature.

/// Lines are cut to this many characters of shape.
const WIDTH: usize = 40;

/// The first difference of two outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line number, from 1.
    pub line: usize,
    /// The expected line; `None` if there is none.
    pub expected: Option<String>,
    /// The line that was there.
    pub seen: Option<String>,
}

/// Finds the first line in which two outputs differ.
pub fn first_difference(expected: &[u8], seen: &[u8]) -> Option<Difference> {
    if expected == seen {
        return None;
    }
    let text = |line: Option<&[u8]>| line.map(|line| String::from_utf8_lossy(line).into_owned());
    let mut expected_lines = expected.split_inclusive(|byte| *byte == b'\n');
    let mut seen_lines = seen.split_inclusive(|byte| *byte == b'\n');
    let mut line = 1;
    loop {
        match (expected_lines.next(), seen_lines.next()) {
            (a, b) if a == b => line += 1,
            (a, b) => {
                return Some(Difference {
                    line,
                    expected: text(a),
                    seen: text(b),
                });
            }
        }
    }
}

impl Difference {
    /// What identifies it.
    pub fn signature(&self) -> String {
        let shape = |line: &Option<String>| line.as_deref().map_or_else(|| "end".to_owned(), shape);
        format!("{} -> {}", shape(&self.expected), shape(&self.seen))
    }
}

/// Folds runs of digits to `0`, of letters to `a`, of blanks to one blank.
fn shape(line: &str) -> String {
    let mut shape = String::new();
    for c in line.trim_end_matches('\n').chars() {
        let folded = match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_alphabetic() => 'a',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if !shape.ends_with(folded) {
            shape.push(folded);
        }
        if shape.chars().count() == WIDTH {
            break;
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_kind_of_difference_on_other_data_has_the_same_signature() {
        let one = first_difference(b"a\nsum 12\n", b"a\nsum -7\n").unwrap();
        let other = first_difference(b"total 900\n", b"total -13\n").unwrap();
        assert_eq!(one.line, 2);
        assert_eq!(one.signature(), other.signature());
        assert_eq!(one.signature(), "a 0 -> a -0");
    }

    #[test]
    fn missing_lines_and_line_ends_are_differences() {
        assert_eq!(
            first_difference(b"a\n", b"").unwrap().signature(),
            "a -> end"
        );
        assert!(first_difference(b"a", b"a\n").is_some());
        assert_eq!(first_difference(b"a\nb\n", b"a\nb\n"), None);
    }
}
