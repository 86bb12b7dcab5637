//! The recorded model's answer to one call.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{borrow::Cow, fmt};
use wiiiv_domain::Proposal;

/// A proposal by the product's own schema, or any text.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAnswer {
    Proposal(Box<Proposal>),
    Text(String),
}

impl ModelAnswer {
    /// The text that the model server sends.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Proposal(proposal) => serde_json::to_string(proposal),
            Self::Text(text) => Ok(text.clone()),
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
        f.write_str("a proposal, or a text that the model is to say word for word")
    }

    fn visit_str<E>(self, text: &str) -> Result<ModelAnswer, E> {
        Ok(ModelAnswer::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ModelAnswer, A::Error> {
        let proposal = Proposal::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ModelAnswer::Proposal(Box::new(proposal)))
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
            "description": "A proposal (prompts/proposal.schema.json), or a text that the model says word for word.",
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
            ],
        })
    }
}
