//! Writes PDF files, as simple as a reader takes them.

use flate2::{Compression, write::ZlibEncoder};
use std::{collections::BTreeMap, io::Write as _};

/// A text at a size and a height of the page.
pub(super) struct Text<'a>(pub(super) f64, pub(super) f64, pub(super) &'a str);

/// Objects from number 1, the catalog first; a table of where they begin at the end.
pub(super) fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut starts = Vec::new();
    for (number, object) in (1..).zip(objects) {
        starts.push(out.len());
        out.extend(format!("{number} 0 obj\n").bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let table = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    starts.iter().for_each(|start| out.extend(format!("{start:010} 00000 n \n").bytes()));
    let size = objects.len() + 1;
    let end =
        format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF");
    out.extend(end.bytes());
    out
}

pub(super) fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
    object.extend(data);
    object.extend(b"\nendstream");
    object
}

pub(super) fn packed(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    stream(&format!("{entries} /Filter /FlateDecode"), &encoder.finish().unwrap())
}

/// Pages of lines. Each letter has a number of its own, as fonts that were cut down have it.
pub(super) fn pages(pages: &[&[Text<'_>]]) -> Vec<u8> {
    let mut letters: BTreeMap<char, u16> = BTreeMap::new();
    let mut contents = Vec::new();
    for lines in pages {
        let mut content = String::from("q BT\n");
        for Text(size, height, text) in *lines {
            let mut number = |letter| {
                let next = u16::try_from(letters.len()).unwrap() + 3;
                *letters.entry(letter).or_insert(next)
            };
            let codes: String =
                text.chars().map(|letter| format!("{:04x}", number(letter))).collect();
            content.push_str(&format!("/F1 {size} Tf 1 0 0 1 72 {height} Tm <{codes}> Tj\n"));
        }
        content.push_str("ET Q");
        contents.push(packed("", content.as_bytes()));
    }
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 6 + 2 * page)).collect();
    let font = "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H \
                /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>";
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()).into_bytes(),
        font.as_bytes().to_vec(),
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /DW 1000 >>".to_vec(),
        packed("", to_unicode(&letters).as_bytes()),
    ];
    for (at, content) in contents.into_iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>",
            7 + 2 * at
        );
        objects.extend([page.into_bytes(), content]);
    }
    file(&objects, "")
}

fn to_unicode(letters: &BTreeMap<char, u16>) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
         1 begincodespacerange <0000> <ffff> endcodespacerange\n",
    );
    map.push_str(&format!("{} beginbfchar\n", letters.len()));
    for (letter, number) in letters {
        let mut units = [0; 2];
        let units: String =
            letter.encode_utf16(&mut units).iter().map(|unit| format!("{unit:04x}")).collect();
        map.push_str(&format!("<{number:04x}> <{units}>\n"));
    }
    map.push_str("endbfchar endcmap end end");
    map
}

/// One page with this content, and these resources.
pub(super) fn one(content: Vec<u8>, resources: &str, trailer: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << {resources} >> >>"
    );
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        content,
    ];
    objects.extend_from_slice(more);
    file(&objects, trailer)
}

/// A page that is a picture.
pub(super) fn scan() -> Vec<u8> {
    let picture = stream(
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        b"\x80",
    );
    one(stream("", b"q 595 0 0 842 0 0 cm /I1 Do Q"), "/XObject << /I1 5 0 R >>", "", &[picture])
}

/// With a password that is not the empty one.
pub(super) fn encrypted() -> Vec<u8> {
    let value = "41".repeat(32);
    let lock = format!("<< /Filter /Standard /V 1 /R 2 /O <{value}> /U <{value}> /P -4 >>");
    let trailer = "/Encrypt 5 0 R /ID [<00> <00>]";
    one(stream("", b"BT ET"), "", trailer, &[lock.into_bytes()])
}
