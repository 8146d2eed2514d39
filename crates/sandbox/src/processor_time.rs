//! The processor time of a running process and all that it started, read from the process file system. In steps of the
//! kernel's clock, usually 10 ms; processes that have ended and were not waited for are not counted.

use std::fs;
use std::time::Duration;

use nix::unistd::{SysconfVar, sysconf};

/// The time of this process and its descendants so far; `None` where it cannot be read.
pub fn of_tree(process: u32) -> Option<Duration> {
    let ticks = ticks_of_tree(process)?;
    let per_second = sysconf(SysconfVar::CLK_TCK).ok()??;
    Some(Duration::from_millis(ticks * 1000 / per_second as u64))
}

fn ticks_of_tree(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let own = ticks(&stat)?;
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    // A child that ends meanwhile counts nothing.
    Some(own + children.filter_map(ticks_of_tree).sum::<u64>())
}

/// User and system time, the twelfth and thirteenth field after the program's name, which may itself contain anything.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_and_brackets_does_not_shift_the_fields() {
        let stat = "17 (a ) 9 9) S 1 17 17 0 -1 4194304 5 6 7 8 250 31 1 2 20 0 1 0 100";
        assert_eq!(ticks(stat), Some(281));
        assert_eq!(ticks("17 (cut"), None);
    }

    #[test]
    fn a_process_that_works_uses_time() {
        let own = || of_tree(std::process::id()).unwrap();
        let before = own();
        let mut number = 1u64;
        while own() < before + Duration::from_millis(20) {
            number = number.wrapping_mul(3);
        }
        assert_eq!(number % 2, 1);
        assert_eq!(of_tree(u32::MAX), None);
    }
}
