//! `risk`: conversations on hold, what raised their risk, and its end.

use crate::connection::{Connection, flag, items, number, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::named;
use serde_json::{Value, json};
use wiiiv_domain::{Lang, SessionId};

/// Those that concern the person.
pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.all("/holds").await?;
    let (texts, list) = (&context.texts.risk, &context.texts.list);
    let cells = |row: &Value| {
        [
            short(text(row, "session")).to_owned(),
            text(row, "owner_name").to_owned(),
            number(row, "score").to_string(),
            signals(context.language, row),
        ]
    };
    context.list(&rows, [&list.id, &texts.owner, &texts.score, &texts.signals], cells)
}

pub async fn show(context: &Context, id: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: SessionId = id.of(&connection, Lists::Holds).await?;
    let risk = connection.get(&format!("/sessions/{id}/risk")).await?;
    context.output.document(&risk)?;
    let texts = &context.texts.risk;
    let (score, limit) =
        (number(&risk, "score").to_string(), number(&risk, "hold_from").to_string());
    let told = if flag(&risk, "held") { &texts.held } else { &texts.free };
    context.say(told, &[("score", &score), ("limit", &limit)])?;
    if let Some(cleared) = risk.get("cleared").filter(|cleared| cleared.is_object()) {
        let values = [("name", text(cleared, "by_name")), ("at", text(cleared, "at"))];
        context.say(&texts.cleared_by, &values)?;
    }
    let rows = items(&risk, "signals");
    let cells = |row: &Value| {
        [
            number(row, "count").to_string(),
            named(&texts.sources, text(row, "found_in")).to_owned(),
            text(row, "at").to_owned(),
            meaning(context.language, row),
        ]
    };
    context.table(
        rows,
        [&texts.count, &texts.found_in, &context.texts.list.at, &texts.signals],
        cells,
    )
}

/// Of somebody else's conversation, with a reason that stays with it.
pub async fn clear(context: &Context, id: &IdArg, reason: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: SessionId = id.of(&connection, Lists::Holds).await?;
    let below = format!("/sessions/{id}/risk/clear");
    let answer = connection.post(&below, json!({ "reason": reason })).await?;
    context.done(&answer, &context.texts.risk.cleared, &[])
}

/// What each means.
fn signals(language: Lang, row: &Value) -> String {
    let told = items(row, "signals").iter().map(|signal| meaning(language, signal));
    told.collect::<Vec<_>>().join(" · ")
}

fn meaning(language: Lang, signal: &Value) -> String {
    let told = signal.get("text").map(|words| text(words, language.as_str()));
    told.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::signals;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_hold_says_what_was_found_in_the_readers_language() {
        let row = json!({"signals": [
            {"code": "A", "text": {"ko": "규칙을 무시하라는 말", "en": "told to ignore the rules"}},
            {"code": "B", "text": {"ko": "비밀", "en": "a secret"}},
        ]});
        assert_eq!(signals(Lang::Ko, &row), "규칙을 무시하라는 말 · 비밀");
        assert_eq!(signals(Lang::En, &row), "told to ignore the rules · a secret");
    }
}
