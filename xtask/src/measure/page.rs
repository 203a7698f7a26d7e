//! The generated sections of a hand-written page.

use std::ops::Range;

/// The page of all measurements.
pub(crate) const MEASUREMENTS: &str = "docs/measurements.md";

/// The page with the text between `<!-- begin NAME -->` and `<!-- end NAME -->` replaced; `None` if it has no such
/// section.
pub(crate) fn replace(page: &str, name: &str, body: &str) -> Option<String> {
    let Range { start, end } = range(page, name)?;
    Some(format!("{}\n{}\n\n{}", &page[..start], body.trim(), &page[end..]))
}

/// A cell of the table in a section: in the first row whose first cell begins with `row`, the cell with the number
/// `column`, from 0. `None` if there is no such section or cell.
pub(crate) fn cell<'a>(page: &'a str, name: &str, row: &str, column: usize) -> Option<&'a str> {
    let rows = page[range(page, name)?].lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let mut found = rows.filter(|cells| cells.trim_start().starts_with(row));
    found.next()?.split('|').nth(column).map(str::trim)
}

/// Where the text of a section is.
fn range(page: &str, name: &str) -> Option<Range<usize>> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let start = page.find(&begin)? + begin.len();
    Some(start..start + page[start..].find(&end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_section_changes() {
        let page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n<!-- begin y -->\nkept\n<!-- end y -->\n";
        let replaced = replace(page, "x", "new").unwrap();
        assert_eq!(replaced, page.replace("old", "\nnew\n"));
        assert_eq!(replace(&replaced, "x", "new").unwrap(), replaced);
        assert_eq!(replace(page, "z", "new"), None);
    }

    #[test]
    fn cells_are_found_by_row_and_column() {
        let page = "| a | 0 |\n<!-- begin x -->\n| | n |\n|---|---|\n| a (2) | 1 |\n| b | 2 |\n<!-- end x -->\n";
        assert_eq!(cell(page, "x", "a", 1), Some("1"));
        assert_eq!(cell(page, "x", "b", 0), Some("b"));
        for (name, row, column) in [("y", "a", 1), ("x", "c", 1), ("x", "a", 2)] {
            assert_eq!(cell(page, name, row, column), None);
        }
    }
}
