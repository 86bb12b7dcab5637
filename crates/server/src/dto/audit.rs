//! Wire forms of audit records.

use super::mirror::mirror;
use crate::problem::{Problem, ProblemCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::UserId;
use wiiiv_store::{AuditOutcome, AuditRow, FeedPosition};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Records of these kinds, comma-separated, e.g. `decision,approval.given`.
    pub kind: Option<String>,
    /// By or about this person.
    pub actor: Option<Uuid>,
    /// How it ended, whatever the kind of the record calls it.
    #[param(inline)]
    pub outcome: Option<OutcomeName>,
    /// Of plans that call this system, by its registered name or host. Only the newest plans are
    /// looked at: 2,000, fewer where they are long.
    pub system: Option<String>,
    /// Of plans that touch a workspace path that holds this, in any case; of the same plans.
    pub path: Option<String>,
    /// First UTC day, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last UTC day, `YYYY-MM-DD`.
    pub until: Option<String>,
    /// Part of an id, a code or a person's name, in any case; at most 200 characters. A search may
    /// end a page early: `next_cursor` says whether it goes on.
    pub q: Option<String>,
    /// The execution, call, approval, plan or session that records speak of.
    pub about: Option<Uuid>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// Number of the last record that is known; without it the feed begins at the first.
    pub after: Option<u64>,
    /// Hash of that record: 64 hexadecimal digits. Needed with `after`.
    pub hash: Option<String>,
    /// `size` of the last checkpoint that is known.
    pub signed: Option<u64>,
}

impl FeedQuery {
    pub(crate) fn position(&self) -> Result<FeedPosition, Problem> {
        let signed = self.signed.unwrap_or(0);
        let Some(seq) = self.after.filter(|seq| *seq > 0) else {
            return Ok(FeedPosition { signed, ..FeedPosition::START });
        };
        let mut hash = [0; 32];
        let given = self.hash.as_deref().unwrap_or_default();
        let told = "expected 64 hexadecimal digits";
        let refused = Problem::new(ProblemCode::InvalidQuery).with("parameter", "hash");
        hex::decode_to_slice(given, &mut hash).map_err(|_| refused.with("reason", told))?;
        Ok(FeedPosition { seq, hash, signed })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutcomeName {
    Done,
    Denied,
    Failed,
    Cancelled,
    Pending,
    /// The outcome of a step is unknown.
    Unknown,
}

mirror!(OutcomeName => AuditOutcome: Done, Denied, Failed, Cancelled, Pending, Unknown);

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditRecordView {
    /// From 1.
    pub seq: u64,
    pub at: String,
    pub kind: String,
    /// Of the record's line: 64 hexadecimal digits.
    pub hash: String,
    /// Ids, codes, counts, digests and keyed hashes; no text of people or models.
    #[schema(value_type = Object)]
    pub body: Value,
    /// What the people are called whose ids stand in the body. The names are no part of the record.
    pub people: BTreeMap<Uuid, String>,
    /// Who did it, where a person did.
    pub person: Option<Uuid>,
    pub person_name: Option<String>,
    /// What the project is called that the body names, as that of a halt does. The name is no part of the record.
    pub project_name: Option<String>,
}

/// Which member of a body names the person who acted, in this order. A use of a grant names its
/// giver: the yes is theirs, as one to a question is its approver's.
const PERSONS: [&str; 8] =
    ["by", "approver", "delegator", "granter", "author", "user", "requester", "owner"];

/// Who did what is recorded; the record holds an id, not a name.
pub(crate) fn person_of(body: &Value) -> Option<UserId> {
    let event = body.get("event");
    let named = |name| body.get(name).or_else(|| event?.get(name))?.as_str()?.parse().ok();
    PERSONS.iter().find_map(|name| named(*name))
}

impl AuditRecordView {
    /// `names`: of accounts; `project`: what the chain's is called.
    pub(crate) fn of(
        row: AuditRow,
        names: &BTreeMap<UserId, Arc<str>>,
        project: Option<&str>,
    ) -> Self {
        let named = |id: &UserId| names.get(id).map(|name| (id.uuid(), name.to_string()));
        let person = person_of(&row.body);
        Self {
            people: people_in(&row.body).iter().filter_map(named).collect(),
            person: person.map(|person| person.uuid()),
            person_name: person.and_then(|person| names.get(&person)).map(ToString::to_string),
            project_name: project.filter(|_| names_project(&row.body)).map(str::to_owned),
            seq: row.seq,
            at: row.at.to_string(),
            kind: row.kind,
            hash: hex::encode(row.hash),
            body: row.body,
        }
    }
}

/// Whether a record's body names its project beside its chain.
pub(crate) fn names_project(body: &Value) -> bool {
    body.get("project").is_some_and(Value::is_string)
}

/// Fields of records, at any depth, that hold the id of an account.
const PEOPLE: [&str; 10] = [
    "user",
    "by",
    "approver",
    "requester",
    "author",
    "delegator",
    "delegate",
    "onBehalfOf",
    "granter",
    "holder",
];

/// Ids of accounts that a record's body names.
pub(crate) fn people_in(body: &Value) -> Vec<UserId> {
    match body {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value {
                Value::String(id) if PEOPLE.contains(&name.as_str()) => {
                    id.parse().into_iter().collect()
                }
                other => people_in(other),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(people_in).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditKey {
    pub key_id: String,
    /// `Ed25519`.
    pub algorithm: &'static str,
    /// 64 hexadecimal digits: what `wiiiv audit verify --key` takes.
    pub public_key: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditKeys {
    pub items: Vec<AuditKey>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerifiedState {
    /// Unchanged, and signed to its end.
    Verified,
    Broken,
    /// Unchanged; what stands behind the newest checkpoint is not signed yet.
    UnsignedTail,
}

/// Found by the verifier that `wiiiv audit verify` runs, with this server's own key: whoever does
/// not trust the server verifies an export with a key that was kept elsewhere.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct AuditVerified {
    pub state: VerifiedState,
    pub records: u64,
    /// Hash of the last record: 64 hexadecimal digits.
    pub head: String,
    pub signed_records: u64,
    /// Number of the record where the first fault lies, or behind which a checkpoint is wrong.
    pub first_bad: Option<u64>,
    /// The first fault, where there is one.
    pub message: Option<String>,
}
