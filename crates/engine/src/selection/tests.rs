//! Facts about every method of the table.

use super::*;
use crate::Seed;
use crate::frames::{ABSENT, Sampler};

/// Ten categories; the first one has a choice that is drawn with a chance of 2 percent.
fn skewed() -> FrameSpace {
    let mut space = FrameSpace::uniform(&[5; 10]);
    let choices = &mut space.categories[0].choices;
    choices[4].weight = 4.0 * 0.02 / 0.98;
    space
}

/// The number of the first test whose frame fails, for one method and seed.
fn f_count(name: &str, space: &FrameSpace, seed: u64, fails: fn(&[u16]) -> bool) -> u64 {
    let mut selector = by_name(name, space, CANDIDATES).unwrap();
    let sampler = Sampler::new(space);
    let mut stream = Seed(seed).stream();
    let mut block = FrameBlock::new(space.categories.len(), selector.candidates());
    for count in 1.. {
        sampler.fill(&mut stream, &mut block);
        let row = selector.choose(&block, &mut stream);
        if fails(block.row(row)) {
            return count;
        }
    }
    unreachable!("the loop ends only by finding a failure")
}

fn mean_f_count(name: &str, space: &FrameSpace, seeds: u64, fails: fn(&[u16]) -> bool) -> f64 {
    let counts = (0..seeds).map(|seed| f_count(name, space, seed, fails));
    counts.sum::<u64>() as f64 / seeds as f64
}

#[test]
fn names_are_unique_and_unknown_ones_are_refused() {
    let mut names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), METHODS.len());
    assert!(by_name("art-summ", &skewed(), 10).is_none());
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let space = skewed();
    for method in METHODS {
        let run = |seed: u64| {
            let mut selector = (method.build)(&space, 5);
            let sampler = Sampler::new(&space);
            let mut stream = Seed(seed).stream();
            let mut block = FrameBlock::new(10, selector.candidates());
            let mut chosen = FrameBlock::new(10, 0);
            for _ in 0..40 {
                sampler.fill(&mut stream, &mut block);
                let row = selector.choose(&block, &mut stream);
                chosen.push(block.row(row));
            }
            chosen
        };
        assert_eq!(run(1), run(1), "{}", method.name);
        assert_ne!(run(1), run(2), "{}", method.name);
    }
}

#[test]
fn the_first_test_is_any_candidate() {
    for method in METHODS {
        let mut seen = [false; 20];
        for seed in 0..200 {
            let mut selector = (method.build)(&FrameSpace::uniform(&[2; 3]), 10);
            let mut block = FrameBlock::new(3, selector.candidates());
            (0..block.rows()).for_each(|row| block.row_mut(row).fill(1));
            seen[selector.choose(&block, &mut Seed(seed).stream())] = true;
        }
        let k = (method.build)(&FrameSpace::uniform(&[2; 3]), 10).candidates();
        assert!(
            seen[..k].iter().all(|seen| *seen),
            "{}: {seen:?}",
            method.name
        );
    }
}

#[test]
fn odd_spaces_and_frames_are_survived() {
    let mut weightless = FrameSpace::uniform(&[2, 2]);
    weightless
        .categories
        .iter_mut()
        .for_each(|c| c.weight = 0.0);
    for space in [
        FrameSpace::uniform(&[1]),
        weightless,
        FrameSpace::uniform(&[0, 3]),
    ] {
        for method in METHODS {
            let mut selector = (method.build)(&space, 0);
            let categories = space.categories.len();
            let mut block = FrameBlock::new(categories, selector.candidates());
            for choice in [ABSENT, 1, 2, 500, u16::MAX] {
                block.row_mut(0).fill(choice);
                selector.record(block.row(0));
                assert!(selector.choose(&block, &mut Seed(1).stream()) < block.rows());
            }
        }
    }
}

#[test]
fn a_recorded_test_is_avoided_by_every_adaptive_method() {
    let space = FrameSpace::uniform(&[2, 2]);
    for method in METHODS.iter().filter(|method| method.name != "random") {
        let mut selector = (method.build)(&space, 2);
        for _ in 0..5 {
            selector.record(&[1, 1]);
        }
        let mut block = FrameBlock::new(2, 0);
        block.push(&[1, 1]);
        block.push(&[2, 2]);
        assert_eq!(
            selector.pick(&block, &mut Seed(9).stream()),
            1,
            "{}",
            method.name
        );
    }
}

#[test]
fn adaptive_methods_meet_a_rare_choice_earlier_than_random_does() {
    let space = skewed();
    let rare = |frame: &[u16]| frame[0] == 5;
    let random = mean_f_count("random", &space, 200, rare);
    assert!((40.0..60.0).contains(&random), "{random}");
    for (name, share) in [("art-sum", 0.4), ("art-mif", 0.9), ("art-calibrated", 0.9)] {
        let mean = mean_f_count(name, &space, 200, rare);
        assert!(mean < share * random, "{name}: {mean} against {random}");
    }
}

#[test]
fn methods_that_see_pairs_find_a_failure_of_two_choices_earlier_than_random_does() {
    let space = FrameSpace::uniform(&[6; 5]);
    let both = |frame: &[u16]| frame[1] == 2 && frame[3] == 4;
    let random = mean_f_count("random", &space, 200, both);
    for (name, seeds) in [("art-pairs", 200), ("art-herding", 40)] {
        let mean = mean_f_count(name, &space, seeds, both);
        assert!(mean < 0.85 * random, "{name}: {mean} against {random}");
    }
}

#[test]
fn every_method_is_described_in_the_same_shape() {
    let texts = [
        include_str!("random.rs"),
        include_str!("fscs.rs"),
        include_str!("max_sum.rs"),
        include_str!("art_sum.rs"),
        include_str!("art_mif.rs"),
        include_str!("art_calibrated.rs"),
        include_str!("art_pairs.rs"),
        include_str!("art_herding.rs"),
    ];
    let heads = [
        "What it does",
        "Why",
        "Example",
        "References",
        "Differences",
    ];
    assert_eq!(texts.len(), METHODS.len());
    for (text, method) in texts.into_iter().zip(METHODS) {
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        let found = header
            .clone()
            .filter_map(|line| line.strip_prefix("//! ## "));
        assert_eq!(found.collect::<Vec<_>>(), heads, "{}", method.name);
        let first = header.clone().next().unwrap();
        assert!(first.starts_with(&format!("//! `{}`:", method.name)));
        let example = format!("--guide {}`", method.name);
        assert!(header.clone().any(|line| line.ends_with(&example)));
    }
}
