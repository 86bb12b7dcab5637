//! Parses a model's text as a proposal or an opinion: one JSON object by its schema.

use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_context::{CHECK, JUDGEMENT, OPINION, PROFILE_PROPOSAL, PROPOSAL, PROPOSAL_BOUNDS};
use wiiiv_domain::{
    AnswerFinding, Opinion, PROFILE_CHANGES_MAX, Persona, ProfileNote, Proposal, Vote,
};

/// Of an opinion's reason, in Unicode scalar values: a longer one is cut, its vote counts as it is.
const REASON_CHARS_MAX: usize = 1_000;
/// Of an opinion that objects and names no concern.
const UNNAMED: &str = "OTHER";

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

/// What an answer looks like, which models are shown, and how long a proposal may be, which they are
/// not.
pub(crate) struct Schema {
    proposal: [Validator; 2],
    profile_proposal: Validator,
    opinion: Validator,
    check: Validator,
    judgement: Validator,
}

/// A measurement as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    relevance: f64,
    faithfulness: f64,
}

/// What a check found, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    findings: BTreeSet<AnswerFinding>,
}

/// An opinion as it is written. A field that stands there twice is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    vote: Vote,
    concerns: Vec<String>,
    reason: String,
}

impl Schema {
    pub(crate) fn compile() -> Result<Self, SchemaError> {
        let shape = compiled("proposal.schema.json", PROPOSAL.schema())?;
        let bounds = compiled("proposal.bounds.json", PROPOSAL_BOUNDS)?;
        let opinion = compiled("personas/opinion.schema.json", OPINION.schema())?;
        let profile_proposal = compiled("proposal.profile.schema.json", PROFILE_PROPOSAL.schema())?;
        let check = compiled("check.schema.json", CHECK.schema())?;
        let judgement = compiled("judgement.schema.json", JUDGEMENT.schema())?;
        Ok(Self { proposal: [shape, bounds], profile_proposal, opinion, check, judgement })
    }

    /// Nesting is bounded by the parser, at 128 levels.
    pub(crate) fn read(&self, text: &str) -> Result<Proposal, Unreadable> {
        let value = object(bare(text))?;
        for part in &self.proposal {
            fits(part, &value)?;
        }
        serde_json::from_value(value).map_err(|e| Unreadable::Value(e.to_string()))
    }

    /// With what it says that the message tells; beyond so many notes the rest is left out.
    pub(crate) fn read_with_profile(
        &self,
        text: &str,
    ) -> Result<(Proposal, Vec<ProfileNote>), Unreadable> {
        let mut value = object(bare(text))?;
        let [_, bounds] = &self.proposal;
        for part in [&self.profile_proposal, bounds] {
            fits(part, &value)?;
        }
        let told = value.as_object_mut().and_then(|fields| fields.remove("profile"));
        let odd = |e: serde_json::Error| Unreadable::Value(e.to_string());
        let told: Option<Vec<ProfileNote>> =
            told.map(serde_json::from_value).transpose().map_err(odd)?;
        let mut told = told.unwrap_or_default();
        told.truncate(PROFILE_CHANGES_MAX);
        Ok((serde_json::from_value(value).map_err(odd)?, told))
    }

    /// Whose opinion it is is ours to say, not the model's.
    pub(crate) fn read_opinion(&self, persona: Persona, text: &str) -> Result<Opinion, Unreadable> {
        let text = bare(text);
        fits(&self.opinion, &object(text)?)?;
        let Written { vote, concerns: mut written, reason } =
            serde_json::from_str(text).map_err(|e| Unreadable::Value(e.to_string()))?;
        if written.is_empty() && vote != Vote::Approve {
            written.push(UNNAMED.to_owned());
        }
        let mut concerns: Vec<String> = Vec::new();
        for code in written {
            if !concerns.contains(&code) {
                concerns.push(code);
            }
        }
        let reason = reason.chars().take(REASON_CHARS_MAX).collect();
        Ok(Opinion { persona, vote, concerns, reason })
    }

    /// Codes alone: whoever looks at an answer hands on no words.
    pub(crate) fn read_check(&self, text: &str) -> Result<BTreeSet<AnswerFinding>, Unreadable> {
        let text = bare(text);
        fits(&self.check, &object(text)?)?;
        let Found { findings } =
            serde_json::from_str(text).map_err(|e| Unreadable::Value(e.to_string()))?;
        Ok(findings)
    }

    /// Relevance and faithfulness. A number beyond its bounds is none: nobody guesses which one was meant.
    pub(crate) fn read_judgement(&self, text: &str) -> Result<[f64; 2], Unreadable> {
        let text = bare(text);
        fits(&self.judgement, &object(text)?)?;
        let Measured { relevance, faithfulness } =
            serde_json::from_str(text).map_err(|e| Unreadable::Value(e.to_string()))?;
        let both = [relevance, faithfulness];
        if both.iter().all(|number| (0.0..=1.0).contains(number)) {
            return Ok(both);
        }
        Err(Unreadable::Value("a number is not from 0 to 1".to_owned()))
    }
}

fn object(text: &str) -> Result<Value, Unreadable> {
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    serde_json::from_str(text).map_err(|e| Unreadable::NotJson(e.to_string()))
}

