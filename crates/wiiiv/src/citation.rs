//! A passage that an answer cites, on one line. Its title and names are what others wrote.

use crate::{
    connection::{flag, text},
    output::harmless,
    texts::{ChatTexts, fill},
};
use serde_json::Value;
use wiiiv_context::has_slides;

/// By a template of [`ChatTexts`]: its number, what it is of, its page or else its heading, whether its file was gone,
/// and what opens it.
pub fn cited(texts: &ChatTexts, template: &str, of: &Value) -> String {
    let number = |name: &str| of.get(name).filter(|value| value.is_u64()).map(Value::to_string);
    let (cited, passage, version) = (number("number"), number("passage"), number("version"));
    let place = match (number("page"), text(of, "heading")) {
        (Some(page), _) if has_slides(text(of, "file_name")) => {
            fill(&texts.citation_slide, &[("page", &page)])
        }
        (Some(page), _) => fill(&texts.citation_page, &[("page", &page)]),
        (None, "") => String::new(),
        // A document has its title for its first heading.
        (None, heading) if heading == text(of, "title") => String::new(),
        (None, heading) => format!(", {heading}"),
    };
    let stated = version.as_ref();
    let stated = stated.map(|version| fill(&texts.citation_version, &[("version", version)]));
    let stale = if flag(of, "stale") { texts.citation_stale.as_str() } else { "" };
    let option = version.as_ref().map(|version| format!(" --cited-version {version}"));
    let values = [
        ("number", cited.as_deref().unwrap_or_default()),
        ("title", text(of, "title")),
        ("file", text(of, "file_name")),
        ("place", &place),
        ("version", stated.as_deref().unwrap_or_default()),
        ("stale", stale),
        ("document", text(of, "document")),
        ("passage", passage.as_deref().unwrap_or_default()),
        ("option", option.as_deref().unwrap_or_default()),
    ];
    one_line(&harmless(&fill(template, &values)))
}

/// A server writes no other; what breaks a line all the same would look like an entry of its own.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::Texts;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn it_has_its_page_or_else_its_heading_and_the_version_that_was_cited() {
        let texts = Texts::of(Lang::En).unwrap().chat;
        let of = |page: Option<u32>, heading: Option<&str>, version: Option<u64>| {
            json!({"number": 2, "title": "Leave", "file_name": "leave.pdf", "document": "d",
                "passage": 4, "page": page, "heading": heading, "version": version})
        };
        for (citation, due) in [
            (
                of(Some(3), Some("Days"), Some(7)),
                "(leave.pdf, p.3): wiiiv rag show d --passage 4 --cited-version 7",
            ),
            (of(None, Some("Days"), None), "(leave.pdf, Days): wiiiv rag show d --passage 4"),
            (of(None, Some("Leave"), None), "(leave.pdf): wiiiv rag show d --passage 4"),
            (of(None, None, None), "(leave.pdf): wiiiv rag show d --passage 4"),
        ] {
            let line = cited(&texts, &texts.citation, &citation);
            assert_eq!(line, format!("  [2] Leave {due}"));
        }
    }

    #[test]
    fn it_says_that_its_file_is_gone() {
        for (language, due) in [
            (Lang::En, "(leave.md) (its file is gone): wiiiv rag show d"),
            (Lang::Ko, "(leave.md) (파일이 삭제됨): wiiiv rag show d"),
        ] {
            let texts = Texts::of(language).unwrap().chat;
            let citation = json!({"number": 1, "title": "Leave", "file_name": "leave.md",
                "document": "d", "passage": 4, "stale": true});
            for template in [&texts.citation, &texts.exported_citation] {
                let line = cited(&texts, template, &citation);
                assert!(line.contains(due), "{line}");
            }
        }
    }

    #[test]
    fn the_pages_of_a_presentation_are_slides() {
        for (language, due) in
            [(Lang::En, "(Plan.PPTX, slide 3)"), (Lang::Ko, "(Plan.PPTX, 슬라이드 3)")]
        {
            let texts = Texts::of(language).unwrap().chat;
            let citation =
                json!({"number": 1, "title": "Plan", "file_name": "Plan.PPTX", "page": 3});
            let line = cited(&texts, &texts.citation, &citation);
            assert!(line.contains(due), "{line}");
        }
    }
}
