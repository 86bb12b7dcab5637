//! Which reader a file is for.

use super::refused::{Damaged, DocumentRefused};

/// Which reader a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Markdown,
    Html,
    Pdf,
    Docx,
    Pptx,
    Xlsx,
    Csv,
    /// Source code, configuration and data that people write, by its language.
    Code(&'static str),
}

/// Where a PDF may begin, in bytes from the file's beginning.
const PDF_BYTES_MAX: usize = 1024;
/// Of an encrypted DOCX, PPTX or XLSX, and of DOC, XLS, PPT and HWP.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const ARCHIVES: [&[u8]; 6] = [
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
];
/// What is no text, whatever its name is.
const FOREIGN: [&[u8]; 9] = [
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"\x7fELF",
    b"MZ\x90\x00",
    b"OggS",
    b"ID3",
    b"SQLite format 3",
];
const RICH_TEXT: &[u8] = b"{\\rtf";
/// Media types.
const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const OLDER_ENDINGS: [&str; 7] = ["doc", "xls", "ppt", "rtf", "dot", "xlt", "pps"];
const HANGUL_ENDINGS: [&str; 3] = ["hwp", "hwpx", "hwt"];
/// Documents that are packed as archives are, and not read.
const OTHER_PACKAGES: [&str; 12] = [
    "odt", "ods", "odp", "odg", "epub", "pages", "numbers", "key", "xlsb", "vsdx", "xps", "sketch",
];
const ARCHIVE_ENDINGS: [&str; 15] = [
    "zip", "7z", "rar", "gz", "tgz", "tar", "bz2", "xz", "zst", "jar", "war", "apk", "alz", "egg",
    "cab",
];

impl Format {
    /// By the first bytes where they tell, else by the name's ending, else by the media type. `head` is the
    /// beginning of the file, or all of it.
    pub fn of(
        file_name: &str,
        media_type: Option<&str>,
        head: &[u8],
    ) -> Result<Self, DocumentRefused> {
        let ending = ending(file_name);
        let named = by_ending(&ending).or_else(|| media_type.and_then(by_media_type));
        let start = head.get(..PDF_BYTES_MAX.min(head.len())).unwrap_or_default();
        if position(start, b"%PDF-").is_some() {
            return Ok(Self::Pdf);
        }
        if HANGUL_ENDINGS.contains(&ending.as_str()) {
            return Err(DocumentRefused::HangulFormat);
        }
        if head.starts_with(RICH_TEXT) || OLDER_ENDINGS.contains(&ending.as_str()) {
            return Err(DocumentRefused::OlderFormat);
        }
        if head.starts_with(COMPOUND) {
            // Office writes a file with a password as such a container, under its usual name.
            let office = named.is_some_and(Self::is_office);
            return Err(if office {
                DocumentRefused::Encrypted
            } else {
                DocumentRefused::OlderFormat
            });
        }
        if ZIP.iter().any(|magic| head.starts_with(magic)) {
            let other = match OTHER_PACKAGES.contains(&ending.as_str()) {
                true => DocumentRefused::UnknownFormat,
                false => DocumentRefused::Archive,
            };
            return named.filter(|named| named.is_office()).ok_or(other);
        }
        if ARCHIVE_ENDINGS.contains(&ending.as_str()) || starts_as_archive(head) {
            return Err(DocumentRefused::Archive);
        }
        if FOREIGN.iter().any(|magic| head.starts_with(magic)) {
            return Err(DocumentRefused::UnknownFormat);
        }
        match named {
            // What these begin with was not there.
            Some(named) if named.is_office() && !head.is_empty() => {
                Err(DocumentRefused::NotAsNamed(Damaged::Office))
            }
            Some(Self::Pdf) if !head.is_empty() => Err(DocumentRefused::NotAsNamed(Damaged::Pdf)),
            Some(named) => Ok(named),
            None => Err(DocumentRefused::UnknownName),
        }
    }

