//! Records as JSON text.

use serde::Serialize;

/// Indented JSON with a line feed at its end.
pub(crate) fn pretty(record: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(record)
        .expect("records hold only text, numbers and lists of them");
    text.push('\n');
    text
}