fn fits(schema: &Validator, value: &Value) -> Result<(), Unreadable> {
    schema
        .validate(value)
        .map_err(|e| Unreadable::Schema { at: e.instance_path().to_string(), what: e.to_string() })
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
    fn what_is_told_of_a_person_is_read_apart_and_only_where_it_is_asked_for() {
        let told = WHOLE.replace(
            "\"message\":\"\"",
            r#""message":"","profile":[{"slot":"age","op":"set","value":"35"}]"#,
        );
        assert!(read(&told).is_err(), "the other schema has no such field");
        let schema = Schema::compile().unwrap();
        let (proposal, notes) = schema.read_with_profile(&told).unwrap();
        assert_eq!(read(WHOLE), Ok(proposal));
        assert_eq!((notes[0].slot.as_str(), notes[0].value.as_str()), ("age", "35"));
        assert!(!format!("{notes:?}").contains("35"));
        assert_eq!(schema.read_with_profile(WHOLE).unwrap().1, []);
        for odd in [r#""op":"approve""#, r#""op":"set","by":"x""#, r#""op":7"#] {
            let odd = told.replace(r#""op":"set""#, odd);
            assert!(schema.read_with_profile(&odd).is_err(), "{odd}");
        }
        let note = r#"{"slot":"age","op":"set","value":"35"}"#;
        let many = told.replace(note, &[note; 40].join(","));
        assert_eq!(schema.read_with_profile(&many).unwrap().1.len(), PROFILE_CHANGES_MAX);
    }

    fn opinion(text: &str) -> Result<Opinion, Unreadable> {
        Schema::compile().unwrap().read_opinion(Persona::Adversary, text)
    }

    #[test]
    fn an_opinion_is_read_and_whose_it_is_is_not_the_models_to_say() {
        let read =
            opinion(r#"{"vote":"REJECT","concerns":["DATA_LEAVES","DATA_LEAVES"],"reason":"no"}"#);
        let read = read.unwrap();
        assert_eq!((read.persona, read.vote), (Persona::Adversary, Vote::Reject));
        assert_eq!((read.concerns, read.reason), (vec!["DATA_LEAVES".to_owned()], "no".to_owned()));
        let bare = opinion("```json\n{\"vote\":\"ABSTAIN\",\"concerns\":[],\"reason\":\"\"}\n```");
        assert_eq!(bare.unwrap().concerns, ["OTHER"], "an objection has a name");
        let long = "긴".repeat(5_000);
        let long =
            opinion(&format!(r#"{{"vote":"REJECT","concerns":["OTHER"],"reason":"{long}"}}"#));
        assert_eq!(long.unwrap().reason.chars().count(), REASON_CHARS_MAX);
    }

    #[test]
    fn what_is_no_opinion_is_no_vote() {
        for text in [
            "",
            "APPROVE",
            "null",
            r#"{"vote":"APPROVE"}"#,
            r#"{"vote":"approve","concerns":[],"reason":""}"#,
            r#"{"vote":"YES","concerns":[],"reason":""}"#,
            r#"{"vote":"REJECT","vote":"APPROVE","concerns":[],"reason":""}"#,
            r#"{"vote":"APPROVE","concerns":["MADE_UP"],"reason":""}"#,
            r#"{"vote":"APPROVE","concerns":[],"reason":"","persona":"reviewer"}"#,
            r#"[{"vote":"APPROVE","concerns":[],"reason":""}]"#,
        ] {
            assert!(opinion(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_check_names_codes_and_says_nothing_else() {
        let schema = Schema::compile().unwrap();
        let read = |text: &str| schema.read_check(text);
        assert_eq!(read(r#"{"findings":[]}"#), Ok(BTreeSet::new()));
        let both = BTreeSet::from([AnswerFinding::Unanswered, AnswerFinding::Guardrail]);
        assert_eq!(read(r#"{"findings":["GUARDRAIL","UNANSWERED","GUARDRAIL"]}"#), Ok(both));
        assert!(read("```json\n{\"findings\":[\"UNCLEAR\"]}\n```").is_ok());
        for text in [
            "",
            "fine",
            "[]",
            "{}",
            r#"{"findings":"UNCLEAR"}"#,
            r#"{"findings":["EMPTY"]}"#,
            r#"{"findings":["say yes"]}"#,
            r#"{"findings":[],"findings":["UNCLEAR"]}"#,
            r#"{"findings":[],"message":"say this instead"}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_measurement_is_two_numbers_within_their_bounds() {
        let schema = Schema::compile().unwrap();
        let read = |text: &str| schema.read_judgement(text);
        assert_eq!(read(r#"{"relevance":1,"faithfulness":0.5}"#), Ok([1.0, 0.5]));
        assert_eq!(read("```json\n{\"relevance\":0,\"faithfulness\":0}\n```"), Ok([0.0, 0.0]));
        for text in [
            "",
            "0.9",
            "{}",
            r#"{"relevance":1}"#,
            r#"{"relevance":"1","faithfulness":1}"#,
            r#"{"relevance":null,"faithfulness":1}"#,
            r#"{"relevance":1.01,"faithfulness":1}"#,
            r#"{"relevance":-0.1,"faithfulness":1}"#,
            r#"{"relevance":1e999,"faithfulness":1}"#,
            r#"{"relevance":NaN,"faithfulness":1}"#,
            r#"{"relevance":0,"relevance":1,"faithfulness":1}"#,
            r#"{"relevance":1,"faithfulness":1,"why":"it is fine"}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
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
