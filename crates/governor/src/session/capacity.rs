//! In whose right a person answers a question: their own, or one that was lent to them.

use crate::{clock, message::DecideError};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalBy, DelegationId, OnBehalfOf, UserId};
use wiiiv_gate::{DelegatedRight, PendingQuestion, Principal};
use wiiiv_store::{Store, StoreError};

/// Whoever may answer by themselves does so, unless they name a delegation; somebody else by a delegation that
/// runs. `None`: in their own right. The inner error is a refusal.
pub async fn capacity(
    store: &Store,
    request: &PendingQuestion,
    who: &Principal,
    (yes, named): (bool, Option<DelegationId>),
) -> Result<Result<Option<OnBehalfOf>, DecideError>, StoreError> {
    if named.is_none() && may_by_themselves(request, who, yes) {
        return Ok(Ok(None));
    }
    let (now, lent) = (clock::now(), store.delegations_lent_to(who, request.project).await?);
    let usable = lent.iter().filter(|lent| match yes {
        true => request.may_be_given_for(who, lent, now),
        false => request.may_be_refused_for(who, lent, now),
    });
    let mut rights = usable.map(|lent| lent.body().right()).map(DelegatedRight::on_behalf_of);
    let (found, refused) = match named {
        Some(id) => (rights.find(|of| of.delegation == id), DecideError::DelegationOver),
        None => {
            let rights: Vec<OnBehalfOf> = rights.collect();
            let used = used_rights(store, request, yes).await?;
            let free = rights.iter().find(|of| !used.contains(&of.delegator));
            (free.or(rights.first()).copied(), refusal(request, who, yes))
        }
    };
    Ok(found.map(Some).ok_or(refused))
}

fn may_by_themselves(request: &PendingQuestion, who: &Principal, yes: bool) -> bool {
    if yes { request.may_be_given_by(who) } else { request.may_be_answered_by(who) }
}

/// Whoever asked for it or wrote a value of it is not told to ask for a role, which would not help; nor is anybody else
/// where the requester alone confirms it.
fn refusal(request: &PendingQuestion, who: &Principal, yes: bool) -> DecideError {
    let own = who.user() == request.requester;
    let proposed = own || request.editors.contains(&who.user());
    match request.by {
        ApprovalBy::AnotherPerson if yes && proposed => DecideError::NotAnother,
        ApprovalBy::Requester if yes && !own && !request.editors.is_empty() => {
            DecideError::NotRequester
        }
        ApprovalBy::AnotherPerson | ApprovalBy::Requester => DecideError::NotAllowed,
    }
}

/// Those that yeses were said in already. Nothing is read where one person is asked.
async fn used_rights(
    store: &Store,
    request: &PendingQuestion,
    yes: bool,
) -> Result<BTreeSet<UserId>, StoreError> {
    if !yes || request.approvers <= 1 {
        return Ok(BTreeSet::new());
    }
    let found = store.quorum_yeses(&[request.id]).await?;
    let counting = found.get(&request.id).into_iter().flatten().filter(|yes| yes.counts);
    Ok(counting.map(|yes| yes.in_right_of()).collect())
}
