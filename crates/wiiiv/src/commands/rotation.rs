//! `keys rotate` and `keys rotation`: replaces the master key while the server runs. No key passes
//! through here: the server reads the new one from beside the old one.

use crate::connection::{Connection, items, number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The rotation as the server tells of it.
struct RotationView<'a>(&'a Value);

impl RotationView<'_> {
    fn is_over(&self) -> bool {
        self.0.get("finished_at").is_some_and(Value::is_string)
    }
    /// Over all tables: rows that are done, and rows that are left.
    fn rows(&self) -> (u64, u64) {
        let tables = items(self.0, "tables");
        let sum = |field: &str| tables.iter().map(|table| number(table, field)).sum();
        (sum("done"), sum("left"))
    }
    fn unreadable(&self) -> Vec<&str> {
        words(self.0, "unreadable")
    }
    /// Nothing moves before somebody sees to the rows that do not open.
    fn is_stuck(&self) -> bool {
        let stuck = self.unreadable().len() as u64;
        stuck > 0 && self.rows().1 <= stuck
    }
}

/// Begins it, and follows it to its end. Without `wait` it goes on by itself.
pub async fn rotate(context: &Context, wait: bool) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let begun = connection.post("/keys/rotate", json!({})).await?;
    let status = if wait { followed(context, &connection, begun).await? } else { begun };
    tell(context, &status)
}

async fn followed(
    context: &Context,
    connection: &Connection,
    mut status: Value,
) -> Result<Value, Failure> {
    let mut seen = None;
    loop {
        let rotation = status.get("rotation").map(RotationView);
        let Some(rotation) =
            rotation.filter(|rotation| !rotation.is_over() && !rotation.is_stuck())
        else {
            return Ok(status);
        };
        let rows = rotation.rows();
        if seen.replace(rows) != Some(rows) {
            context.output.aside(&progress(context, &rotation))?;
        }
        sleep(LOOK_EVERY).await;
        status = connection.get("/keys/rotation").await?;
    }
}

pub async fn show(context: &Context) -> Result<Exit, Failure> {
    let status = Connection::open(context)?.get("/keys/rotation").await?;
    tell(context, &status)
}

fn progress(context: &Context, rotation: &RotationView<'_>) -> String {
    let (done, left) = rotation.rows();
    let values = [("done", &*done.to_string()), ("left", &left.to_string())];
    fill(&context.texts.rotation.progress, &values)
}

/// One that waits for a person is a check that failed.
fn tell(context: &Context, status: &Value) -> Result<Exit, Failure> {
    context.output.document(status)?;
    let (texts, output) = (&context.texts.rotation, &context.output);
    let version = number(status, "version").to_string();
    let Some(rotation) = status.get("rotation").filter(|rotation| rotation.is_object()) else {
        context.say(&texts.never, &[("version", &version)])?;
        return Ok(Exit::Done);
    };
    let view = RotationView(rotation);
    let [from, to] = ["from", "to"].map(|field| number(rotation, field).to_string());
    let values = [("from", from.as_str()), ("to", &to), ("at", text(rotation, "finished_at"))];
    if view.is_over() {
        context.say(&texts.done, &values)?;
        certificate(context, rotation)?;
        output.line(&texts.then)?;
        return Ok(Exit::Done);
    }
    context.say(&texts.going, &values)?;
    output.line(&progress(context, &view))?;
    let rows = view.unreadable();
    if rows.is_empty() {
        return Ok(Exit::Done);
    }
    output.line(&output.toned(Tone::Doubtful, &texts.unreadable))?;
    for row in rows {
        context.say(&texts.row, &[("row", row)])?;
    }
    Ok(Exit::CheckFailed)
}

fn certificate(context: &Context, rotation: &Value) -> Result<(), Failure> {
    let Some(certificate) = rotation.get("certificate") else { return Ok(()) };
    let sealed = certificate.get("sealed").and_then(Value::as_object);
    let rows: Vec<String> =
        sealed.into_iter().flatten().map(|(table, rows)| format!("{table} {rows}")).collect();
    let signature = certificate.get("checkpoint").map_or("", |signed| text(signed, "signature"));
    let values = [
        ("rows", &*rows.join(", ")),
        ("record", text(certificate, "record")),
        ("signature", signature),
    ];
    context.say(&context.texts.rotation.certificate, &values)
}

#[cfg(test)]
mod tests {
    use super::RotationView;
    use serde_json::json;

    #[test]
    fn it_is_stuck_where_only_rows_are_left_that_do_not_open() {
        let tables = json!([{"done": 3, "left": 1}, {"done": 0, "left": 1}]);
        let rotation = |unreadable| json!({"tables": tables, "unreadable": unreadable});
        let one = rotation(json!(["model_key user:1 OPENAI"]));
        assert_eq!(RotationView(&one).rows(), (3, 2));
        assert!(!RotationView(&one).is_stuck(), "the other one moves");
        let both = rotation(json!(["model_key user:1 OPENAI", "system p shop"]));
        assert!(RotationView(&both).is_stuck() && !RotationView(&both).is_over());
        let over = json!({"tables": [], "unreadable": [], "finished_at": "2026-11-22T00:00:00Z"});
        assert!(RotationView(&over).is_over() && !RotationView(&over).is_stuck());
    }
}
