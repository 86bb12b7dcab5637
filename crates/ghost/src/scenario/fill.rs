//! Where the services listen, put in place of `{{skymall.url}}` and its like.

use super::{
    fact::Fact,
    project::ServiceName,
    turn::{Act, Turn},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Base URL of each service that was started.
#[derive(Debug, Clone, Default)]
pub struct Places(BTreeMap<String, String>);

impl Places {
    /// `url` is scheme, host and port.
    pub fn add(&mut self, service: ServiceName, url: &str) {
        let port = url.rsplit(':').next().unwrap_or_default().to_owned();
        let host = url.rsplit('/').next().unwrap_or_default().to_owned();
        self.0.insert(format!("{{{{{service}.url}}}}"), url.to_owned());
        self.0.insert(format!("{{{{{service}.port}}}}"), port);
        self.0.insert(format!("{{{{{service}.host}}}}"), host);
    }

    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (mark, place) in &self.0 {
            if text.contains(mark.as_str()) {
                text = text.replace(mark.as_str(), place);
            }
        }
        text
    }

    /// The other way round: a place is no fact of a scenario, and another one in the next run.
    #[must_use]
    pub fn marked(&self, text: &str) -> String {
        let mut places: Vec<(&String, &String)> = self.0.iter().collect();
        places.sort_by_key(|(_, place)| std::cmp::Reverse(place.len()));
        let mark = |text: String, (mark, place): (&String, &String)| text.replace(place, mark);
        places.into_iter().fold(text.to_owned(), mark)
    }

    /// What the model is to answer in that turn.
    pub fn answers(&self, turn: &Turn) -> Result<Vec<String>, serde_json::Error> {
        turn.model.iter().map(|answer| Ok(self.fill(&answer.text()?))).collect()
    }

    #[must_use]
    pub fn act(&self, act: &Act) -> Act {
        match act {
            Act::Say(words) => Act::Say(self.fill(words)),
            Act::Press(pressed) => Act::Press(pressed.clone()),
            Act::Wait(wait) => Act::Wait(*wait),
        }
    }

    #[must_use]
    pub fn json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.json(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), self.json(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Texts and JSON of a fact; numbers, codes and names have no places in them.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::ReplyContains(text) | Fact::ReplyLacks(text) => *text = self.fill(text),
            Fact::Calls(calls) => {
                for call in &mut calls.exactly {
                    call.body = call.body.as_ref().map(|body| self.json(body));
                }
            }
            Fact::File(file) => {
                file.json = file.json.as_ref().map(|json| self.json(json));
                file.text = file.text.as_deref().map(|text| self.fill(text));
                file.contains = file.contains.as_deref().map(|text| self.fill(text));
                file.lacks = file.lacks.as_deref().map(|text| self.fill(text));
            }
            Fact::Outcome(_)
            | Fact::Flow(_)
            | Fact::FlowLacks(_)
            | Fact::Asked(_)
            | Fact::Approvals(_)
            | Fact::Dacs(_)
            | Fact::Deny(_)
            | Fact::Rows(_)
            | Fact::Files(_)
            | Fact::Audit(_)
            | Fact::Executions(_)
            | Fact::Steps(_)
            | Fact::Refused(_)
            | Fact::Cost(_) => {}
        }
        fact
    }
}
