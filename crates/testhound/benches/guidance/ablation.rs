//! Figure 7 of Ma et al. (ASE 2015): every part alone and every part removed, as a table and as box plots over subjects.
//!
//! Differences: whiskers reach as far as those of our other box plots (`stats::box_summary`).

use super::Options;
use super::gathered::{Gathered, Group};
use super::results::{Run, mean, percent};
use super::step::Step;
use super::subjects::{Subject, ablations};
use anyhow::{Context, Result};
use report::plot::{Axis, BoxGroup, Boxes, Entry, Observation, Spacing, Style};
use report::table::{Cell, Format, Table};

/// Prints the tables and writes the plots beside the results.
pub fn table(options: &Options) -> Result<String> {
    let found = Gathered::of(Step::Ablation, options);
    let mut text = String::new();
    for &seconds in &options.seconds {
        let groups = groups(&found, seconds);
        if groups.is_empty() {
            continue;
        }
        let target = options.results.join(format!("ablation-{seconds}.svg"));
        let svg = plot(&groups).svg().standalone();
        std::fs::write(&target, svg)
            .with_context(|| format!("cannot write `{}`", target.display()))?;
        text += &rows(&groups).text();
        text += &format!("box plots: {}\n\n", target.display());
    }
    Ok(text)
}

/// The guides that have results, in the order of the figure, and then those that it does not have.
fn groups(found: &Gathered<Run>, seconds: f64) -> Vec<&Group<Run>> {
    let ablations = ablations();
    let other = |group: &&Group<Run>| group.seconds == seconds && !ablations.contains(&group.guide);
    let others = found.groups.iter().filter(other);
    let guides = ablations.iter();
    guides
        .filter_map(|guide| found.group(seconds, guide))
        .chain(others)
        .collect()
}

/// Percent of branches that a guide covers of a subject.
fn value(group: &Group<Run>, subject: &Subject) -> Option<f64> {
    let runs = group.runs(subject)?;
    mean(runs.values().map(|run| percent(run.branches())))
}

/// The subjects that some guide has results of.
fn subjects(groups: &[&Group<Run>]) -> Vec<&'static Subject> {
    let mut subjects: Vec<&Subject> = Vec::new();
    for (subject, _) in groups.iter().flat_map(|group| &group.subjects) {
        if !subjects.contains(subject) {
            subjects.push(subject);
        }
    }
    subjects
}

fn rows(groups: &[&Group<Run>]) -> Table {
    let subjects = subjects(groups);
    let mut table = Table::new(&[("guide", Format::Text), ("s/class", Format::Text)]);
    for subject in &subjects {
        table.column(subject.name, Format::Fixed(1));
    }
    table.column("mean", Format::Fixed(1));
    for group in groups {
        let values: Vec<Option<f64>> = subjects.iter().map(|one| value(group, one)).collect();
        let mut cells: Vec<Cell> =
            vec![group.guide.clone().into(), group.seconds.to_string().into()];
        cells.extend(values.iter().map(|value| Cell::from(*value)));
        cells.push(mean(values).into());
        table.row(cells);
    }
    table
}

fn plot(groups: &[&Group<Run>]) -> Boxes {
    let names: Vec<String> = groups.iter().map(|group| group.guide.clone()).collect();
    let entry = |name: &String| Entry {
        name: name.clone(),
        style: Style::of(name, &names, "random"),
    };
    let boxed = |group: &&Group<Run>| {
        let values = group.subjects.iter().filter_map(|(subject, _)| {
            Some(Observation {
                name: subject.name.to_owned(),
                value: value(group, subject)?,
            })
        });
        values.collect()
    };
    Boxes {
        title: String::new(),
        y: Axis::new("% of branches covered", Spacing::Linear).including(&[0.0, 100.0]),
        series: names.iter().map(entry).collect(),
        groups: vec![BoxGroup {
            name: "all".to_owned(),
            values: groups.iter().map(boxed).collect(),
        }],
        reference: None,
        width: 900.0,
        height: 320.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::subjects::SUBJECTS;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn guides_stand_in_the_order_of_the_figure_and_lack_what_was_not_measured() {
        let mut found = Gathered::default();
        for (guide, subject, covered) in [
            ("grt", 0, 3),
            ("grt", 1, 1),
            ("elephant", 0, 2),
            ("random", 0, 1),
            ("constants,elephant", 0, 3),
        ] {
            let run = Run {
                jacoco: BTreeMap::from([("A".to_owned(), [0, 0, covered, 4])]),
                ..Run::default()
            };
            found.add(0.5, guide, &SUBJECTS[subject], 1, run);
        }
        let groups = groups(&found, 0.5);
        insta::assert_snapshot!("parts", rows(&groups).text());
        assert_eq!(plot(&groups).groups[0].values.len(), 4);
    }
}
