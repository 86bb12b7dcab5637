//! `models`: known facts about models, and the model of a project's next turn.

pub mod install;

use crate::args::project::ProjectArg;
use crate::commands::ghost::rules;
use crate::commands::init::hint;
use crate::commands::keys::{self, Verdicts};
use crate::connection::{Connection, flag, items, number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::{ModelsTexts, Texts, fill, named};
use serde_json::Value;
use wiiiv_domain::ProviderName;

/// Micro-units in one unit of a currency.
const MICROS: u64 = 1_000_000;

pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.all("/models").await?;
    context.output.document(&rows)?;
    let texts = &context.texts.models;
    let cells: Vec<[String; 7]> = rows.iter().flat_map(|row| lines(context, row)).collect();
    let heads = [
        &texts.provider,
        &texts.model,
        &texts.recommended,
        &texts.price,
        &texts.window,
        &texts.abilities,
        &texts.ghost,
    ];
    context.output.table(heads.map(String::as_str), &cells)?;
    context.output.line(&texts.price_unit)?;
    Ok(Exit::Done)
}

/// One line a model.
fn lines(context: &Context, provider: &Value) -> Vec<[String; 7]> {
    let line = |model: &Value| {
        let name = text(model, "name");
        [
            text(provider, "provider").to_owned(),
            name.to_owned(),
            recommended(context, provider, name),
            price(context, provider, model),
            window(&context.texts, provider, model),
            abilities(&context.texts, provider, model),
            verified(context, model),
        ]
    };
    items(provider, "models").iter().map(line).collect()
}

fn recommended(context: &Context, provider: &Value, name: &str) -> String {
    let texts = &context.texts.models;
    let Some(named) = provider.get("recommended").filter(|named| !named.is_null()) else {
        return String::new();
    };
    let words = [("minimum", &texts.minimum), ("value", &texts.value), ("best", &texts.best)];
    let words = words.into_iter().filter(|(field, _)| text(named, field) == name);
    words.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(", ")
}

fn is_local(provider: &Value) -> bool {
    text(provider, "provider") == ProviderName::Local.as_str()
}

/// In tokens; where nobody said how many, that. A model of embeddings that is installed holds no conversation.
fn window(texts: &Texts, provider: &Value, model: &Value) -> String {
    let window = model.pointer("/facts/window").and_then(Value::as_u64);
    match window {
        Some(tokens) => tokens.to_string(),
        None if is_local(provider) => String::new(),
        None => texts.models.unknown.clone(),
    }
}

