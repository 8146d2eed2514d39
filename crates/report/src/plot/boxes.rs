//! Box plots: the distribution of a measure per series, in one group or many side by side.
//!
//! After Fig. 1 of Barus, Chen, Kuo, Liu, Merkel and Rothermel, "A cost-effective random testing method for programs with
//! non-numeric inputs" (IEEE Transactions on Computers, 2016), Section 5.1.1. Quartiles, whiskers and outliers are those of
//! [`stats::box_summary`].
//!
//! Differences:
//! - The axis may be logarithmic. Quartiles and whiskers are computed on the plain values all the same.
//! - The marker of the series stands on the median, so that boxes can be told apart without colour.

use super::axes::{self, Area, Axis, Head};
use super::canvas::{Svg, text_width};
use super::legend::{Entry, Sign};
use super::scale::{Ends, Scale};
use super::style::Style;
use crate::escape;
use crate::number;
use stats::BoxSummary;

/// Longest label under the axis.
const LABEL: usize = 18;
/// Narrowest room for one box.
const NARROWEST: f64 = 16.0;

/// A box plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// Title inside the drawing; may be empty.
    pub title: String,
    /// The axis of the values.
    pub y: Axis,
    /// The series: one box of each per group.
    pub series: Vec<Entry>,
    /// The groups. With one group the boxes are labelled by series, with more by group.
    pub groups: Vec<BoxGroup>,
    /// A value to mark with a dashed line.
    pub reference: Option<f64>,
    /// Width of the drawing; it grows when there are too many boxes for it.
    pub width: f64,
    /// Height of the area that holds the boxes.
    pub height: f64,
}

/// A group of boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxGroup {
    /// Its name.
    pub name: String,
    /// The values per series, in the order of [`Boxes::series`].
    pub values: Vec<Vec<Observation>>,
}

/// A value with the name of what it was measured on.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The name, for tooltips.
    pub name: String,
    /// The value.
    pub value: f64,
}

fn describe(summary: &BoxSummary, count: usize, name: &str) -> String {
    let value = |value: f64| number::significant(value, 3);
    format!(
        "{name}\nmedian {}\nquartiles {} to {}\nwhiskers {} to {}\n{}, {}",
        value(summary.median),
        value(summary.lower_quartile),
        value(summary.upper_quartile),
        value(summary.low_whisker),
        value(summary.high_whisker),
        number::counted(count as u64, "value", "values"),
        number::counted(summary.outliers.len() as u64, "outlier", "outliers"),
    )
}

impl Boxes {
    /// The drawing.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let several = self.groups.len() > 1;
        let entries = if several {
            self.series.clone()
        } else {
            Vec::new()
        };
        let slots =
            (self.series.len() * self.groups.len()).max(1) as f64 + self.groups.len() as f64;
        let width = self.width.max(slots * NARROWEST + 70.0);
        let head = Head {
            title: &self.title,
            entries: &entries,
            sign: Sign::Box,
            y_label: &self.y.label,
            width,
        };
        let (top, bottom) = (head.height(), head.height() + self.height);
        let y = Scale::new(self.y.spacing, Ends::Nice, &self.values(), bottom, top);
        let ticks = y.ticks((self.height / 36.0).clamp(2.0, 8.0));
        let area = Area {
            left: axes::y_label_width(&ticks),
            right: width - 10.0,
            top,
            bottom,
        };

