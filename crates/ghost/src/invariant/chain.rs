//! Invariant: the project's audit chain is valid. The verifier shares no code with the server.

use super::evidence::Evidence;
use crate::verdict::Violated;
use wiiiv_verify::{Level, PublicKey, verify};

pub(super) const AUDIT_CHAIN: &str = "audit_chain";

pub(super) fn broken(evidence: &Evidence) -> Option<Violated> {
    let violated = |seen: String| Some(Violated::new(AUDIT_CHAIN, "an export that verifies", seen));
    let key = match PublicKey::parse(&evidence.audit_key) {
        Ok(key) => key,
        Err(error) => return violated(error.to_string()),
    };
    match verify(evidence.export.as_slice(), Some(&key), None) {
        Ok(report) if report.level != Level::Verified => {
            violated("internally consistent".to_owned())
        }
        Ok(report) if report.unsigned_tail > 0 => {
            violated(format!("`{}` records behind the last checkpoint", report.unsigned_tail))
        }
        Ok(_) => None,
        Err(finding) => violated(finding.to_string()),
    }
}
