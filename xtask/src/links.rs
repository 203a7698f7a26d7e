//! Checks that no link between the repository's Markdown files is dead, including heading anchors.
//!
//! Links to other sites are not followed: a check must not depend on the network. Links to files of this repository on
//! its public site are checked against the files here. The pages of `docs/` become a book, so their relative links must
//! stay in that folder.
//!
//! Comments of the source cite a page as `docs/PAGE.md`, or a heading of it as `docs/PAGE.md`, "HEADING".

use crate::error::{Result, verdict};
use crate::files;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The address of the repository's files on its public site.
const PUBLIC: &str = "https://github.com/bartizan-chess/bartizan/blob/main/";

/// Fails on a dead link. Returns a summary of what was checked.
pub(crate) fn check() -> Result<String> {
    let mut pages: HashMap<PathBuf, Page> = HashMap::new();
    for path in tracked()? {
        let page = Page::parse(&files::read(&files::root().join(&path))?);
        pages.insert(path, page);
    }
    let mut problems: Vec<String> = Vec::new();
    let mut count = 0;
    for (path, page) in &pages {
        for link in &page.links {
            let resolved = match link.strip_prefix(PUBLIC) {
                Some(file) => resolve(Path::new(""), file, &pages),
                None if is_external(link) => continue,
                None => resolve(path, link, &pages),
            };
            count += 1;
            if let Err(reason) = resolved {
                problems.push(format!("{}: link '{link}': {reason}", path.display()));
            }
        }
    }
    let mut cited = 0;
    for path in files::rust_sources()? {
        for citation in citations(&files::read(&path)?) {
            cited += 1;
            if let Err(reason) = citation.resolve(&pages) {
                problems.push(format!("{}: {citation:?}: {reason}", files::shown(&path)));
            }
        }
    }
    problems.sort();
    verdict(&problems, format!("{count} links in {} pages, {cited} citations in the source", pages.len()))
}

/// A page that a comment cites.
#[derive(Debug, PartialEq, Eq)]
struct Citation {
    page: String,
    heading: Option<String>,
}

impl Citation {
    /// Whether the page has the heading; if not, why.
    fn resolve(&self, pages: &HashMap<PathBuf, Page>) -> std::result::Result<(), &'static str> {
        let page = pages.get(Path::new(&self.page)).ok_or("no such page")?;
        match &self.heading {
            Some(heading) if !page.anchors.contains(&anchor(heading)) => Err("no such heading"),
            _ => Ok(()),
        }
    }
}

/// The pages of `docs` that the comments of a source file cite.
fn citations(source: &str) -> Vec<Citation> {
    let comments = source.lines().filter_map(|line| line.split_once("//"));
    let comments: Vec<&str> = comments.map(|(_, text)| text.trim_start_matches(['/', '!']).trim()).collect();
    let comments = comments.join(" ");
    // What follows the first mark is cited; capitals stand for any page.
    let cited = comments.split("`docs/").skip(1).filter_map(|rest| rest.split_once("`"));
    let cited = cited.filter(|(page, _)| page.ends_with(".md") && *page == page.to_lowercase());
    let heading = |rest: &str| Some(rest.strip_prefix(", \"")?.split_once('"')?.0.to_owned());
    cited.map(|(page, rest)| Citation { page: format!("docs/{page}"), heading: heading(rest) }).collect()
}

/// The repository files to which a page has relative links.
#[cfg(test)]
pub(crate) fn targets(path: &Path) -> Result<Vec<PathBuf>> {
    let page = Page::parse(&files::read(&files::root().join(path))?);
    let local = page.links.iter().filter(|link| !is_external(link) && !link.starts_with('#'));
    Ok(local.filter_map(|link| target(path, link.split('#').next()?)).collect())
}

/// The Markdown files that git tracks, relative to the root of the workspace.
pub(crate) fn tracked() -> Result<Vec<PathBuf>> {
    Ok(files::tracked(&["-z", "*.md"])?
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(|path| files::root().join(path).exists())
        .collect())
}