    /// Read at a cost that its size bounds, by code that unpacks and parses nothing.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        match self {
            Self::Text | Self::Markdown | Self::Code(_) => true,
            Self::Html | Self::Pdf | Self::Docx | Self::Pptx | Self::Xlsx | Self::Csv => false,
        }
    }

    /// Its media type; `text/plain` for code whose language has none.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Docx => DOCX,
            Self::Pptx => PPTX,
            Self::Xlsx => XLSX,
            Self::Csv => "text/csv",
            Self::Code("json") => "application/json",
            Self::Code("xml") => "application/xml",
            Self::Code("yaml") => "application/yaml",
            Self::Text | Self::Code(_) => "text/plain",
        }
    }

    const fn is_office(self) -> bool {
        match self {
            Self::Docx | Self::Pptx | Self::Xlsx => true,
            Self::Text | Self::Markdown | Self::Html | Self::Pdf | Self::Csv | Self::Code(_) => {
                false
            }
        }
    }
}

/// Whether bytes begin as an archive does.
pub(super) fn starts_as_archive(bytes: &[u8]) -> bool {
    ZIP.iter().chain(&ARCHIVES).any(|magic| bytes.starts_with(magic))
}

/// Whether a name ends as that of an archive does, a document in DOCX, PPTX or XLSX included.
pub(super) fn is_named_archive(name: &str) -> bool {
    let ending = ending(name);
    ARCHIVE_ENDINGS.contains(&ending.as_str()) || by_ending(&ending).is_some_and(Format::is_office)
}

pub(super) fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// In lower case, without its dot; `README` has none.
fn ending(file_name: &str) -> String {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, ending)) => ending.to_lowercase(),
        None => match name.to_lowercase().as_str() {
            whole @ ("dockerfile" | "makefile" | "readme" | "license") => whole.to_owned(),
            _ => String::new(),
        },
    }
}

fn by_ending(ending: &str) -> Option<Format> {
    Some(match ending {
        "txt" | "text" | "log" | "readme" | "license" | "srt" | "vtt" => Format::Text,
        "md" | "markdown" | "mdx" => Format::Markdown,
        "html" | "htm" | "xhtml" => Format::Html,
        "pdf" => Format::Pdf,
        "docx" | "docm" | "dotx" => Format::Docx,
        "pptx" | "pptm" | "ppsx" | "potx" => Format::Pptx,
        "xlsx" | "xlsm" | "xltx" => Format::Xlsx,
        "csv" | "tsv" => Format::Csv,
        other => Format::Code(language(other)?),
    })
}

fn language(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "rs" => "rust",
        "py" | "pyi" => "python",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "ts" | "mts" | "cts" | "tsx" => "typescript",
        "java" => "java",
        "kt" | "kts" => "kotlin",
        "scala" => "scala",
        "go" => "go",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" => "cpp",
        "cs" => "csharp",
        "swift" => "swift",
        "rb" => "ruby",
        "php" => "php",
        "pl" | "pm" => "perl",
        "lua" => "lua",
        "r" => "r",
        "sql" => "sql",
        "sh" | "bash" | "zsh" => "shell",
        "ps1" => "powershell",
        "bat" | "cmd" => "batch",
        "dockerfile" => "dockerfile",
        "makefile" | "mk" => "makefile",
        "json" | "jsonl" | "ndjson" => "json",
        "yaml" | "yml" => "yaml",
        "toml" => "toml",
        "ini" | "cfg" | "conf" | "properties" | "env" => "ini",
        "xml" | "xsd" | "xsl" | "svg" => "xml",
        "css" | "scss" | "less" => "css",
        "vue" | "svelte" => "html",
        "graphql" | "gql" => "graphql",
        "proto" => "protobuf",
        "tf" => "terraform",
        "gradle" | "groovy" => "groovy",
        "dart" => "dart",
        "ex" | "exs" => "elixir",
        "hs" => "haskell",
        "tex" => "tex",
        "rst" => "rst",
        _ => return None,
    })
}

