//! When a test is taken for hung. Processor time decides, not the clock on the wall: on a busy machine innocent tests take long.
//!
//! What runs without end uses up processor time; what waits without end uses none. A worker's own threads use a little all
//! the time, so that one that waits is told by the share of time that it used.

use std::time::Duration;

/// A worker that used less than this part of the time is waiting, however busy the machine.
const IDLE_PART: u32 = 20;

/// How much longer than it may work a test may wait.
const WAITS: u32 = 2;

/// However little it got, this many times its patience is the end.
const AT_MOST: u32 = 30;

/// Whether a test that has run for `wall` time, of which its worker used the processor for `used`, is hung. Where processor
/// time is not known, the wall decides.
#[must_use]
pub fn is_hung(patience: Duration, wall: Duration, used: Option<Duration>) -> bool {
    let Some(used) = used else {
        return wall >= patience;
    };
    let waits = wall >= patience * WAITS && used * IDLE_PART < wall;
    used >= patience || waits || wall >= patience * AT_MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(2);

    fn hung(wall: u64, used: Option<u64>) -> bool {
        let seconds = Duration::from_secs;
        is_hung(PATIENCE, seconds(wall), used.map(seconds))
    }

    #[test]
    fn a_test_on_a_busy_machine_is_not_hung_before_it_used_its_time() {
        assert!(!hung(10, Some(1)));
        assert!(hung(10, Some(2)));
        assert!(hung(2, Some(2)));
    }

    #[test]
    fn a_test_that_waits_is_hung_after_a_while() {
        assert!(!hung(3, Some(0)));
        assert!(hung(4, Some(0)));
    }

    #[test]
    fn every_test_is_hung_at_some_time() {
        assert!(!hung(20, Some(1)));
        assert!(hung(60, Some(1)));
        assert!(!hung(1, None));
        assert!(hung(2, None));
    }
}
