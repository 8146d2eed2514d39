//! The list of parts and presets that `--guide help` prints.

use super::part::{Part, Slot, TestKind};
use super::table::{PRESETS, parts};

/// All parts and presets, for people.
pub fn help() -> String {
    let mut text = String::new();
    for slot in Slot::ALL {
        let parts: Vec<Part> = parts().into_iter().filter(|one| one.slot == slot).collect();
        if parts.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "parts for `{}` ({}):\n",
            slot.name(),
            slot.summary()
        ));
        for part in parts {
            text.push_str(&format!("  {:<15} {}\n", part.name, part.summary));
        }
    }
    text.push_str("presets:\n");
    for preset in PRESETS {
        text.push_str(&format!("  {:<15} {}\n", preset.name, preset.summary));
        for kind in TestKind::ALL {
            let parts = match preset.parts(kind) {
                None => continue,
                Some([]) => "no parts".to_owned(),
                Some(parts) => parts.join(","),
            };
            text.push_str(&format!("  {:<15} {parts} on {}\n", "", kind.name()));
        }
    }
    text
}
