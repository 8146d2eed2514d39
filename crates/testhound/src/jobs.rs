//! Resumable jobs: a list of independent pieces of work with one result file each. What has a result is not done again, so a
//! study or comparison that was stopped goes on where it was. Used for subjects x guides x seeds alike.

use crate::exit::Failed;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Reads the result of a finished job, if it is there and whole.
pub fn finished<R: DeserializeOwned>(folder: &Path, key: &str) -> Option<R> {
    let bytes = std::fs::read(file(folder, key)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Stores the result of a job: written beside, then renamed, so that a file that is there is whole.
pub fn finish<R: Serialize>(folder: &Path, key: &str, result: &R) -> Result<(), Failed> {
    let path = file(folder, key);
    let bytes = serde_json::to_vec(result).expect("job results have string keys only");
    write_whole(&path, &bytes)
}

/// Writes a file so that it is either as before or whole.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let cannot = |error: std::io::Error| {
        Failed::input(format!("cannot write `{}`: {error}", path.display()))
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    std::fs::write(&beside, bytes).map_err(cannot)?;
    std::fs::rename(&beside, path).map_err(cannot)
}

fn file(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_again_and_a_broken_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(finished::<Vec<u32>>(folder.path(), "a"), None);
        finish(folder.path(), "a", &vec![1, 2]).unwrap();
        assert_eq!(finished::<Vec<u32>>(folder.path(), "a"), Some(vec![1, 2]));
        std::fs::write(folder.path().join("a.json"), "[1,").unwrap();
        assert_eq!(finished::<Vec<u32>>(folder.path(), "a"), None);
    }
}
