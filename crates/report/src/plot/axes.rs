//! The frame of a plot: title, legend, axes with ticks and labels, grid, reference line.
//!
//! The label of the y axis stands upright above it, where it can be read without turning the head.

use super::canvas::{Svg, text_width};
use super::legend::{self, Entry, Sign};
use super::scale::{Scale, Spacing, Tick};

/// What an axis shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub spacing: Spacing,
    /// Values that must be in the range, besides the data.
    pub include: Vec<f64>,
}

/// The rectangle that marks are drawn in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// What stands above the area.
pub(super) struct Head<'a> {
    pub title: &'a str,
    pub entries: &'a [Entry],
    pub sign: Sign,
    pub y_label: &'a str,
    pub width: f64,
}

impl Axis {
    /// An axis whose range follows the data.
    #[must_use]
    pub fn new(label: &str, spacing: Spacing) -> Self {
        Self {
            label: label.to_owned(),
            spacing,
            include: Vec::new(),
        }
    }

    /// The same axis with `values` always in its range.
    #[must_use]
    pub fn including(mut self, values: &[f64]) -> Self {
        self.include.extend_from_slice(values);
        self
    }
}

impl Head<'_> {
    /// The height it takes.
    pub fn height(&self) -> f64 {
        self.title_height()
            + legend::height(self.entries, self.width - 8.0)
            + if self.y_label.is_empty() { 8.0 } else { 26.0 }
    }

    fn title_height(&self) -> f64 {
        if self.title.is_empty() { 0.0 } else { 20.0 }
    }

    pub fn draw(&self, svg: &mut Svg, area: Area) {
        let limit = (self.width / 7.4) as usize;
        if !self.title.is_empty() {
            svg.text(4.0, 14.0, "name", self.title, limit);
        }
        legend::draw(
            svg,
            self.entries,
            self.sign,
            (4.0, self.title_height()),
            self.width - 8.0,
        );
        if !self.y_label.is_empty() {
            svg.text(4.0, area.top - 10.0, "label", self.y_label, limit);
        }
    }
}

/// The width that the labels of the y axis need.
pub(super) fn y_label_width(ticks: &[Tick]) -> f64 {
    let widest = ticks
        .iter()
        .map(|tick| text_width(&tick.label, 11.0))
        .fold(0.0, f64::max);
    widest + 14.0
}

/// Draws grid lines and labels of the y axis.
pub(super) fn draw_y(svg: &mut Svg, area: Area, scale: &Scale, ticks: &[Tick]) {
    for tick in ticks {
        let y = scale.position(tick.value);
        svg.line((area.left, y), (area.right, y), "grid");
        svg.text(area.left - 6.0, y + 4.0, "tick end", &tick.label, 12);
    }
    svg.line((area.left, area.top), (area.left, area.bottom), "axis");
}

/// Draws ticks, grid lines, labels and the name of the x axis.
pub(super) fn draw_x(svg: &mut Svg, area: Area, scale: &Scale, label: &str) {
    let wanted = ((area.right - area.left) / 75.0).clamp(2.0, 10.0);
    for tick in scale.ticks(wanted) {
        let x = scale.position(tick.value);
        svg.line((x, area.top), (x, area.bottom), "grid");
        svg.line((x, area.bottom), (x, area.bottom + 4.0), "axis");
        svg.text(x, area.bottom + 16.0, "tick middle", &tick.label, 12);
    }
    svg.line((area.left, area.bottom), (area.right, area.bottom), "axis");
    svg.text(
        f64::midpoint(area.left, area.right),
        area.bottom + 34.0,
        "label middle",
        label,
        60,
    );
}
