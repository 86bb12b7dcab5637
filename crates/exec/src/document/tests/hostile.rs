//! Files that somebody made to harm: bombs, endless nesting, archives in archives; and that each of all
//! files gives its text or its reason.

use super::{
    given, office, pdf,
    samples::{self, Gives, Random, Sample, sample},
};
use std::panic::catch_unwind;

const MIB: usize = 1024 * 1024;
/// Of this process, whatever it reads. The bombs here would take gigabytes.
#[cfg(target_os = "linux")]
const MEMORY_KIB_MAX: u64 = 768 * 1024;

pub(super) fn all() -> Vec<Sample> {
    let mut samples = packages();
    samples.extend(documents());
    samples.extend(other());
    samples
}

fn packages() -> Vec<Sample> {
    let blanks = vec![b' '; 16 * MIB];
    let inner = office::docx(&office::paragraph("", "안"), &[]);
    let laughs = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE w [<!ENTITY a \"ha\">{}]><w:document><w:p><w:r><w:t>&b9;</w:t></w:r>\
         </w:p></w:document>",
        (1..10).map(|n| format!("<!ENTITY b{n} \"{}\">", "&a;".repeat(10))).collect::<String>()
    );
    let root = office::relations(&[("rId1", "officeDocument", "word/document.xml")]);
    let package = |main: &[u8]| {
        office::package(&[("_rels/.rels", root.as_bytes()), ("word/document.xml", main)])
    };
    let holding =
        |name: &str, bytes: &[u8]| office::docx(&office::paragraph("", "글"), &[(name, bytes)]);
    let chart = [
        ("word/charts/chart1.xml", b"<c/>".as_slice()),
        ("word/embeddings/a.xlsx", inner.as_slice()),
    ];
    let circle = office::docx(&office::paragraph("x", "글"), &[]);
    let archive = Gives::Code("NESTED_ARCHIVE");
    vec![
        sample("bomb.docx", package(&blanks), Gives::Code("BOMB")),
        sample("media.docx", holding("word/media/a.png", &blanks), Gives::Code("BOMB")),
        sample("laughs.docx", package(laughs.as_bytes()), Gives::Code("HAS_DTD")),
        sample(
            "entity.docx",
            package(b"<w:document>&unknown;</w:document>"),
            Gives::Code("DAMAGED"),
        ),
        sample("deep.docx", package("<a>".repeat(100_000).as_bytes()), Gives::Code("TOO_DEEP")),
        sample("open.docx", package(b"<w:document><w:p>"), Gives::Code("DAMAGED")),
        sample(
            "main.docx",
            office::package(&[("_rels/.rels", root.as_bytes())]),
            Gives::Code("DAMAGED"),
        ),
        sample("none.docx", office::package(&[("a.txt", b"x")]), Gives::Code("DAMAGED")),
        sample("zip.docx", holding("word/embeddings/a.zip", b"x"), archive),
        sample("docx.docx", holding("word/embeddings/a.docx", b"x"), archive),
        sample("hidden.docx", holding("word/media/a.png", &inner), archive),
        sample("seven.docx", holding("word/a.bin", b"7z\xbc\xaf\x27\x1c\0\0"), archive),
        sample("chart.docx", office::docx(&office::paragraph("", "글"), &chart), Gives::Text("글")),
        sample("style.docx", circle, Gives::Text("글")),
        sample("many.docx", many(), Gives::Code("TOO_COMPLEX")),
        sample(
            "locked.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 rest".to_vec(),
            Gives::Code("ENCRYPTED"),
        ),
        sample("flagged.docx", flagged(), Gives::Code("ENCRYPTED")),
        sample(
            "old.hwp",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 rest".to_vec(),
            Gives::Code("HANGUL_FORMAT"),
        ),
        sample("repeat.xlsx", repeated(), Gives::Code("TOO_LARGE")),
        sample("far.xlsx", far(), Gives::Text("7")),
    ]
}

fn documents() -> Vec<Sample> {
    let font = "/Font << /F1 << /Type /Font /Subtype /Type1 >> >> /XObject << /X1 4 0 R >>";
    let form = "/Type /XObject /Subtype /Form";
    let page = |content| pdf::one(content, font, "", &[]);
    let itself = page(pdf::packed(form, "/X1 Do ".repeat(20).as_bytes()));
    let twice = format!("{form} /Filter [/RunLengthDecode /RunLengthDecode /RunLengthDecode]");
    let nested = format!("BT /F1 9 Tf {} (a) Tj ET", "[".repeat(5_000));
    let circle = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R] /Count 9 >>".to_vec(),
    ];
    let endless = [b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), b"2 0 R".to_vec()];
    vec![
        sample("bomb.pdf", page(pdf::packed("", &vec![b' '; 16 * MIB])), Gives::Code("BOMB")),
        sample("twice.pdf", page(pdf::stream(&twice, &[0x81; 4096])), Gives::Code("BOMB")),
        sample("itself.pdf", itself, Gives::Code("BOMB")),
        sample("states.pdf", page(pdf::packed("", &b"q ".repeat(400_000))), Gives::Code("EMPTY")),
        sample("nested.pdf", page(pdf::stream("", nested.as_bytes())), Gives::Either),
        sample("circle.pdf", pdf::file(&circle, ""), Gives::Either),
        sample("endless.pdf", pdf::file(&endless, ""), Gives::Code("DAMAGED")),
        sample("scan.pdf", pdf::scan(), Gives::Code("NO_TEXT")),
        sample("locked.pdf", pdf::encrypted(), Gives::Code("ENCRYPTED")),
        sample(
            "huge.pdf",
            page(pdf::stream("/Length 99999999999999999999", b"BT ET")),
            Gives::Either,
        ),
    ]
}

