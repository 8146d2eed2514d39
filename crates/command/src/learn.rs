//! Learns from a folder of existing inputs what a specification draws: how often each choice is made, and with which texts.
//!
//! As in Section 4.5 of the ARTsum paper, inputs are drawn from value distributions that were observed.
//!
//! Differences:
//! - one is added to every count, so that no choice is ruled out because no input has it; a weight of 0 stays 0, because it
//!   was said;
//! - a category is only counted as left out where its condition holds;
//! - texts whose choice depends on other categories or on the rest of the input are not reused, because elsewhere they
//!   could belong to another choice;
//! - of very many texts of a choice, evenly spaced ones are kept.

use crate::classify::{Classified, Classifier, Progress};
use crate::pool::{self, PoolError};
use crate::spec::Spec;
use engine::frames::ABSENT;

/// The most texts that are kept for one choice.
pub const MAX_OBSERVED: usize = 10_000;

/// What the inputs show of one category.
#[derive(Clone, Debug, Default)]
struct Observed {
    absent: u64,
    choices: Vec<u64>,
    texts: Vec<Vec<String>>,
}

/// Sets the weights and the observed texts of a specification that has `[learn]`; does nothing to others.
pub fn learn(spec: &mut Spec) -> Result<(), PoolError> {
    let Some(learn) = &spec.learn else {
        return Ok(());
    };
    let folder = spec.resolve(&learn.folder);
    let observed = observe(spec, &folder)?;
    let made = (0..spec.categories.len()).filter(|category| !spec.is_read_off(*category));
    for category in made.collect::<Vec<_>>() {
        let observed = &observed[category];
        let entry = &mut spec.space.categories[category];
        if entry.absent > 0.0 {
            entry.absent = (observed.absent + 1) as f64;
        }
        for (choice, count) in entry.choices.iter_mut().zip(&observed.choices) {
            if choice.weight > 0.0 {
                choice.weight = (count + 1) as f64;
            }
        }
        let choices = spec.categories[category].choices.iter_mut();
        for (choice, texts) in choices.zip(&observed.texts) {
            choice.observed = thinned(texts);
        }
    }
    Ok(())
}

fn observe(spec: &Spec, folder: &std::path::Path) -> Result<Vec<Observed>, PoolError> {
    let classifier = Classifier::new(spec);
    let mut observed: Vec<Observed> = spec
        .categories
        .iter()
        .map(|category| Observed {
            absent: 0,
            choices: vec![0; category.choices.len()],
            texts: vec![Vec::new(); category.choices.len()],
        })
        .collect();
    for (_, input) in pool::read(spec, folder)? {
        note(
            spec,
            &classifier,
            classifier.classify(&input),
            &mut observed,
        );
    }
    Ok(observed)
}

fn note(
    spec: &Spec,
    classifier: &Classifier<'_>,
    classified: Classified,
    observed: &mut [Observed],
) {
    let Classified {
        frame,
        mut fields,
        unknown,
        ..
    } = classified;
    let mut progress = Progress::new(&spec.space);
    for (category, observed) in observed.iter_mut().enumerate() {
        if spec.is_read_off(category) {
            continue;
        }
        let choice = frame.0[category];
        if choice == ABSENT {
            let left_out = !unknown.contains(&category) && progress.is_open(category);
            observed.absent += u64::from(left_out);
            continue;
        }
        progress.choose(category, choice);
        let index = usize::from(choice) - 1;
        observed.choices[index] += 1;
        if classifier.depends_on_text_alone(category, index) {
            observed.texts[index].extend(fields.0[category].take());
        }
    }
}

