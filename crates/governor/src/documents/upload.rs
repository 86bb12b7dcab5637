//! A file as somebody gives it, and the names that it may have.

use super::error::DocumentError;
use wiiiv_domain::composed;
use wiiiv_exec::Format;

/// In bytes.
const NAME_BYTES_MAX: usize = 255;
/// In Unicode scalar values.
const TITLE_CHARS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// File name, 1 to 255 bytes: its ending tells the format. One of each in a scope: another file of the same name
    /// takes its document's place.
    pub name: String,
    /// 1 to 200 characters. `None`: the one that somebody gave the document of that name, else the one that the file gives
    /// itself, else its name without the ending.
    pub title: Option<String>,
    /// `None`: that of the format that its name and its first bytes tell.
    pub media_type: Option<String>,
    pub bytes: Vec<u8>,
}

impl Upload {
    /// With names that can be shown on one line.
    pub fn checked(self, bytes_max: u64) -> Result<Self, DocumentError> {
        let bytes = self.bytes.len() as u64;
        if bytes > bytes_max {
            return Err(DocumentError::TooLarge { bytes, max: bytes_max });
        }
        let name = composed(self.name.trim());
        if !is_one_line(&name) || name.contains(['/', '\\']) || name.len() > NAME_BYTES_MAX {
            let problem = format!(
                "a file's name is 1 to `{NAME_BYTES_MAX}` bytes on one line, without `/` and `\\`"
            );
            return Err(DocumentError::Field { field: "name", problem });
        }
        let title = self.title.as_deref().map(checked_title).transpose()?;
        let media_type = self.media_type.filter(|of| is_one_line(of) && of.len() <= NAME_BYTES_MAX);
        let media_type = media_type.or_else(|| media_type_of(&name, &self.bytes));
        Ok(Self { name, title, media_type, bytes: self.bytes })
    }
}

/// Of a file that nobody gave one. `None`: its format is not known, or not read.
pub(super) fn media_type_of(file_name: &str, bytes: &[u8]) -> Option<String> {
    let format = Format::of(file_name, None, bytes).ok()?;
    Some(format.media_type().to_owned())
}

/// 1 to 200 characters on one line.
pub fn checked_title(title: &str) -> Result<String, DocumentError> {
    let title = composed(title.trim());
    if is_one_line(&title) && title.chars().count() <= TITLE_CHARS_MAX {
        return Ok(title);
    }
    let problem = format!("a title is 1 to `{TITLE_CHARS_MAX}` characters on one line");
    Err(DocumentError::Field { field: "title", problem })
}

/// Of a file that was given none: its own, or its name without folder and ending.
pub(super) fn title_of(own: Option<&str>, file_name: &str) -> String {
    let name = file_name.rsplit('/').next().unwrap_or(file_name);
    let stem =
        name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let own = own.map(|own| own.split_whitespace().collect::<Vec<_>>().join(" "));
    let own: Option<String> = own.map(|own| composed(&own).chars().take(TITLE_CHARS_MAX).collect());
    own.filter(|own| is_one_line(own)).unwrap_or_else(|| stem.to_owned())
}

fn is_one_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(name: &str) -> Upload {
        Upload { name: name.to_owned(), title: None, media_type: None, bytes: vec![0; 9] }
    }

    #[test]
    fn a_name_is_one_of_a_file() {
        for name in ["a.md", " 안내서.pdf ", "a b"] {
            assert_eq!(upload(name).checked(9).unwrap().name, name.trim());
        }
        for name in ["", " ", "a/b.md", "..\\b.md", "a\nb.md", &"가".repeat(90)] {
            let refused = upload(name).checked(9);
            assert!(matches!(refused, Err(DocumentError::Field { field: "name", .. })), "{name}");
        }
        let refused = upload("a.md").checked(8).unwrap_err();
        assert!(matches!(refused, DocumentError::TooLarge { bytes: 9, max: 8 }));
    }

    #[test]
    fn a_media_type_is_given_or_that_of_the_format() {
        let of = |name: &str, given: Option<&str>| {
            let upload = Upload { media_type: given.map(str::to_owned), ..upload(name) };
            upload.checked(9).unwrap().media_type
        };
        assert_eq!(of("a.md", None).as_deref(), Some("text/markdown"));
        assert_eq!(of("a.md", Some("text/x-markdown")).as_deref(), Some("text/x-markdown"));
        assert_eq!(of("a.unknown", None), None);
        assert_eq!(media_type_of("a.txt", b"%PDF-1.7").as_deref(), Some("application/pdf"));
    }

    #[test]
    fn a_title_is_given_or_found() {
        assert_eq!(checked_title(" 안내 ").unwrap(), "안내");
        assert!(checked_title("").is_err() && checked_title(&"a".repeat(201)).is_err());
        for (own, name, title) in [
            (None, "guides/ko/install.md", "install"),
            (Some("  The\n guide "), "a.pdf", "The guide"),
            (Some(" "), "a.tar.gz", "a.tar"),
            (None, ".env", ".env"),
        ] {
            assert_eq!(title_of(own, name), title);
        }
    }
}
