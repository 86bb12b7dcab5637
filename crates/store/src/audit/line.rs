//! One record as its canonical line.

use crate::{
    audit::Chain,
    database::{entity::audit_record, record_seals::RecordSeals},
    error::StoreError,
};
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use wiiiv_domain::{INTEGER_MAX, Timestamp, canonical_value};

pub(super) type Hash = [u8; 32];

/// How a decision ended that allows.
pub(super) const ALLOW: &str = "ALLOW";

/// What one line of an export may be long, in bytes.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// Which member of a body says what it is about, in this order.
const ABOUT: [&str; 8] =
    ["grant", "execution", "call", "approval", "blueprint", "session", "ghostResult", "delegation"];

#[derive(Debug)]
pub(super) struct Line {
    pub(super) chain: Chain,
    pub(super) seq: u64,
    pub(super) kind: String,
    pub(super) at: Timestamp,
    pub(super) about: Option<Uuid>,
    pub(super) hash: Hash,
    pub(super) text: String,
}

impl Line {
    pub(super) fn write(
        chain: Chain,
        (seq, prev): (u64, &Hash),
        kind: &str,
        mut body: Value,
        at: Timestamp,
    ) -> Result<Self, StoreError> {
        make_exact(&mut body);
        let body_text = text_of(canonical_value(&body)?)?;
        let (kind_text, prev) = (serde_json::to_string(kind)?, hex::encode(prev));
        // In the order of a canonical object, with the hash between the two.
        let before = format!(r#"{{"at":"{at}","body":{body_text},"chain":"{chain}""#);
        let behind = format!(r#","kind":{kind_text},"prev":"{prev}","seq":"{seq}"}}"#);
        let hashed = Sha256::new().chain_update(&before).chain_update(&behind);
        let hash: Hash = hashed.finalize().into();
        let text = format!(r#"{before},"hash":"{}"{behind}"#, hex::encode(hash));
        if text.len() > LINE_BYTES_MAX {
            return Err(too_long());
        }
        Ok(Self {
            chain,
            seq,
            kind: kind.to_owned(),
            at,
            about: body.as_object().and_then(about),
            hash,
            text,
        })
    }
}

/// A record as it was kept: its own hash fits, and its members stand where a canonical line has them.
#[derive(Debug)]
pub(super) struct StoredLine<'a> {
    /// As text: the members up to `chain`, the body among them.
    text: &'a str,
    pub(super) members: Members,
    pub(super) hash: Hash,
}

/// Those behind the body.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    pub(super) chain: String,
    hash: String,
    pub(super) kind: String,
    pub(super) prev: String,
    pub(super) seq: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Whole {
    pub(super) at: Timestamp,
    pub(super) body: Map<String, Value>,
}

impl<'a> StoredLine<'a> {
    /// `None`: somebody changed it.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        const HASH: &str = ",\"hash\":\"";
        let chain = text.rfind(",\"chain\":\"")?;
        let before = text.rfind(HASH)?;
        let behind = before + HASH.len() + 2 * size_of::<Hash>() + 1;
        let members = format!("{{{}", text.get(chain + 1..)?);
        let members: Members = serde_json::from_str(&members).ok()?;
        let hashed =
            Sha256::new().chain_update(text.get(..before)?).chain_update(text.get(behind..)?);
        let hash: Hash = hashed.finalize().into();
        (hex::encode(hash) == members.hash).then_some(Self { text, members, hash })
    }

    /// With the row's other columns as the line says.
    pub(super) fn of(row: &'a audit_record::Model) -> Option<Self> {
        let kept = Self::read(&row.line)?;
        let whole = kept.whole()?;
        let fits = kept.members.kind == row.kind
            && kept.hash.as_slice() == row.hash
            && whole.at.unix_ms() == row.at
            && about(&whole.body) == row.about;
        fits.then_some(kept)
    }

    /// `seals`: `None` where its chain is walked.
    pub(super) fn is_sealed(&self, seal: Option<&[u8]>, seals: Option<&RecordSeals>) -> bool {
        seals.is_none_or(|seals| seals.is_of(seal, &self.hash))
    }

    pub(super) fn is(&self, chain: Chain, seq: u64) -> bool {
        self.members.chain == chain.to_string() && self.members.seq == seq.to_string()
    }

    pub(super) fn whole(&self) -> Option<Whole> {
        serde_json::from_str(self.text).ok()
    }

    /// Of a decision.
    pub(super) fn allows(&self) -> bool {
        self.text.contains("\"outcome\":\"ALLOW\"")
            && self.whole().is_some_and(|whole| whole.body.get("outcome") == Some(&ALLOW.into()))
    }

    /// An id that the body names.
    pub(super) fn id(&self, name: &str) -> Option<Uuid> {
        Uuid::parse_str(self.whole()?.body.get(name)?.as_str()?).ok()
    }
}

pub(super) fn text_of(bytes: Vec<u8>) -> Result<String, StoreError> {
    if bytes.len() > LINE_BYTES_MAX {
        return Err(too_long());
    }
    String::from_utf8(bytes).map_err(|_| StoreError::corrupt("an audit line"))
}

fn too_long() -> StoreError {
    StoreError::TooLarge { what: "an audit record", max: LINE_BYTES_MAX as u64 }
}

/// The id that a record can be found by: a decision has it in its subject.
pub(super) fn about(body: &Map<String, Value>) -> Option<Uuid> {
    let named = |name: &&str| body.get(*name).or_else(|| body.get("subject")?.get(*name))?.as_str();
    ABOUT.iter().filter_map(named).filter_map(|id| Uuid::parse_str(id).ok()).next()
}

/// Makes every number one that all readers take exactly: others become text.
pub(super) fn make_exact(value: &mut Value) {
    match value {
        Value::Number(number) if !is_exact(number) => *value = Value::String(number.to_string()),
        Value::Array(items) => items.iter_mut().for_each(make_exact),
        Value::Object(members) => members.values_mut().for_each(make_exact),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_exact(number: &Number) -> bool {
    let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    size.is_some_and(|size| size <= INTEGER_MAX)
}

#[cfg(test)]
mod tests {
    use super::{Line, StoredLine, make_exact};
    use crate::audit::Chain;
    use serde_json::json;
    use wiiiv_domain::{Timestamp, canonical};

    #[test]
    fn numbers_that_readers_would_round_become_text() {
        let mut body =
            json!({"a": 9_007_199_254_740_991_u64, "b": [9_007_199_254_740_992_u64, 0.5], "c": -1});
        let expected =
            json!({"a": 9_007_199_254_740_991_u64, "b": ["9007199254740992", "0.5"], "c": -1});
        make_exact(&mut body);
        assert_eq!(body, expected);
    }

    #[test]
    fn a_line_is_canonical_and_can_be_found_by_what_it_is_about() {
        let call = "01890a5d-ac96-774b-bcce-b302099a8057";
        let body = json!({"call": call, "tokens": 3, "나": "é\n", "\u{ff5e}": 1, "😀": [null]});
        let at = Timestamp::from_unix_ms(0);
        let line = Line::write(Chain::Server, (1, &[0; 32]), "call.settled", body, at).unwrap();
        assert_eq!(line.about.map(|id| id.to_string()).as_deref(), Some(call));
        let read: serde_json::Value = serde_json::from_str(&line.text).unwrap();
        assert_eq!(canonical(&read).unwrap(), line.text.as_bytes());
        let start = r#"{"at":"1970-01-01T00:00:00.000Z","body":{"call":"01890a5d-ac96-774b-bcce-b302099a8057","tokens":3,"나":"é\n","😀":[null],"～":1},"chain":"server","hash":""#;
        assert!(line.text.starts_with(start), "{}", line.text);
        assert!(line.text.ends_with(&format!(r#""prev":"{}","seq":"1"}}"#, "00".repeat(32))));
    }

    #[test]
    fn a_line_is_read_back_and_no_byte_of_it_may_change() {
        let body = json!({"a": ",\"hash\":\"x", "session": "01890a5d-ac96-774b-bcce-b302099a8057"});
        let at = Timestamp::from_unix_ms(7);
        let line = Line::write(Chain::Server, (3, &[9; 32]), "test.kept", body, at).unwrap();
        let kept = StoredLine::read(&line.text).unwrap();
        assert_eq!((kept.hash, kept.members.seq.as_str()), (line.hash, "3"));
        let whole = kept.whole().unwrap();
        assert_eq!((whole.at, super::about(&whole.body)), (at, line.about));
        for place in 0..line.text.len() {
            let mut bytes = line.text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(StoredLine::read(&changed).is_none(), "{place}: {changed}");
        }
    }
}