fn by_media_type(media_type: &str) -> Option<Format> {
    let kind = media_type.split(';').next().unwrap_or_default().trim().to_lowercase();
    Some(match kind.as_str() {
        "text/plain" => Format::Text,
        "text/markdown" | "text/x-markdown" => Format::Markdown,
        "text/html" | "application/xhtml+xml" => Format::Html,
        "application/pdf" => Format::Pdf,
        "text/csv" | "text/tab-separated-values" => Format::Csv,
        "application/json" | "application/x-ndjson" => Format::Code("json"),
        "application/xml" | "text/xml" => Format::Code("xml"),
        "application/yaml" | "text/yaml" => Format::Code("yaml"),
        DOCX => Format::Docx,
        PPTX => Format::Pptx,
        XLSX => Format::Xlsx,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Format;
    use crate::document::{Damaged, DocumentRefused};

    #[test]
    fn first_bytes_come_before_the_name_and_the_name_before_the_media_type() {
        let zip = b"PK\x03\x04 rest".as_slice();
        let compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice();
        type Row<'a> = (&'a str, Option<&'a str>, &'a [u8], Result<Format, DocumentRefused>);
        let table: [Row<'_>; 22] = [
            ("a.txt", None, b"hello", Ok(Format::Text)),
            ("A.TXT", Some("text/html"), b"hello", Ok(Format::Text)),
            ("upload", Some("text/markdown; charset=utf-8"), b"# a", Ok(Format::Markdown)),
            ("dir/Makefile", None, b"all:", Ok(Format::Code("makefile"))),
            ("main.rs", None, b"fn main() {}", Ok(Format::Code("rust"))),
            ("\u{be44}\u{ba54}.txt", None, b"%PDF-1.4", Ok(Format::Pdf)),
            ("a.pdf", None, b"\xef\xbb\xbf\n%PDF-1.7", Ok(Format::Pdf)),
            ("a.docx", None, zip, Ok(Format::Docx)),
            ("a.bin", Some("application/pdf"), b"%PDF-1.7", Ok(Format::Pdf)),
            ("a.docx", None, compound, Err(DocumentRefused::Encrypted)),
            ("a.doc", None, compound, Err(DocumentRefused::OlderFormat)),
            ("a.hwp", None, compound, Err(DocumentRefused::HangulFormat)),
            ("a.HWPX", None, zip, Err(DocumentRefused::HangulFormat)),
            ("a.txt", None, b"{\\rtf1", Err(DocumentRefused::OlderFormat)),
            ("a.zip", None, zip, Err(DocumentRefused::Archive)),
            ("a.txt", None, zip, Err(DocumentRefused::Archive)),
            ("a.ODT", None, zip, Err(DocumentRefused::UnknownFormat)),
            ("a.txt", None, b"\x1f\x8b\x08", Err(DocumentRefused::Archive)),
            ("a.pdf", None, b"\x89PNG\r\n", Err(DocumentRefused::UnknownFormat)),
            ("a.pdf", None, b"hello", Err(DocumentRefused::NotAsNamed(Damaged::Pdf))),
            ("a.xlsx", None, b"hello", Err(DocumentRefused::NotAsNamed(Damaged::Office))),
            (
                "a.xyz",
                Some("application/octet-stream"),
                b"hello",
                Err(DocumentRefused::UnknownName),
            ),
        ];
        for (name, media_type, head, expected) in table {
            assert_eq!(Format::of(name, media_type, head), expected, "{name} {head:?}");
        }
        assert_eq!(Format::of("a.pdf", None, b""), Ok(Format::Pdf), "it is empty, and not damaged");
    }

    #[test]
    fn a_media_type_names_the_format_that_it_is_of() {
        for name in
            ["a.txt", "a.md", "a.html", "a.pdf", "a.docx", "a.pptx", "a.xlsx", "a.csv", "a.json"]
        {
            let format = Format::of(name, None, b"").expect("a format");
            let media_type = format.media_type();
            assert_eq!(Format::of("upload", Some(media_type), b""), Ok(format), "{media_type}");
        }
        assert_eq!(Format::Code("rust").media_type(), "text/plain");
    }
}
