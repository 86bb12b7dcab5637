//! A project's rollout as a person sees it: names, notes and plans beside figures and votes.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        rates::{
            MatrixCellView, MatrixRowView, MatrixTurnView, RatesView, ReviewMatrixView,
            ReviewRateView,
        },
        rollout::{DivergenceView, ReviewOfDivergence, RolloutView, WaiverView},
        why::OpinionView,
    },
    problem::Problem,
    view::review::meaning,
};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{
    DacsStage, ProjectId, ProviderName, SessionId, SpecDigest, TaskType, Timestamp, UserId,
};
use wiiiv_gate::Principal;
use wiiiv_governor::Rollout;
use wiiiv_hlx::neutralise;
use wiiiv_store::{
    Became, BlueprintRow, Divergence, DivergenceReview, Evaluation, MatrixCell, ReviewRates, Waiver,
};

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
    (project, who): (ProjectId, &Principal),
    found: Vec<Divergence>,
) -> Result<Vec<DivergenceView>, Problem> {
    let store = caller.state.store();
    let reviewed = found.iter().flat_map(|one| &one.reviews).map(|review| review.evaluation);
    let notes = store.divergence_notes(project, &reviewed.collect::<Vec<_>>()).await?;
    let sessions: Vec<_> = found.iter().map(|one| one.first.session).collect();
    let founders = Founders::of(caller, who, &sessions).await?;
    let people = notes.iter().map(|note| note.by).chain(founders.by_session.values().copied());
    let names = caller.state.names().of(store, people).await?;
    let mut told: BTreeMap<_, _> = notes.into_iter().map(|note| (note.id, note)).collect();
    let plans = plans(caller, &found).await?;
    let rules = caller.state.governor().rollouts().rules();
    let mut views = Vec::with_capacity(found.len());
    for one in found {
        let plan = plans.get(&(one.first.session, one.first.spec));
        let task_type = one.first.task_type.or(plan.map(|plan| plan.task_type));
        let verdict = one.verdict().map(Into::into);
        let mut reviews = Vec::with_capacity(one.reviews.len());
        for review in &one.reviews {
            let note = told.remove(&review.id).ok_or_else(|| lost(review.seq))?;
            let name = names.get(&note.by).map(ToString::to_string);
            reviews.push(ReviewOfDivergence::of(note, name));
        }
        let said = |code: &str| meaning(caller.state.governor(), code);
        let votes = one.first.votes.iter();
        let requester = founders.by_session.get(&one.first.session);
        let (session, turn) = founders.turn_of(&one.first);
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
            task_type: task_type.map(|task| task.to_string()),
            model: one.first.governor.as_ref().map(|by| model_name(by.provider, &by.model)),
            requester: requester.map(|user| user.uuid()),
            requester_name: requester.and_then(|user| names.get(user)).map(ToString::to_string),
            session,
            turn,
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

/// Of these days, both included.
pub(crate) async fn rates_view(
    caller: &Caller,
    who: &Principal,
    (from, last): (Timestamp, Timestamp),
    rates: ReviewRates,
) -> Result<RatesView, Problem> {
    let shown = rates.matrix.values().flat_map(|cell| &cell.newest);
    let sessions: Vec<_> = shown.map(|(one, _)| one.session).collect();
    let founders = Founders::of(caller, who, &sessions).await?;
    let mut cells = rates.matrix;
    let mut cell = |let_through, ran| {
        founders.cell(cells.remove(&Became { let_through, ran }).unwrap_or_default())
    };
    let mut row =
        |through| MatrixRowView { ran: cell(through, true), not_run: cell(through, false) };
    let matrix = ReviewMatrixView { let_through: row(true), divergent: row(false) };
    let rate = |task_type: Option<TaskType>, model, day, counts| ReviewRateView {
        task_type: task_type.map(TaskType::as_str),
        model,
        day,
        counts,
    };
    let by_task_type = rates.by_task_type.into_iter();
    let by_model = rates.by_model.into_iter();
    let by_model = by_model.map(|(by, counts)| {
        rate(None, by.map(|(provider, model)| model_name(provider, &model)), None, counts.into())
    });
    let by_day = rates.by_day.into_iter();
    Ok(RatesView {
        from: from.utc_day(),
        until: last.utc_day(),
        total: rates.total.into(),
        by_task_type: by_task_type
            .map(|(of, counts)| rate(of, None, None, counts.into()))
            .collect(),
        by_model: by_model.collect(),
        by_day: by_day.map(|(day, counts)| rate(None, None, Some(day), counts.into())).collect(),
        matrix,
        truncated: rates.truncated,
    })
}

/// As filters take it.
pub(crate) fn model_name(provider: ProviderName, model: &str) -> String {
    format!("{provider}:{model}")
}

/// Who began the conversations that something was reviewed in, and which of them the caller is told.
struct Founders {
    by_session: BTreeMap<SessionId, UserId>,
    caller: UserId,
    /// The ids stand there.
    reads_audit: bool,
}

impl Founders {
    async fn of(caller: &Caller, who: &Principal, sessions: &[SessionId]) -> Result<Self, Problem> {
        let by_session = caller.state.store().founders(sessions).await?;
        let reads_audit = rules::SEARCH_AUDIT.is_allowed_with(who.rights());
        Ok(Self { by_session, caller: caller.user(), reads_audit })
    }

    /// The conversation and the turn of that review, where the caller is told.
    fn turn_of(&self, one: &Evaluation) -> (Option<Uuid>, Option<Uuid>) {
        let is_own = self.by_session.get(&one.session) == Some(&self.caller);
        if !is_own && !self.reads_audit {
            return (None, None);
        }
        (Some(one.session.uuid()), one.turn.map(|turn| turn.uuid()))
    }

    fn cell(&self, cell: MatrixCell) -> MatrixCellView {
        let turns = cell.newest.into_iter().map(|(one, blueprint)| {
            let (session, turn) = self.turn_of(&one);
            MatrixTurnView {
                record: one.seq,
                at: one.at.to_string(),
                task_type: one.task_type.map(TaskType::as_str),
                blueprint: blueprint.map(|id| id.uuid()),
                session,
                turn,
            }
        });
        MatrixCellView { count: cell.count, turns: turns.collect() }
    }
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
