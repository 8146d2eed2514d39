//! Curves: lines, steps or loose points over a linear or logarithmic axis, with optional confidence bands.

use super::axes::{self, Area, Axis, Head};
use super::canvas::{Svg, length};
use super::legend::{Entry, Sign};
use super::scale::{Ends, Scale};
use super::style::Style;
use crate::number;

/// Up to this many points each get a tooltip; longer curves have one for the whole line.
const TOOLTIPS: usize = 60;
/// Up to this many points each get a marker; longer lines carry a few.
const MARKERS: usize = 12;
/// Room for tick labels and the name of the x axis.
const FOOT: f64 = 42.0;

/// A plot of curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// Title inside the drawing; may be empty.
    pub title: String,
    /// The x axis.
    pub x: Axis,
    /// The y axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// Whether the drawing has a legend of its own.
    pub legend: bool,
    /// A value of y to mark with a dashed line.
    pub reference: Option<f64>,
    /// Width of the drawing.
    pub width: f64,
    /// Height of the area that holds the curves.
    pub height: f64,
}

/// One curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its look.
    pub style: Style,
    /// How its points are joined.
    pub mark: Mark,
    /// Its points, in the order to join them.
    pub points: Vec<Point>,
}

/// How the points of a curve are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// By straight lines.
    Line,
    /// Level until the next point.
    Steps,
    /// Not at all.
    Points,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Where it stands on the x axis.
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// Ends of its confidence interval.
    pub band: Option<(f64, f64)>,
    /// What it is, for its tooltip; may be empty.
    pub name: String,
}

impl Point {
    /// A point without band and name.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            band: None,
            name: String::new(),
        }
    }
}

/// The scales of one drawing.
struct Plane {
    x: Scale,
    y: Scale,
}

impl Curves {
    /// The drawing.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let entries: Vec<Entry> = self
            .series
            .iter()
            .map(|series| Entry {
                name: series.name.clone(),
                style: series.style,
            })
            .collect();
        let entries = if self.legend { entries } else { Vec::new() };
        let head = Head {
            title: &self.title,
            entries: &entries,
            sign: Sign::Line,
            y_label: &self.y.label,
            width: self.width,
        };
        let top = head.height();
        let bottom = top + self.height;
        let mut svg = Svg::new(self.width, bottom + FOOT, &self.describe());

        let y = Scale::new(self.y.spacing, Ends::Nice, &self.y_values(), bottom, top);
        let y_ticks = y.ticks((self.height / 36.0).clamp(2.0, 8.0));
        let area = Area {
            left: axes::y_label_width(&y_ticks),
            right: self.width - 14.0,
            top,
            bottom,
        };
        // Lines may touch the frame; loose points would be cut by it.
        let loose = self.series.iter().any(|series| series.mark == Mark::Points);
        let ends = if loose { Ends::Nice } else { Ends::Exact };
        let x = Scale::new(
            self.x.spacing,
            ends,
            &self.x_values(),
            area.left,
            area.right,
        );

