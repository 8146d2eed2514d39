//! Watches how much memory all processes of a program take together. No limit of the kernel that an ordinary user can
//! set bounds that: those on address space count for one process, and sanitizers and virtual machines cannot bear them.
//!
//! Looking happens at intervals, so a program can take more for a moment. Memory that processes share counts for each.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// How often to look. A program that ends sooner costs nothing.
pub const INTERVAL: Duration = Duration::from_millis(50);

const PAGE: u64 = 4096;

/// Whether the process file system shows exactly the processes inside: then we are process 1 in it.
pub fn can_be_watched() -> bool {
    fs::read_link("/proc/self").is_ok_and(|link| link == Path::new("1"))
}

/// Whether the processes inside, without this one, take more than `limit` bytes.
pub fn exceeds(limit: u64) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else {
        return false;
    };
    let mut pages = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let inside = name
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
            .is_some_and(|pid| pid != 1);
        if inside {
            pages += resident_pages(&entry.path());
        }
    }
    pages * PAGE > limit
}

/// The second number of `statm`; zero for a process that has just ended.
fn resident_pages(process: &Path) -> u64 {
    let text = fs::read_to_string(process.join("statm")).unwrap_or_default();
    text.split(' ')
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}
