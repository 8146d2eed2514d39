//! Colours, dashes and markers of series, and the style sheet that gives them to light and dark pages.
//!
//! The hues are those of Okabe and Ito (2008), chosen so that all common forms of colour blindness tell them apart; for dark
//! pages they are lightened. Style 0 is neutral and meant for the baseline.

use super::canvas::{Svg, length};

/// How a series looks; wraps around after the eight looks there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style(pub usize);

/// Dash patterns per style; the empty one is a full line.
const DASHES: [&str; 8] = [
    "6 4",
    "",
    "2 3",
    "9 3 2 3",
    "12 3",
    "5 2",
    "1 2",
    "9 3 2 3 2 3",
];

/// Rules for all plots: colours first, then forms, which may take a colour away again. A page that embeds plots includes them once; a standalone SVG carries them itself.
pub const STYLE_SHEET: &str = "\
.plot{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
.plot text{fill:#3b3f45}.plot .name{fill:#16181b;font-weight:600}
.plot .axis{stroke:#7a8087}.plot .grid{stroke:#e1e4e8}.plot .one{stroke:#16181b}
.plot .c0{stroke:#4d5358;fill:#4d5358}.plot .c1{stroke:#0072b2;fill:#0072b2}
.plot .c2{stroke:#d55e00;fill:#d55e00}.plot .c3{stroke:#008f68;fill:#008f68}
.plot .c4{stroke:#b8579a;fill:#b8579a}.plot .c5{stroke:#b87f00;fill:#b87f00}
.plot .c6{stroke:#3a9bd6;fill:#3a9bd6}.plot .c7{stroke:#7a5195;fill:#7a5195}
@media (prefers-color-scheme:dark){.plot text{fill:#c3c8ce}.plot .name{fill:#f1f3f5}
.plot .axis{stroke:#8b929a}.plot .grid{stroke:#33383e}.plot .one{stroke:#f1f3f5}
.plot .c0{stroke:#aeb4ba;fill:#aeb4ba}.plot .c1{stroke:#56b4e9;fill:#56b4e9}
.plot .c2{stroke:#ff8b4a;fill:#ff8b4a}.plot .c3{stroke:#2fcea2;fill:#2fcea2}
.plot .c4{stroke:#e69cc9;fill:#e69cc9}.plot .c5{stroke:#f0b73e;fill:#f0b73e}
.plot .c6{stroke:#9ad4f7;fill:#9ad4f7}.plot .c7{stroke:#b99bd6;fill:#b99bd6}}
.plot .tick{font-size:11px}.plot .middle{text-anchor:middle}.plot .end{text-anchor:end}
.plot .axis,.plot .grid{fill:none}.plot .one{fill:none;stroke-dasharray:5 4}
.plot .line{fill:none;stroke-width:1.8;stroke-linejoin:round}.plot .thin{fill:none;stroke-width:1.2}
.plot .band{stroke:none;fill-opacity:.16}.plot .box{fill-opacity:.22;stroke-width:1.2}
.plot .median{stroke-width:2.4}.plot .open{fill:none;stroke-width:1.2}.plot .hit{fill-opacity:0;stroke:none}
";

impl Style {
    /// The style of the series at `index` among the `names`, where the one called `baseline` is neutral.
    #[must_use]
    pub fn of(name: &str, names: &[String], baseline: &str) -> Self {
        let others = names.iter().filter(|other| *other != baseline);
        Self(
            others
                .enumerate()
                .find(|(_, other)| *other == name)
                .map_or(0, |(index, _)| index + 1),
        )
    }

    /// The class that colours a mark.
    pub(super) fn class(self) -> String {
        // The neutral look is for the baseline alone, so wrapping around skips it.
        let colour = if self.0 < 8 {
            self.0
        } else {
            1 + (self.0 - 1) % 7
        };
        format!("c{colour}")
    }

    /// The dash pattern as an attribute, with a leading space, or nothing.
    pub(super) fn dash(self) -> String {
        match DASHES[self.0 % DASHES.len()] {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        }
    }

    /// Draws the marker of the style with its centre at (x, y).
    pub(super) fn marker(self, svg: &mut Svg, x: f64, y: f64, title: &str) {
        let r = 3.4;
        let at = |dx: f64, dy: f64| format!("{} {}", length(x + dx * r), length(y + dy * r));
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<String> = corners.iter().map(|&(dx, dy)| at(dx, dy)).collect();
            format!("M{}Z", corners.join("L"))
        };
        let (path, class) = match self.0 % 8 {
            0 => return svg.circle(x, y, r, &self.class(), title),
            1 => (
                polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
                "",
            ),
            2 => (polygon(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]), ""),
            3 => (
                polygon(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
                "",
            ),
            4 => (
                format!(
                    "M{}L{}M{}L{}",
                    at(-1.0, -1.0),
                    at(1.0, 1.0),
                    at(-1.0, 1.0),
                    at(1.0, -1.0)
                ),
                " line",
            ),
            5 => (polygon(&[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)]), ""),
            6 => (
                format!(
                    "M{}L{}M{}L{}",
                    at(-1.2, 0.0),
                    at(1.2, 0.0),
                    at(0.0, -1.2),
                    at(0.0, 1.2)
                ),
                " line",
            ),
            _ => return svg.circle(x, y, r, &format!("{} open", self.class()), title),
        };
        svg.path(&path, &format!("{}{class}", self.class()), "", title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_is_neutral_wherever_it_stands() {
        let names = ["art-sum", "random", "art-mif"].map(str::to_owned);
        let styles = names
            .each_ref()
            .map(|name| Style::of(name, &names, "random").0);
        assert_eq!(styles, [1, 0, 2]);
    }

    #[test]
    fn more_than_eight_series_still_get_a_colour() {
        assert_eq!(
            [7, 8, 14, 15].map(|index| Style(index).class()),
            ["c7", "c1", "c7", "c1"]
        );
    }
}
