//! Estimates with their confidence intervals, one row per subject and one mark per series, on a shared horizontal axis.
//!
//! The plot grows downwards with the number of rows, so it suits a phone as well as many subjects.

use super::axes::{self, Area, Axis, Head};
use super::canvas::{Svg, length, text_width};
use super::legend::{Entry, Sign};
use super::scale::{Ends, Scale};
use crate::escape;
use crate::number;

/// Longest name of a row.
const LABEL: usize = 22;
/// Height per mark.
const STEP: f64 = 15.0;

/// A plot of estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct Intervals {
    /// Title inside the drawing; may be empty.
    pub title: String,
    /// The axis of the values.
    pub x: Axis,
    /// The series: one mark of each per row.
    pub series: Vec<Entry>,
    /// The rows, from the top.
    pub rows: Vec<IntervalRow>,
    /// A value to mark with a dashed line.
    pub reference: Option<f64>,
    /// Width of the drawing.
    pub width: f64,
}

/// A row of estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalRow {
    /// Its name.
    pub name: String,
    /// One estimate per entry of [`Intervals::series`]; `None` leaves its place empty.
    pub estimates: Vec<Option<Estimate>>,
}

/// A value with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Ends of its confidence interval.
    pub interval: Option<(f64, f64)>,
}

impl Intervals {
    /// The drawing.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let head = Head {
            title: &self.title,
            entries: &self.series,
            sign: Sign::Line,
            y_label: "",
            width: self.width,
        };
        let top = head.height();
        let row_height = self.series.len().max(1) as f64 * STEP + 10.0;
        let bottom = top + row_height * self.rows.len().max(1) as f64;
        let names = self
            .rows
            .iter()
            .map(|row| text_width(&escape::clipped(&row.name, LABEL), 12.0));
        let left = names.fold(0.0, f64::max) + 16.0;
        let area = Area {
            left,
            right: self.width - 14.0,
            top,
            bottom,
        };
        let x = Scale::new(
            self.x.spacing,
            Ends::Nice,
            &self.values(),
            area.left,
            area.right,
        );
        let mut svg = Svg::new(
            self.width,
            bottom + 42.0,
            &format!("estimates of {}", self.x.label),
        );
        head.draw(&mut svg, area);
        axes::draw_x(&mut svg, area, &x, &self.x.label);
        if let Some(reference) = self.reference.filter(|&reference| x.contains(reference)) {
            svg.line(
                (x.position(reference), top),
                (x.position(reference), bottom),
                "one",
            );
        }
        for (index, row) in self.rows.iter().enumerate() {
            let start = top + row_height * index as f64;
            if index > 0 {
                svg.line((area.left, start), (area.right, start), "grid");
            }
            svg.text(
                area.left - 8.0,
                start + row_height / 2.0 + 4.0,
                "label end",
                &row.name,
                LABEL,
            );
            self.draw_row(&mut svg, &x, row, start + 5.0 + STEP / 2.0);
        }
        svg
    }

    fn values(&self) -> Vec<f64> {
        let estimates = self
            .rows
            .iter()
            .flat_map(|row| row.estimates.iter().flatten());
        let values = estimates.flat_map(|estimate| {
            let (low, high) = estimate
                .interval
                .unwrap_or((estimate.value, estimate.value));
            [estimate.value, low, high]
        });
        values
            .chain(self.x.include.iter().copied())
            .chain(self.reference)
            .collect()
    }

    fn draw_row(&self, svg: &mut Svg, x: &Scale, row: &IntervalRow, first: f64) {
        for (index, (entry, estimate)) in self.series.iter().zip(&row.estimates).enumerate() {
            let Some(estimate) =
                estimate.filter(|estimate| Scale::shows(self.x.spacing, estimate.value))
            else {
                continue;
            };
            let y = first + STEP * index as f64;
            let mut title = format!(
                "{}, {}\n{}: {}",
                row.name,
                entry.name,
                self.x.label,
                number::significant(estimate.value, 3)
            );
            let shown = |&(low, high): &(f64, f64)| {
                Scale::shows(self.x.spacing, low) && Scale::shows(self.x.spacing, high)
            };
            if let Some((low, high)) = estimate.interval.filter(shown) {
                title += &format!(
                    " ({} to {})",
                    number::significant(low, 3),
                    number::significant(high, 3)
                );
                let path = format!(
                    "M{} {}L{} {}",
                    length(x.position(low)),
                    length(y),
                    length(x.position(high)),
                    length(y)
                );
                svg.path(&path, &format!("{} line", entry.style.class()), "", &title);
            }
            entry
                .style
                .marker(svg, x.position(estimate.value), y, &title);
        }
    }
}
