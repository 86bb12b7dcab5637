//! A project's rollout as a person sees it: names, notes and plans beside figures and votes.

use crate::{
    access::caller::Caller,
    dto::{
        rollout::{DivergenceView, ReviewOfDivergence, RolloutView, WaiverView},
        why::OpinionView,
    },
    problem::Problem,
    view::review::meaning,
};
use std::collections::BTreeMap;
use wiiiv_domain::{DacsStage, ProjectId, SessionId, SpecDigest, UserId};
use wiiiv_governor::Rollout;
use wiiiv_hlx::neutralise;
use wiiiv_store::{BlueprintRow, Divergence, DivergenceReview, Waiver};

pub(crate) async fn rollout_view(caller: &Caller, found: Rollout) -> Result<RolloutView, Problem> {
    let may_be_promoted = found.stage == DacsStage::Observe && found.may_be_promoted();
    let waiver = match found.waiver {
        Some(waiver) => Some(waiver_view(caller, waiver).await?),
        None => None,
    };
    Ok(RolloutView {
        stage: found.stage.into(),
        policy: found.version.uuid(),
        figures: found.figures.into(),
        reasons: found.reasons.into_iter().map(Into::into).collect(),
        may_be_promoted,
        run: found.run.map(Into::into),
        waiver,
        alarm: found.alarm,
    })
}

pub(crate) async fn waiver_view(caller: &Caller, waiver: Waiver) -> Result<WaiverView, Problem> {
    let people = std::iter::once(waiver.asked_by).chain(waiver.joined_by);
    let names = caller.state.names().of(caller.state.store(), people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    Ok(WaiverView {
        id: waiver.id,
        reason: neutralise(&waiver.reason),
        asked_by: waiver.asked_by.uuid(),
        asked_by_name: name(waiver.asked_by),
        asked_at: waiver.asked_at.to_string(),
        expires_at: waiver.expires_at.to_string(),
        joined_by: waiver.joined_by.map(|user| user.uuid()),
        joined_by_name: waiver.joined_by.and_then(name),
        joined_at: waiver.joined_at.map(|at| at.to_string()),
    })
}

/// Of one page.
pub(crate) async fn divergence_views(
    caller: &Caller,
    project: ProjectId,
    found: Vec<Divergence>,
) -> Result<Vec<DivergenceView>, Problem> {
    let store = caller.state.store();
    let reviewed = found.iter().flat_map(|one| &one.reviews).map(|review| review.evaluation);
    let notes = store.divergence_notes(project, &reviewed.collect::<Vec<_>>()).await?;
    let names = caller.state.names().of(store, notes.iter().map(|note| note.by)).await?;
    let mut told: BTreeMap<_, _> = notes.into_iter().map(|note| (note.id, note)).collect();
    let plans = plans(caller, &found).await?;
    let rules = caller.state.governor().rollouts().rules();
    let mut views = Vec::with_capacity(found.len());
    for one in found {
        let plan = plans.get(&(one.first.session, one.first.spec));
        let verdict = one.verdict().map(Into::into);
        let mut reviews = Vec::with_capacity(one.reviews.len());
        for review in &one.reviews {
            let note = told.remove(&review.id).ok_or_else(|| lost(review.seq))?;
            let name = names.get(&note.by).map(ToString::to_string);
            reviews.push(ReviewOfDivergence::of(note, name));
        }
        let said = |code: &str| meaning(caller.state.governor(), code);
        let votes = one.first.votes.iter();
        views.push(DivergenceView {
            record: one.first.seq,
            at: one.first.at.to_string(),
            times: one.times,
            consensus: one.first.consensus,
            stage: stage_of(one.first.bound).into(),
            counts: one.first.rules == rules,
            opinions: votes
                .map(|v| OpinionView::of(v.persona, v.vote, &v.concerns, said))
                .collect(),
            blueprint: plan.map(|plan| plan.id.uuid()),
            task_type: plan.map(|plan| plan.task_type.to_string()),
            verdict,
            reviews,
        });
    }
    Ok(views)
}

pub(crate) const fn stage_of(bound: bool) -> DacsStage {
    if bound { DacsStage::Enforce } else { DacsStage::Observe }
}

/// A verdict on record whose note is not there any more was taken out of the database.
fn lost(seq: u64) -> Problem {
    let what = format!("the review of record `{seq}` is not there any more");
    wiiiv_store::StoreError::Tampered { what }.into()
}

type Plans = BTreeMap<(SessionId, SpecDigest), BlueprintRow>;

/// The newest of each spec.
async fn plans(caller: &Caller, found: &[Divergence]) -> Result<Plans, Problem> {
    let of: Vec<_> = found.iter().map(|one| (one.first.session, one.first.spec)).collect();
    let plans = caller.state.store().plans_of_specs(&of).await?;
    Ok(plans.into_iter().map(|plan| ((plan.session, plan.spec_digest), plan)).collect())
}

impl ReviewOfDivergence {
    pub(crate) fn of(review: DivergenceReview, by_name: Option<String>) -> Self {
        Self {
            verdict: review.verdict.into(),
            note: neutralise(&review.note),
            by: review.by.uuid(),
            by_name,
            at: review.at.to_string(),
        }
    }
}
