//! A growing SVG drawing: the few elements plots need, with escaping and short numbers.

use crate::escape;

/// Average width of a character, as a share of the font size. Taken a little wide, so that labels rather leave a gap than
/// overlap.
const CHARACTER_WIDTH: f64 = 0.58;

/// A drawing. [`Svg::embedded`] is for a page that includes [`STYLE_SHEET`](super::STYLE_SHEET) once, [`Svg::standalone`]
/// for a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        Self {
            width,
            height,
            title: title.to_owned(),
            body: String::new(),
        }
    }

    /// The `<svg>` element to put into an HTML page.
    #[must_use]
    pub fn embedded(&self) -> String {
        let size = if self.width > 460.0 {
            "plot wide"
        } else {
            "plot"
        };
        let (width, height) = (length(self.width), length(self.height));
        format!(
            "<svg class=\"{size}\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" xmlns=\"http://www.w3.org/2000/svg\">\n{}</svg>\n",
            escape::xml_attribute(&self.title),
            self.body
        )
    }

    /// A whole SVG file.
    #[must_use]
    pub fn standalone(&self) -> String {
        let background = "<style>svg{background:#fff}@media (prefers-color-scheme:dark){svg{background:#16181b}}\n";
        let sheet = format!("{background}{}</style>\n", super::STYLE_SHEET);
        let element = self.embedded();
        match element.split_once('\n') {
            Some((start, rest)) => format!("{start}\n{sheet}{rest}"),
            None => element,
        }
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.body += &format!(
            "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>\n",
            length(from.0),
            length(from.1),
            length(to.0),
            length(to.1)
        );
    }

    pub(super) fn path(&mut self, path: &str, class: &str, attributes: &str, title: &str) {
        self.element(
            &format!("path class=\"{class}\" d=\"{path}\"{attributes}"),
            "path",
            title,
        );
    }

    pub(super) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), class: &str, title: &str) {
        let start = format!(
            "rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            length(corner.0),
            length(corner.1),
            length(size.0),
            length(size.1)
        );
        self.element(&start, "rect", title);
    }

    pub(super) fn circle(&mut self, x: f64, y: f64, radius: f64, class: &str, title: &str) {
        let start = format!(
            "circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
            length(x),
            length(y),
            length(radius)
        );
        self.element(&start, "circle", title);
    }

    /// Text whose baseline starts at (x, y), cut to `limit` characters; the whole text is then its tooltip.
    pub(super) fn text(&mut self, x: f64, y: f64, class: &str, text: &str, limit: usize) {
        self.turned_text(x, y, 0.0, class, text, limit);
    }

    /// [`Svg::text`], turned around its start by `degrees`.
    pub(super) fn turned_text(
        &mut self,
        x: f64,
        y: f64,
        degrees: f64,
        class: &str,
        text: &str,
        limit: usize,
    ) {
        let (x, y) = (length(x), length(y));
        let turn = if degrees == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({} {x} {y})\"", length(degrees))
        };
        let shown = escape::clipped(text, limit);
        let title = if shown.ends_with('…') {
            tooltip(text)
        } else {
            String::new()
        };
        let shown = escape::xml(&shown);
        self.body +=
            &format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{turn}>{shown}{title}</text>\n");
    }

    fn element(&mut self, start: &str, name: &str, title: &str) {
        if title.is_empty() {
            self.body += &format!("<{start}/>\n");
        } else {
            self.body += &format!("<{start}>{}</{name}>\n", tooltip(title));
        }
    }
}

/// The estimated width of a text at a font size.
pub(super) fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().count() as f64 * font_size * CHARACTER_WIDTH
}

/// A coordinate with at most two decimals.
pub(super) fn length(value: f64) -> String {
    let text = crate::number::fixed(value, 2);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn tooltip(text: &str) -> String {
    format!("<title>{}</title>", escape::xml(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [1.0, 1.5, 1.006, -0.001, 100.0].map(length),
            ["1", "1.5", "1.01", "0", "100"]
        );
    }

    #[test]
    fn text_is_escaped_and_keeps_its_whole_name_as_a_tooltip() {
        let mut svg = Svg::new(10.0, 10.0, "a \"title\" & more");
        svg.text(1.0, 2.0, "tick", "<a>bcdefgh", 5);
        let text = svg.embedded();
        assert!(
            text.contains("aria-label=\"a &quot;title&quot; &amp; more\""),
            "{text}"
        );
        assert!(
            text.contains(">&lt;a&gt;b…<title>&lt;a&gt;bcdefgh</title></text>"),
            "{text}"
        );
    }

    #[test]
    fn a_standalone_file_carries_the_style_sheet_once() {
        let text = Svg::new(10.0, 10.0, "x").standalone();
        assert_eq!(text.matches("<style>").count(), 1);
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    }
}
