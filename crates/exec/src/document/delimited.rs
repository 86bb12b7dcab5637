//! CSV: rows of cells, divided by commas, semicolons, tabs or bars.

use super::{
    encoding::decoded,
    extract::Extract,
    limits::Limits,
    refused::{Damaged, DocumentRefused},
};
use csv::{ReaderBuilder, StringRecord};
use wiiiv_retrieval::SourceText;

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Looked at to find the delimiter.
const SAMPLE_LINES: usize = 10;

/// The header's row comes first, as it does in the file.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let text = decoded(bytes)?;
    let mut extract = Extract::new(limits);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(&text))
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => extract.row(record.iter())?,
            Ok(false) => return extract.finish(DocumentRefused::Empty),
            Err(_) => return Err(DocumentRefused::Damaged(Damaged::Other)),
        }
    }
}

/// The one that divides the first lines most evenly: none of them has fewer of it.
fn delimiter(text: &str) -> u8 {
    let fewest = |delimiter: u8| {
        let lines = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE_LINES);
        lines.map(|line| outside_quotes(line, delimiter)).min().unwrap_or_default()
    };
    let counted = DELIMITERS.into_iter().map(|delimiter| (fewest(delimiter), delimiter));
    // Of equals the first one: a comma.
    let best = counted.rev().max_by_key(|(count, _)| *count);
    best.map_or(b',', |(_, delimiter)| delimiter)
}

fn outside_quotes(line: &str, delimiter: u8) -> usize {
    let mut quoted = false;
    let mut count = 0;
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        count += usize::from(byte == delimiter && !quoted);
    }
    count
}
