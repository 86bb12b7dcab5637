//! Plain text: a blank line ends a paragraph.

use super::{Part, PartKind, SourceText};
use crate::text::normalized;

impl SourceText {
    /// Of plain text: paragraphs.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        let text = normalized(text);
        let paragraphs = text.split("\n\n").map(|text| text.trim_matches('\n'));
        let paragraphs = paragraphs.filter(|text| !text.is_empty());
        Self::new(None, paragraphs.map(|text| Part::new(PartKind::Paragraph, text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_end_paragraphs_and_line_ends_stay() {
        let source = SourceText::plain("하나\n둘\r\n \t\r\n\n\n  셋\n\n");
        let texts: Vec<&str> = source.parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, ["하나\n둘", "  셋"]);
        assert!(SourceText::plain(" \n\n\t").parts.is_empty());
    }

    #[test]
    fn what_crosses_as_json_comes_back() {
        let source = SourceText { title: Some("제목".into()), ..SourceText::plain("a\n\nb") };
        let text = serde_json::to_string(&source).unwrap();
        assert!(text.starts_with(r#"{"version":1,"title":"제목","parts":[{"kind":"paragraph","#));
        assert_eq!(serde_json::from_str::<SourceText>(&text).unwrap(), source);
    }
}