/// Where nothing is known of a model, not even what it cannot. Of LOCAL those are listed that are installed.
fn abilities(texts: &Texts, provider: &Value, model: &Value) -> String {
    if is_local(provider) {
        return texts.local_models.able.clone();
    }
    let texts = &texts.models;
    let Some(facts) = model.get("facts").filter(|facts| !facts.is_null()) else {
        return texts.unknown.clone();
    };
    let able = texts.able.iter().filter(|(field, _)| flag(facts, field));
    able.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// How much it reads at once, and how that is counted.
fn reads(context: &Context, model: &Value) -> String {
    let (texts, counting) = (&context.texts.models, model.get("counting").unwrap_or(&Value::Null));
    let percent = counting.get("within_percent").and_then(Value::as_u64).map(|p| p.to_string());
    let how = if percent.is_some() { &texts.estimated } else { &texts.exact };
    let values = [
        ("tokenizer", text(counting, "tokenizer")),
        ("percent", percent.as_deref().unwrap_or_default()),
    ];
    let counting = fill(how, &values);
    let window =
        model.pointer("/facts/window").and_then(Value::as_u64).map(|tokens| tokens.to_string());
    let told = if window.is_some() { &texts.reads } else { &texts.reads_unknown };
    let window = window.unwrap_or_default();
    fill(told, &[("window", &window), ("counting", &counting)])
}

/// A model without a price is unpriced, never free, unless it runs in the server's own process.
fn price(context: &Context, provider: &Value, model: &Value) -> String {
    if is_local(provider) {
        return context.texts.local_models.free.clone();
    }
    let Some(lowest) = amounts(model) else { return context.texts.models.unpriced.clone() };
    let higher = items(model, "higher_tiers").iter().filter_map(|tier| {
        let from = tier.get("from_input_tokens").and_then(Value::as_u64)?;
        Some(format!("; ≥{from}: {}", amounts(tier)?))
    });
    format!("{} {lowest}{}", text(model, "currency"), higher.collect::<String>())
}

/// For input and output.
fn amounts(tier: &Value) -> Option<String> {
    let micros = |field| tier.get(field).and_then(Value::as_u64).map(units);
    let (input, output) =
        (micros("input_micros_per_million")?, micros("output_micros_per_million")?);
    Some(format!("{input} / {output}"))
}

/// Of the built-in model nothing is said: the build itself is tested with it.
fn verified(context: &Context, model: &Value) -> String {
    let texts = &context.texts.models;
    match model.pointer("/ghost/verified").and_then(Value::as_bool) {
        Some(true) => texts.verified.clone(),
        Some(false) => texts.not_verified.clone(),
        None => String::new(),
    }
}

/// What the ledger says of a model, in a sentence.
pub fn standing(context: &Context, ghost: &Value) -> String {
    let texts = &context.texts.models;
    let name = text(ghost, "standing");
    let differs = words(ghost, "differs").into_iter().map(|part| named(&texts.part, part));
    let differs = differs.collect::<Vec<_>>().join(", ");
    let [scenarios, of, repeats] =
        ["scenarios", "of", "repeats"].map(|field| number(ghost, field).to_string());
    let values = [
        ("revision", text(ghost, "revision")),
        ("at", text(ghost, "at")),
        ("differs", &differs),
        ("scenario", text(ghost, "scenario")),
        ("verdict", text(ghost, "verdict")),
        ("scenarios", &scenarios),
        ("of", &of),
        ("repeats", &repeats),
    ];
    texts.standing.get(name).map_or_else(|| name.to_owned(), |told| fill(told, &values))
}

/// Exact, without a needless zero.
pub fn units(micros: u64) -> String {
    let (whole, part) = (micros / MICROS, micros % MICROS);
    let digits = format!("{part:06}");
    match digits.trim_end_matches('0') {
        "" => whole.to_string(),
        digits => format!("{whole}.{digits}"),
    }
}

pub async fn effective(context: &Context, args: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = args.open(context).await?;
    let view = connection.get(&format!("/projects/{project}/models/effective")).await?;
    context.output.document(&view)?;
    let texts = &context.texts.models;
    let parts = [("provider", &texts.provider), ("model", &texts.model), ("origin", &texts.origin)];
    for (field, head) in parts {
        let part = view.get(field).unwrap_or(&Value::Null);
        let from = named(&texts.from, text(part, "from"));
        let values = [("head", head.as_str()), ("value", text(part, "value")), ("from", from)];
        context.say(&texts.line, &values)?;
    }
    if view.pointer("/origin/approved").and_then(Value::as_bool) == Some(false) {
        let origin = view.pointer("/origin/value").and_then(Value::as_str).unwrap_or_default();
        context.warn(&context.texts.keys.not_approved, &[("origin", origin)])?;
    }
    if text(&view, "price") != "free" {
        context.output.line(&reads(context, &view))?;
    }
    if text(&view, "price") == "unpriced" {
        context.output.line(&texts.is_unpriced)?;
    }
    told_standing(context, &view)?;
    told_types(context, &view)?;
    told_fallbacks(context, &view)?;
    told_slots(context, &view)?;
    match view.get("key") {
        Some(key) if text(&view, "price") != "free" => keys::told(context, key),
        Some(_) | None => Ok(Exit::Done),
    }
}

fn told_standing(context: &Context, of: &Value) -> Result<(), Failure> {
    let Some(ghost) = of.get("ghost").filter(|ghost| !ghost.is_null()) else { return Ok(()) };
    let tone = if flag(ghost, "verified") { Tone::Good } else { Tone::Doubtful };
    context.output.line(&context.output.toned(tone, &standing(context, ghost)))
}

/// For each kind of task, and what does not count.
fn told_types(context: &Context, of: &Value) -> Result<(), Failure> {
    let Some(ghost) = of.get("ghost").filter(|ghost| !ghost.is_null()) else { return Ok(()) };
    let texts = &context.texts.models;
    for one in items(ghost, "task_types") {
        let line = if flag(one, "required") { &texts.type_required } else { &texts.type_line };
        let tone = if flag(one, "verified") { Tone::Good } else { Tone::Doubtful };
        let told = standing(context, one);
        let told = fill(line, &[("task", text(one, "task_type")), ("standing", &told)]);
        context.output.line(&context.output.toned(tone, &told))?;
    }
    let excluded = words(ghost, "excluded").join(", ");
    if !excluded.is_empty() {
        context.say(&texts.excluded, &[("ids", &excluded)])?;
    }
    rules::tell(context, items(ghost, "barred"))
}

fn told_fallbacks(context: &Context, view: &Value) -> Result<(), Failure> {
    for one in items(view, "fallbacks") {
        let named = ["provider", "model", "origin"].map(|field| (field, text(one, field)));
        let texts = &context.texts.models;
        let line = placed(&texts.fallback, &texts.fallback_here, text(one, "origin"));
        context.say(line, &named)?;
        told_standing(context, one)?;
        if one.get("approved").and_then(Value::as_bool) == Some(false) {
            let origin = [("origin", text(one, "origin"))];
            context.warn(&context.texts.keys.not_approved, &origin)?;
        }
        told_keyless(context, one)?;
    }
    Ok(())
}

/// That nothing can be asked of a model for want of a key.
fn told_keyless(context: &Context, of: &Value) -> Result<(), Failure> {
    if !flag(of, "needs_key") || of.get("key").is_some_and(Value::is_string) {
        return Ok(());
    }
    context.warn(&context.texts.keys.missing, &[("provider", text(of, "provider"))])
}

/// A model of the server itself has no address.
fn placed<'t>(elsewhere: &'t str, here: &'t str, origin: &str) -> &'t str {
    if origin.is_empty() { here } else { elsewhere }
}

/// Documents are compared by the server's own model where the policy names none.
fn empty_slot(texts: &ModelsTexts, one: &Value, slot: &str) -> String {
    let own = text(one, "compared_by");
    let provider = ProviderName::Local.as_str();
    let model = own.split_once(':').map_or(own, |(_, model)| model);
    let line = if own.is_empty() { &texts.slot_empty } else { &texts.slot_here };
    let line = fill(line, &[("slot", slot), ("provider", provider), ("model", model)]);
    let suggested = text(one, "suggested");
    let has =
        (!suggested.is_empty()).then(|| fill(&texts.slot_suggested, &[("suggested", suggested)]));
    [line, has.unwrap_or_default()].concat()
}

fn told_slots(context: &Context, view: &Value) -> Result<(), Failure> {
    let texts = &context.texts.models;
    for one in items(view, "slots") {
        let slot = named(&texts.slots, text(one, "slot"));
        let model = one.get("model").unwrap_or(&Value::Null);
        let [provider, name, origin] =
            ["provider", "model", "origin"].map(|field| (field, text(model, field)));
        let values = [provider, name, origin, ("slot", slot)];
        match text(one, "from") {
            "policy" => {
                let line = placed(&texts.slot_line, &texts.slot_here, text(model, "origin"));
                context.say(line, &values)?;
                told_keyless(context, model)?;
            }
            "governor" => context.say(&texts.slot_follows, &values)?,
            _ => context.output.line(&empty_slot(texts, one, slot))?,
        }
    }
    Ok(())
}

/// Model servers of the server's own machine and what its operator has approved, as the server finds
/// them now.
pub async fn discover(context: &Context) -> Result<Exit, Failure> {
    let found = Connection::open(context)?.all("/setup/providers").await?;
    context.output.document(&found)?;
    let texts = &context.texts.models;
    let cells = |item: &Value| {
        [
            text(item, "name").to_owned(),
            text(item, "origin").to_owned(),
            named(&texts.states, text(item, "state")).to_owned(),
            words(item, "models").join(", "),
        ]
    };
    context.table(&found, [&texts.provider, &texts.origin, &texts.state, &texts.model], cells)?;
    for item in &found {
        let told = hint(item, context.language);
        if !told.is_empty() {
            context.output.aside(&format!("{}: {told}", text(item, "name")))?;
        }
    }
    Ok(Exit::Done)
}

pub async fn available(context: &Context, args: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = args.open(context).await?;
    let listing = connection.get(&format!("/projects/{project}/models/available")).await?;
    context.output.document(&listing)?;
    for model in words(&listing, "models") {
        context.output.line(model)?;
    }
    let (texts, keys) = (&context.texts.models, &context.texts.keys);
    keys::tell(
        context,
        &listing,
        &Verdicts {
            accepted: &texts.listed,
            refused: &texts.list_refused,
            unapproved: &keys.unapproved,
            unreachable: &texts.list_unreachable,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{abilities, empty_slot, placed, units, window};
    use crate::texts::Texts;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn an_empty_slot_names_the_server_s_own_model_where_it_serves() {
        for (language, own, none) in [
            (Lang::En, "embeddings: LOCAL e5-small, of this server", "embeddings: not set in"),
            (Lang::Ko, "임베딩: LOCAL e5-small (이 서버의 모델)", "임베딩: 정책에 지정된 모델이"),
        ] {
            let texts = Texts::of(language).unwrap().models;
            let slot = &texts.slots["embedding"];
            let told = |by: Option<&str>| empty_slot(&texts, &json!({ "compared_by": by }), slot);
            assert_eq!(told(Some("local:e5-small")), own);
            assert!(told(None).starts_with(none), "{}", told(None));
            for template in [&texts.slot_here, &texts.fallback_here] {
                assert!(!template.contains("{origin}"), "it has none: {template}");
            }
        }
        assert_eq!([placed("a", "b", ""), placed("a", "b", "https://x")], ["b", "a"]);
    }

    #[test]
    fn of_local_the_list_says_that_it_is_installed() {
        let texts = Texts::of(Lang::En).unwrap();
        let told = |provider: &str| {
            let (provider, model) = (json!({ "provider": provider }), json!({ "facts": null }));
            [window(&texts, &provider, &model), abilities(&texts, &provider, &model)]
        };
        assert_eq!(told("LOCAL"), ["", "embeddings; installed"]);
        assert_eq!(told("CUSTOM"), ["unknown", "unknown"]);
    }

    #[test]
    fn a_price_is_written_exactly() {
        let told = [0, 150_000, 600_000, 1_000_000, 12_345_678].map(units);
        assert_eq!(told, ["0", "0.15", "0.6", "1", "12.345678"]);
    }
}