        let labels = self.labels(area);
        let room = labels
            .iter()
            .map(|label| label.room)
            .fold(f64::INFINITY, f64::min);
        let widest = labels.iter().map(|label| label.width()).fold(0.0, f64::max);
        let turned = widest > room - 6.0;
        let foot = if turned { widest * 0.6 + 22.0 } else { 26.0 };
        let mut svg = Svg::new(
            width,
            bottom + foot,
            &format!("box plot of {}", self.y.label),
        );
        head.draw(&mut svg, area);
        axes::draw_y(&mut svg, area, &y, &ticks);
        svg.line((area.left, bottom), (area.right, bottom), "axis");
        if let Some(reference) = self.reference.filter(|&reference| y.contains(reference)) {
            svg.line(
                (area.left, y.position(reference)),
                (area.right, y.position(reference)),
                "one",
            );
        }
        for label in &labels {
            label.draw(&mut svg, bottom, turned);
        }
        self.draw_boxes(&mut svg, area, &y);
        svg
    }

    fn values(&self) -> Vec<f64> {
        let all = self
            .groups
            .iter()
            .flat_map(|group| group.values.iter().flatten());
        let included = self.y.include.iter().copied().chain(self.reference);
        all.map(|observation| observation.value)
            .chain(included)
            .collect()
    }

    /// Centre and room of the box of one series in one group.
    fn place(&self, area: Area, group: usize, series: usize) -> (f64, f64) {
        let group_width = (area.right - area.left) / self.groups.len().max(1) as f64;
        // Half a slot stays free on both sides of a group.
        let slot = group_width / (self.series.len() as f64 + 1.0);
        (
            area.left + group_width * group as f64 + slot * (series as f64 + 1.0),
            slot,
        )
    }

    fn labels(&self, area: Area) -> Vec<Label> {
        if let [_] = self.groups.as_slice() {
            let series = self.series.iter().enumerate();
            let label = |(index, entry): (usize, &Entry)| {
                let (centre, room) = self.place(area, 0, index);
                Label {
                    name: entry.name.clone(),
                    centre,
                    room,
                }
            };
            return series.map(label).collect();
        }
        let room = (area.right - area.left) / self.groups.len().max(1) as f64;
        let label = |(index, group): (usize, &BoxGroup)| Label {
            name: group.name.clone(),
            centre: area.left + room * (index as f64 + 0.5),
            room,
        };
        self.groups.iter().enumerate().map(label).collect()
    }

    fn draw_boxes(&self, svg: &mut Svg, area: Area, y: &Scale) {
        let shows = |value: f64| Scale::shows(self.y.spacing, value);
        for (group_index, group) in self.groups.iter().enumerate() {
            for (index, (entry, values)) in self.series.iter().zip(&group.values).enumerate() {
                let (centre, room) = self.place(area, group_index, index);
                let name = if self.groups.len() > 1 {
                    format!("{}, {}", group.name, entry.name)
                } else {
                    entry.name.clone()
                };
                let shown: Vec<&Observation> = values
                    .iter()
                    .filter(|observation| shows(observation.value))
                    .collect();
                let spot = Spot {
                    centre,
                    half: (room * 0.36).min(30.0),
                    name,
                    style: entry.style,
                };
                draw_box(svg, y, &shown, &spot);
            }
        }
    }
}

/// Where a box stands and what it is called.
struct Spot {
    centre: f64,
    half: f64,
    name: String,
    style: Style,
}

fn draw_box(svg: &mut Svg, y: &Scale, observations: &[&Observation], spot: &Spot) {
    let values: Vec<f64> = observations
        .iter()
        .map(|observation| observation.value)
        .collect();
    // Without values there is no box to draw.
    let Ok(summary) = stats::box_summary(&values) else {
        return;
    };
    let Spot {
        centre,
        half,
        name,
        style,
    } = spot;
    let (left, right, colour) = (centre - half, centre + half, style.class());
    let (lower, upper) = (
        y.position(summary.lower_quartile),
        y.position(summary.upper_quartile),
    );
    let thin = format!("{colour} thin");
    for (end, side) in [(summary.low_whisker, lower), (summary.high_whisker, upper)] {
        let end = y.position(end);
        svg.line((*centre, side), (*centre, end), &thin);
        svg.line(
            (centre - half / 2.0, end),
            (centre + half / 2.0, end),
            &thin,
        );
    }
    let title = describe(&summary, values.len(), name);
    svg.rect(
        (left, upper),
        (2.0 * half, lower - upper),
        &format!("{colour} box"),
        &title,
    );
    let median = y.position(summary.median);
    svg.line((left, median), (right, median), &format!("{colour} median"));
    style.marker(svg, *centre, median, &title);
    for outlier in observations
        .iter()
        .filter(|observation| summary.outliers.contains(&observation.value))
    {
        let title = format!(
            "{name}\n{}: {}",
            outlier.name,
            number::significant(outlier.value, 3)
        );
        svg.circle(
            *centre,
            y.position(outlier.value),
            3.0,
            &format!("{colour} open"),
            &title,
        );
    }
}

/// A name under the axis.
struct Label {
    name: String,
    centre: f64,
    room: f64,
}

impl Label {
    fn width(&self) -> f64 {
        text_width(&escape::clipped(&self.name, LABEL), 12.0)
    }

    fn draw(&self, svg: &mut Svg, bottom: f64, turned: bool) {
        if turned {
            svg.turned_text(
                self.centre + 4.0,
                bottom + 14.0,
                -35.0,
                "label end",
                &self.name,
                LABEL,
            );
        } else {
            svg.text(
                self.centre,
                bottom + 18.0,
                "label middle",
                &self.name,
                LABEL,
            );
        }
    }
}
