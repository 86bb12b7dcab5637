use super::{csv, json_lines};
use crate::rows::read::RowsFault;
use expect_test::{Expect, expect};

const MAX: u64 = 1_000;

#[track_caller]
fn check(json: &str, expected: Expect) {
    expected.assert_eq(&csv(json, MAX).expect("rows").replace("\r\n", "␍␊\n"));
}

#[test]
fn rows_are_a_table_with_a_header_row() {
    check(
        r#"[{"sku":"A1","name":"노트북, 14\"","price":1.10},
            {"sku":"A2","price":null,"note":"two\r\nlines"}, {"name":"","sku":" x "}]"#,
        expect![[r#"
            sku,name,price,note␍␊
            A1,"노트북, 14""",1.10,␍␊
            A2,,,"two␍␊
            lines"␍␊
             x ,,,␍␊
        "#]],
    );
    check(
        "{\"b\":true,\"a\":12345678901234567890123}",
        expect![[r#"
        b,a␍␊
        true,12345678901234567890123␍␊
    "#]],
    );
    check(
        "[\"a\",2,null]",
        expect![[r#"
        value␍␊
        a␍␊
        2␍␊
        ""␍␊
    "#]],
    );
    check(
        "{\"a\":1}\n{\"b\":2}",
        expect![[r#"
        a,b␍␊
        1,␍␊
        ,2␍␊
    "#]],
    );
    check(
        "[{\"a\":1,\"a\":2}]",
        expect![[r#"
        a␍␊
        2␍␊
    "#]],
    );
    check("[]", expect![""]);
    check("[{},{}]", expect![""]);
    check("", expect![""]);
}

/// Whatever a cell holds, a reader of CSV finds it again.
#[test]
fn what_is_written_is_read_back() {
    let cells = ["", ",", "\"", "\r", "\n", "\r\n", "a\"b,c", " ", "=1+1", "가\u{202e}", "\u{0}"];
    let rows: Vec<_> = cells.iter().map(|cell| serde_json::json!({"a": cell, "b": 1})).collect();
    let written = csv(&serde_json::to_string(&rows).expect("JSON"), MAX).expect("rows");
    let mut reader = ::csv::Reader::from_reader(written.as_bytes());
    let read: Vec<String> = reader.records().map(|row| row.expect("a row")[0].to_owned()).collect();
    assert_eq!(read, cells);
}

#[test]
fn what_no_table_holds_is_refused_with_its_place() {
    let nested = |row, column| Err(RowsFault::Nested { row, column });
    assert_eq!(csv(r#"[{"a":1},{"a":1,"b":{"c":2}}]"#, MAX), nested(2, 2));
    assert_eq!(csv(r#"{"items":[{"a":1}]}"#, MAX), nested(1, 1));
    assert_eq!(csv("[[1,2]]", MAX), nested(1, 1));
    for no_json in ["a,b", "[1", "{\"a\":}", "[1] x"] {
        assert_eq!(csv(no_json, MAX), Err(RowsFault::NotJson), "{no_json}");
        assert_eq!(json_lines(no_json, MAX), Err(RowsFault::NotJson), "{no_json}");
    }
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(csv(&deep, MAX), Err(RowsFault::NotJson));
}

#[test]
fn a_table_is_bounded_in_columns_and_bytes() {
    let wide: String = (0..1_001).map(|n| format!("\"c{n}\":1,")).collect();
    let wide = format!("[{{{}}}]", wide.trim_end_matches(','));
    assert_eq!(csv(&wide, 1_000_000), Err(RowsFault::Columns));
    // Each row has a field of its own: the table is larger than its source by far.
    let sparse: Vec<String> = (0..1_000).map(|n| format!("{{\"c{n}\":1}}")).collect();
    let sparse = format!("[{}]", sparse.join(","));
    assert_eq!(csv(&sparse, 100_000), Err(RowsFault::TooLong(100_000)));
    assert_eq!(json_lines("[1,2]", 3), Err(RowsFault::TooLong(3)));
}

#[test]
fn json_lines_are_one_value_a_line() {
    let lines = json_lines("[ {\"a b\" : \"c \\\" d\", \"n\": 1.10},\n [1, 2], \"x\" ]", MAX);
    let expected = "{\"a b\":\"c \\\" d\",\"n\":1.10}\n[1,2]\n\"x\"\n";
    assert_eq!(lines.as_deref(), Ok(expected));
    assert_eq!(json_lines("{\"a\": 1}\n2", MAX).as_deref(), Ok("{\"a\":1}\n2\n"));
    assert_eq!(json_lines("[]", MAX).as_deref(), Ok(""));
}
