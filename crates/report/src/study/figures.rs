//! The figures of a study.

use super::selection::{others, typical};
use super::{GuideResult, StudyRecord, VersionRecord};
use crate::html::Block;
use crate::plot::{
    Axis, BoxGroup, Boxes, Curves, Entry, Estimate, IntervalRow, Intervals, Mark, Observation,
    Point, Series, Spacing, Style, legend,
};

/// Width of a drawing that fills the page.
const WIDE: f64 = 760.0;
/// Width of a small drawing.
const SMALL: f64 = 330.0;
/// How many faults Fig. 2 shows.
const FAULTS: usize = 6;

fn entry(record: &StudyRecord, guide: &str) -> Entry {
    Entry {
        name: guide.to_owned(),
        style: Style::of(guide, &record.guides, &record.baseline),
    }
}

/// Fig. 1: box plots of F-ratios per guide, one group per subject. All records share guides and baseline.
pub(crate) fn f_ratios(records: &[&StudyRecord]) -> Option<Block> {
    let first = records.first()?;
    let series: Vec<Entry> = others(first).map(|guide| entry(first, guide)).collect();
    let group = |record: &&StudyRecord| BoxGroup {
        name: record.subject.clone(),
        values: others(first).map(|guide| ratios(record, guide)).collect(),
    };
    let groups: Vec<BoxGroup> = records.iter().map(group).collect();
    let values = || {
        groups.iter().flat_map(|group| {
            group
                .values
                .iter()
                .flatten()
                .map(|observation| observation.value)
        })
    };
    let (low, high) = values().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| {
        (low.min(value), high.max(value))
    });
    if high == 0.0 {
        return None;
    }
    // A linear axis would press everything below 1 together where some ratios are large.
    let spacing = if high / low >= 8.0 {
        Spacing::Log
    } else {
        Spacing::Linear
    };
    let width = if records.len() == 1 {
        (series.len() as f64 * 110.0 + 100.0).min(WIDE)
    } else {
        WIDE
    };
    let include = if spacing == Spacing::Linear {
        vec![0.0]
    } else {
        Vec::new()
    };
    let y = Axis::new(&format!("F-ratio to {}", first.baseline), spacing).including(&include);
    let boxes = Boxes {
        title: String::new(),
        y,
        series,
        groups,
        reference: Some(1.0),
        width,
        height: 260.0,
    };
    let caption = format!(
        "F-ratios over all faults; below 1 the guide needs fewer tests than `{}`. Boxes reach from the lower to the upper \
         quartile, the marker is at the median, whiskers reach 1.58 interquartile ranges, circles are faults beyond.",
        first.baseline
    );
    Some(Block::Figure(caption, boxes.svg()))
}

fn ratios(record: &StudyRecord, guide: &str) -> Vec<Observation> {
    let versions = record.versions.iter();
    let observation = |version: &VersionRecord| {
        let value = version
            .result(guide)?
            .f_ratio
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)?;
        Some(Observation {
            name: version.name.clone(),
            value,
        })
    };
    versions.filter_map(observation).collect()
}

/// Fig. 2: P-measures over the number of tests, for typical faults.
pub(crate) fn p_measures(record: &StudyRecord) -> Option<Block> {
    let versions = typical(record, FAULTS);
    if versions.is_empty() || record.sizes.is_empty() {
        return None;
    }
    let entries: Vec<Entry> = record
        .guides
        .iter()
        .map(|guide| entry(record, guide))
        .collect();
    let drawings = versions.iter().map(|version| {
        let series = version
            .results
            .iter()
            .map(|result| p_series(record, result))
            .collect();
        let curves = Curves {
            title: version.name.clone(),
            x: Axis::new("tests", Spacing::Log),
            y: Axis::new("P-measure", Spacing::Linear).including(&[0.0, 1.0]),
            series,
            legend: false,
            reference: None,
            width: SMALL,
            height: 190.0,
        };
        curves.svg()
    });
    let choice = if versions.len() < record.versions.len() {
        format!(
            " The {} faults stand in equal steps between the one where the other guides did best against `{}` and the one \
             where they did worst; all faults are in `p-measures.csv`.",
            versions.len(),
            record.baseline
        )
    } else {
        String::new()
    };
    let caption = format!(
        "Probability that a suite of so many tests reveals the fault (P-measure), over {} runs.{choice}",
        crate::number::count(record.runs)
    );
    Some(Block::Figures(
        caption,
        legend(&entries, WIDE),
        drawings.collect(),
    ))
}

