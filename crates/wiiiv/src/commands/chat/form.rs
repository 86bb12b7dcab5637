//! The form for missing values: filled in field by field, or by `--field`.

use crate::{
    connection::{flag, items, text},
    context::Context,
    failure::Failure,
    output::harmless,
    texts::fill,
};
use serde_json::{Map, Value, json};

/// As the server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Form(Value);

impl Form {
    /// From whatever names one.
    pub fn of(value: &Value) -> Option<Self> {
        value.get("form").filter(|form| form.is_object()).cloned().map(Self)
    }

    fn fields(&self) -> &[Value] {
        items(&self.0, "fields")
    }

    /// What has to be typed in: its name, and how it is asked for. Where nothing is left out, one of
    /// them is wrong: all that is required.
    pub fn lacking(&self, context: &Context) -> Vec<(String, String)> {
        let asked = |field: &Value| {
            let name = text(field, "name");
            let choices: Vec<String> = items(field, "choices").iter().map(plain).collect();
            let told = match (text(field, "label"), choices.is_empty()) {
                ("", true) => String::new(),
                (label, true) => format!(" ({label})"),
                ("", false) => format!(" ({})", choices.join(", ")),
                (label, false) => format!(" ({label}: {})", choices.join(", ")),
            };
            let values = [("field", name), ("told", told.as_str())];
            (name.to_owned(), harmless(&fill(&context.texts.chat.field, &values)))
        };
        self.wanted().into_iter().map(asked).collect()
    }

    fn wanted(&self) -> Vec<&Value> {
        let is_open = |field: &&Value| field.get("value").is_none_or(Value::is_null);
        let required: Vec<&Value> =
            self.fields().iter().filter(|field| flag(field, "required")).collect();
        let open: Vec<&Value> = required.iter().copied().filter(is_open).collect();
        if open.is_empty() { required } else { open }
    }

    /// A message of these values, each typed as its field is.
    pub fn answer(&self, given: &[(String, String)]) -> Result<Value, Failure> {
        let (mut path, mut query, mut body) = (Map::new(), Map::new(), Map::new());
        let mut whole = None;
        for (name, typed) in given {
            let field = self.fields().iter().find(|field| text(field, "name") == name);
            let field = field.ok_or_else(|| Failure::NoField { name: name.clone() })?;
            let value = typed_as(text(field, "kind"), field, typed);
            match (text(field, "place"), name.as_str()) {
                ("path", _) => path.insert(name.clone(), value),
                ("query", _) => query.insert(name.clone(), value),
                (_, "") => whole.replace(value),
                (_, _) => body.insert(name.clone(), value),
            };
        }
        let mut form = json!({ "task": text(&self.0, "task"), "path": path, "query": query });
        // Where the form has a body, what is known of it is sent with it.
        let has_body = self.fields().iter().any(|field| text(field, "place") == "body");
        if let (true, Some(members)) = (has_body, form.as_object_mut()) {
            members.insert("body".to_owned(), whole.unwrap_or(Value::Object(body)));
        }
        Ok(json!({ "form": form }))
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What does not read as its kind goes as it was typed: the server says what is wrong with it.
fn typed_as(kind: &str, field: &Value, typed: &str) -> Value {
    let chosen = items(field, "choices").iter().find(|choice| plain(choice) == typed);
    if let Some(choice) = chosen {
        return choice.clone();
    }
    match kind {
        "text" => Value::from(typed),
        _ => serde_json::from_str(typed.trim()).unwrap_or_else(|_| Value::from(typed)),
    }
}

#[cfg(test)]
mod tests {
    use super::Form;
    use serde_json::json;

    fn form() -> Form {
        let field = |place: &str, name: &str, kind: &str, required: bool| {
            json!({ "place": place, "name": name, "kind": kind, "required": required,
                    "label": "", "choices": [], "value": null })
        };
        Form::of(&json!({ "form": { "task": "t", "system": "hr", "operation": "add", "fields": [
            field("path", "dept", "text", true), field("body", "name", "text", true),
            field("body", "age", "integer", true), field("body", "note", "text", false),
        ] } }))
        .unwrap()
    }

    #[test]
    fn each_value_goes_where_its_field_stands_and_as_its_kind() {
        let given = [("dept", "7"), ("name", "42"), ("age", "30")];
        let given = given.map(|(name, typed)| (name.to_owned(), typed.to_owned()));
        let expected = json!({ "form": { "task": "t", "path": { "dept": "7" }, "query": {},
                                         "body": { "name": "42", "age": 30 } } });
        assert_eq!(form().answer(&given).unwrap(), expected);
        let odd = form().answer(&[("age".to_owned(), "old".to_owned())]).unwrap();
        assert_eq!(odd["form"]["body"], json!({ "age": "old" }));
        assert!(form().answer(&[("no".to_owned(), "1".to_owned())]).is_err());
    }

    #[test]
    fn a_form_with_one_wrong_value_asks_for_all_that_is_required() {
        let names = |form: &Form| -> Vec<String> {
            form.wanted().iter().map(|field| field["name"].as_str().unwrap().to_owned()).collect()
        };
        let mut wrong = form();
        assert_eq!(names(&wrong), ["dept", "name", "age"]);
        wrong.0["fields"][0]["value"] = json!("eu");
        assert_eq!(names(&wrong), ["name", "age"]);
        for field in wrong.0["fields"].as_array_mut().unwrap() {
            field["value"] = json!("x");
        }
        assert_eq!(names(&wrong), ["dept", "name", "age"]);
    }

    #[test]
    fn an_event_without_a_form_has_none() {
        assert_eq!(Form::of(&json!({ "text": "x" })), None);
        assert_eq!(Form::of(&json!({ "form": null })), None);
    }
}
