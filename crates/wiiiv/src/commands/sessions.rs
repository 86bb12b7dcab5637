//! `sessions list`.

use crate::args::ProjectArg;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use serde_json::Value;

/// Of what was said first; a list is read at a glance.
const SAID_CHARS_MAX: usize = 60;

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let rows = connection.rows(&format!("/projects/{project}/sessions")).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.list;
    if rows.is_empty() {
        context.output.line(&texts.none)?;
        return Ok(Exit::Done);
    }
    let cells = |row: &Value| {
        [text(row, "id").to_owned(), last_at(row).to_owned(), shortened(said_first(row))]
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    context.output.table([&texts.id, &texts.at, &texts.title], &rows)?;
    Ok(Exit::Done)
}

/// Its title, else what the person said first.
pub fn said_first(row: &Value) -> &str {
    match text(row, "title") {
        "" => text(row, "first_message"),
        title => title,
    }
}

/// When something was last said in it, or when it began.
pub fn last_at(row: &Value) -> &str {
    match text(row, "updated_at") {
        "" => text(row, "created_at"),
        at => at,
    }
}

/// On one line.
fn shortened(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SAID_CHARS_MAX {
        return line;
    }
    let head: String = line.chars().take(SAID_CHARS_MAX).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::{SAID_CHARS_MAX, last_at, said_first, shortened};
    use serde_json::json;

    #[test]
    fn a_conversation_is_called_by_its_title_or_its_first_words() {
        let row = json!({"title": "", "first_message": "재고 보여줘", "created_at": "1"});
        assert_eq!((said_first(&row), last_at(&row)), ("재고 보여줘", "1"));
        let row = json!({"title": "Stock", "first_message": "x", "updated_at": "2"});
        assert_eq!((said_first(&row), last_at(&row)), ("Stock", "2"));
        assert_eq!(said_first(&json!({"first_message": null})), "");
    }

    #[test]
    fn long_words_are_cut_to_one_line() {
        assert_eq!(shortened("one\n two"), "one two");
        let cut = shortened(&"가".repeat(SAID_CHARS_MAX + 1));
        assert_eq!(cut.chars().count(), SAID_CHARS_MAX + 1);
        assert!(cut.ends_with('…'));
    }
}
