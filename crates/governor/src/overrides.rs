//! Ends overrides of policies whose time is over, or whose one run has ended. From its time on nothing is
//! allowed by one, whoever puts the policy before it back and when.

use crate::clock;
use wiiiv_domain::{
    OverrideEnd, OverrideMark, OverrideScope, PolicyDocument, ProjectId, TemporaryPolicy,
    Timestamp, UserId,
    telemetry::{attribute, metric_name},
};
use wiiiv_store::{EndOverride, OverrideRefused, Store, StoreError};

/// `false`: there was nothing to end, or somebody was faster.
pub async fn end_by_itself(
    store: &Store,
    project: ProjectId,
    end: OverrideEnd,
) -> Result<bool, StoreError> {
    let (current, now) = (store.policy(project).await?, clock::now());
    let document = current.body().document();
    let due = |temporary: &&TemporaryPolicy| match end {
        OverrideEnd::Expired => temporary.is_over(now),
        OverrideEnd::Used => temporary.scope == OverrideScope::Request,
        OverrideEnd::Ended => false,
    };
    let Some(temporary) = document.temporary().filter(due) else { return Ok(false) };
    let document = restored(document, temporary, (end, now), None);
    match store.end_override(EndOverride { current, document }).await {
        Ok(()) => {
            tracing::info!(%project, end = end.as_str(), "an override of the policy ended");
            note(end.as_str());
            Ok(true)
        }
        Err(OverrideRefused::Stale { .. } | OverrideRefused::Gone) => Ok(false),
        Err(OverrideRefused::Store(error)) => Err(error),
        Err(refused @ (OverrideRefused::NotProven(_) | OverrideRefused::Open)) => {
            Err(StoreError::Unavailable { reason: refused.to_string() })
        }
    }
}

/// `proposed`, `began`, or how it ended.
pub fn note(change: &'static str) {
    metrics::counter!(metric_name::OVERRIDES, attribute::OVERRIDE_CHANGE => change).increment(1);
}

/// The version that ends the one in force: the rules before it, to the letter. `by`: a person, with a reason.
pub fn restored(
    now: &PolicyDocument,
    temporary: &TemporaryPolicy,
    (end, at): (OverrideEnd, Timestamp),
    by: Option<(UserId, String)>,
) -> PolicyDocument {
    let (author, reason) = by.unzip();
    PolicyDocument {
        id: clock::fresh(),
        project: now.project,
        number: now.number.saturating_add(1),
        author,
        reason: reason.unwrap_or_default(),
        at,
        policy: temporary.before.as_ref().clone(),
        of_override: Some(OverrideMark::Restored { id: temporary.id, end }),
    }
}
