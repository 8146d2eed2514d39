//! The bars of coverage, as far as there are results, each with what it asks for in brackets.

use super::Options;
use super::gathered::Gathered;
use super::jobs::longer;
use super::results::{Run, mean, percent};
use super::step::Step;
use super::subjects::Subject;

/// Runs of `grt` and of `random` with the same seeds.
type Pair<'a> = (&'a Run, &'a Run);
type Pairs<'a> = Vec<(&'static Subject, Vec<Pair<'a>>)>;

/// Bars 1, 2 and 5, by budget.
pub fn lines(options: &Options) -> Vec<String> {
    let found = Gathered::of(Step::Cover, options);
    let more = Gathered::of(Step::Longer, options);
    let seconds = options.seconds.iter();
    seconds
        .flat_map(|&seconds| of_budget(&found, &more, seconds))
        .collect()
}

fn of_budget(found: &Gathered<Run>, more: &Gathered<Run>, seconds: f64) -> Vec<String> {
    let Some(grt) = found.group(seconds, "grt") else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let random = found.group(seconds, "random");
    let pairs: Pairs = random.map_or(Vec::new(), |random| grt.pairs(random));
    if !pairs.is_empty() {
        lines.push(format!("{seconds} s per class, {} subjects", pairs.len()));
        lines.extend([covered(&pairs), left_by_random(&pairs), zero(&pairs)]);
    }
    let time = longer(seconds);
    let random = more.group(time, "random").or(found.group(time, "random"));
    for (subject, runs) in random.map_or(Vec::new(), |random| grt.pairs(random)) {
        let [grt, random] = branches(&runs).map(shown);
        let name = subject.name;
        lines.push(format!(
            "  bar 2, random with ten times the time: {name} grt {grt} %, random {random} %"
        ));
    }
    lines
}

/// Percent of branches that `grt` and `random` cover, as means over seeds.
fn branches(runs: &[Pair]) -> [Option<f64>; 2] {
    let one = |run: &Run| percent(run.branches());
    let grt = mean(runs.iter().map(|pair| one(pair.0)));
    [grt, mean(runs.iter().map(|pair| one(pair.1)))]
}

/// The mean over subjects, in which all seeds of one count as one.
fn over(pairs: &Pairs, value: impl Fn(&[Pair]) -> Option<f64>) -> String {
    shown(mean(pairs.iter().map(|(_, runs)| value(runs))))
}

fn covered(pairs: &Pairs) -> String {
    let branches = over(pairs, |runs| branches(runs)[0]);
    let instructions = over(pairs, |runs| {
        mean(runs.iter().map(|pair| percent(pair.0.instructions())))
    });
    format!(
        "  bar 1: grt covers {branches} % of branches (55), {instructions} % of instructions (66)"
    )
}

/// The share of the branches that `random` leaves: the least that it can be by the counts of methods, and the net of the counts of
/// subjects, from which what only `random` covers is taken off.
fn left_by_random(pairs: &Pairs) -> String {
    let gained = over(pairs, |runs| {
        mean(runs.iter().map(|(grt, random)| percent(grt.gained(random))))
    });
    let net = over(pairs, |runs| {
        let [grt, random] = branches(runs);
        let (grt, random) = grt.zip(random).filter(|both| both.1 < 100.0)?;
        Some(100.0 * (grt - random) / (100.0 - random))
    });
    let by_methods = |(grt, random): &Pair| grt.methods.is_some() && random.methods.is_some();
    let unit = match pairs.iter().flat_map(|(_, runs)| runs).all(by_methods) {
        true => "methods",
        false => "methods, or classes of older results",
    };
    let side = |side: usize| -> Vec<f64> {
        let values = pairs.iter().filter_map(|(_, runs)| branches(runs)[side]);
        values.collect()
    };
    let effect = stats::vargha_delaney(&side(0), &side(1));
    let effect = effect.map_or("-".to_owned(), |effect| format!("{effect:.2}"));
    format!(
        "  bar 2: of the branches that random leaves, grt covers at least {gained} % by {unit} (25), {net} % net by subjects; \
         A12 over subjects {effect} (0.65)"
    )
}

fn zero(pairs: &Pairs) -> String {
    let (mut left, mut kept) = (0, 0);
    for (grt, random) in pairs.iter().flat_map(|(_, runs)| runs) {
        let random = random.zero();
        left += random.len();
        kept += random.intersection(&grt.zero()).count();
    }
    format!("  bar 5: random leaves {left} classes at zero, grt {kept} of those (a third at most)")
}

fn shown(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.1}"))
}

#[cfg(test)]
mod tests {
    use super::super::subjects::SUBJECTS;
    use super::*;

    fn run(covered: [u64; 2], methods: bool) -> Run {
        let method = |(name, hit): (&str, u64)| (name.to_owned(), (hit, 4));
        let class = |(name, hit): (&str, u64)| (name.to_owned(), [10 * hit, 40, hit, 4]);
        let names = || ["A", "B"].into_iter().zip(covered);
        Run {
            jacoco: names().map(class).collect(),
            methods: methods.then(|| names().map(method).collect()),
            ..Run::default()
        }
    }

    fn bars(methods: bool) -> String {
        let (mut found, mut more) = (Gathered::default(), Gathered::default());
        for (guide, covered) in [("random", [0, 4]), ("grt", [3, 2])] {
            found.add(2.0, guide, &SUBJECTS[0], 1, run(covered, methods));
            found.add(2.0, guide, &SUBJECTS[1], 1, run([0, 2], methods));
        }
        more.add(20.0, "random", &SUBJECTS[0], 1, run([4, 4], methods));
        of_budget(&found, &more, 2.0).join("\n")
    }

    #[test]
    fn bars_of_coverage_compare_runs_of_the_same_seed() {
        insta::assert_snapshot!("bars", bars(true));
    }

    #[test]
    fn results_without_methods_say_that_classes_were_compared() {
        let told = "at least 37.5 % by methods, or classes of older results (25), 12.5 % net";
        assert!(bars(false).contains(told), "{}", bars(false));
    }
}
