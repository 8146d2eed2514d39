//! The table of coverage and mutants: one row per subject, averages, and the rows of the paper.

use super::Options;
use super::gathered::{Gathered, Group, Runs};
use super::results::{Mutants, Run, mean, percent};
use super::step::Step;
use super::subjects::{Subject, TABLE};
use report::table::{Cell, Format, Table};

const COLUMNS: [(&str, Format); 12] = [
    ("subject", Format::Text),
    ("guide", Format::Text),
    ("s/class", Format::Text),
    ("branches", Format::Count),
    ("of paper's", Format::Count),
    ("instr. %", Format::Fixed(1)),
    ("branch %", Format::Fixed(1)),
    ("mutants %", Format::Fixed(1)),
    ("pit-like %", Format::Fixed(1)),
    ("zero", Format::Fixed(1)),
    ("search s", Format::Fixed(1)),
    ("other s", Format::Fixed(1)),
];

const FOOT: &str = "\
search: inside the budget. other: discovery before it; choosing assertions, writing and verifying the suite after it, outside the budget.
mutants: a sample of at most 1,000 of all operators, by `generate`; pit-like: all of PIT's default group, by the step `mutants`.
";

/// What has been measured.
pub fn table(options: &Options) -> String {
    text(
        &Gathered::of(Step::Cover, options),
        &Gathered::of(Step::Mutants, options),
    )
}

fn text(found: &Gathered<Run>, scored: &Gathered<Mutants>) -> String {
    let tables = found.groups.iter().map(|group| {
        let scores = scored.group(group.seconds, &group.guide);
        one(group, scores).text() + "\n"
    });
    tables.collect::<String>() + FOOT
}

/// The columns of measured values, as means over seeds.
type Values = [Option<f64>; 7];

fn one(group: &Group<Run>, scores: Option<&Group<Mutants>>) -> Table {
    let mut table = Table::new(&COLUMNS);
    let mut all: Vec<Values> = Vec::new();
    for (subject, runs) in &group.subjects {
        let values = values(subject, runs, scores);
        let branches = runs.values().next().map(|run| run.branches().1);
        let counts = [branches.into(), subject.branches.into()];
        table.row(row(
            subject.name,
            &group.guide,
            group.seconds,
            counts,
            &values,
        ));
        all.push(values);
    }
    let averages: Values =
        std::array::from_fn(|column| mean(all.iter().map(|values| values[column])));
    let name = format!("average of {}", all.len());
    table.row(row(
        &name,
        &group.guide,
        group.seconds,
        nothing(),
        &averages,
    ));
    for (seconds, papers) in &TABLE {
        if *seconds == group.seconds {
            for paper in papers {
                let [instructions, branches, mutants] = paper.means.map(Some);
                let values = [instructions, branches, None, mutants, None, None, None];
                let name = format!("paper, Table III: {}", paper.tool);
                table.row(row(&name, "", *seconds, nothing(), &values));
            }
        }
    }
    table
}

fn values(subject: &Subject, runs: &Runs<Run>, scores: Option<&Group<Mutants>>) -> Values {
    let over = |value: &dyn Fn(&Run) -> Option<f64>| mean(runs.values().map(value));
    let scores = scores.and_then(|scores| scores.runs(subject));
    let scores = scores.into_iter().flat_map(Runs::values);
    [
        over(&|run| percent(run.instructions())),
        over(&|run| percent(run.branches())),
        over(&|run| percent(run.own_mutants?)),
        mean(scores.map(|score| percent((score.killed, score.all)))),
        over(&|run| Some(run.zero().len() as f64)),
        over(&|run| Some(run.search)),
        over(&|run| Some(run.other)),
    ]
}

fn nothing() -> [Cell; 2] {
    [Cell::absent(), Cell::absent()]
}

fn row(name: &str, guide: &str, seconds: f64, counts: [Cell; 2], values: &Values) -> Vec<Cell> {
    let mut cells: Vec<Cell> = vec![name.into(), guide.into(), seconds.to_string().into()];
    cells.extend(counts);
    cells.extend(values.iter().map(|value| Cell::from(*value)));
    cells
}

#[cfg(test)]
mod tests {
    use super::super::subjects::SUBJECTS;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn seeds_are_averaged_before_subjects_and_the_paper_stands_below() {
        let mut found = Gathered::default();
        for (subject, seed, covered) in [(0, 1, 2), (0, 2, 4), (1, 1, 0)] {
            let run = Run {
                search: 4.0,
                other: 1.0,
                jacoco: BTreeMap::from([("A".to_owned(), [covered, 10, covered, 4])]),
                own_mutants: (subject == 0).then_some((1, 4)),
                ..Run::default()
            };
            found.add(2.0, "grt", &SUBJECTS[subject], seed, run);
        }
        let mut scored = Gathered::default();
        let score = Mutants {
            classes: 1,
            killed: 1,
            all: 8,
        };
        scored.add(2.0, "grt", &SUBJECTS[0], 1, score);
        insta::assert_snapshot!("coverage", text(&found, &scored));
    }
}
