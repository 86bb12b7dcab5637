//! Checks a project's chain with the independent verifier: streamed, a few at a time, and cached
//! for a moment.

use crate::{
    dto::audit::{AuditVerified, VerifiedState},
    problem::{Problem, ProblemCode},
};
use moka::future::Cache;
use std::{io::BufReader, sync::Arc, time::Duration};
use tokio::{io::duplex, sync::Semaphore, task::spawn_blocking};
use tokio_util::io::SyncIoBridge;
use wiiiv_store::{AuditHead, Chain, ExportError, Store};
use wiiiv_verify::{FaultPosition, Finding, PublicKey, Report, verify};

/// Bytes that may wait for the verifier.
const PIPE_BYTES: usize = 256 * 1024;
/// Chains that are checked at the same time; others wait.
const AT_ONCE_MAX: usize = 2;
/// Answers that are remembered, each for the head that it is of.
const ANSWERS_MAX: u64 = 256;
/// A record that was changed without the head is found after this at the latest.
const REMEMBERED: Duration = Duration::from_secs(60);
const MESSAGE_CHARS_MAX: usize = 500;

pub(crate) struct AuditCheck {
    answers: Cache<(Chain, AuditHead), AuditVerified>,
    places: Arc<Semaphore>,
}

impl Default for AuditCheck {
    fn default() -> Self {
        let answers = Cache::builder().max_capacity(ANSWERS_MAX).time_to_live(REMEMBERED).build();
        Self { answers, places: Arc::new(Semaphore::new(AT_ONCE_MAX)) }
    }
}

impl AuditCheck {
    /// Those who ask for the same at the same time wait for one answer.
    pub(crate) async fn of(&self, store: &Store, chain: Chain) -> Result<AuditVerified, Problem> {
        let (head, fault) = (store.audit_head(chain).await, store.fault());
        let head = match (head, fault) {
            (Ok(head), _) => head,
            (Err(_), Some(fault)) => {
                let none = AuditHead { records: 0, signed: 0, hash: [0; 32] };
                return Ok(broken(none, None, &fault.to_string()));
            }
            (Err(error), None) => return Err(error.into()),
        };
        let answer = self.answers.try_get_with((chain, head), self.check(store, chain, head));
        let answer = answer.await.map_err(|problem: Arc<Problem>| problem.as_ref().clone())?;
        // One chain alone may look whole: its head can be one of an earlier day.
        Ok(match fault {
            Some(fault) if answer.state != VerifiedState::Broken => {
                broken(head, None, &fault.to_string())
            }
            Some(_) | None => answer,
        })
    }

    async fn check(
        &self,
        store: &Store,
        chain: Chain,
        head: AuditHead,
    ) -> Result<AuditVerified, Problem> {
        let key = PublicKey::parse(&store.audit_public_key()).map_err(|_| ProblemCode::Internal)?;
        let place = self.places.clone().acquire_owned().await;
        let place = place.map_err(|_| ProblemCode::Unavailable)?;
        let (mut writer, reader) = duplex(PIPE_BYTES);
        let store = store.clone();
        let writing =
            tokio::spawn(async move { store.review_audit(chain, head.records, &mut writer).await });
        let verified = spawn_blocking(move || {
            let reader = BufReader::new(SyncIoBridge::new(reader));
            let verified = verify(reader, Some(&key), None);
            drop(place);
            verified
        });
        let verified = verified.await.map_err(|_| ProblemCode::Internal)?;
        match writing.await.map_err(|_| ProblemCode::Internal)? {
            // A verifier that has found a fault reads no further.
            Ok(_) | Err(ExportError::Output(_)) => Ok(told(verified, head)),
            Err(ExportError::Store(error)) => Err(error.into()),
        }
    }
}

fn told(verified: Result<Report, Finding>, head: AuditHead) -> AuditVerified {
    let stands = hex::encode(head.hash);
    let report = match verified {
        Ok(report) => report,
        Err(finding) => return broken(head, record_of(finding.place), &finding.to_string()),
    };
    if report.head != stands {
        let message = format!("the last record is `{}`, the head says `{stands}`", report.head);
        return broken(head, Some(head.records), &message);
    }
    let state = match report.unsigned_tail {
        0 => VerifiedState::Verified,
        _ => VerifiedState::UnsignedTail,
    };
    AuditVerified {
        state,
        records: report.records,
        head: report.head,
        signed_records: report.records - report.unsigned_tail,
        first_bad: None,
        message: None,
    }
}

fn broken(head: AuditHead, first_bad: Option<u64>, message: &str) -> AuditVerified {
    AuditVerified {
        state: VerifiedState::Broken,
        records: head.records,
        head: hex::encode(head.hash),
        signed_records: head.signed,
        first_bad,
        message: Some(message.chars().take(MESSAGE_CHARS_MAX).collect()),
    }
}

const fn record_of(place: FaultPosition) -> Option<u64> {
    match place {
        FaultPosition::Record { seq } => Some(seq),
        FaultPosition::Checkpoint { after } => Some(after),
        FaultPosition::Header | FaultPosition::Anchor | FaultPosition::Receipt => None,
    }
}
