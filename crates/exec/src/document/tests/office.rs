//! Writes DOCX, PPTX and XLSX files.

use std::io::{Cursor, Write as _};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

pub(super) const DECLARED: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
const RELATION: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

pub(super) fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, data) in parts {
        let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(*name, packed).unwrap();
        zip.write_all(data).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(super) fn relations(of: &[(&str, &str, &str)]) -> String {
    let line = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"{RELATION}/{kind}\" Target=\"{target}\"/>")
    };
    let lines: String = of.iter().map(line).collect();
    format!("{DECLARED}<Relationships xmlns=\"x\">{lines}</Relationships>")
}

/// A document with this body, and further parts.
pub(super) fn docx(body: &str, more: &[(&str, &[u8])]) -> Vec<u8> {
    let main = format!("{DECLARED}<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    let style = |id: &str, name: &str, more: &str| {
        format!("<w:style w:styleId=\"{id}\"><w:name w:val=\"{name}\"/>{more}</w:style>")
    };
    let styles = format!(
        "{DECLARED}<w:styles xmlns:w=\"w\">{}{}{}</w:styles>",
        style("1", "heading 1", "<w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr>"),
        style("a", "My Heading", "<w:basedOn w:val=\"1\"/>"),
        style("c", "Source Code", ""),
    );
    let roots = relations(&[("rId1", "officeDocument", "word/document.xml")]);
    let parts =
        relations(&[("rId1", "styles", "styles.xml"), ("rId2", "footnotes", "footnotes.xml")]);
    let mut all: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", roots.as_bytes()),
        ("word/document.xml", main.as_bytes()),
        ("word/_rels/document.xml.rels", parts.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
    ];
    all.extend(more);
    package(&all)
}

pub(super) fn paragraph(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub(super) fn row(cells: &[&str]) -> String {
    let cell = |text: &&str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    format!("<w:tr>{}</w:tr>", cells.iter().map(cell).collect::<String>())
}

/// Slides of a title and further shapes each.
pub(super) fn pptx(slides: &[(&str, &str)]) -> Vec<u8> {
    let ids: Vec<String> = (1..=slides.len()).map(|number| format!("rId{number}")).collect();
    let targets: Vec<String> =
        (1..=slides.len()).map(|number| format!("slides/slide{number}.xml")).collect();
    let list: String =
        ids.iter().map(|id| format!("<p:sldId id=\"256\" r:id=\"{id}\"/>")).collect();
    let main =
        format!("{DECLARED}<p:presentation><p:sldIdLst>{list}</p:sldIdLst></p:presentation>");
    let related: Vec<(&str, &str, &str)> = ids
        .iter()
        .zip(&targets)
        .map(|(id, target)| (id.as_str(), "slide", target.as_str()))
        .collect();
    let shapes: Vec<(String, String)> = slides
        .iter()
        .zip(&targets)
        .map(|((title, more), target)| (format!("ppt/{target}"), slide(title, more)))
        .collect();
    let roots = relations(&[("rId1", "officeDocument", "ppt/presentation.xml")]);
    let related = relations(&related);
    let mut all: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", roots.as_bytes()),
        ("ppt/presentation.xml", main.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", related.as_bytes()),
    ];
    all.extend(shapes.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
    package(&all)
}

fn slide(title: &str, more: &str) -> String {
    format!(
        "{DECLARED}<p:sld><p:sp><p:nvPr><p:ph type=\"title\"/></p:nvPr>{}</p:sp>{more}</p:sld>",
        text(title)
    )
}

pub(super) fn shape(place: &str, paragraphs: &[&str]) -> String {
    let texts: String = paragraphs.iter().map(|paragraph| text(paragraph)).collect();
    format!("<p:sp><p:nvPr>{place}</p:nvPr><p:txBody>{texts}</p:txBody></p:sp>")
}

fn text(text: &str) -> String {
    format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
}

/// Sheets by their names, each with its rows.
pub(super) fn xlsx(sheets: &[(&str, &str)], shared: &[&str]) -> Vec<u8> {
    let list = |(number, (name, _)): (usize, &(&str, &str))| {
        format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>")
    };
    let list: String = (1..).zip(sheets).map(list).collect();
    let main = format!("{DECLARED}<workbook><sheets>{list}</sheets></workbook>");
    let files: Vec<(String, String)> = (1..)
        .zip(sheets)
        .map(|(number, (_, rows)): (usize, _)| {
            let text = format!("{DECLARED}<worksheet><sheetData>{rows}</sheetData></worksheet>");
            (format!("xl/worksheets/sheet{number}.xml"), text)
        })
        .collect();
    let texts: String = shared.iter().map(|text| format!("<si><t>{text}</t></si>")).collect();
    let texts = format!("{DECLARED}<sst>{texts}</sst>");
    let styles = format!(
        "{DECLARED}<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
    );
    let ids: Vec<(String, String)> = (1..=sheets.len())
        .map(|number| (format!("rId{number}"), format!("worksheets/sheet{number}.xml")))
        .collect();
    let mut related: Vec<(&str, &str, &str)> =
        ids.iter().map(|(id, target)| (id.as_str(), "worksheet", target.as_str())).collect();
    related.extend([("s", "sharedStrings", "sharedStrings.xml"), ("t", "styles", "styles.xml")]);
    let related = relations(&related);
    let roots = relations(&[("rId1", "officeDocument", "xl/workbook.xml")]);
    let mut all: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", roots.as_bytes()),
        ("xl/workbook.xml", main.as_bytes()),
        ("xl/_rels/workbook.xml.rels", related.as_bytes()),
        ("xl/sharedStrings.xml", texts.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
    ];
    all.extend(files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
    package(&all)
}
