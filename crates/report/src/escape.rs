//! Making foreign text safe to show.
//!
//! Names and outputs come from subjects, which may print escape sequences, bidirectional overrides or bytes that XML
//! forbids. [`visible`] makes such characters visible; [`xml`] and [`xml_attribute`] also escape the markup. HTML pages get
//! their markup escaped by the template engine, so only [`visible`] is used for them.

/// `text` with every control character but line feed and tab replaced by its picture (escape becomes `␛`), and
/// characters that reorder or break text replaced by `U+FFFD`.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|character| {
            if matches!(character, '\n' | '\t') {
                character
            } else {
                picture(character)
            }
        })
        .collect()
}

/// [`visible`] for a place with only one line: line feeds and tabs become pictures too.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// [`one_line`], cut to at most `limit` characters with an ellipsis.
#[must_use]
pub fn clipped(text: &str, limit: usize) -> String {
    let text = one_line(text);
    if text.chars().count() <= limit {
        return text;
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// The first `lines` lines of `text`, each cut to `width` characters, and how many lines were left off.
#[must_use]
pub fn snippet(text: &str, lines: usize, width: usize) -> (Vec<String>, usize) {
    let total = text.lines().count();
    let shown = text
        .lines()
        .take(lines)
        .map(|line| clipped(line, width))
        .collect();
    (shown, total.saturating_sub(lines))
}

/// `text` as character data of an XML element.
#[must_use]
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// `text` as the value of an XML attribute in double quotes. Line feeds and tabs are kept as character references,
/// because an XML reader would turn plain ones into spaces.
#[must_use]
pub fn xml_attribute(text: &str) -> String {
    xml(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

fn picture(character: char) -> char {
    match character {
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + character as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{fffe}'
        | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_cannot_reach_a_terminal() {
        assert_eq!(visible("a\x1b[31mred\x07\n\tb"), "a␛[31mred␇\n\tb");
        assert_eq!(one_line("a\nb\tc\r"), "a␊b␉c␍");
    }

    #[test]
    fn text_direction_cannot_be_overridden() {
        assert_eq!(visible("x\u{202e}y\u{2066}z"), "x\u{fffd}y\u{fffd}z");
    }

    #[test]
    fn xml_has_no_markup_and_no_forbidden_character() {
        assert_eq!(
            xml("<a b=\"c\">&\0\u{ffff}</a>"),
            "&lt;a b=&quot;c&quot;&gt;&amp;␀\u{fffd}&lt;/a&gt;"
        );
        assert_eq!(xml_attribute("1\n2\t3"), "1&#10;2&#9;3");
    }

    #[test]
    fn long_text_is_clipped_by_characters_not_bytes() {
        assert_eq!(clipped("ééééé", 5), "ééééé");
        assert_eq!(clipped("éééééé", 5), "éééé…");
        assert_eq!(
            snippet("a\nb\nc\n", 2, 10),
            (vec!["a".to_owned(), "b".to_owned()], 1)
        );
    }
}
