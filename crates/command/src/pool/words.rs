//! Splits a line into words as a POSIX shell does, without its expansions.

use thiserror::Error;

/// The words of a line, and where standard input comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The words.
    pub args: Vec<String>,
    /// The file after `<`.
    pub stdin: Option<String>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{cause}")]
pub struct WordError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub cause: String,
}

/// Splits a line; `None` where it is blank or a comment.
pub fn split_line(text: &str) -> Result<Option<Line>, WordError> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return Ok(None);
    }
    let characters: Vec<char> = text.chars().collect();
    let mut splitter = Splitter {
        characters: &characters,
        at: 0,
    };
    let mut line = Line::default();
    while splitter.skip_blanks() {
        let start = splitter.at;
        if characters[start] != '<' {
            line.args.push(splitter.word()?);
            continue;
        }
        splitter.at += 1;
        if line.stdin.is_some() {
            return Err(fault(start, "standard input is given twice"));
        }
        if !splitter.skip_blanks() {
            return Err(fault(start, "`<` needs the name of a file after it"));
        }
        line.stdin = Some(splitter.word()?);
    }
    Ok(Some(line))
}

fn fault(at: usize, cause: impl Into<String>) -> WordError {
    WordError {
        column: at + 1,
        cause: cause.into(),
    }
}

struct Splitter<'a> {
    characters: &'a [char],
    at: usize,
}

impl Splitter<'_> {
    /// Goes to the next word; false at the end.
    fn skip_blanks(&mut self) -> bool {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at < self.characters.len()
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn word(&mut self) -> Result<String, WordError> {
        let mut word = String::new();
        while let Some(character) = self.peek() {
            match character {
                '\'' => self.quoted('\'', &mut word)?,
                '"' => self.quoted('"', &mut word)?,
                '\\' => {
                    let escaped = self.characters.get(self.at + 1);
                    word.push(*escaped.ok_or_else(|| fault(self.at, "nothing follows `\\`"))?);
                    self.at += 2;
                }
                '<' => break,
                '|' | '&' | ';' | '>' | '`' => {
                    let cause = format!("no shell runs this line; put quotes around `{character}`");
                    return Err(fault(self.at, cause));
                }
                _ if character.is_whitespace() => break,
                _ => {
                    word.push(character);
                    self.at += 1;
                }
            }
        }
        Ok(word)
    }

    fn quoted(&mut self, quote: char, word: &mut String) -> Result<(), WordError> {
        let start = self.at;
        self.at += 1;
        while let Some(character) = self.peek() {
            self.at += 1;
            if character == quote {
                return Ok(());
            }
            let escapes = quote == '"' && character == '\\';
            match self
                .peek()
                .filter(|next| escapes && "\"\\$`".contains(*next))
            {
                Some(next) => {
                    word.push(next);
                    self.at += 1;
                }
                None => word.push(character),
            }
        }
        Err(fault(start, format!("this {quote} is not closed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<String> {
        split_line(text).unwrap().unwrap().args
    }

    #[test]
    fn quotes_and_backslashes_keep_what_they_protect() {
        assert_eq!(
            args(r#"a 'b  c' "d\"e" f\ g '' "\n""#),
            ["a", "b  c", "d\"e", "f g", "", "\\n"]
        );
        assert_eq!(args("x'y'\"z\""), ["xyz"]);
    }

    #[test]
    fn standard_input_is_named_anywhere_on_the_line() {
        let line = |text| split_line(text).unwrap().unwrap();
        let expected = Line {
            args: vec!["-a".to_owned(), "b".to_owned()],
            stdin: Some("in 1".to_owned()),
        };
        assert_eq!(line("-a < 'in 1' b"), expected);
        assert_eq!(line("-a b <'in 1'"), expected);
        assert_eq!(line("-a b<in\\ 1"), expected);
    }

    #[test]
    fn blank_lines_and_comments_are_no_inputs() {
        assert_eq!(split_line("  "), Ok(None));
        assert_eq!(split_line("# -a"), Ok(None));
        assert_eq!(args("a # b"), ["a", "#", "b"]);
    }

    #[test]
    fn errors_say_where() {
        let column = |text| split_line(text).unwrap_err().column;
        assert_eq!(column("a 'b"), 3);
        assert_eq!(column("a | b"), 3);
        assert_eq!(column("a <"), 3);
        assert_eq!(column("a < b < c"), 7);
        assert_eq!(column("é \\"), 3);
    }
}
