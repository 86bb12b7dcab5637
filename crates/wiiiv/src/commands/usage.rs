//! `usage`: usage of a project's models, and the rest of its budgets.

use crate::args::{BY_PROJECT, UsageArgs};
use crate::commands::models::units;
use crate::connection::{Connection, flag, items, number, take_items, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::query::Query;
use crate::texts::{fill, named};
use serde_json::{Value, json};

pub async fn usage(context: &Context, args: &UsageArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    if args.grouped_by == [BY_PROJECT] {
        return by_project(context, &connection, args).await;
    }
    let project = connection.project(args.project.project.as_deref()).await?;
    let used = query(format!("/projects/{project}/usage"), args);
    let used = connection.get(&used.text()).await?;
    let budgets = connection.get(&format!("/projects/{project}/budgets")).await?;
    context.output.document(&json!({ "usage": used, "budgets": budgets }))?;
    told(context, &used)?;
    left(context, &budgets)
}

/// All of the caller's projects, whichever one is chosen.
async fn by_project(
    context: &Context,
    connection: &Connection,
    args: &UsageArgs,
) -> Result<Exit, Failure> {
    let days = UsageArgs { grouped_by: Vec::new(), ..args.clone() };
    let (mut projects, mut cursor) = (Vec::new(), None::<String>);
    let used = loop {
        let mut page = query("/usage".to_owned(), &days);
        page.add("cursor", cursor.as_deref());
        let mut used = connection.get(&page.text()).await?;
        projects.append(&mut take_items(&mut used)?);
        cursor = used.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
        if cursor.is_none() {
            break used;
        }
    };
    let (from, until) = (text(&used, "from"), text(&used, "until"));
    context.output.document(&json!({ "from": from, "until": until, "projects": projects }))?;
    let texts = &context.texts.spending;
    context.say(&texts.days, &[("from", from), ("until", until)])?;
    let cells = |item: &Value| {
        let name = text(item, "name");
        let own = text(item, "scope") == "own";
        let name = if own { fill(&texts.own_part, &[("of", name)]) } else { name.to_owned() };
        line(context, text(item, "currency"), &name, item.get("sums"))
    };
    let heads = [&texts.group, &texts.calls, &texts.tokens, &texts.money, &texts.doubts];
    context.table(&projects, heads, cells)
}

/// The server says what does not fit: values go as they were typed.
fn query(path: String, args: &UsageArgs) -> Query {
    let by = args.grouped_by.join(",");
    let mut query = Query::of(path);
    query.add("by", Some(&*by).filter(|by| !by.is_empty()));
    query.add("from", args.first_day.as_deref());
    query.add("until", args.last_day.as_deref());
    query
}

fn told(context: &Context, used: &Value) -> Result<(), Failure> {
    let texts = &context.texts.spending;
    let days = [("from", text(used, "from")), ("until", text(used, "until"))];
    context.say(&texts.days, &days)?;
    if text(used, "scope") == "own" {
        context.output.line(&texts.own)?;
    }
    let currency = text(used, "currency");
    let mut cells: Vec<[String; 5]> = items(used, "rows")
        .iter()
        .map(|row| line(context, currency, &group(context, row), row.get("sums")))
        .collect();
    if cells.is_empty() {
        return context.output.line(&texts.nothing);
    }
    cells.push(line(context, currency, &texts.total, used.get("total")));
    let heads = [&texts.group, &texts.calls, &texts.tokens, &texts.money, &texts.doubts];
    context.output.table(heads.map(String::as_str), &cells)?;
    if flag(used, "truncated") {
        context.output.line(&texts.truncated)?;
    }
    Ok(())
}

fn group(context: &Context, row: &Value) -> String {
    let person = row.get("user").filter(|user| !user.is_null()).map(|user| {
        let name = user.get("name").and_then(Value::as_str);
        name.unwrap_or(&context.texts.spending.nobody).to_owned()
    });
    let model = row.get("model").and_then(Value::as_str);
    let model = model.map(|model| format!("{} {model}", text(row, "provider")));
    let day = row.get("day").and_then(Value::as_str).map(str::to_owned);
    [day, model, person].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

fn line(context: &Context, currency: &str, group: &str, sums: Option<&Value>) -> [String; 5] {
    let texts = &context.texts.spending;
    let count = |field| sums.map_or(0, |sums| number(sums, field));
    let doubts = [
        (count("open"), &texts.open),
        (count("estimated"), &texts.estimated),
        (count("unpriced"), &texts.unpriced),
    ];
    let doubts = doubts.into_iter().filter(|(calls, _)| *calls > 0);
    let doubts = doubts.map(|(calls, text)| fill(text, &[("calls", &calls.to_string())]));
    [
        group.to_owned(),
        count("calls").to_string(),
        count("tokens").to_string(),
        format!("{currency} {}", units(count("micros"))),
        doubts.collect::<Vec<_>>().join(", "),
    ]
}

fn left(context: &Context, budgets: &Value) -> Result<Exit, Failure> {
    let texts = &context.texts.spending;
    let currency = text(budgets, "currency");
    let cells = |window: &Value| {
        let state = text(window, "state");
        let tone = if state == "open" { Tone::Plain } else { Tone::Doubtful };
        let money = |micros| format!("{currency} {}", units(micros));
        [
            format!("{} {}", named(&texts.windows, text(window, "window")), text(window, "of")),
            measure(context, window.get("tokens"), |count| count.to_string()),
            measure(context, window.get("micros"), money),
            context.output.toned(tone, named(&texts.states, state)),
        ]
    };
    context.output.line("")?;
    let heads = [&texts.budget, &texts.tokens, &texts.money, &texts.state];
    context.table(items(budgets, "items"), heads, cells)
}

/// Spent and promised, of the cap where there is one.
fn measure(context: &Context, measure: Option<&Value>, say: impl Fn(u64) -> String) -> String {
    let texts = &context.texts.spending;
    let count = |field| measure.and_then(|measure| measure.get(field)).and_then(Value::as_u64);
    let used = count("settled").unwrap_or(0).saturating_add(count("held").unwrap_or(0));
    let used = say(used);
    match count("cap") {
        Some(cap) => fill(&texts.of_cap, &[("used", &used), ("cap", &say(cap))]),
        None => fill(&texts.no_cap, &[("used", &used)]),
    }
}
