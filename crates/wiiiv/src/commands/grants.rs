//! `approvals grant`, `grants` and `revoke-grant`: yeses that are said beforehand.

use crate::args::{GrantArgs, RevokeGrantArgs, project::ProjectArg};
use crate::clock;
use crate::connection::{Connection, flag, items, number, parsed, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::short_id::{Lists, short};
use crate::texts::{GrantTexts, fill, named};
use serde_json::{Value, json};
use wiiiv_domain::{ApprovalId, GrantId, ProjectId, Timestamp};
use wiiiv_net::ApiCall;

/// A shorter time is no use of it.
const SECONDS_MIN: i64 = 60;
/// As the server writes a value that may be whatever text.
const ANY_TEXT: &str = "*";

/// From a request that was approved: to exactly its steps, or to one step's exact target.
pub async fn give(context: &Context, args: &GrantArgs) -> Result<Exit, Failure> {
    if !has_time((args.from, args.lasts), clock::now()) {
        return Err(Failure::GrantWindow);
    }
    let connection = Connection::open(context)?;
    let approval: ApprovalId = args.approval.of(&connection, Lists::Approvals).await?;
    let asked = connection.get(&format!("/approvals/{approval}")).await?;
    let project: ProjectId = parsed(&asked, "project")?;
    let holder = match &args.holder {
        Some(who) => Some(connection.member(project, who).await?),
        None => None,
    };
    let body = json!({
        "approval": approval, "holder": holder, "not_before": args.from, "seconds": args.lasts,
        "step": args.step, "uses": args.uses,
    });
    let given = connection.post(&format!("/projects/{project}/approval-grants"), body).await?;
    context.output.document(&given)?;
    print(context, &given)?;
    Ok(Exit::Done)
}

/// Its end is counted from now, whenever it begins.
fn has_time((from, lasts): (Option<Timestamp>, u32), now: Timestamp) -> bool {
    let end = now.plus_seconds(i64::from(lasts));
    from.is_none_or(|from| from.plus_seconds(SECONDS_MIN) <= end)
}

/// With each use.
pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let rows = connection.rows(&format!("/projects/{project}/approval-grants")).await?;
    context.output.document(&rows)?;
    if rows.is_empty() {
        context.say(&context.texts.list.none, &[])?;
    }
    rows.iter().try_for_each(|row| print(context, row))?;
    Ok(Exit::Done)
}

pub async fn revoke(context: &Context, args: &RevokeGrantArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let id: GrantId = args.grant.of(&connection, Lists::Grants).await?;
    let call = ApiCall::delete(path(&format!("/projects/{project}/approval-grants/{id}")));
    connection.client.send(call).await?;
    context.done(&json!({ "revoked": id }), &context.texts.grants.revoked, &[])
}

/// What a step does and where, and whom its body is for, place by place.
pub fn step(context: &Context, step: &Value) -> Result<(), Failure> {
    let texts = &context.texts.grants;
    context.output.line(&step_line(texts, step))?;
    let target = step.get("target").unwrap_or(&Value::Null);
    for recipient in items(target, "recipients") {
        let value = match text(recipient, "value") {
            ANY_TEXT => texts.any_text.as_str(),
            value => value,
        };
        let values = [("place", text(recipient, "place")), ("value", value)];
        context.output.line(&harmless(&fill(&texts.recipient, &values)))?;
    }
    Ok(())
}

fn step_line(texts: &GrantTexts, step: &Value) -> String {
    let target = step.get("target").map(|target| text(target, "text")).unwrap_or_default();
    let values = [("type", named(&texts.types, text(step, "step_type"))), ("target", target)];
    harmless(&fill(&texts.step, &values))
}

fn print(context: &Context, grant: &Value) -> Result<(), Failure> {
    let texts = &context.texts.grants;
    let [left, uses] = ["left", "uses"].map(|name| number(grant, name).to_string());
    let state = match grant {
        _ if !text(grant, "revoked_at").is_empty() => "revoked",
        _ if flag(grant, "counts") => "counts",
        _ if left == "0" => "used_up",
        _ if !flag(grant, "granter_stands") => "no_right",
        _ if !flag(grant, "has_begun") => "planned",
        _ => "expired",
    };
    let window = window(texts, grant);
    let values = [
        ("id", short(text(grant, "id"))),
        ("state", named(&texts.states, state)),
        ("left", left.as_str()),
        ("uses", uses.as_str()),
        ("window", window.as_str()),
        ("granter", text(grant, "granter_name")),
        ("holder", text(grant, "holder_name")),
        ("kind", named(&texts.kinds, text(grant, "kind"))),
    ];
    context.output.line(&harmless(&fill(&texts.head, &values)))?;
    items(grant, "steps").iter().try_for_each(|one| step(context, one))?;
    for used in items(grant, "used_by") {
        let taken = number(used, "taken").to_string();
        let values = [
            ("at", text(used, "at")),
            ("execution", text(used, "execution")),
            ("taken", taken.as_str()),
        ];
        context.output.line(&harmless(&fill(&texts.used, &values)))?;
    }
    Ok(())
}

/// Its end, and its beginning if it has one.
fn window(texts: &GrantTexts, grant: &Value) -> String {
    let [from, until] = ["not_before", "expires_at"].map(|name| text(grant, name));
    let template = if from.is_empty() { &texts.until } else { &texts.between };
    fill(template, &[("from", from), ("until", until)])
}

#[cfg(test)]
mod tests {
    use super::{has_time, step_line, window};
    use crate::texts::Texts;
    use serde_json::{Value, json};
    use wiiiv_domain::{Lang, Timestamp};

    #[test]
    fn a_step_is_told_in_words() {
        let step = json!({"step_type": "FILE_WRITE", "target": {"text": "a.md"}});
        for (language, told) in
            [(Lang::Ko, "    파일 쓰기 a.md"), (Lang::En, "    write a file a.md")]
        {
            assert_eq!(step_line(&Texts::of(language).unwrap().grants, &step), told);
        }
    }

    #[test]
    fn the_end_lies_at_least_a_minute_behind_the_beginning() {
        let now = Timestamp::from_unix_ms(1_000);
        assert!(has_time((None, 60), now));
        for (from, lasts, due) in [(60, 120, true), (61, 120, false), (120, 120, false)] {
            let from = Some(now.plus_seconds(from));
            assert_eq!(has_time((from, lasts), now), due, "{from:?} {lasts}");
        }
    }

    #[test]
    fn a_beginning_is_told_with_the_end() {
        let grant = |from: Value| json!({"not_before": from, "expires_at": "B"});
        for (language, until, between) in
            [(Lang::Ko, "기한 B", "기간 A ~ B"), (Lang::En, "until B", "from A until B")]
        {
            let texts = Texts::of(language).unwrap().grants;
            assert_eq!(window(&texts, &grant(Value::Null)), until);
            assert_eq!(window(&texts, &grant(json!("A"))), between);
            assert!(texts.states.contains_key("planned"));
        }
    }
}