/// At most [`MAX_OBSERVED`] of the texts, evenly spaced; the same text stays as often as it was seen.
fn thinned(texts: &[String]) -> Vec<String> {
    let kept = texts.len().min(MAX_OBSERVED);
    (0..kept)
        .map(|index| texts[index * texts.len() / kept].clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Seed;
    use engine::frames::{Frame, Sampler};
    use std::fs;
    use tempfile::TempDir;

    const SPEC: &str = r#"
[run]
program = "x"
args = ["{mode}", "{number}", "{next}"]
[category.mode]
absent = 1
choice.fast = { literal = "-f", property = ["Fast"] }
choice.slow = { literal = "-s" }
choice.off = { literal = "-o", weight = 0 }
[category.number]
if = "Fast"
absent = 1
choice.small = { int = [0, 9] }
choice.large = { int = [10, 99999] }
[category.next]
choice.same = { text = "={number}" }
choice.other = { regex = "[a-z]+" }
[learn]
folder = "inputs"
reuse = 0.25
"#;

    fn learnt(lines: &str) -> (TempDir, Spec) {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("x.toml"), SPEC).unwrap();
        fs::create_dir(folder.path().join("inputs")).unwrap();
        fs::write(folder.path().join("inputs/all.args"), lines).unwrap();
        let mut spec = Spec::load(&folder.path().join("x.toml")).unwrap();
        learn(&mut spec).unwrap();
        (folder, spec)
    }

    fn lines() -> String {
        let kinds = [
            ("-f 12345 abc\n", 59),
            ("-f 7 =7\n", 9),
            ("-s abc\n", 19),
            ("xyz\n", 9),
        ];
        kinds
            .iter()
            .map(|(line, count)| line.repeat(*count))
            .collect()
    }

    #[test]
    fn weights_are_counts_plus_one() {
        let (_folder, spec) = learnt(&lines());
        let weights = |category: usize| {
            let category = &spec.space.categories[category];
            let choices = category.choices.iter().map(|choice| choice.weight);
            (category.absent, choices.collect::<Vec<_>>())
        };
        assert_eq!(weights(0), (10.0, vec![69.0, 20.0, 0.0]));
        // Where its condition does not hold, `number` is not counted as left out.
        assert_eq!(weights(1), (1.0, vec![10.0, 60.0]));
        assert_eq!(weights(2), (0.0, vec![10.0, 88.0]));
    }

    #[test]
    fn what_is_drawn_follows_what_was_observed() {
        let (_folder, spec) = learnt(&lines());
        let sampler = Sampler::new(&spec.space);
        let mut stream = Seed(3).stream();
        let (mut fast, mut reused, mut large) = (0, 0, 0);
        for _ in 0..10_000 {
            let mut frame = Frame(vec![ABSENT; 3]);
            sampler.draw(&mut stream, &mut frame.0);
            let made = spec.concretise(&mut frame, &mut stream, &mut |_, _| Ok(String::new()));
            let (fields, _) = made.unwrap();
            fast += u32::from(frame.0[0] == 1);
            if frame.0[1] == 2 {
                large += 1;
                reused += u32::from(fields.0[1].as_deref() == Some("12345"));
            }
        }
        // 69 of 99, and a quarter: within four standard deviations.
        assert!((6786..7154).contains(&fast), "{fast}");
        let share = f64::from(reused) / f64::from(large);
        assert!((0.22..0.28).contains(&share), "{share}");
    }

    #[test]
    fn texts_that_depend_on_others_are_not_reused() {
        let (_folder, spec) = learnt(&lines());
        assert!(spec.categories[2].choices[0].observed.is_empty());
        assert_eq!(spec.categories[2].choices[1].observed.len(), 87);
    }

    #[test]
    fn many_texts_are_thinned_evenly() {
        let texts: Vec<String> = (0..25_000).map(|number| number.to_string()).collect();
        let kept = thinned(&texts);
        assert_eq!(kept.len(), MAX_OBSERVED);
        assert_eq!(kept[1], "2");
        assert_eq!(kept[9_999], "24997");
        assert!(thinned(&[]).is_empty());
    }

    #[test]
    fn a_folder_without_inputs_is_an_error() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("x.toml"), SPEC).unwrap();
        fs::create_dir(folder.path().join("inputs")).unwrap();
        let mut spec = Spec::load(&folder.path().join("x.toml")).unwrap();
        assert!(matches!(learn(&mut spec), Err(PoolError::Empty { .. })));
    }
}
