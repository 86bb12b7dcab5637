//! Two hundred files: sound ones of every format, and what damage, malice and mistakes make of them.

use super::{
    hostile, office,
    pdf::{self, Text},
};

/// What a file has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// Text that has this in it.
    Text(&'static str),
    /// A refusal with this code.
    Code(&'static str),
    /// One or the other: damage may leave a text whole.
    Either,
}

pub(super) struct Sample {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) gives: Gives,
}

pub(super) fn sample(name: &str, bytes: impl Into<Vec<u8>>, gives: Gives) -> Sample {
    Sample { name: name.to_owned(), bytes: bytes.into(), gives }
}

/// The same sequence of the same seed (xorshift).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % most.max(1)
    }
}

/// All of one seed.
pub(super) fn all(seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut samples = sound();
    samples.extend(encodings());
    samples.extend(hostile::all());
    samples.extend(misnamed());
    let whole = sound();
    for sample in &whole {
        samples.extend(damaged(sample, &mut random));
    }
    samples
}

pub(super) fn sound() -> Vec<Sample> {
    let korean = "서울에서 만난 사람";
    let body = format!(
        "{}{}<w:tbl>{}</w:tbl>",
        office::paragraph("1", "제목"),
        office::paragraph("", korean),
        office::row(&["가", "나"])
    );
    let rows =
        format!("<row><c t=\"inlineStr\"><is><t>{korean}</t></is></c><c><v>1.5</v></c></row>");
    let lines =
        [Text(20.0, 760.0, "제목"), Text(11.0, 700.0, korean), Text(11.0, 684.0, "둘째 줄")];
    let html = format!(
        "<title>t</title><h1>제목</h1><p>{korean}<ul><li>하나</ul><table><tr><td>가</table>"
    );
    let slides = [(korean, ""), ("둘째", "")];
    let text = Gives::Text("서울에서");
    vec![
        sample("a.txt", format!("{korean}\n\n둘째 문단"), text),
        sample("a.md", format!("# 제목\n\n{korean}\n\n- 하나\n"), text),
        sample("a.rs", format!("fn main() {{\n    // {korean}\n}}\n"), text),
        sample("a.csv", format!("이름,값\n{korean},1\n"), text),
        sample("a.html", html, text),
        sample("a.docx", office::docx(&body, &[]), text),
        sample("a.pptx", office::pptx(&slides), text),
        sample("a.xlsx", office::xlsx(&[("시트", &rows)], &["x"]), text),
        sample("a.pdf", pdf::pages(&[&lines, &lines]), text),
    ]
}

fn encodings() -> Vec<Sample> {
    let korean = "똠방각하가 서울에서 말했다.\n";
    let (cp949, _, _) = encoding_rs::EUC_KR.encode(korean);
    let wide = |bytes: fn(u16) -> [u8; 2], mark: &[u8]| {
        let text: Vec<u8> = korean.encode_utf16().flat_map(bytes).collect();
        [mark, &text].concat()
    };
    let marked = [b"\xef\xbb\xbf".as_slice(), korean.as_bytes()].concat();
    let lines = "line in a file\n".repeat(40);
    let plain: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let text = Gives::Text("똠방각하가 서울에서");
    let mut samples = Vec::new();
    for ending in ["txt", "md", "csv", "html", "py"] {
        let name = |kind: &str| format!("{kind}.{ending}");
        samples.push(sample(&name("cp949"), cp949.to_vec(), text));
        samples.push(sample(&name("mark"), marked.clone(), text));
        samples.push(sample(&name("little"), wide(u16::to_le_bytes, b"\xff\xfe"), text));
        samples.push(sample(&name("big"), wide(u16::to_be_bytes, b"\xfe\xff"), text));
    }
    samples.push(sample("unmarked.txt", plain, Gives::Text("line in a file")));
    samples
}

/// Each sound file under the name of another format.
fn misnamed() -> Vec<Sample> {
    let mut samples = Vec::new();
    for Sample { name, bytes, .. } in sound() {
        for ending in ["txt", "pdf", "docx", "xlsx", "zip", "exe"] {
            if !name.ends_with(ending) {
                let gives = match (name.as_str(), ending) {
                    ("a.docx" | "a.pptx" | "a.xlsx", "txt" | "zip" | "exe") => {
                        Gives::Code("ARCHIVE")
                    }
                    ("a.pdf", _) => Gives::Text("서울에서"),
                    ("a.txt" | "a.md" | "a.rs" | "a.csv" | "a.html", "exe") => {
                        Gives::Code("UNKNOWN_NAME")
                    }
                    ("a.txt" | "a.md" | "a.rs" | "a.csv" | "a.html", "pdf" | "docx" | "xlsx") => {
                        Gives::Code("NOT_AS_NAMED")
                    }
                    _ => Gives::Either,
                };
                samples.push(sample(&format!("{name}.{ending}"), bytes.clone(), gives));
            }
        }
    }
    samples
}

/// Cut, with bits turned, with bytes put in and taken out.
pub(super) fn damaged(whole: &Sample, random: &mut Random) -> Vec<Sample> {
    let Sample { name, bytes, .. } = whole;
    let mut samples = Vec::new();
    for part in [1, 3, 5, 7] {
        let cut = bytes.get(..bytes.len() * part / 8).unwrap_or_default();
        samples.push(sample(name, cut, Gives::Either));
    }
    for count in [1, 4, 32] {
        let mut turned = bytes.clone();
        for _ in 0..count {
            let at = random.below(turned.len());
            if let Some(byte) = turned.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        samples.push(sample(name, turned, Gives::Either));
    }
    let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
    let moved =
        [bytes.get(from..).unwrap_or_default(), bytes.get(..to).unwrap_or_default()].concat();
    samples.push(sample(name, moved, Gives::Either));
    let noise: Vec<u8> = (0..64).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let (start, end) = bytes.split_at(random.below(bytes.len()));
    samples.push(sample(name, [start, &noise, end].concat(), Gives::Either));
    samples
}
