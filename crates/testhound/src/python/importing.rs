//! How written files find the modules that they import.

use std::path::{Component, Path, PathBuf};

/// A line that lets a file in `folder` import what is in another folder.
pub fn importing(folder: &Path, from: &Path) -> String {
    let relative = relative(folder, from);
    format!(
        "sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), {}))\n",
        quoted(&relative.to_string_lossy())
    )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The way from one folder to another.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let parts = |path: &Path| -> Vec<String> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let named = path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        named.collect()
    };
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    up.chain(to[shared..].iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_between_folders_goes_up_and_down() {
        let way = relative(Path::new("/no/a/b"), Path::new("/no/c"));
        assert_eq!(way, Path::new("../../c"));
    }
}
