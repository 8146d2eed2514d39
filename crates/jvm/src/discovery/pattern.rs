//! Patterns over dotted Java names: `*` is any run without a dot, `**` any run at all, `?` one character but a dot.
//!
//! A trailing `.**` also matches nothing, so that `org.example.**` means the package and all below it.

/// A pattern over dotted names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    One(char),
    AnyOne,
    AnyRun,
    AnyDottedRun,
}

impl Pattern {
    /// Reads a pattern; every text is one.
    pub fn new(text: &str) -> Pattern {
        let mut parts = Vec::new();
        for letter in text.chars() {
            match (letter, parts.last()) {
                ('*', Some(Part::AnyDottedRun)) => {}
                ('*', Some(Part::AnyRun)) => {
                    parts.pop();
                    parts.push(Part::AnyDottedRun);
                }
                ('*', _) => parts.push(Part::AnyRun),
                ('?', _) => parts.push(Part::AnyOne),
                _ => parts.push(Part::One(letter)),
            }
        }
        Pattern {
            text: text.to_owned(),
            parts,
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has a dot, so that it speaks of qualified names.
    pub fn is_qualified(&self) -> bool {
        self.text.contains('.') || self.parts.contains(&Part::AnyDottedRun)
    }

    /// Whether the whole name fits.
    pub fn matches(&self, name: &str) -> bool {
        let below = [Part::One('.'), Part::AnyDottedRun];
        let stem = self.parts.strip_suffix(below.as_slice());
        let letters: Vec<char> = name.chars().collect();
        fits(&self.parts, &letters) || stem.is_some_and(|stem| fits(stem, &letters))
    }
}

/// Keeps the set of positions in the pattern that the letters so far can have led to: no backtracking, so no bad case.
fn fits(parts: &[Part], letters: &[char]) -> bool {
    let mut here = vec![false; parts.len() + 1];
    here[0] = true;
    skip_runs(parts, &mut here);
    for &letter in letters {
        let mut next = vec![false; parts.len() + 1];
        for (index, part) in parts.iter().enumerate().filter(|(index, _)| here[*index]) {
            match part {
                Part::One(wanted) => next[index + 1] |= *wanted == letter,
                Part::AnyOne => next[index + 1] |= letter != '.',
                Part::AnyRun => next[index] |= letter != '.',
                Part::AnyDottedRun => next[index] = true,
            }
        }
        skip_runs(parts, &mut next);
        here = next;
    }
    here[parts.len()]
}

fn skip_runs(parts: &[Part], here: &mut [bool]) {
    for (index, part) in parts.iter().enumerate() {
        if here[index] && matches!(part, Part::AnyRun | Part::AnyDottedRun) {
            here[index + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern).matches(name)
    }

    #[test]
    fn one_star_stops_at_dots_and_two_do_not() {
        assert!(matches("org.*.Foo", "org.example.Foo"));
        assert!(!matches("org.*.Foo", "org.example.deep.Foo"));
        assert!(matches("org.**.Foo", "org.example.deep.Foo"));
        assert!(matches("*Utils", "StringUtils"));
        assert!(!matches("*Utils", "org.StringUtils"));
        assert!(matches("F?o", "Foo"));
        assert!(!matches("F?o", "Fo"));
        assert!(matches("**", "anything.at.all"));
        assert!(!matches("Foo", "Food"));
    }

    #[test]
    fn a_trailing_double_star_includes_the_package_itself() {
        assert!(matches("org.example.**", "org.example"));
        assert!(matches("org.example.**", "org.example.deep"));
        assert!(!matches("org.example.**", "org.examples"));
    }

    #[test]
    fn many_stars_do_not_take_long() {
        let pattern = "*a".repeat(200);
        assert!(!matches(&pattern, &"a".repeat(199)));
        assert!(matches(&pattern, &"a".repeat(2000)));
    }
}
