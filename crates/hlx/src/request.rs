//! Required values of a request to a registered operation: checked before drawing, and asked for by
//! one form.

use crate::{
    draw::{Route, arguments},
    language::Lang,
    preview::neutralise,
};
use serde_json::{Map, Number, Value};
use wiiiv_domain::{
    FORM_FIELDS_MAX, FieldKind, FieldPlace, FormAnswer, FormField, Operation, ParameterPlace,
    RequestBody, RequestForm, SlotError, SlotName, Slots, System, TaskId, sorted,
};

/// A label of a form's field, in characters.
const LABEL_CHARS_MAX: usize = 64;

/// A schema that values can be checked against.
#[must_use]
pub fn is_schema(schema: &Value) -> bool {
    jsonschema::validator_for(schema).is_ok()
}

/// Why this body is not what the operation takes, as the code of a slot; `None`: it is.
#[must_use]
pub fn body_fault(taken: &RequestBody, body: Option<&str>) -> Option<&'static str> {
    let Some(text) = body else { return taken.required.then_some("BODY_MISSING") };
    if !taken.is_json() {
        return Some("BODY_MEDIA_TYPE");
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Some("BODY_NOT_JSON") };
    let lacks = |field: &FormField| {
        field.required && !field.name.is_empty() && value.get(&field.name).is_none()
    };
    // A schema that was checked when it was registered; one of an older build takes nothing.
    let fits = jsonschema::validator_for(&taken.schema).is_ok_and(|schema| schema.is_valid(&value));
    match fits {
        true => None,
        false if members(taken, None).iter().any(lacks) => Some("BODY_INCOMPLETE"),
        false => Some("BODY_UNFIT"),
    }
}

/// The form of the one operation that the slots name; `None` where nothing of it is lacking, or what
/// is lacking cannot be typed in.
#[must_use]
pub fn form(task: TaskId, slots: &Slots, systems: &[System]) -> Option<RequestForm> {
    let (system, route, operation) = named(slots, systems)?;
    let written = |name: &str| route.written(name).map(|text| Value::String(text.to_owned()));
    let given = arguments::own(slots, system).unwrap_or_default();
    let known = slots.get(SlotName::BODY);
    // What an earlier result is sent as is not typed in.
    let carried = known.is_none() && slots.get(SlotName::SOURCE_RUN).is_some();
    let taken = operation.body.as_ref().filter(|body| body.is_json() && !carried);
    let mut fields: Vec<FormField> = operation
        .parameters
        .iter()
        .map(|parameter| FormField {
            place: match parameter.place {
                ParameterPlace::Path => FieldPlace::Path,
                ParameterPlace::Query => FieldPlace::Query,
            },
            name: parameter.name.clone(),
            kind: FieldKind::Text,
            required: parameter.required || parameter.place == ParameterPlace::Path,
            label: String::new(),
            choices: Vec::new(),
            value: match given.get(&parameter.name) {
                None | Some(Value::Null) => written(&parameter.name),
                Some(value) => Some(value.clone()),
            },
        })
        .collect();
    let lacks_argument = fields.iter().any(|field| field.required && field.value.is_none());
    let lacks_body = taken.is_some_and(|taken| body_fault(taken, known).is_some());
    if let Some(taken) = taken {
        fields.extend(members(taken, known));
    }
    fields.truncate(FORM_FIELDS_MAX);
    let lacks = lacks_argument || lacks_body;
    (lacks && !fields.is_empty()).then(|| RequestForm {
        task,
        system: system.name.clone(),
        operation: operation.id.clone(),
        fields,
    })
}

/// The slots that this answer sets, over those that are known. `null` takes an optional member away; a
/// known member that no field has is given up, since the form could not correct it.
pub fn filled(slots: &Slots, form: &RequestForm, answer: &FormAnswer) -> Result<Slots, SlotError> {
    type Object = Map<String, Value>;
    let known = |name| -> Option<Object> { serde_json::from_str(slots.get(name)?).ok() };
    let mut newer = Slots::default();
    let mut arguments = known(SlotName::ARGUMENTS).unwrap_or_default();
    arguments.extend(answer.path.clone());
    arguments.extend(answer.query.clone());
    if !arguments.is_empty() {
        newer.set(SlotName::ARGUMENTS, sorted(Value::Object(arguments)).to_string())?;
    }
    let body = match (known(SlotName::BODY), &answer.body) {
        (_, None) => return Ok(newer),
        (Some(mut members), Some(Value::Object(given))) => {
            members.retain(|name, _| form.fields.iter().any(|field| field.name == *name));
            members.extend(typed(given, form));
            kept(members, form)
        }
        (None, Some(Value::Object(given))) => kept(typed(given, form).collect(), form),
        (_, Some(whole)) => whole.clone(),
    };
    newer.set(SlotName::BODY, sorted(body).to_string())?;
    Ok(newer)
}

/// A number that a browser cannot hold comes as its text.
fn typed<'a>(
    given: &'a Map<String, Value>,
    form: &'a RequestForm,
) -> impl Iterator<Item = (String, Value)> + 'a {
    let counts = |name: &str| {
        let is_number = |kind| matches!(kind, FieldKind::Integer | FieldKind::Number);
        form.fields.iter().any(|field| field.name == name && is_number(field.kind))
    };
    given.iter().map(move |(name, value)| {
        let number = value.as_str().filter(|_| counts(name)).and_then(number_of);
        (name.clone(), number.unwrap_or_else(|| value.clone()))
    })
}

