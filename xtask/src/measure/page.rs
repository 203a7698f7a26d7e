//! Replacing a generated section of a hand-written page.

/// The page with the text between `<!-- begin NAME -->` and `<!-- end NAME -->` replaced; `None` if it has no such
/// section.
pub(crate) fn replace(page: &str, name: &str, body: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let start = page.find(&begin)? + begin.len();
    let length = page[start..].find(&end)?;
    Some(format!("{}\n{}\n\n{}", &page[..start], body.trim(), &page[start + length..]))
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
}
