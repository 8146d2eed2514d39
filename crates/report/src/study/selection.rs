//! Which faults to show in detail, and which number of tests to compare times at.

use super::{GenerationTime, StudyRecord, VersionRecord};

/// Guides other than the baseline.
pub(crate) fn others(record: &StudyRecord) -> impl Iterator<Item = &String> {
    record
        .guides
        .iter()
        .filter(|guide| **guide != record.baseline)
}

/// Up to `wanted` versions in equal steps from where the other guides did best to where they did worst, judged by the
/// mean logarithm of their F-ratios. Versions without any F-ratio are left out, unless no version has one.
pub(crate) fn typical(record: &StudyRecord, wanted: usize) -> Vec<&VersionRecord> {
    let scored = record
        .versions
        .iter()
        .filter_map(|version| Some((score(record, version)?, version)));
    let mut scored: Vec<(f64, &VersionRecord)> = scored.collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut versions: Vec<&VersionRecord> =
        scored.into_iter().map(|(_, version)| version).collect();
    if versions.is_empty() {
        versions = record.versions.iter().collect();
    }
    if versions.len() <= wanted || wanted < 2 {
        versions.truncate(wanted);
        return versions;
    }
    let last = versions.len() - 1;
    (0..wanted)
        .map(|index| versions[(index * last + (wanted - 1) / 2) / (wanted - 1)])
        .collect()
}

fn score(record: &StudyRecord, version: &VersionRecord) -> Option<f64> {
    let ratios = others(record).filter_map(|guide| version.result(guide)?.f_ratio);
    let logs: Vec<f64> = ratios.filter(|ratio| *ratio > 0.0).map(f64::ln).collect();
    (!logs.is_empty()).then(|| logs.iter().sum::<f64>() / logs.len() as f64)
}

/// The number of tests at which times are compared: 10,000 as in Table 7 where every guide has it, else the largest
/// number that every guide has.
pub(crate) fn common_tests(generation: &[GenerationTime]) -> Option<u64> {
    let (first, rest) = generation.split_first()?;
    let everywhere = |tests: u64| {
        rest.iter()
            .all(|guide| guide.points.iter().any(|point| point.tests == tests))
    };
    let common = first
        .points
        .iter()
        .map(|point| point.tests)
        .filter(|&tests| everywhere(tests));
    let mut common: Vec<u64> = common.collect();
    common.sort_unstable();
    if common.contains(&10_000) {
        Some(10_000)
    } else {
        common.last().copied()
    }
}

/// Seconds of one guide at a number of tests.
pub(crate) fn seconds(record: &StudyRecord, guide: &str, tests: u64) -> Option<f64> {
    let times = record.generation.iter().find(|time| time.guide == guide)?;
    times
        .points
        .iter()
        .find(|point| point.tests == tests)
        .map(|point| point.seconds)
}

#[cfg(test)]
mod tests {
    use super::super::GenerationPoint;
    use super::*;

    fn times(guide: &str, tests: &[u64]) -> GenerationTime {
        let point = |&tests: &u64| GenerationPoint {
            tests,
            seconds: 1.0,
        };
        GenerationTime {
            guide: guide.to_owned(),
            points: tests.iter().map(point).collect(),
        }
    }

    #[test]
    fn times_are_compared_at_the_paper_size_or_the_largest_common_one() {
        let all = [
            times("a", &[100, 10_000, 100_000]),
            times("b", &[10_000, 100_000]),
        ];
        assert_eq!(common_tests(&all), Some(10_000));
        assert_eq!(
            common_tests(&[times("a", &[100, 5000]), times("b", &[100, 5000, 9000])]),
            Some(5000)
        );
        assert_eq!(
            common_tests(&[times("a", &[100]), times("b", &[200])]),
            None
        );
        assert_eq!(common_tests(&[]), None);
    }
}
