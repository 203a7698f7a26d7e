//! "Did you mean …?", for the names of options and commands.

/// The text `; did you mean 'NAME'?` for the name most similar to `word`, at most two edits away, or nothing if none is
/// similar. Case does not matter.
///
/// ```
/// use bartizan_protocol::did_you_mean;
///
/// assert_eq!(did_you_mean("SkillLevel", ["Hash", "Skill Level"]), "; did you mean 'Skill Level'?");
/// assert_eq!(did_you_mean("Contempt", ["Hash", "Skill Level"]), "");
/// ```
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, names).map_or_else(String::new, |name| format!("; did you mean '{name}'?"))
}

/// The name most similar to `word`, at most two edits away. Case does not matter.
fn closest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    // A difference of lengths is a number of edits. Most names are ruled out this way.
    let near = names.into_iter().filter(|name| name.chars().count().abs_diff(length) <= 2);
    let best = near.map(|name| (distance(&name.to_lowercase(), &word), name)).min()?;
    // Two edits make any short name of any other.
    let limit = if best.1.len() <= 3 { 1 } else { 2 };
    (best.0 <= limit).then_some(best.1)
}

/// The Damerau–Levenshtein distance: how many letters must be changed, inserted, deleted or swapped with their
/// neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = rows[i - 1][j];
            let mut least = (above + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let names = ["bench", "board", "eval", "d"];
        assert_eq!(closest("baord", names), Some("board"));
        assert_eq!(closest("EVALL", names), Some("eval"));
        assert_eq!(closest("xyz", names), None);
        assert_eq!(closest("", names), Some("d"));
        assert_eq!(did_you_mean("benhc", names), "; did you mean 'bench'?");
    }
}