/// `None` where it would become another one.
fn number_of(text: &str) -> Option<Value> {
    let number: Number = serde_json::from_str(text).ok()?;
    (number.to_string() == text).then_some(Value::Number(number))
}

fn kept(mut members: Map<String, Value>, form: &RequestForm) -> Value {
    let required =
        |name: &str| form.fields.iter().any(|field| field.required && field.name == name);
    members.retain(|name, value| !value.is_null() || required(name));
    Value::Object(members)
}

/// The answer as the line of a conversation: `name: Choi, team: Ops`.
#[must_use]
pub fn answer_text(answer: &FormAnswer) -> String {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let named = |(name, value): (&String, &Value)| format!("{name}: {}", plain(value));
    let mut told: Vec<String> = answer.path.iter().chain(&answer.query).map(named).collect();
    match &answer.body {
        Some(Value::Object(members)) => told.extend(members.iter().map(named)),
        Some(whole) => told.push(whole.to_string()),
        None => {}
    }
    neutralise(&told.join(", "))
}

/// What the form asks for, as lines of a question.
#[must_use]
pub fn form_text(form: &RequestForm, lang: Lang) -> String {
    let (system, operation) = (form.system.as_str(), &form.operation);
    let mut lines = vec![match lang {
        Lang::Ko => format!("`{system}` 시스템의 `{operation}`에 필요한 값:"),
        Lang::En => format!("`{operation}` of `{system}` needs these values:"),
    }];
    lines.extend(form.fields.iter().map(|field| line(field, lang)));
    lines.iter().map(|line| neutralise(line)).collect::<Vec<_>>().join("\n")
}

fn line(field: &FormField, lang: Lang) -> String {
    let name = match (field.name.as_str(), lang) {
        ("", Lang::Ko) => "본문(JSON)",
        ("", Lang::En) => "the body (JSON)",
        (name, _) => name,
    };
    let label = if field.label.is_empty() { String::new() } else { format!(" ({})", field.label) };
    let state = match (&field.value, field.required, lang) {
        (Some(value), _, _) => format!(" = {value}"),
        (None, true, Lang::Ko) => " · 필수".to_owned(),
        (None, true, Lang::En) => " · required".to_owned(),
        (None, false, Lang::Ko) => " · 선택".to_owned(),
        (None, false, Lang::En) => " · optional".to_owned(),
    };
    format!("- {name}{label}{state}")
}

/// What the one operation that the slots name takes as its body.
#[must_use]
pub fn body_of<'s>(slots: &Slots, systems: &'s [System]) -> Option<&'s RequestBody> {
    named(slots, systems)?.2.body.as_ref()
}

/// One system, and one registered operation of it.
fn named<'s>(
    slots: &Slots,
    systems: &'s [System],
) -> Option<(&'s System, Route<'s>, &'s Operation)> {
    let name = slots.get(SlotName::SYSTEM)?;
    let system = systems.iter().find(|system| system.name.as_str() == name)?;
    let route = Route::of(system, slots.get(SlotName::OPERATION)?)?;
    let operation = route.operation?;
    Some((system, route, operation))
}

/// The members of an object, also of its parts (`allOf`); anything else is asked for whole.
fn members(taken: &RequestBody, known: Option<&str>) -> Vec<FormField> {
    let known: Option<Value> = known.and_then(|text| serde_json::from_str(text).ok());
    let parts = parts(&taken.schema);
    let required: Vec<&str> = parts
        .iter()
        .filter_map(|part| part.get("required")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let described = parts.iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
    let described = described.map(|(name, schema)| (name.as_str(), schema));
    let named = required.iter().map(|name| (*name, &Value::Bool(true)));
    let mut fields: Vec<FormField> = Vec::new();
    for (name, schema) in described.chain(named) {
        if !fields.iter().any(|field| field.name == name) {
            let value = known.as_ref().and_then(|known| known.get(name)).cloned();
            fields.push(member(name, schema, required.contains(&name), value));
        }
    }
    if fields.is_empty() || fields.len() > FORM_FIELDS_MAX {
        return vec![member("", &taken.schema, taken.required, known)];
    }
    // What is needed comes first, each as the schema has it.
    fields.sort_by_key(|field| !field.required);
    fields
}

fn parts(schema: &Value) -> Vec<&Value> {
    let of = schema.get("allOf").and_then(Value::as_array);
    std::iter::once(schema).chain(of.into_iter().flatten().flat_map(parts)).collect()
}

fn member(name: &str, schema: &Value, required: bool, value: Option<Value>) -> FormField {
    let title = schema.get("title").and_then(Value::as_str).unwrap_or_default();
    let choices = schema.get("enum").and_then(Value::as_array).cloned().unwrap_or_default();
    FormField {
        place: FieldPlace::Body,
        name: name.to_owned(),
        kind: kind(schema),
        required,
        label: title.chars().filter(|c| !c.is_control()).take(LABEL_CHARS_MAX).collect(),
        choices,
        value,
    }
}

/// The first type beside `null`.
fn kind(schema: &Value) -> FieldKind {
    let named = match schema.get("type") {
        Some(Value::String(kind)) => Some(kind.as_str()),
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null")
        }
        Some(_) | None => None,
    };
    match named {
        Some("string") => FieldKind::Text,
        Some("integer") => FieldKind::Integer,
        Some("number") => FieldKind::Number,
        Some("boolean") => FieldKind::Boolean,
        Some(_) | None => FieldKind::Json,
    }
}
