//! Rows of a list, one line each, in columns that stand below one another.

use crate::config::FACT_BYTES_MAX;
use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Of one cell or head, in columns of a terminal, and in characters, of which some have no width; the
/// rest of it is cut.
const CELL_WIDTH_MAX: usize = 40;
/// More fields than people compare.
const FIELDS_MAX: usize = 12;
const GAP: &str = "  ";

/// `None`: no list of flat rows with fields, which is shown as it stands.
pub fn table(bytes: &[u8]) -> Option<String> {
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(bytes).ok()?;
    let heads = fields(&rows)?;
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(&heads, row)).collect();
    let heads: Vec<String> = heads.iter().map(|name| one_line(name)).collect();
    let widths: Vec<usize> = (0..heads.len()).map(|at| width(&heads, &cells, at)).collect();
    let mut lines = vec![line(&heads, &widths)];
    let mut size = 0;
    for row in &cells {
        let line = line(row, &widths);
        size += line.len();
        if size > FACT_BYTES_MAX {
            break;
        }
        lines.push(line);
    }
    let left = cells.len() + 1 - lines.len();
    lines.extend((left > 0).then(|| format!("[… {left}]")));
    Some(lines.join("\n"))
}

/// Of all rows, what names a row first and the others as they come; what is nested fits no cell.
fn fields(rows: &[Map<String, Value>]) -> Option<Vec<String>> {
    let mut heads: Vec<String> = Vec::new();
    for (name, value) in rows.iter().flatten() {
        if value.is_array() || value.is_object() {
            return None;
        }
        if !heads.contains(name) {
            heads.push(name.clone());
        }
        if heads.len() > FIELDS_MAX {
            return None;
        }
    }
    heads.sort_by_key(|name| match name.as_str() {
        "id" => 0,
        "name" => 1,
        _ => 2,
    });
    (!heads.is_empty()).then_some(heads)
}

fn cells(heads: &[String], row: &Map<String, Value>) -> Vec<String> {
    heads.iter().map(|name| cell(row.get(name))).collect()
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => one_line(text),
        Some(value) => cut(&value.to_string()),
        None => String::new(),
    }
}

fn one_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn cut(text: &str) -> String {
    let short = text.chars().nth(CELL_WIDTH_MAX).is_none();
    if short && text.width() <= CELL_WIDTH_MAX {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars().take(CELL_WIDTH_MAX) {
        // The mark needs a column too.
        if kept.width() + c.width().unwrap_or_default() >= CELL_WIDTH_MAX {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

fn width(heads: &[String], cells: &[Vec<String>], at: usize) -> usize {
    let column = cells.iter().filter_map(|row| row.get(at)).chain(heads.get(at));
    column.map(|cell| cell.width()).max().unwrap_or_default()
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width()))));
    padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{cut, table};
    use unicode_width::UnicodeWidthStr as _;

    #[test]
    fn rows_stand_in_columns_whatever_they_are_written_in() {
        let rows = r#"[{"id":1,"name":"노트북 프로","price":10},
            {"id":22,"name":"Tumbler","sold":true},{"id":3,"name":"a\nb","price":null}]"#;
        let shown = "id  name         price  sold\n1   노트북 프로  10\n22  Tumbler             true\n\
            3   a b          null";
        assert_eq!(table(rows.as_bytes()).unwrap(), shown);
    }

    #[test]
    fn what_is_no_flat_list_is_left_as_it_is() {
        for other in [r#"[1,2]"#, r#"{"a":1}"#, r#"[{"a":{"b":1}}]"#, "[]", "[{}]", "no json"] {
            assert_eq!(table(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_long_list_tells_how_many_rows_are_left_and_a_long_cell_is_cut() {
        let rows: Vec<_> = (0..2_000).map(|id| serde_json::json!({"id": id, "at": "a"})).collect();
        let shown = table(&serde_json::to_vec(&rows).unwrap()).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        let told = lines.len() - 2;
        assert_eq!(lines.last().unwrap(), &format!("[… {}]", 2_000 - told));
        assert!(shown.len() < 8_192 && told > 100, "{told}");
        assert!(cut(&"가".repeat(90)).width() <= 40 && cut(&"가".repeat(90)).ends_with('…'));
    }

    /// What a service calls its fields is its own to choose.
    #[test]
    fn no_name_and_no_mark_without_width_makes_a_line_long() {
        for name in ["n".repeat(100_000), "\u{301}".repeat(100_000), "a\nb".repeat(9_000)] {
            let rows = serde_json::json!([{ (name.clone()): 1, "z": name }, { "z": "b" }]);
            let shown = table(&serde_json::to_vec(&rows).unwrap()).unwrap();
            assert_eq!(shown.lines().count(), 3, "{}", shown.len());
            assert!(shown.len() < 1_024, "{}", shown.len());
        }
    }
}
