//! Making a failing test smaller while it still fails the same way.
//!
//! Two independent tools: delta debugging over a list (Zeller and Hildebrandt, 2002), which ends 1-minimal, and
//! simplification of a frame choice by choice. Whether a candidate "still fails" is the caller's question.

use crate::frames::{ABSENT, Frame, FrameSpace};

/// Removes items as long as `fails` says yes; the result is 1-minimal: no single item can be removed. Keeps at least one run
/// of every subset size, never asks twice for the same list in a row, and stops asking after `limit` questions.
pub fn shrink_list<T: Clone>(
    items: &[T],
    limit: usize,
    fails: &mut dyn FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut current = items.to_vec();
    let mut asked = 0;
    let mut chunk = current.len().div_ceil(2).max(1);
    while !current.is_empty() {
        let mut removed = false;
        let mut start = 0;
        while start < current.len() {
            if asked >= limit {
                return current;
            }
            asked += 1;
            let end = (start + chunk).min(current.len());
            let candidate = [&current[..start], &current[end..]].concat();
            if fails(&candidate) {
                current = candidate;
                removed = true;
            } else {
                start = end;
            }
        }
        if chunk > 1 {
            chunk = chunk.div_ceil(2).min(current.len().max(1));
        } else if !removed {
            break;
        }
    }
    current
}

/// Replaces choices by simpler ones (absent, then lower numbers) as long as the frame is allowed and `fails` says yes, until
/// nothing changes.
pub fn simplify_frame(
    space: &FrameSpace,
    frame: &Frame,
    fails: &mut dyn FnMut(&Frame) -> bool,
) -> Frame {
    let mut current = frame.clone();
    loop {
        let mut changed = false;
        for category in 0..current.0.len() {
            if space.categories[category].derived {
                continue;
            }
            for choice in ABSENT..current.0[category] {
                let mut candidate = current.clone();
                candidate.0[category] = choice;
                if space.allows(&candidate.0) && fails(&candidate) {
                    current = candidate;
                    changed = true;
                    break;
                }
            }
        }
        if !changed {
            return current;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_frame_keeps_only_what_matters() {
        let mut space = FrameSpace::uniform(&[3, 3, 3]);
        space.categories[0].absent = 1.0;
        let simple = simplify_frame(&space, &Frame(vec![3, 3, 2]), &mut |frame| frame.0[1] >= 2);
        assert_eq!(simple, Frame(vec![0, 2, 1]));
    }

    proptest! {
        #[test]
        fn the_result_fails_and_is_one_minimal(items in proptest::collection::vec(0u8..20, 0..60), a in 0u8..20, b in 0u8..20) {
            let fails = |list: &[u8]| list.contains(&a) && list.contains(&b);
            prop_assume!(fails(&items));
            let small = shrink_list(&items, usize::MAX, &mut |list| fails(list));
            prop_assert!(fails(&small));
            prop_assert_eq!(small.len(), if a == b { 1 } else { 2 });
        }

        #[test]
        fn the_limit_on_questions_holds(items in proptest::collection::vec(0u8..20, 1..60), limit in 0usize..30) {
            let mut asked = 0;
            shrink_list(&items, limit, &mut |_| { asked += 1; false });
            prop_assert!(asked <= limit);
        }
    }
}
