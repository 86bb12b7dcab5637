//! Checks a row of evidence against the audit: the row names a record, and the record has the
//! digest of the row's bytes. One statement reads both.

use super::{Chain, line::StoredLine};
use crate::{
    database::{entity::audit_record, number::from_db, record_seals::RecordSeals, statement::Row},
    error::StoreError,
};
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
    /// `row` has its line in that column, and its seal in the next: of the record at that place in that chain,
    /// which a row of evidence may name and nobody wrote.
    pub(crate) fn in_row(
        (row, column): (&Row, usize),
        place: (Chain, i64),
        kind: &str,
        seals: Option<&RecordSeals>,
    ) -> Result<Self, StoreError> {
        let (line, seal): (Option<String>, Option<Vec<u8>>) =
            (row.get(column)?, row.get(column + 1)?);
        Self::read(place, kind, (line.as_deref(), seal.as_deref()), seals)
    }

    fn read(
        (chain, at): (Chain, i64),
        kind: &str,
        (line, seal): (Option<&str>, Option<&[u8]>),
        seals: Option<&RecordSeals>,
    ) -> Result<Self, StoreError> {
        // Records are counted from 1: of any other number nothing was proved.
        let seq = from_db(at);
        let kept = line.filter(|_| seq > 0).and_then(StoredLine::read);
        let kept = kept.filter(|kept| {
            kept.is(chain, seq) && kept.members.kind == kind && kept.is_sealed(seal, seals)
        });
        let body = kept.and_then(|kept| kept.whole()).map(|whole| whole.body);
        let body = body.ok_or(Corrupt::Changed { at: seq })?;
        Ok(Self { at: AuditSeq::new(seq), body })
    }

    /// The same by the whole row.
    pub(crate) fn of_record(
        place: (Chain, i64),
        kind: &str,
        record: Option<audit_record::Model>,
        seals: Option<&RecordSeals>,
    ) -> Result<Self, StoreError> {
        let kept = record.as_ref();
        let line = kept.map(|record| record.line.as_str());
        let seal = kept.and_then(|record| record.seal.as_deref());
        Self::read(place, kind, (line, seal), seals)
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
