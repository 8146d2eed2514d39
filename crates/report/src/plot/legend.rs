//! The legend: a name and a sign per series, in rows that fit the width.

use super::canvas::{Svg, length, text_width};
use super::style::Style;

/// Height of a row of entries.
const ROW: f64 = 19.0;
/// Width of the sign with its gap to the name.
const SIGN: f64 = 30.0;
/// Gap between entries.
const GAP: f64 = 16.0;
/// Longest name shown whole.
const LIMIT: usize = 32;

/// What stands before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The line and the marker of the series.
    Line,
    /// The marker on a box.
    Box,
}

/// An entry of a legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the series.
    pub name: String,
    /// Its look.
    pub style: Style,
}

impl Entry {
    fn width(&self) -> f64 {
        let name = crate::escape::clipped(&self.name, LIMIT);
        SIGN + text_width(&name, 12.0)
    }
}

/// A legend as a drawing of its own, for several plots that share it.
#[must_use]
pub fn legend(entries: &[Entry], width: f64) -> Svg {
    let mut svg = Svg::new(width, height(entries, width), "legend");
    draw(&mut svg, entries, Sign::Line, (0.0, 0.0), width);
    svg
}

/// The height that entries take in a width.
pub(super) fn height(entries: &[Entry], width: f64) -> f64 {
    places(entries, width).last().map_or(0.0, |&(_, y)| y + ROW)
}

/// Draws the entries from a top left corner.
pub(super) fn draw(svg: &mut Svg, entries: &[Entry], sign: Sign, corner: (f64, f64), width: f64) {
    for (entry, (dx, dy)) in entries.iter().zip(places(entries, width)) {
        let (x, y) = (corner.0 + dx, corner.1 + dy + ROW / 2.0);
        match sign {
            Sign::Line => {
                let path = format!(
                    "M{} {}L{} {}",
                    length(x),
                    length(y),
                    length(x + 24.0),
                    length(y)
                );
                svg.path(
                    &path,
                    &format!("{} line", entry.style.class()),
                    &entry.style.dash(),
                    "",
                );
            }
            Sign::Box => {
                svg.rect(
                    (x + 3.0, y - 7.0),
                    (18.0, 14.0),
                    &format!("{} box", entry.style.class()),
                    "",
                );
            }
        }
        entry.style.marker(svg, x + 12.0, y, "");
        svg.text(x + SIGN, y + 4.0, "label", &entry.name, LIMIT);
    }
}

/// Where each entry stands, from left to right, then in the next row.
fn places(entries: &[Entry], width: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        if x > 0.0 && x + entry.width() > width {
            (x, y) = (0.0, y + ROW);
        }
        places.push((x, y));
        x += entry.width() + GAP;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_wrap_to_the_width() {
        let entry = |name: &str| Entry {
            name: name.to_owned(),
            style: Style(1),
        };
        let entries = ["random", "art-sum", "art-mif"].map(entry);
        assert_eq!(height(&entries, 1000.0), ROW);
        assert_eq!(height(&entries, 100.0), 3.0 * ROW);
        assert_eq!(height(&[], 100.0), 0.0);
    }
}
