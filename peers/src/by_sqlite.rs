//! SQLite's FTS5, in memory: one row a page, any of the query's words.

use crate::{
    pairs,
    peer::{ByWords, FOUND, Outcome},
    sets::Page,
};
use rusqlite::{Connection, params};

/// Words at spaces and marks.
pub fn words(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "unicode61", str::to_owned)
}

/// Every three characters; a query's word of two finds nothing.
pub fn trigrams(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "trigram", str::to_owned)
}

/// Korean words by their pairs of syllables.
pub fn pairs(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "unicode61", pairs::pairs)
}

fn index(pages: &[Page], tokenizer: &str, prepared: fn(&str) -> String) -> Outcome<ByWords> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE page USING fts5(text, content = '', tokenize = '{tokenizer}')"
    ))?;
    let transaction = connection.transaction()?;
    for (page, nth) in pages.iter().zip(0_i64..) {
        transaction.execute(
            "INSERT INTO page (rowid, text) VALUES (?1, ?2)",
            params![nth, prepared(&page.text())],
        )?;
    }
    transaction.commit()?;
    connection.execute_batch("INSERT INTO page (page) VALUES ('optimize')")?;
    Ok(Box::new(move |query| {
        let mut search = connection.prepare_cached(
            "SELECT rowid FROM page WHERE page MATCH ?1 ORDER BY bm25(page) LIMIT ?2",
        )?;
        let limit = i64::try_from(FOUND)?;
        let words = any_of(&prepared(query));
        let rows = search.query_map(params![words, limit], |row| row.get::<_, i64>(0))?;
        let mut found = Vec::new();
        for number in rows {
            found.push(usize::try_from(number?)?);
        }
        Ok(found)
    }))
}

/// Each word in quotes, so that none is an operator.
fn any_of(query: &str) -> String {
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    if quoted.is_empty() { "\"\"".to_owned() } else { quoted.join(" OR ") }
}
