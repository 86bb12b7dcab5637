//! Parses a model's text as a proposal: one JSON object by the schema.

use jsonschema::Validator;
use serde_json::Value;
use wiiiv_context::{PROPOSAL_BOUNDS, PROPOSAL_SCHEMA};
use wiiiv_domain::Proposal;

/// Why a text is no proposal. Told to the model once; it may quote the answer, so it is never
/// logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("the answer is empty")]
    Empty,
    #[error("the answer is not one JSON object: {0}")]
    NotJson(String),
    #[error("the answer names `action` or `taskType` twice")]
    Twice,
    #[error("the answer does not match the schema at `{at}`: {what}")]
    Schema { at: String, what: String },
    #[error("the answer holds a value that cannot be used: {0}")]
    Value(String),
}

/// A file of ours is not one that can be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`prompts/{file}` is no JSON schema: {reason}")]
pub struct SchemaError {
    file: &'static str,
    reason: String,
}

/// What a proposal looks like, which models are shown, and how long it may be, which they are not.
pub(crate) struct Schema([Validator; 2]);

impl Schema {
    pub(crate) fn compile() -> Result<Self, SchemaError> {
        let shape = compiled("proposal.schema.json", PROPOSAL_SCHEMA)?;
        let bounds = compiled("proposal.bounds.json", PROPOSAL_BOUNDS)?;
        Ok(Self([shape, bounds]))
    }

    /// Nesting is bounded by the parser, at 128 levels.
    pub(crate) fn read(&self, text: &str) -> Result<Proposal, Unreadable> {
        let text = bare(text);
        if text.is_empty() {
            return Err(Unreadable::Empty);
        }
        let value: Value =
            serde_json::from_str(text).map_err(|e| Unreadable::NotJson(e.to_string()))?;
        for part in &self.0 {
            part.validate(&value).map_err(|e| Unreadable::Schema {
                at: e.instance_path().to_string(),
                what: e.to_string(),
            })?;
        }
        serde_json::from_value(value).map_err(|e| Unreadable::Value(e.to_string()))
    }
}

fn compiled(file: &'static str, text: &str) -> Result<Validator, SchemaError> {
    let refused = |reason: String| SchemaError { file, reason };
    let schema: Value = serde_json::from_str(text).map_err(|e| refused(e.to_string()))?;
    jsonschema::validator_for(&schema).map_err(|e| refused(e.to_string()))
}

/// Without the code fence that small models put around JSON whatever they are told.
pub(crate) fn bare(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.strip_prefix("json").unwrap_or(inner);
    inner.strip_suffix("```").unwrap_or(inner).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{Action, TaskSwitch, TaskType};

    const WHOLE: &str = r#"{"action":"EXECUTE","taskType":"FILE_WRITE","message":"",
        "slots":{"targetPath":"a.md","content":"x"},"taskSwitch":{"kind":"new"},
        "envelope":{"effects":["WRITE"],"paths":["a.md"]}}"#;

    fn read(text: &str) -> Result<Proposal, Unreadable> {
        Schema::compile().unwrap().read(text)
    }

    #[test]
    fn a_whole_proposal_with_or_without_a_code_fence() {
        let proposal = read(WHOLE).unwrap();
        assert_eq!((proposal.action, proposal.task_type), (Action::Execute, TaskType::FileWrite));
        assert_eq!(proposal.task_switch, TaskSwitch::New);
        assert_eq!(read(&format!("```json\n{WHOLE}\n```")).as_ref(), Ok(&proposal));
        assert_eq!(read(&format!("```\n{WHOLE}```")), Ok(proposal));
    }

    #[test]
    fn what_a_type_can_hold_the_schema_takes() {
        for task in TaskType::ALL {
            let text =
                format!(r#"{{"action":"ASK","taskType":"{task}","message":"","slots":{{}}}}"#);
            assert_eq!(read(&text).map(|p| p.task_type), Ok(task));
        }
        let to = WHOLE.replace("{\"kind\":\"new\"}", "{\"kind\":\"to\"}");
        assert!(matches!(read(&to), Err(Unreadable::Value(_))), "`to` names a task");
    }

    #[test]
    fn anything_else_is_refused() {
        let deep = format!("{{\"slots\":{}", "[".repeat(10_000));
        let long = "x".repeat(70_000);
        let slots = |slots: &str| {
            format!(r#"{{"action":"ASK","taskType":"COMMAND","message":"","slots":{slots}}}"#)
        };
        let many: Vec<String> = (0..33).map(|n| format!("\"s{n}\":\"x\"")).collect();
        let told = WHOLE.replace("\"message\":\"\"", &format!("\"message\":\"{long}\""));
        let hosts = WHOLE.replace("\"paths\"", "\"hosts\":[\"\"],\"paths\"");
        let hostile = [
            told,
            hosts,
            WHOLE.replace("{\"kind\":\"new\"}", "{\"kind\":\"to\",\"task\":\"7\"}"),
            String::new(),
            "Sure!".to_owned(),
            WHOLE.replace("EXECUTE", "OBEY"),
            WHOLE.replace("FILE_WRITE", "ROOT"),
            WHOLE.replace("\"message\":\"\"", "\"message\":7"),
            WHOLE.replace("\"message\"", "\"approved\":true,\"message\""),
            format!("{WHOLE}{WHOLE}"),
            format!("[{WHOLE}]"),
            slots("{\"a b\":\"x\"}"),
            slots("{\"a\":{\"$ref\":\"/etc/passwd\"}}"),
            slots(&format!("{{\"a\":\"{long}\"}}")),
            slots(&format!("{{{}}}", many.join(","))),
            "null".to_owned(),
            deep,
        ];
        for text in hostile {
            assert!(read(&text).is_err(), "{}", text.chars().take(200).collect::<String>());
        }
    }
}
