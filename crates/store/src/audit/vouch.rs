//! Checks a row of evidence against the audit: the row names a record, and the record has the
//! digest of the row's bytes. One statement reads both.

use super::{Chain, line::StoredLine};
use crate::{database::number::from_db, error::StoreError};
use serde_json::{Map, Value};
use wiiiv_domain::ContentDigest;
use wiiiv_gate::{AuditSeq, Corrupt};

/// The member of a record's body that names its evidence.
pub(crate) const EVIDENCE: &str = "evidence";

/// The record that a row of evidence names, as it was written.
#[derive(Debug)]
pub(crate) struct Voucher {
    pub(crate) at: AuditSeq,
    body: Map<String, Value>,
}

impl Voucher {
    /// `line`: of the record at that place in that chain, which a row may name and nobody wrote.
    pub(crate) fn read(
        chain: Chain,
        at: i64,
        kind: &str,
        line: Option<&str>,
    ) -> Result<Self, StoreError> {
        // Records are counted from 1: of any other number nothing was proved.
        let seq = from_db(at);
        let kept = line.filter(|_| seq > 0).and_then(StoredLine::read);
        let kept = kept.filter(|kept| kept.is(chain, seq) && kept.members.kind == kind);
        let body = kept.and_then(|kept| kept.whole()).map(|whole| whole.body);
        let body = body.ok_or(Corrupt::Changed { at: seq })?;
        Ok(Self { at: AuditSeq::new(seq), body })
    }

    pub(super) fn of(at: i64, body: Map<String, Value>) -> Self {
        Self { at: AuditSeq::new(from_db(at)), body }
    }

    /// `None` of a record that is older than the digest: its other members have to do.
    pub(crate) fn digest(&self) -> Result<Option<ContentDigest>, StoreError> {
        let Some(named) = self.body.get(EVIDENCE) else { return Ok(None) };
        let digest = named.as_str().and_then(|text| text.parse().ok());
        digest.map(Some).ok_or_else(|| self.changed())
    }

    pub(crate) const fn body(&self) -> &Map<String, Value> {
        &self.body
    }

    pub(crate) fn changed(&self) -> StoreError {
        Corrupt::Changed { at: self.at.get() }.into()
    }
}
