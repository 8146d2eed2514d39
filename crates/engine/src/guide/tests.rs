//! Tests of reading guides and of the table of parts.

use super::error::unknown;
use super::table::NOTHING;
use super::*;
use crate::frames::FrameSpace;

#[test]
fn every_part_parses_where_it_fits_and_is_refused_elsewhere() {
    for part in parts() {
        for kind in TestKind::ALL {
            let parsed = Guide::parse(part.name, kind);
            if part.fits.contains(&kind) {
                assert_eq!(parsed.unwrap().parts(), [part.name]);
                continue;
            }
            let error = parsed.unwrap_err();
            let name = part.name;
            assert_eq!(error, GuideError::Unfit { name, kind });
            assert!(error.hint().contains("`random`"), "{}", error.hint());
        }
    }
}

#[test]
fn every_preset_parses_where_it_makes_sense() {
    for preset in PRESETS {
        for kind in TestKind::ALL {
            let (name, parsed) = (preset.name, Guide::parse(preset.name, kind));
            let Some(parts) = preset.parts(kind) else {
                assert_eq!(parsed, Err(GuideError::Unfit { name, kind }));
                continue;
            };
            let guide = parsed.unwrap();
            assert_eq!(guide.parts(), parts, "{name}");
            let selector = guide.selector(&FrameSpace::uniform(&[2, 2]), 10);
            assert!(selector.candidates() > 0);
        }
    }
}

#[test]
fn the_help_names_every_part_and_preset() {
    let help = help();
    let presets = PRESETS.iter().map(|preset| preset.name);
    for name in parts().iter().map(|part| part.name).chain(presets) {
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
    }
}

#[test]
fn random_takes_the_first_candidate_and_needs_results_of_calls_only() {
    let space = FrameSpace::uniform(&[2, 2]);
    let frames = Guide::parse("random", TestKind::Frames).unwrap();
    assert_eq!(frames.selector(&space, 10).candidates(), 1);
    assert_eq!(frames.needs(), NOTHING);
    let calls = Guide::parse("random", TestKind::Calls).unwrap();
    assert!(calls.needs().results && !calls.needs().hits);
}

#[test]
fn a_misspelt_part_gets_a_hint() {
    let error = Guide::parse("artsum", TestKind::Frames).unwrap_err();
    assert_eq!(error.hint(), "did you mean `art-sum`?");
    let error = Guide::parse("rendom", TestKind::Calls).unwrap_err();
    assert_eq!(error.hint(), "did you mean `random`?");
}

#[test]
fn parts_are_taken_away_by_a_minus() {
    let parts =
        |text: &str| Guide::parse(text, TestKind::Calls).map(|guide| guide.parts().to_vec());
    let whole = parts("grt").unwrap();
    assert_eq!(parts("grt-detective").unwrap().len(), whole.len() - 1);
    assert_eq!(parts("grt,-detective"), parts("grt-detective"));
    let all = "grt-constants-impurity-elephant-detective-orienteering-bloodhound";
    assert_eq!(parts(all), Ok(vec![]));
    assert_eq!(parts("grt,loc-calls-loc"), Err(unknown("loc-calls-loc")));
    assert_eq!(parts("random,loc-calls,-loc-calls"), Ok(vec![]));
    let absent = GuideError::Absent { name: "loc" };
    assert_eq!(parts("grt-loc"), Err(absent));
    assert_eq!(
        parts("grt-detectve").unwrap_err().hint(),
        "did you mean `detective`?"
    );
}

#[test]
fn two_ways_to_choose_clash() {
    let error = Guide::parse("art-sum,fscs", TestKind::Frames).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`art-sum` and `fscs` both decide which of k candidates becomes the next test"
    );
    assert!(Guide::parse("random,art-sum,art-sum", TestKind::Frames).is_ok());
}
