//! The format of a saved result, by the file name's ending.

use super::{input::Input, reason};
use wiiiv_domain::{NotDrawn, SlotName, ValueKind, WorkspacePath};

/// Endings of formats that no step writes a result in. A text that a person gave is written under
/// any ending: it is that person's to say what it is.
const NOT_WRITTEN: [&str; 35] = [
    "tsv", "xls", "xlsx", "xlsm", "xlsb", "ods", "numbers", "pdf", "doc", "docx", "odt", "rtf",
    "hwp", "hwpx", "ppt", "pptx", "odp", "xml", "html", "htm", "yaml", "yml", "toml", "parquet",
    "avro", "sqlite", "db", "zip", "gz", "png", "jpg", "jpeg", "gif", "webp", "svg",
];

/// `Err`: the user is asked for another file, before there is a plan.
pub(super) fn of(path: &WorkspacePath, output: &Input) -> Result<ValueKind, NotDrawn> {
    let ending = path.name().rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let rows = output.is_json || output.is_json_lines;
    let refused = |code| Err(reason::slot(SlotName::TARGET_PATH, code));
    match ending.as_deref().unwrap_or_default() {
        "csv" if rows => Ok(ValueKind::Csv),
        "jsonl" | "ndjson" if rows => Ok(ValueKind::JsonLines),
        "json" if output.is_json => Ok(ValueKind::Json),
        "json" if rows => refused("SEVERAL_VALUES"),
        "csv" | "jsonl" | "ndjson" | "json" => refused("NO_ROWS"),
        other if NOT_WRITTEN.contains(&other) => refused("FORMAT_NOT_WRITTEN"),
        _ => Ok(ValueKind::Text),
    }
}
