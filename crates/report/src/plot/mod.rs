//! Plots as SVG text: box plots, curves and intervals.
//!
//! They are written by hand because no plotting crate draws box plots with the paper's 1.58 x IQR whiskers without bringing
//! font or raster libraries along, and because a report must be the same bytes on every machine. The price is that the
//! width of a label is estimated, not measured.
//!
//! Every plot uses a palette that colour-blind readers can tell apart, and besides colour a dash pattern and a marker per
//! series. Colours follow the reader's light or dark mode. Marks carry `<title>` tooltips; no script is needed. Values
//! that are not finite, or not positive on a logarithmic axis, are left out.

mod axes;
mod boxes;
mod canvas;
mod curves;
mod intervals;
mod legend;
mod scale;
mod style;

pub use axes::Axis;
pub use boxes::{BoxGroup, Boxes, Observation};
pub use canvas::Svg;
pub use curves::{Curves, Mark, Point, Series};
pub use intervals::{Estimate, IntervalRow, Intervals};
pub use legend::{Entry, legend};
pub use scale::Spacing;
pub use style::{STYLE_SHEET, Style};