        head.draw(&mut svg, area);
        axes::draw_y(&mut svg, area, &y, &y_ticks);
        axes::draw_x(&mut svg, area, &x, &self.x.label);
        if let Some(reference) = self.reference.filter(|&reference| y.contains(reference)) {
            svg.line(
                (area.left, y.position(reference)),
                (area.right, y.position(reference)),
                "one",
            );
        }
        let plane = Plane { x, y };
        for series in &self.series {
            self.draw_band(&mut svg, &plane, series);
        }
        for (index, series) in self.series.iter().enumerate() {
            self.draw_series(&mut svg, &plane, series, index);
        }
        svg
    }

    fn describe(&self) -> String {
        let title = if self.title.is_empty() {
            "plot"
        } else {
            &self.title
        };
        format!("{title}: {} against {}", self.y.label, self.x.label)
    }

    fn shown<'a>(&self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        let (x, y) = (self.x.spacing, self.y.spacing);
        series
            .points
            .iter()
            .filter(move |point| Scale::shows(x, point.x) && Scale::shows(y, point.y))
    }

    fn x_values(&self) -> Vec<f64> {
        let points = self
            .series
            .iter()
            .flat_map(|series| self.shown(series).map(|point| point.x));
        points.chain(self.x.include.iter().copied()).collect()
    }

    fn y_values(&self) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| self.shown(series));
        let values = points.flat_map(|point| {
            let (low, high) = point.band.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        values.chain(self.y.include.iter().copied()).collect()
    }

    fn draw_band(&self, svg: &mut Svg, plane: &Plane, series: &Series) {
        let ends: Vec<(f64, f64, f64)> = self
            .shown(series)
            .filter_map(|point| {
                let (low, high) = point.band?;
                let usable =
                    Scale::shows(self.y.spacing, low) && Scale::shows(self.y.spacing, high);
                usable.then(|| {
                    (
                        plane.x.position(point.x),
                        plane.y.position(low),
                        plane.y.position(high),
                    )
                })
            })
            .collect();
        if ends.len() < 2 || series.mark == Mark::Points {
            return;
        }
        let upper = ends.iter().map(|&(x, _, high)| (x, high));
        let lower = ends.iter().rev().map(|&(x, low, _)| (x, low));
        let path = format!("{}Z", joined(upper.chain(lower)));
        svg.path(&path, &format!("{} band", series.style.class()), "", "");
    }

    fn draw_series(&self, svg: &mut Svg, plane: &Plane, series: &Series, index: usize) {
        let points: Vec<&Point> = self.shown(series).collect();
        let place = |point: &Point| (plane.x.position(point.x), plane.y.position(point.y));
        if series.mark != Mark::Points && points.len() > 1 {
            let mut corners = thinned(points.iter().map(|point| place(point)).collect());
            if series.mark == Mark::Steps {
                corners = stepped(&corners);
            }
            let class = format!("{} line", series.style.class());
            svg.path(
                &joined(corners.into_iter()),
                &class,
                &series.style.dash(),
                &self.summary(series, &points),
            );
        }
        let all = series.mark == Mark::Points || points.len() <= MARKERS;
        // Markers of different series are shifted against each other, so that equal curves still show all markers.
        let every = (points.len() / 6).max(1);
        for (number, point) in points.iter().enumerate() {
            let (x, y) = place(point);
            let title = if all || points.len() <= TOOLTIPS {
                self.tooltip(series, point)
            } else {
                String::new()
            };
            if all || number % every == (index * every / 4) % every {
                series.style.marker(svg, x, y, &title);
            } else if !title.is_empty() {
                svg.circle(x, y, 5.0, &format!("{} hit", series.style.class()), &title);
            }
        }
    }

    fn tooltip(&self, series: &Series, point: &Point) -> String {
        let value = |value: f64| number::significant(value, 3);
        let mut text = format!(
            "{}\n{}: {}\n{}: {}",
            series.name,
            self.x.label,
            value(point.x),
            self.y.label,
            value(point.y)
        );
        if let Some((low, high)) = point.band {
            text += &format!(" ({} to {})", value(low), value(high));
        }
        if !point.name.is_empty() {
            text += &format!("\n{}", point.name);
        }
        text
    }

    fn summary(&self, series: &Series, points: &[&Point]) -> String {
        match points.last() {
            Some(point) => self.tooltip(series, point),
            None => series.name.clone(),
        }
    }
}

/// Without points that would fall on the same spot as the one before. The last point always stays.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let last = points.len().saturating_sub(1);
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (index, (x, y)) in points.into_iter().enumerate() {
        let near = kept.last().is_some_and(|&(before_x, before_y)| {
            (x - before_x).abs() < 0.5 && (y - before_y).abs() < 0.5
        });
        if !near || index == last {
            kept.push((x, y));
        }
    }
    kept
}

fn stepped(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(points.len() * 2);
    for (index, &(x, y)) in points.iter().enumerate() {
        if index > 0 {
            corners.push((x, points[index - 1].1));
        }
        corners.push((x, y));
    }
    corners
}

fn joined(points: impl Iterator<Item = (f64, f64)>) -> String {
    let corners: Vec<String> = points
        .map(|(x, y)| format!("{} {}", length(x), length(y)))
        .collect();
    format!("M{}", corners.join("L"))
}
