//! Finds the known word nearest to a misspelt one, for `did you mean` hints.

/// The candidate that differs in the fewest letters, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let near = |candidate: &'a str| {
        let edits = edits(word, candidate);
        (edits <= word.len().max(candidate.len()) / 3).then_some((edits, candidate))
    };
    let best = candidates.into_iter().filter_map(near);
    best.min_by_key(|(edits, _)| *edits).map(|(_, c)| c)
}

/// A hint naming the nearest candidate, else listing all of them where they are few.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(nearest) = nearest(word, candidates.iter().copied()) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    if candidates.is_empty() || candidates.len() > 24 {
        return None;
    }
    Some(format!("known here: `{}`", candidates.join("`, `")))
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if swapped {
                    best.min(rows[i - 2][j - 2] + 1)
                } else {
                    best
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_find_their_neighbour() {
        let keys = ["program", "args", "stdin"];
        assert_eq!(nearest("progam", keys), Some("program"));
        assert_eq!(nearest("asgr", keys), None);
        assert_eq!(nearest("agrs", keys), Some("args"));
        assert_eq!(nearest("environment", keys), None);
    }
}