fn is_external(link: &str) -> bool {
    link.contains("://") || link.starts_with("mailto:")
}

/// Whether a link of the page at `from` has a target; if not, why.
fn resolve(from: &Path, link: &str, pages: &HashMap<PathBuf, Page>) -> std::result::Result<(), &'static str> {
    let (target, anchor) = link.split_once('#').map_or((link, None), |(target, anchor)| (target, Some(anchor)));
    let path =
        if target.is_empty() { from.to_owned() } else { self::target(from, target).ok_or("leaves the repository")? };
    if !files::root().join(&path).exists() {
        return Err("no such file");
    }
    if from.starts_with("docs") && !path.starts_with("docs") {
        return Err("leaves the book; link to the file on the public site");
    }
    match (anchor, pages.get(&path)) {
        (Some(anchor), Some(page)) if !page.anchors.iter().any(|known| known == anchor) => Err("no such heading"),
        _ => Ok(()),
    }
}

/// The file to which a relative link of the page at `from` leads; `None` if that is outside the repository.
fn target(from: &Path, link: &str) -> Option<PathBuf> {
    normalised(&from.parent().unwrap_or(Path::new("")).join(link))
}

/// The path without `.` and `..`; `None` if it leads out of the repository.
fn normalised(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => parts.pop().then_some(())?,
            Component::CurDir => {}
            component => parts.push(component),
        }
    }
    Some(parts)
}

/// The relevant parts of a Markdown file.
#[derive(Debug, Default)]
struct Page {
    links: Vec<String>,
    anchors: Vec<String>,
}

impl Page {
    fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new(text) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.anchors.extend(heading.take().map(|text| anchor(&text))),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page
    }
}

/// The anchor of a heading, as generated by GitHub and mdBook.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found_outside_code() {
        let page = Page::parse("# The `eval` command, again\n[a](b.md#c) ![i](i.png)\n```\n[no](no.md)\n```\n");
        assert_eq!(page.links, ["b.md#c", "i.png"]);
        assert_eq!(page.anchors, ["the-eval-command-again"]);
    }

    #[test]
    fn citations_in_comments_are_found() {
        let source = "//! 'docs/PAGE.md', \"No\"\n/// Tried ('docs/lab/a.md', \"2026-11-21 Step\n/// by step\").\n\
                      let x = 1; // 'docs/b.md'\nlet y = \"docs/c.md\";\n"
            .replace('\'', "`");
        let citation =
            |page: &str, heading: Option<&str>| Citation { page: page.to_owned(), heading: heading.map(str::to_owned) };
        let [first, second] = [citation("docs/lab/a.md", Some("2026-11-21 Step by step")), citation("docs/b.md", None)];
        let pages = HashMap::from([(PathBuf::from("docs/lab/a.md"), Page::parse("## 2026-11-21 Step by step"))]);
        assert_eq!(first.resolve(&pages), Ok(()));
        assert_eq!(second.resolve(&pages), Err("no such page"));
        assert_eq!(citation("docs/lab/a.md", Some("Other")).resolve(&pages), Err("no such heading"));
        assert_eq!(citations(&source), [first, second]);
    }

    #[test]
    fn dead_links_are_named() {
        let pages = HashMap::from([(PathBuf::from("README.md"), Page::parse("# Here"))]);
        let from = Path::new("docs/page.md");
        assert_eq!(resolve(Path::new(""), "README.md#here", &pages), Ok(()));
        assert_eq!(resolve(Path::new(""), "README.md#there", &pages), Err("no such heading"));
        assert!(resolve(from, "../README.md", &pages).unwrap_err().starts_with("leaves the book"));
        assert_eq!(resolve(from, "absent.md", &pages), Err("no such file"));
        assert_eq!(resolve(from, "../../absent.md", &pages), Err("leaves the repository"));
        assert!(is_external("https://example.org/"));
    }
}
