//! The recorded model's answer to one call.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, IntoDeserializer as _, MapAccess, Visitor, value::MapAccessDeserializer,
    },
};
use serde_json::{Map, Value};
use std::{borrow::Cow, fmt};
use wiiiv_domain::{Persona, Proposal};

/// A proposal by the product's own schema, what a reviewing persona says, or any text.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAnswer {
    Proposal(Box<Proposal>),
    Persona(PersonaAnswer),
    Text(String),
}

/// The answer to one persona's question; personas are asked side by side, so it names whose it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonaAnswer {
    pub persona: Persona,
    /// An opinion by the product's own schema.
    #[serde(default)]
    opinion: Option<Map<String, Value>>,
    /// Or any text, word for word.
    #[serde(default)]
    says: String,
}

impl ModelAnswer {
    /// The text that the model server sends.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Proposal(proposal) => serde_json::to_string(proposal),
            Self::Persona(PersonaAnswer { opinion: Some(opinion), .. }) => {
                serde_json::to_string(opinion)
            }
            Self::Persona(PersonaAnswer { opinion: None, says, .. }) => Ok(says.clone()),
            Self::Text(text) => Ok(text.clone()),
        }
    }

    /// An answer of a persona that is asked for once more, as it is no opinion.
    #[must_use]
    pub const fn is_repaired(&self) -> bool {
        matches!(self, Self::Persona(PersonaAnswer { opinion: None, .. }))
    }

    /// Whose it is; `None`: whoever asks for a proposal.
    #[must_use]
    pub const fn persona(&self) -> Option<Persona> {
        match self {
            Self::Persona(answer) => Some(answer.persona),
            Self::Proposal(_) | Self::Text(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for ModelAnswer {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = ModelAnswer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a proposal, a persona's answer, or a text that the model is to say word for word",
        )
    }

    fn visit_str<E>(self, text: &str) -> Result<ModelAnswer, E> {
        Ok(ModelAnswer::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ModelAnswer, A::Error> {
        let first: Option<String> = map.next_key()?;
        let is_persona = first.as_deref() == Some("persona");
        let whole = MapAccessDeserializer::new(Begun { first, rest: map });
        if is_persona {
            return PersonaAnswer::deserialize(whole).map(ModelAnswer::Persona);
        }
        let proposal = Proposal::deserialize(whole)?;
        Ok(ModelAnswer::Proposal(Box::new(proposal)))
    }
}

/// A map whose first key was read: it tells what the rest is, and faults keep their places.
struct Begun<A> {
    first: Option<String>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Begun<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }
}

impl JsonSchema for ModelAnswer {
    fn schema_name() -> Cow<'static, str> {
        "ModelAnswer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let slots = json_schema!({
            "type": "object",
            "maxProperties": 32,
            "propertyNames": { "pattern": "^[A-Za-z0-9_]{1,64}$" },
            "additionalProperties": { "type": "string" },
        });
        json_schema!({
            "description": "A proposal (prompts/proposal.schema.json), what a reviewing persona answers (prompts/personas/opinion.schema.json, or any text), or a text that the model says word for word.",
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["action", "taskType"],
                    "properties": {
                        "action": { "enum": [
                            "REPLY", "ASK", "CONFIRM", "EXECUTE", "CANCEL", "WHY", "AGAIN", "LIST_FILES",
                            "SHOW_SAVED"
                        ] },
                        "taskType": { "type": "string" },
                        "message": { "type": "string" },
                        "slots": slots,
                        "taskSwitch": { "type": "object" },
                        "envelope": { "type": "object" },
                    },
                },
                {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["persona"],
                    "properties": {
                        "persona": { "enum": ["architect", "reviewer", "adversary"] },
                        "opinion": { "type": "object" },
                        "says": { "type": "string" },
                    },
                },
            ],
        })
    }
}