fn p_series(record: &StudyRecord, result: &GuideResult) -> Series {
    let points = record.sizes.iter().zip(&result.p_measures).enumerate();
    let point = |(index, (size, p)): (usize, (&u64, &f64))| {
        let band = result
            .p_intervals
            .get(index)
            .map(|interval| (interval.low, interval.high));
        Point {
            band,
            ..Point::new(*size as f64, *p)
        }
    };
    let style = Style::of(&result.guide, &record.guides, &record.baseline);
    Series {
        name: result.guide.clone(),
        style,
        mark: Mark::Line,
        points: points.map(point).collect(),
    }
}

/// Fig. 3: generation time over the number of tests.
pub(crate) fn generation(record: &StudyRecord) -> Option<Block> {
    if record.generation.iter().all(|time| time.points.is_empty()) {
        return None;
    }
    let series = record.generation.iter().map(|time| Series {
        name: time.guide.clone(),
        style: Style::of(&time.guide, &record.guides, &record.baseline),
        mark: Mark::Line,
        points: time
            .points
            .iter()
            .map(|point| Point::new(point.tests as f64, point.seconds))
            .collect(),
    });
    let curves = Curves {
        title: String::new(),
        x: Axis::new("tests", Spacing::Log),
        y: Axis::new("seconds", Spacing::Log),
        series: series.collect(),
        legend: true,
        reference: None,
        width: WIDE,
        height: 260.0,
    };
    let caption = "Time to generate tests, without executing them. Lines of slope one mean time linear in the number of tests.";
    Some(Block::Figure(caption.to_owned(), curves.svg()))
}

/// Section 6: F-ratio against the distance between failing frames, one point per fault and guide.
pub(crate) fn distances(record: &StudyRecord) -> Option<Block> {
    let series: Vec<Series> = others(record)
        .map(|guide| {
            let point = |version: &VersionRecord| {
                let distance = version.failing_frames.as_ref()?.mean_distance?;
                let ratio = version.result(guide)?.f_ratio?;
                Some(Point {
                    name: version.name.clone(),
                    ..Point::new(distance, ratio)
                })
            };
            let style = Style::of(guide, &record.guides, &record.baseline);
            let points = record.versions.iter().filter_map(point).collect();
            Series {
                name: guide.clone(),
                style,
                mark: Mark::Points,
                points,
            }
        })
        .collect();
    if series.iter().all(|series| series.points.is_empty()) {
        return None;
    }
    let curves = Curves {
        title: String::new(),
        x: Axis::new("mean distance between failing frames", Spacing::Linear),
        y: Axis::new(&format!("F-ratio to {}", record.baseline), Spacing::Log).including(&[1.0]),
        series,
        legend: true,
        reference: Some(1.0),
        width: WIDE,
        height: 240.0,
    };
    let caption = "F-ratio of each fault against the mean distance between the frames that hold its failures. The paper \
                   found adaptive guides to do better where failing frames lie far apart.";
    Some(Block::Figure(caption.to_owned(), curves.svg()))
}

/// Geometric means of F-ratios per subject and guide, with their intervals.
pub(crate) fn summaries(
    records: &[&StudyRecord],
    overall: &[super::GuideSummary],
) -> Option<Block> {
    let first = records.first()?;
    let series: Vec<Entry> = others(first).map(|guide| entry(first, guide)).collect();
    let row = |name: &str, summaries: &[super::GuideSummary]| {
        let estimate = |entry: &Entry| {
            let summary = summaries
                .iter()
                .find(|summary| summary.guide == entry.name)?;
            let interval = summary
                .interval
                .map(|interval| (interval.low, interval.high));
            Some(Estimate {
                value: summary.f_ratio?,
                interval,
            })
        };
        IntervalRow {
            name: name.to_owned(),
            estimates: series.iter().map(estimate).collect(),
        }
    };
    let mut rows: Vec<IntervalRow> = records
        .iter()
        .map(|record| row(&record.subject, &record.summaries))
        .collect();
    if !overall.is_empty() {
        rows.push(row("all subjects", overall));
    }
    if rows
        .iter()
        .all(|row| row.estimates.iter().all(Option::is_none))
    {
        return None;
    }
    let x = Axis::new(
        &format!("geometric mean of F-ratios to {}", first.baseline),
        Spacing::Log,
    )
    .including(&[0.9, 1.1]);
    let caption = format!(
        "Geometric mean of F-ratios per guide, with {} confidence intervals. Left of the dashed line the guide needs fewer \
         tests than `{}`.",
        crate::number::percent(first.confidence, 0),
        first.baseline
    );
    let intervals = Intervals {
        title: String::new(),
        x,
        series,
        rows,
        reference: Some(1.0),
        width: WIDE,
    };
    Some(Block::Figure(caption, intervals.svg()))
}
