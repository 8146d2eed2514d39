//! Modified UTF-8, the encoding of texts in class files: NUL takes two bytes, and characters beyond the basic plane are two
//! surrogates of three bytes each.
//!
//! Plain UTF-8 is also accepted in reading, since it has one meaning only.

use std::borrow::Cow;

/// The text, with U+FFFD for each surrogate that has no partner. `None` when the bytes are not modified UTF-8.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let units = units(bytes)?;
    Some(Cow::Owned(String::from_utf16_lossy(&units)))
}

/// The text as Java sees it, in UTF-16 units. `None` when the bytes are not modified UTF-8.
pub fn units(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, _)) = rest.split_first() {
        let length = match first {
            0x00..=0x7f => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => return None,
        };
        let (sequence, after) = rest.split_at_checked(length)?;
        rest = after;
        push(&mut units, sequence)?;
    }
    Some(units)
}

fn push(units: &mut Vec<u16>, sequence: &[u8]) -> Option<()> {
    if sequence[1..].iter().any(|byte| byte & 0xc0 != 0x80) {
        return None;
    }
    let low = |at: usize| u16::from(sequence[at] & 0x3f);
    match sequence.len() {
        1 => units.push(u16::from(sequence[0])),
        2 => units.push(u16::from(sequence[0] & 0x1f) << 6 | low(1)),
        3 => units.push(u16::from(sequence[0] & 0x0f) << 12 | low(1) << 6 | low(2)),
        _ => units.extend(str::from_utf8(sequence).ok()?.encode_utf16()),
    }
    Some(())
}

/// The bytes of a text.
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|byte| byte != 0 && byte < 0xf0) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + 8);
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => {
                bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]);
            }
            _ => bytes.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_and_far_characters_survive_encoding_and_decoding() {
        for text in [
            "",
            "abc",
            "a\0b",
            "é€",
            "\u{1f600}!",
            "\u{7ff}\u{800}\u{ffff}",
        ] {
            let bytes = encode(text);
            assert!(!bytes.contains(&0), "{text:?}");
            assert_eq!(decode(&bytes).as_deref(), Some(text));
        }
        assert_eq!(&*encode("\0\u{1f600}"), b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80");
    }

    #[test]
    fn a_lone_surrogate_is_kept_in_the_units_and_marked_in_the_text() {
        let bytes = b"a\xed\xa0\xbdb";
        assert_eq!(units(bytes), Some(vec![0x61, 0xd83d, 0x62]));
        assert_eq!(decode(bytes).as_deref(), Some("a\u{fffd}b"));
    }

    #[test]
    fn broken_sequences_are_refused() {
        for bytes in [
            &b"\x80"[..],
            b"\xc3",
            b"\xe2\x82",
            b"\xc3a",
            b"\xff",
            b"\xf8\x80\x80\x80\x80",
        ] {
            assert_eq!(decode(bytes), None, "{bytes:x?}");
        }
    }
}
