//! Why a file gave no text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a file gave no text. The texts say what to do; those in Korean are under `document_refused` in
/// `config/messages`, by [`DocumentRefused::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentRefused {
    /// And nothing else tells its format.
    #[error("its name has no ending that is known: give it that of its format, and a text `.txt`")]
    UnknownName,
    /// A picture, a program, an OpenDocument file and the like.
    #[error(
        "its format is not read: give text, Markdown, HTML, PDF, DOCX, PPTX, XLSX, CSV or source code"
    )]
    UnknownFormat,
    #[error("it begins as no {0} file does: give it the ending of its format, or save it anew")]
    NotAsNamed(Damaged),
    /// DOC, XLS, PPT, RTF and the like.
    #[error("its format is an older one that is not read: save it as DOCX, XLSX, PPTX or PDF")]
    OlderFormat,
    /// HWP and HWPX.
    #[error("files of Hangul (HWP, HWPX) are not read: save it as PDF or DOCX")]
    HangulFormat,
    #[error("its text is in an encoding that is not read: save it as UTF-8")]
    UnknownEncoding,
    #[error(
        "its fonts do not say which letters they show: save it as a PDF with its fonts, or as DOCX"
    )]
    UnreadableFonts,
    #[error("there is nothing in it")]
    Empty,
    #[error("it is too large: at most `{most}` {bound} are read")]
    TooLarge { bound: Bound, most: u64 },
    #[error("it is encrypted: save it without a password")]
    Encrypted,
    #[error("it is an archive, which is not opened: give the files in it by themselves")]
    Archive,
    #[error("it holds another file, which is not opened: take that out, and give it by itself")]
    NestedArchive,
    #[error("it unpacks to far more than it is, as no document does: save it anew")]
    Bomb,
    /// Its entities are how a short part becomes an endless one.
    #[error("its XML declares a document type (DTD), as no office program does: save it anew")]
    HasDtd,
    #[error("it is damaged, as no {0} file is: save it anew")]
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
    pub const CODES: [&'static str; 21] = [
        "UNKNOWN_NAME",
        "UNKNOWN_FORMAT",
        "NOT_AS_NAMED",
        "OLDER_FORMAT",
        "HANGUL_FORMAT",
        "UNKNOWN_ENCODING",
        "UNREADABLE_FONTS",
        "EMPTY",
        "TOO_LARGE",
        "TOO_COMPLEX",
        "TOO_DEEP",
        "ENCRYPTED",
        "ARCHIVE",
        "NESTED_ARCHIVE",
        "BOMB",
        "HAS_DTD",
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
            Self::UnknownName => "UNKNOWN_NAME",
            Self::UnknownFormat => "UNKNOWN_FORMAT",
            Self::NotAsNamed(_) => "NOT_AS_NAMED",
            Self::OlderFormat => "OLDER_FORMAT",
            Self::HangulFormat => "HANGUL_FORMAT",
            Self::UnknownEncoding => "UNKNOWN_ENCODING",
            Self::UnreadableFonts => "UNREADABLE_FONTS",
            Self::Empty => "EMPTY",
            Self::TooLarge { bound, .. } => bound.code(),
            Self::Encrypted => "ENCRYPTED",
            Self::Archive => "ARCHIVE",
            Self::NestedArchive => "NESTED_ARCHIVE",
            Self::Bomb => "BOMB",
            Self::HasDtd => "HAS_DTD",
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

impl Bound {
    /// Half of a text is smaller; half of one that is put together in too many ways need not be simpler.
    const fn code(self) -> &'static str {
        match self {
            Self::FileBytes | Self::Pages | Self::Characters | Self::Parts => "TOO_LARGE",
            Self::UnpackedBytes | Self::Entries => "TOO_COMPLEX",
            Self::Levels => "TOO_DEEP",
        }
    }
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
