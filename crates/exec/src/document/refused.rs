//! Why a file gave no text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a file gave no text. The texts say what to do; those in Korean are under `document_refused` in
/// `config/messages`, by [`DocumentRefused::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentRefused {
    #[error(
        "its name has no ending that is known, or its format is not read: give text, Markdown, HTML, PDF, DOCX, PPTX, \
         XLSX, CSV or source code"
    )]
    UnknownFormat,
    /// DOC, XLS, PPT, RTF and the like.
    #[error("its format is an older one that is not read: save it as DOCX, XLSX, PPTX or PDF")]
    OlderFormat,
    /// HWP and HWPX.
    #[error("files of Hangul (HWP, HWPX) are not read: save it as PDF or DOCX")]
    HangulFormat,
    #[error(
        "its text is in an encoding that is not read: save it as UTF-8, or a PDF with its fonts"
    )]
    UnknownEncoding,
    #[error("there is nothing in it")]
    Empty,
    #[error("it is too large: at most `{most}` {bound} are read")]
    TooLarge { bound: Bound, most: u64 },
    #[error("it is encrypted: save it without a password")]
    Encrypted,
    #[error(
        "it is an archive or holds one, which is not opened: give the files in it by themselves"
    )]
    NestedArchive,
    #[error("it unpacks to far more than it is, as no document does: save it anew")]
    Bomb,
    #[error("it is damaged or no {0} file: save it anew")]
    Damaged(Damaged),
    #[error(
        "it holds pictures only and no text, as a scan does: have its text recognised (OCR) first"
    )]
    NoText,
    #[error("reading it took more time than it may: divide it")]
    TimedOut,
    #[error("reading it took more memory than it may: divide it")]
    OutOfMemory,
    #[error("the sandbox is not available: nothing was read")]
    Sandbox,
}

impl DocumentRefused {
    /// All codes, for the texts of both languages.
    pub const CODES: [&'static str; 14] = [
        "UNKNOWN_FORMAT",
        "OLDER_FORMAT",
        "HANGUL_FORMAT",
        "UNKNOWN_ENCODING",
        "EMPTY",
        "TOO_LARGE",
        "ENCRYPTED",
        "NESTED_ARCHIVE",
        "BOMB",
        "DAMAGED",
        "NO_TEXT",
        "TIMED_OUT",
        "OUT_OF_MEMORY",
        "SANDBOX_UNAVAILABLE",
    ];

    /// Stable, for records and interfaces.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownFormat => "UNKNOWN_FORMAT",
            Self::OlderFormat => "OLDER_FORMAT",
            Self::HangulFormat => "HANGUL_FORMAT",
            Self::UnknownEncoding => "UNKNOWN_ENCODING",
            Self::Empty => "EMPTY",
            Self::TooLarge { .. } => "TOO_LARGE",
            Self::Encrypted => "ENCRYPTED",
            Self::NestedArchive => "NESTED_ARCHIVE",
            Self::Bomb => "BOMB",
            Self::Damaged(_) => "DAMAGED",
            Self::NoText => "NO_TEXT",
            Self::TimedOut => "TIMED_OUT",
            Self::OutOfMemory => "OUT_OF_MEMORY",
            Self::Sandbox => "SANDBOX_UNAVAILABLE",
        }
    }
}

/// What a file has too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    FileBytes,
    UnpackedBytes,
    Entries,
    Levels,
    Pages,
    Characters,
    Parts,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FileBytes => "bytes",
            Self::UnpackedBytes => "bytes when it is unpacked",
            Self::Entries => "files in one document",
            Self::Levels => "levels of nesting",
            Self::Pages => "pages, slides or sheets",
            Self::Characters => "characters of text",
            Self::Parts => "paragraphs and rows",
        })
    }
}

/// What a damaged file was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damaged {
    Pdf,
    /// DOCX, PPTX or XLSX.
    Office,
    /// Anything else.
    Other,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pdf => "PDF",
            Self::Office => "DOCX, PPTX or XLSX",
            Self::Other => "readable",
        })
    }
}
