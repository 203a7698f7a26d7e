//! The frame of every page: head, style, script and data.

use super::script;
use bartizan_notation::svg::PieceSymbols;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

/// The style, which all pages share.
const STYLE: &str = include_str!("../../../../web/report/style.css");

/// The prefix of the ids of the pieces, which the script knows.
pub(super) const PIECES: &str = "piece-";

/// The prefix of the classes of boards, which the style knows.
pub(super) const CLASSES: &str = "b-";

/// Data as JSON inside an element `script`: no `<` is left that could end the element or begin a comment.
fn embedded_json(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// A page, except for its content.
pub(super) struct Document<'a> {
    pub(super) title: &'a str,
    /// Whether the title is also the first heading; games have one of their own.
    pub(super) heading: bool,
    /// Links to other pages.
    pub(super) nav: Markup,
    /// Below the content.
    pub(super) foot: Markup,
}

impl Document<'_> {
    /// The whole page.
    pub(super) fn write(self, data: &impl Serialize, body: &Markup) -> String {
        let script = script::bundle();
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
             form-action 'none'",
            script::hash(&script)
        );
        let symbols = PieceSymbols::new(PIECES).classes(CLASSES).to_string();
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    (PreEscaped(symbols))
                    header.page-head {
                        (self.nav)
                        @if self.heading { h1 { (self.title) } }
                    }
                    main #main tabindex="-1" { (body) }
                    footer.page-foot { (self.foot) }
                    script type="application/json" id="report-data" { (PreEscaped(embedded_json(data))) }
                    script type="module" { (PreEscaped(script)) }
                }
            }
        };
        page.into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_its_element() {
        let json = embedded_json(&["</script><script>alert(1)</script>", "<!-- <script>"]);
        assert!(!json.contains('<'), "{json}");
        let read: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(read, ["</script><script>alert(1)</script>", "<!-- <script>"]);
    }

    #[test]
    fn the_style_cannot_end_its_element() {
        assert!(!STYLE.contains("</"));
    }
}
