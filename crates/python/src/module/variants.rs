//! The ways to call an operation whose parameters have defaults: with none of them, with any of them, and, where there are three
//! or more, with each one alone.

use super::discovered::{DiscoveredOperation, DiscoveredParameter};

/// The most parameters with defaults that are given alone.
const MOST_ALONE: usize = 10;

/// One way to call an operation.
pub struct Variant<'a> {
    /// What is given.
    pub given: Vec<&'a DiscoveredParameter>,
    /// Whether the parameters with defaults may be left out.
    pub omits: bool,
    /// Whether the last one may be given any number of times.
    pub repeats: bool,
    /// How often it is drawn.
    pub weight: f64,
}

/// The ways to call an operation.
pub fn variants(operation: &DiscoveredOperation) -> Vec<Variant<'_>> {
    let all = || operation.parameters.iter();
    let plain = |given: Vec<_>, omits: bool, weight: f64| Variant {
        given,
        omits,
        repeats: false,
        weight,
    };
    let required: Vec<_> = all()
        .filter(|one| one.required && one.way != "variadic")
        .collect();
    let mut variants = vec![plain(required.clone(), false, 1.0)];
    if all().any(|one| one.way == "variadic") {
        // What comes before `*args` must be given by position, and keywords are left out.
        let given: Vec<_> = all()
            .filter(|one| one.way != "keyword" || one.required)
            .collect();
        let repeats = |given: Vec<_>, weight: f64| Variant {
            repeats: true,
            ..plain(given, false, weight)
        };
        variants.push(repeats(given.clone(), 1.0));
        let keywords: Vec<_> = all()
            .filter(|one| one.way == "keyword" && !one.required)
            .take(MOST_ALONE)
            .collect();
        for keyword in &keywords {
            // What may be given any number of times stands last.
            let (rest, mut before): (Vec<_>, Vec<_>) =
                given.iter().copied().partition(|one| one.way == "variadic");
            before.push(*keyword);
            before.extend(rest);
            variants.push(repeats(before, 1.0 / keywords.len() as f64));
        }
        return variants;
    }
    let optional: Vec<_> = all().filter(|one| !one.required).collect();
    if optional.is_empty() {
        return variants;
    }
    // Where positions can be left out only from the end, all of them are given.
    let with = |chosen: &[&'_ DiscoveredParameter]| {
        let chosen = |one: &&DiscoveredParameter| {
            one.required || chosen.iter().any(|other| std::ptr::eq(*other, *one))
        };
        operation
            .parameters
            .iter()
            .filter(chosen)
            .collect::<Vec<_>>()
    };
    variants.push(plain(with(&optional), true, 1.0));
    if optional.len() >= 3 {
        let alone = optional.iter().filter(|one| one.way != "positional");
        let alone: Vec<_> = alone.take(MOST_ALONE).collect();
        let weight = 1.5 / alone.len().max(1) as f64;
        variants.extend(alone.iter().map(|one| plain(with(&[**one]), false, weight)));
    }
    variants
}
