//! A comparison as terminal text.

use super::{CompareRecord, ComparedUnit, studies, tables};
use crate::escape::one_line;

/// Units that are listed; the rest is in the files.
const MOST: usize = 40;

/// What a person wants to see at the end of a comparison whose table of all units is in the file `units`.
#[must_use]
pub fn terminal(record: &CompareRecord, units: &str) -> String {
    let runs = record.runs.len() / record.guides.len().max(1);
    let mut text = format!(
        "comparison on {}: {}, {} runs of each guide, {} each\n\n",
        one_line(&record.subject),
        record.measure,
        runs,
        record.budget
    );
    text += &tables::guides(record).text();
    let listed = most_different(&record.units);
    if listed.len() == record.units.len() {
        text += "\nmeans and medians per unit; A12 and p against the first guide\n\n";
    } else {
        text += &format!(
            "\nmeans and medians of the {} units in which guides differ most; A12 and p against the first guide\n\n",
            listed.len()
        );
    }
    text += &tables::units(record, &listed).text();
    if listed.len() < record.units.len() {
        text += &format!("\nall {} units: {}\n", record.units.len(), one_line(units));
    }
    for (sentence, table) in studies::tables(record) {
        text += &format!("\n{}\n\n{}", one_line(&sentence), table.text());
    }
    text += &format!(
        "\n{}\nto repeat: {}\n",
        record.recommendation,
        one_line(&record.command)
    );
    text
}

/// All units in their order if they are few, otherwise those with the largest differences between medians first, of equals those with
/// most goals.
fn most_different(units: &[ComparedUnit]) -> Vec<&ComparedUnit> {
    let mut listed: Vec<&ComparedUnit> = units.iter().collect();
    if listed.len() > MOST {
        listed.sort_by(|one, other| {
            let by_difference = difference(other).total_cmp(&difference(one));
            by_difference.then(other.total.cmp(&one.total))
        });
        listed.truncate(MOST);
    }
    listed
}

fn difference(unit: &ComparedUnit) -> f64 {
    let least = unit.medians.iter().copied().fold(1.0, f64::min);
    let most = unit.medians.iter().copied().fold(0.0, f64::max);
    (most - least).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::{ComparedGuide, UnitTest, html, units_csv};
    use super::*;

    /// A unit whose means are a hundredth above its medians.
    fn unit(number: u64, total: u64, medians: [f64; 2]) -> ComparedUnit {
        ComparedUnit {
            name: format!("app.Class{number}"),
            total,
            means: medians.map(|one| one + 0.01).to_vec(),
            medians: medians.to_vec(),
            tests: Vec::new(),
        }
    }

    fn record(units: Vec<ComparedUnit>) -> CompareRecord {
        let guide = |name: &str| ComparedGuide {
            guide: name.to_owned(),
            ..ComparedGuide::default()
        };
        CompareRecord {
            guides: vec![guide("random"), guide("grt")],
            units,
            ..CompareRecord::default()
        }
    }

    fn listed(text: &str) -> Vec<&str> {
        let lines = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        lines.filter(|word| word.starts_with("app.")).collect()
    }

    #[test]
    fn few_units_are_all_listed_in_their_order() {
        let units = (0..40).map(|number| unit(number, 10, [0.0, number as f64 / 40.0]));
        let text = terminal(&record(units.collect()), "out/units.csv");
        assert_eq!(listed(&text)[..2], ["app.Class0", "app.Class1"]);
        assert_eq!(listed(&text).len(), 40);
        assert!(!text.contains("units.csv"), "{text}");
    }

    #[test]
    fn of_many_units_those_that_differ_most_are_listed_and_the_others_are_in_a_file() {
        let mut units: Vec<ComparedUnit> =
            (0..50).map(|number| unit(number, 10, [0.5; 2])).collect();
        units[7] = unit(7, 10, [0.5, 0.6]);
        units[30] = unit(30, 10, [0.9, 0.2]);
        units[45] = unit(45, 90, [0.5, 0.5]);
        let record = record(units);
        let text = terminal(&record, "out/units.csv");
        assert_eq!(listed(&text).len(), 40);
        assert_eq!(
            listed(&text)[..4],
            ["app.Class30", "app.Class7", "app.Class45", "app.Class0"]
        );
        assert!(text.contains("all 50 units: out/units.csv"), "{text}");
        // A row per unit and guide, and the headings.
        assert_eq!(units_csv(&record).lines().count(), 101);
    }

    #[test]
    fn units_are_told_by_means_and_medians_everywhere() {
        let test = UnitTest {
            a12: Some(0.75),
            p: Some(0.04),
        };
        let unit = ComparedUnit {
            tests: vec![test],
            ..unit(1, 10, [0.25, 0.5])
        };
        let record = record(vec![unit]);
        let lines = |text: String| -> Vec<Vec<String>> {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
            text.lines().map(words).collect()
        };
        let told = lines(terminal(&record, ""));
        let words = |line: &str| lines(line.to_owned()).remove(0);
        let headings = "unit goals random mean median grt mean median A12 p";
        assert!(told.contains(&words(headings)), "{told:?}");
        let row = "app.Class1 10 26.0 % 25.0 % 51.0 % 50.0 % 0.75 0.040*";
        assert!(told.contains(&words(row)), "{told:?}");
        assert_eq!(
            units_csv(&record),
            "unit,goals,guide,mean,median,a12,p\n\
             app.Class1,10,random,0.26,0.25,,\n\
             app.Class1,10,grt,0.51,0.5,0.75,0.04\n"
        );
        let page = html(&record);
        for part in ["random mean", "grt mean", "26.0", "51.0"] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