fn other() -> Vec<Sample> {
    let mut random = Random::new(7);
    let noise: Vec<u8> = (0..100_000).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let html = |text: String| sample("deep.html", text, Gives::Either);
    vec![
        html("<div>".repeat(200_000)),
        html("<table><tr><td>".repeat(60_000)),
        html("<".repeat(1_000_000)),
        html("<b><i>".repeat(50_000) + "가"),
        html("<a href='".repeat(50_000)),
        sample("unended.html", "<p>앞<script>var a = 1;", Gives::Text("앞")),
        sample("quote.csv", format!("a,b\n\"{}", "x,".repeat(200_000)), Gives::Either),
        sample("columns.csv", ",".repeat(1_000_000), Gives::Code("EMPTY")),
        sample("noise.txt", noise.clone(), Gives::Code("UNKNOWN_ENCODING")),
        sample("noise.html", noise.clone(), Gives::Code("UNKNOWN_ENCODING")),
        sample("noise.bin", noise, Gives::Code("UNKNOWN_NAME")),
        sample("zeros.txt", vec![0; 100_000], Gives::Code("UNKNOWN_ENCODING")),
        sample("large.txt", vec![b'a'; 21 * MIB], Gives::Code("TOO_LARGE")),
        sample("picture.pdf", b"\x89PNG\r\n\x1a\n".to_vec(), Gives::Code("UNKNOWN_FORMAT")),
        sample("a.tar.gz", b"\x1f\x8b\x08".to_vec(), Gives::Code("ARCHIVE")),
        sample("old.doc", b"{\\rtf1 a}".to_vec(), Gives::Code("OLDER_FORMAT")),
        sample("empty.pdf", Vec::new(), Gives::Code("EMPTY")),
        sample("empty.docx", Vec::new(), Gives::Code("EMPTY")),
    ]
}

fn many() -> Vec<u8> {
    let names: Vec<String> = (0..10_001).map(|number| format!("word/{number}.xml")).collect();
    let parts: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    office::package(&parts)
}

/// Says of its first part that a password opens it, in both of its headers.
fn flagged() -> Vec<u8> {
    let mut bytes = office::docx(&office::paragraph("", "글"), &[]);
    for (header, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = bytes.windows(4).position(|four| four == header).unwrap();
        bytes[at + flags] |= 1;
    }
    bytes
}

/// One text of a mebibyte that many cells name.
fn repeated() -> Vec<u8> {
    let text = "가나다라마바사아자차 ".repeat(30_000);
    let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(1000);
    office::xlsx(&[("시트", &cells)], &[&text])
}

/// Cells at the end of a sheet, on many rows.
fn far() -> Vec<u8> {
    let rows = "<row><c r=\"XFD1\"><v>7</v></c></row>".repeat(1000);
    office::xlsx(&[("시트", &rows)], &[])
}

/// Whether it gave text.
#[track_caller]
fn check(sample: &Sample) -> bool {
    let Sample { name, bytes, gives } = sample;
    let given = catch_unwind(|| given(name, bytes)).unwrap_or_else(|_| panic!("{name} panicked"));
    let text = given.as_ref().map(|source| {
        source.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n")
    });
    match (gives, text) {
        (Gives::Text(wanted), Ok(text)) => assert!(text.contains(wanted), "{name}: {text:?}"),
        (Gives::Code(code), Err(refused)) => assert_eq!(refused.code(), *code, "{name}: {refused}"),
        (Gives::Either, Ok(text)) => assert!(!text.is_empty(), "{name}"),
        (Gives::Either, Err(refused)) => assert!(!refused.to_string().is_empty(), "{name}"),
        (Gives::Text(_), Err(refused)) => panic!("{name}: {refused}"),
        (Gives::Code(code), Ok(text)) => panic!("{name}: wanted `{code}`, got {text:.100}"),
    }
    given.is_ok()
}

/// Two hundred files; in the long suite twenty thousand more, of as many seeds of damage as that takes.
#[test]
fn each_of_two_hundred_files_gives_its_text_or_its_reason() {
    let files = samples::all(1);
    assert!(files.len() >= 200, "{} files", files.len());
    let mut count = files.len();
    let mut read = files.iter().filter(|file| check(file)).count();
    if std::env::var_os("WIIIV_LONG").is_some() {
        let whole = samples::sound();
        for seed in 2..250 {
            let mut random = Random::new(seed);
            let files: Vec<Sample> =
                whole.iter().flat_map(|whole| samples::damaged(whole, &mut random)).collect();
            count += files.len();
            read += files.iter().filter(|file| check(file)).count();
        }
    }
    let refused = count - read;
    println!(
        "figure: {count} generated documents: {read} gave text, {refused} a reason, 0 panicked"
    );
    #[cfg(target_os = "linux")]
    assert!(memory_kib() < MEMORY_KIB_MAX, "{} KiB", memory_kib());
}

/// The most that this process ever had at once.
#[cfg(target_os = "linux")]
fn memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse().unwrap()
}
