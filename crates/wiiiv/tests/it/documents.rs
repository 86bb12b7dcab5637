//! Documents as a server reads them: in a child of the real program, which a hostile one ends alone.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use wiiiv_exec::{Bound, DocumentLimits, DocumentRefused, Sandbox, SandboxProgram, read_document};

/// Beyond the child's own limits, on a machine that is busy.
const AT_MOST: Duration = Duration::from_secs(90);

/// Each part of the text on a line, or why there is none.
async fn read(name: &str, bytes: impl Into<Vec<u8>>) -> Result<String, DocumentRefused> {
    let program = SandboxProgram { path: env!("CARGO_BIN_EXE_wiiiv").into() };
    let start = Instant::now();
    let limits = DocumentLimits::default();
    let source = read_document(&Sandbox::new(program), name, None, bytes.into(), &limits).await;
    assert!(start.elapsed() < AT_MOST, "{name}: {:?}", start.elapsed());
    let texts = source?.parts.into_iter().map(|part| part.text);
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// One page, whose content is packed as its entries say.
fn pdf(entries: &str, content: &[u8]) -> Vec<u8> {
    let mut file = String::from("%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n");
    let font = "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>";
    write!(
        file,
        "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n\
         3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 {font} >> >> >> endobj\n\
         4 0 obj << {entries} /Length {} >>\nstream\n",
        content.len()
    )
    .unwrap();
    let end = b"\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF";
    [file.as_bytes(), content, end].concat()
}

#[tokio::test]
async fn a_document_is_read_in_a_child() {
    let page = "<title>t</title><h1>\u{ac00}</h1><p>\u{b098}<ul><li>\u{b2e4}</ul>";
    assert_eq!(read("a.html", page).await.as_deref(), Ok("\u{ac00}\n\u{b098}\n\u{b2e4}"));
    assert_eq!(read("a.csv", "a,b\n1,2\n").await.as_deref(), Ok("a | b\n1 | 2"));
    let shown = pdf("", b"BT /F1 12 Tf 72 700 Td (Hello) Tj ET");
    assert_eq!(read("a.pdf", shown).await.as_deref(), Ok("Hello"));
    assert_eq!(read("a.md", "# a\n\nb").await.map(|text| text.contains('b')), Ok(true));
    assert_eq!(
        read("b.pdf", "%PDF-1.7 hello").await.map_err(DocumentRefused::code),
        Err("DAMAGED")
    );
    let compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice();
    assert_eq!(read("a.docx", compound).await, Err(DocumentRefused::Encrypted));
}

/// Four kilobytes that unpack to 68 GB: each pair of bytes stands for 128 of the same, four times over.
fn swelling() -> Vec<u8> {
    // The end of each packing, as the one around it has it.
    let mut end = vec![0x80];
    for _ in 0..3 {
        let length = u8::try_from(end.len()).unwrap();
        end = [&[length - 1], end.as_slice(), &[0x80]].concat();
    }
    [vec![0x81; 4096], end].concat()
}

#[tokio::test]
async fn a_bomb_ends_its_child_by_the_limit_of_memory() {
    let packings = "/RunLengthDecode ".repeat(4);
    let entries = format!("/Type /ObjStm /N 1 /First 4 /Filter [{packings}]");
    let bomb = pdf(&entries, &swelling());
    assert_eq!(read("a.pdf", bomb).await, Err(DocumentRefused::OutOfMemory));
    let twice = pdf("/Filter [/RunLengthDecode /RunLengthDecode]", &[0x81; 4096]);
    assert_eq!(read("b.pdf", twice).await, Err(DocumentRefused::Bomb));
}

#[tokio::test]
async fn a_document_beyond_its_bounds_is_refused_with_the_bound() {
    let limits = DocumentLimits::default();
    let large = |bound, most| Err(DocumentRefused::TooLarge { bound, most });
    let rows = "\u{ac00}\u{b098}\u{b2e4},1234\n".repeat(600_000);
    assert_eq!(read("a.csv", rows).await, large(Bound::Characters, limits.chars_max));
    let file = vec![b'a'; 21 * 1024 * 1024];
    assert_eq!(read("a.html", file).await, large(Bound::FileBytes, limits.file_bytes_max));
}
