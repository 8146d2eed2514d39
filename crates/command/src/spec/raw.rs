//! Finds the place of a character of a decoded TOML string in the raw text of the file.

/// The byte offset in `raw` (the string as written, with its quotes) of byte `offset` of `decoded`. Where the two do not
/// fit together the start is returned, which is still the right string.
pub(super) fn raw_offset(raw: &str, decoded: &str, offset: usize) -> usize {
    let delimiter = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|delimiter| raw.starts_with(delimiter));
    let Some(delimiter) = delimiter else {
        return 0;
    };
    let multi_line = delimiter.len() == 3;
    let escapes = delimiter.starts_with('"');
    let mut at = delimiter.len();
    if multi_line {
        at += newline(&raw[at..]);
    }
    let mut done = 0;
    for character in decoded.chars() {
        if escapes && multi_line {
            at += folded(&raw[at..]);
        }
        if done >= offset {
            return at.min(raw.len());
        }
        let rest = &raw[at..];
        at += match rest.chars().next() {
            Some('\\') if escapes => escape_length(rest),
            Some('\r') if character == '\n' => newline(rest),
            Some(written) => written.len_utf8(),
            None => return 0,
        };
        done += character.len_utf8();
    }
    at.min(raw.len())
}

/// The length of a line break at the start of a text, 0 if there is none.
fn newline(text: &str) -> usize {
    match text {
        text if text.starts_with("\r\n") => 2,
        text if text.starts_with('\n') => 1,
        _ => 0,
    }
}

/// The length of a backslash at the end of a line and the white space it swallows, 0 if there is none.
fn folded(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('\\') else {
        return 0;
    };
    let kept = rest.trim_start_matches([' ', '\t']);
    if newline(kept) == 0 {
        return 0;
    }
    let kept = kept.trim_start_matches([' ', '\t', '\r', '\n']);
    text.len() - kept.len()
}

fn escape_length(text: &str) -> usize {
    let length = match text.as_bytes().get(1) {
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(b'x') => 4,
        _ => 2,
    };
    // A broken escape never gets past the TOML parser; stay on a character boundary all the same.
    match text.is_char_boundary(length) {
        true => length.min(text.len()),
        false => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_behind_escapes_and_line_breaks() {
        assert_eq!(raw_offset(r#""ab""#, "ab", 1), 2);
        assert_eq!(raw_offset(r#""\t\u0041b""#, "\tAb", 2), 9);
        assert_eq!(raw_offset("'''\nab'''", "ab", 1), 5);
        assert_eq!(raw_offset("\"\"\"a\\\n   b\"\"\"", "ab", 1), 9);
        assert_eq!(raw_offset("'ab'", "ab", 2), 3);
        assert_eq!(raw_offset("\"\\", "xyz", 2), 0);
    }
}
