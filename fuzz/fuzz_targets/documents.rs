//! Anything, as a document of every format, is read and cut to its end, the same way twice: text as what a file of it
//! holds and as the main part of an office document, bytes as a file of each format that a child reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Write as _};
use wiiiv_exec::{DocumentLimits, Format, read_without_child};
use wiiiv_retrieval::{Chunking, SourceText, Terms, cut, estimated_tokens, normalized};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Of one passage.
const TOKENS_MAX: [(Chunking, usize); 2] = [(Chunking::ParentChild, 1_200), (Chunking::Flat, 512)];

const READERS: [fn(&str) -> SourceText; 4] = [
    SourceText::plain,
    SourceText::markdown,
    |text| SourceText::code(text, "rs"),
    |text| SourceText::code(text, "py"),
];

/// Of a package its main part, and what leads to the part that holds the text.
struct Office {
    format: Format,
    main: &'static str,
    parts: &'static [(&'static str, &'static str)],
    text: &'static str,
}

const RELATION: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const OFFICE: [Office; 3] = [
    Office {
        format: Format::Docx,
        main: "word/document.xml",
        parts: &[],
        text: "word/document.xml",
    },
    Office {
        format: Format::Pptx,
        main: "ppt/presentation.xml",
        parts: &[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"r\"/></p:sldIdLst></p:presentation>",
            ),
            ("ppt/_rels/presentation.xml.rels", "slide slides/slide1.xml"),
        ],
        text: "ppt/slides/slide1.xml",
    },
    Office {
        format: Format::Xlsx,
        main: "xl/workbook.xml",
        parts: &[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"a\" sheetId=\"1\" r:id=\"r\"/></sheets></workbook>",
            ),
            ("xl/_rels/workbook.xml.rels", "worksheet worksheets/sheet1.xml"),
        ],
        text: "xl/worksheets/sheet1.xml",
    },
];

fuzz_target!(|bytes: &[u8]| {
    for format in [Format::Csv, Format::Html, Format::Pdf, Format::Docx, Format::Pptx, Format::Xlsx]
    {
        file(format, bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plain = normalized(text);
    assert_eq!(plain, normalized(&plain), "normalised otherwise the second time");
    for read in READERS {
        let source = read(text);
        assert_eq!(source, read(text), "read otherwise the second time");
        let json = serde_json::to_string(&source).expect("JSON");
        assert_eq!(serde_json::from_str::<SourceText>(&json).expect("what was written"), source);
        for (chunking, tokens_max) in TOKENS_MAX {
            check(&source, chunking, tokens_max);
        }
    }
    for office in OFFICE {
        file(office.format, &office.package(text));
    }
});

/// Its text, or a reason. What a child's limit of memory is for is not looked for here.
fn file(format: Format, bytes: &[u8]) {
    let limits = DocumentLimits {
        unpacked_bytes_max: 16 * 1024 * 1024,
        chars_max: 100_000,
        parts_max: 10_000,
        ..DocumentLimits::default()
    };
    let read = read_without_child(format, bytes, &limits);
    assert_eq!(read, read_without_child(format, bytes, &limits), "read otherwise");
    let Ok(source) = read else { return };
    limits.check_source(&source).expect("a text within its limits");
    for (chunking, tokens_max) in TOKENS_MAX {
        check(&source, chunking, tokens_max);
    }
}

impl Office {
    fn package(&self, text: &str) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, data: &str| {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            zip.start_file(name, stored).expect("a part");
            zip.write_all(data.as_bytes()).expect("a part");
        };
        add("_rels/.rels", &relation("officeDocument", self.main));
        for (name, data) in self.parts {
            match data.split_once(' ').filter(|_| name.ends_with(".rels")) {
                Some((kind, target)) => add(name, &relation(kind, target)),
                None => add(name, data),
            }
        }
        add(self.text, text);
        zip.finish().expect("a package").into_inner()
    }
}

fn relation(kind: &str, target: &str) -> String {
    format!(
        "<Relationships xmlns=\"x\"><Relationship Id=\"r\" Type=\"{RELATION}/{kind}\" Target=\"{target}\"/></Relationships>"
    )
}

fn check(source: &SourceText, chunking: Chunking, tokens_max: usize) {
    let passages = cut("제목", source, chunking, &estimated_tokens);
    assert_eq!(passages, cut("제목", source, chunking, &estimated_tokens), "cut otherwise");
    for passage in &passages {
        let tokens = estimated_tokens(&passage.text);
        assert!(tokens <= tokens_max, "{tokens} tokens in a passage");
        assert!(!passage.chunks.is_empty(), "a passage that nothing finds");
        for chunk in &passage.chunks {
            let terms = Terms::of("제목", "a.md", &chunk.text);
            let kept = Terms::from_bytes(&terms.to_bytes()).expect("what was written");
            assert_eq!(kept.to_bytes(), terms.to_bytes(), "kept otherwise");
        }
    }
}
