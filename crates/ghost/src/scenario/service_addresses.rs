//! Fills in the addresses of the running services for marks such as `{{skymall.url}}`.

use super::{
    fact::Fact,
    model::ModelAnswer,
    project::ServiceName,
    turn::{Act, Turn},
};
use serde_json::Value;
use std::collections::BTreeMap;
use wiiiv_fakes::{Recorded, persona_mark};

/// The address of each running service, by mark.
#[derive(Debug, Clone, Default)]
pub struct ServiceAddresses(BTreeMap<String, String>);

impl ServiceAddresses {
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
        for (mark, address) in &self.0 {
            if text.contains(mark.as_str()) {
                text = text.replace(mark.as_str(), address);
            }
        }
        text
    }

    /// Replaces addresses by their marks: a recorded text must not hold the addresses of one run.
    #[must_use]
    pub fn mark(&self, text: &str) -> String {
        let mut addresses: Vec<(&String, &String)> = self.0.iter().collect();
        addresses.sort_by_key(|(_, address)| std::cmp::Reverse(address.len()));
        let mark = |text: String, (mark, address): (&String, &String)| text.replace(address, mark);
        addresses.into_iter().fold(text.to_owned(), mark)
    }

    /// The model's answers of a turn.
    pub fn fill_answers(&self, turn: &Turn) -> Result<Vec<Recorded>, serde_json::Error> {
        let recorded = |answer: &ModelAnswer| {
            let mark = answer.persona().and_then(|persona| persona_mark(persona.as_str()));
            Ok(Recorded { mark: mark.map(str::to_owned), text: self.fill(&answer.text()?) })
        };
        turn.model.iter().map(recorded).collect()
    }

    #[must_use]
    pub fn fill_act(&self, act: &Act) -> Act {
        match act {
            Act::Say(words) => Act::Say(self.fill(words)),
            Act::Press(pressed) => Act::Press(pressed.clone()),
            Act::Wait(wait) => Act::Wait(*wait),
        }
    }

    #[must_use]
    pub fn fill_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_json(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), self.fill_json(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Fills in the texts and the JSON of a fact; numbers, codes and names hold no marks.
    #[must_use]
    pub fn fill_fact(&self, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::ReplyContains(text)
            | Fact::ReplyLacks(text)
            | Fact::PromptContains(text)
            | Fact::PromptLacks(text) => *text = self.fill(text),
            Fact::Calls(calls) => {
                for call in &mut calls.exactly {
                    call.body = call.body.as_ref().map(|body| self.fill_json(body));
                }
            }
            Fact::File(file) => {
                file.json = file.json.as_ref().map(|json| self.fill_json(json));
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
            | Fact::Cites(_)
            | Fact::Memory(_)
            | Fact::Cost(_) => {}
        }
        fact
    }
}
