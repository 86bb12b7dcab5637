//! `usage`: usage of a project's models, and the rest of its budgets.

use crate::args::{UsageArgs, UsageByArg};
use crate::commands::models::units;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use serde_json::{Value, json};

pub async fn usage(context: &Context, args: &UsageArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    if args.grouped_by == [UsageByArg::Project] {
        return by_project(context, &connection, args).await;
    }
    let project = connection.project(args.project.project.as_deref()).await?;
    let used = connection.get(&format!("/projects/{project}/usage{}", query(args))).await?;
    let budgets = connection.get(&format!("/projects/{project}/budgets")).await?;
    context.output.document(&json!({ "usage": used, "budgets": budgets }))?;
    told(context, &used)?;
    left(context, &budgets)?;
    Ok(Exit::Done)
}

/// All of the caller's projects, whichever one is chosen.
async fn by_project(
    context: &Context,
    connection: &Connection,
    args: &UsageArgs,
) -> Result<Exit, Failure> {
    let days = UsageArgs { grouped_by: Vec::new(), ..args.clone() };
    let mut used = connection.get(&format!("/usage{}", query(&days))).await?;
    let mut items: Vec<Value> = listed(&mut used);
    while let Some(cursor) = used.get("next_cursor").and_then(Value::as_str) {
        let pairs = query(&days);
        let joined = if pairs.is_empty() { "?" } else { "&" };
        let next = connection.get(&format!("/usage{pairs}{joined}cursor={cursor}")).await?;
        used = next;
        items.append(&mut listed(&mut used));
    }
    let (from, until) = (text(&used, "from"), text(&used, "until"));
    context.output.document(&json!({ "from": from, "until": until, "projects": items }))?;
    let texts = &context.texts.spending;
    let days = [("from", from), ("until", until)];
    context.output.line(&fill(&texts.days, &days))?;
    let cells: Vec<[String; 5]> = items
        .iter()
        .map(|item| {
            let name = text(item, "name");
            let own = text(item, "scope") == "own";
            let name = if own { fill(&texts.own_part, &[("of", name)]) } else { name.to_owned() };
            line(context, text(item, "currency"), &name, item.get("sums"))
        })
        .collect();
    let heads = [&texts.group, &texts.calls, &texts.tokens, &texts.money, &texts.doubts];
    context.output.table(heads.map(String::as_str), &cells)?;
    Ok(Exit::Done)
}

fn listed(page: &mut Value) -> Vec<Value> {
    match page.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// The server says what does not fit: values go as they were typed.
fn query(args: &UsageArgs) -> String {
    let by = args.grouped_by.iter().copied().map(UsageByArg::as_str);
    let by = by.collect::<Vec<_>>().join(",");
    let given = [
        ("by", (!by.is_empty()).then_some(by.as_str())),
        ("from", args.first_day.as_deref()),
        ("until", args.last_day.as_deref()),
    ];
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in given {
        if let Some(value) = value {
            pairs.append_pair(name, value);
        }
    }
    match pairs.finish() {
        none if none.is_empty() => none,
        pairs => format!("?{pairs}"),
    }
}

fn told(context: &Context, used: &Value) -> Result<(), Failure> {
    let texts = &context.texts.spending;
    let days = [("from", text(used, "from")), ("until", text(used, "until"))];
    context.output.line(&fill(&texts.days, &days))?;
    if text(used, "scope") == "own" {
        context.output.line(&texts.own)?;
    }
    let currency = text(used, "currency");
    let rows = used.get("rows").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut cells: Vec<[String; 5]> = rows
        .iter()
        .map(|row| line(context, currency, &group(context, row), row.get("sums")))
        .collect();
    if cells.is_empty() {
        return context.output.line(&texts.nothing);
    }
    cells.push(line(context, currency, &texts.total, used.get("total")));
    let heads = [&texts.group, &texts.calls, &texts.tokens, &texts.money, &texts.doubts];
    context.output.table(heads.map(String::as_str), &cells)?;
    if used.get("truncated").and_then(Value::as_bool) == Some(true) {
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
    let count = |field| sums.and_then(|sums| sums.get(field)).and_then(Value::as_u64).unwrap_or(0);
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

fn left(context: &Context, budgets: &Value) -> Result<(), Failure> {
    let texts = &context.texts.spending;
    let currency = text(budgets, "currency");
    let windows = budgets.get("items").and_then(Value::as_array);
    let cells: Vec<[String; 4]> = windows
        .into_iter()
        .flatten()
        .map(|window| {
            let state = text(window, "state");
            let tone = if state == "open" { Tone::Plain } else { Tone::Doubtful };
            let state = texts.states.get(state).map_or(state, String::as_str);
            let named = text(window, "window");
            let named = texts.windows.get(named).map_or(named, String::as_str);
            [
                format!("{named} {}", text(window, "of")),
                measure(context, window.get("tokens"), |count| count.to_string()),
                measure(context, window.get("micros"), |micros| {
                    format!("{currency} {}", units(micros))
                }),
                context.output.toned(tone, state),
            ]
        })
        .collect();
    context.output.line("")?;
    let heads = [&texts.budget, &texts.tokens, &texts.money, &texts.state];
    context.output.table(heads.map(String::as_str), &cells)
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
