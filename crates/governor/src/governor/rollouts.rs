//! Rollout: a project's stage changes here, on the strength of what its reviews came to.

use super::policies::Policies;
use crate::{clock, qualification::Qualification, runtime::Runtime, telemetry};
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{DacsStage, PolicyDocument, PolicyVersionId, ProjectId, RulesHash};
use wiiiv_gate::{
    PolicyVersion, Principal, Recorded, Rights, UserEvent, UserEventKind, policy,
    rollout::{Earned, PromotionRefusal, RolloutFigures, earned},
};
use wiiiv_store::{
    AuditEntry, Boundary, DivergenceReview, DivergenceVerdict, NewReview, Point, Reviewed,
    RolloutLog, RolloutRefused, StageChange, StoreError, Waiver, Writer,
};

/// Of a promotion that somebody's verdict or a new divergence came in between.
const TRIES: usize = 3;

#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    #[error("no such project, divergence or waiver")]
    NotFound,
    #[error("this needs another role: {0:?}")]
    NotAllowed(&'static [&'static str]),
    #[error("the project is in this stage already")]
    AlreadyThere,
    #[error("an override of the policy runs: end it first, or wait for its end")]
    OverrideRuns,
    #[error("the promotion is refused")]
    Refused { reasons: Vec<PromotionRefusal>, figures: RolloutFigures },
    #[error(transparent)]
    Store(#[from] RolloutRefused),
}

impl From<StoreError> for RolloutError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.into())
    }
}

const OWNERS: &[&str] = &["owner"];
const APPROVERS: &[&str] = &["owner", "approver"];

/// Where a project stands.
#[derive(Debug)]
pub struct Rollout {
    /// The policy version that is judged: a change names it.
    pub version: PolicyVersionId,
    pub stage: DacsStage,
    pub figures: RolloutFigures,
    /// What speaks against a promotion now, a waiver left aside.
    pub reasons: Vec<PromotionRefusal>,
    /// Of the governor's model; `None`: the built-in understanding, which no live run is of.
    pub run: Option<Qualification>,
    pub waiver: Option<Waiver>,
    /// It enforces, and people found more denials wrong than the bound allows.
    pub alarm: bool,
}

impl Rollout {
    fn is_green(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.standing.is_verified())
    }

    /// A promotion would be taken now.
    #[must_use]
    pub fn may_be_promoted(&self) -> bool {
        self.earned().is_ok()
    }

    /// By itself, or else by a whole waiver, which is then used up.
    fn earned(&self) -> Result<(Earned, Option<Uuid>), Vec<PromotionRefusal>> {
        let whole = self.waiver.as_ref().filter(|waiver| waiver.is_whole());
        match (earned(&self.figures, self.is_green(), false), whole) {
            (Ok(earned), _) => Ok((earned, None)),
            (Err(reasons), None) => Err(reasons),
            (Err(_), Some(waiver)) => {
                let earned = earned(&self.figures, self.is_green(), true)?;
                Ok((earned, Some(waiver.id)))
            }
        }
    }

    /// What the promotion rests on, for its record.
    fn basis(&self, waiver: Option<Uuid>) -> Value {
        let run = self.run.as_ref().map(|run| {
            json!({
                "build": run.key.build, "model": run.key.model, "policyHash": run.key.policy_hash,
                "promptHash": run.key.prompt_hash, "provider": run.key.provider.as_str(),
                "standing": run.standing, "excluded": run.left_out.partial, "barred": run.left_out.barred,
            })
        });
        json!({
            "boundPpm": self.figures.bound_ppm(), "figures": self.figures, "run": run,
            "waiver": waiver,
        })
    }
}

#[derive(Clone, Copy)]
pub struct Rollouts<'a> {
    pub(super) runtime: &'a Runtime,
}

impl Rollouts<'_> {
    pub async fn show(self, project: ProjectId) -> Result<Rollout, RolloutError> {
        let current = self.runtime.deps.store.policy(project).await?;
        let log = self.runtime.deps.store.rollout_log(project).await?;
        self.judge(current.body().document(), &log).await
    }

    /// The rules that reviews are made by now.
    #[must_use]
    pub fn rules(self) -> RulesHash {
        self.runtime.deps.keeper.dacs_rules()
    }

    async fn judge(
        self,
        document: &PolicyDocument,
        log: &RolloutLog,
    ) -> Result<Rollout, RolloutError> {
        let deps = &self.runtime.deps;
        let (policy, figures) = (document.general(), log.figures(deps.keeper.dacs_rules()));
        let model = (policy.llm_provider, policy.model());
        let run = Qualification::of(deps, model, policy).await?;
        let waiver = deps.store.open_waiver(document.project, clock::now()).await?;
        let stage = policy.dacs_stage;
        let alarm = stage == DacsStage::Enforce && is_over(&figures);
        let (version, reasons) = (document.id, Vec::new());
        let found = Rollout { version, stage, figures, reasons, run, waiver, alarm };
        let reasons = earned(&found.figures, found.is_green(), false).err().unwrap_or_default();
        Ok(Rollout { reasons, ..found })
    }

    /// A verdict that puts a project over its bound which enforces is an alarm as well.
    pub async fn review(
        self,
        who: &Principal,
        project: ProjectId,
        evaluation: u64,
        (verdict, note): (DivergenceVerdict, String),
    ) -> Result<DivergenceReview, RolloutError> {
        self.may(who, project, APPROVERS, Rights::may_approve)?;
        let store = &self.runtime.deps.store;
        if !store.is_divergence(project, evaluation).await? {
            return Err(RolloutError::NotFound);
        }
        let alarm = match verdict {
            DivergenceVerdict::Right => None,
            DivergenceVerdict::Wrong => self.over_with(who, project, evaluation).await?,
        };
        let new = NewReview { project, evaluation, verdict, note, alarm };
        let review = store.review_divergence(who, new).await?;
        if let Some(figures) = alarm {
            let bound_ppm = figures.bound_ppm();
            tracing::warn!(%project, bound_ppm, "more denials were found wrong than the bound allows");
            telemetry::rollout_changed("bound_exceeded");
        }
        Ok(review)
    }

    /// The figures with one more that was wrong, where the project enforces and is over its bound then.
    async fn over_with(
        self,
        who: &Principal,
        project: ProjectId,
        evaluation: u64,
    ) -> Result<Option<RolloutFigures>, RolloutError> {
        let deps = &self.runtime.deps;
        let current = deps.store.policy(project).await?;
        if current.body().document().policy.dacs_stage != DacsStage::Enforce {
            return Ok(None);
        }
        let mut log = deps.store.rollout_log(project).await?;
        let (id, verdict) = (Uuid::nil(), DivergenceVerdict::Wrong);
        let (by, at, seq) = (who.user(), clock::now(), u64::MAX);
        log.reviews.insert(0, Reviewed { id, evaluation, verdict, by, at, seq });
        Ok(Some(log.figures(deps.keeper.dacs_rules())).filter(is_over))
    }

    pub async fn ask_waiver(
        self,
        who: &Principal,
        project: ProjectId,
        reason: String,
    ) -> Result<Waiver, RolloutError> {
        self.may(who, project, APPROVERS, Rights::may_approve)?;
        Ok(self.runtime.deps.store.ask_waiver(who, project, reason).await?)
    }

    pub async fn join_waiver(
        self,
        who: &Principal,
        project: ProjectId,
        waiver: Uuid,
    ) -> Result<Waiver, RolloutError> {
        self.may(who, project, APPROVERS, Rights::may_approve)?;
        Ok(self.runtime.deps.store.join_waiver(who, project, waiver).await?)
    }

    /// The new version, which differs in its stage alone.
    pub async fn promote(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        reason: String,
    ) -> Result<PolicyDocument, RolloutError> {
        self.may(who, project, OWNERS, Rights::may_switch_stage)?;
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_promote(who, project, expected, reason.clone()).await {
                Err(RolloutError::Store(RolloutRefused::Moved)) if tries < TRIES => {}
                done => return done,
            }
        }
    }

    async fn try_promote(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        reason: String,
    ) -> Result<PolicyDocument, RolloutError> {
        let store = &self.runtime.deps.store;
        let current = self.current(project, expected, DacsStage::Observe).await?;
        let log = store.rollout_log(project).await?;
        let found = self.judge(current.body().document(), &log).await?;
        let refused = |reasons| RolloutError::Refused { reasons, figures: found.figures };
        let (earned, waiver) = found.earned().map_err(refused)?;
        let document = next(who, &current, DacsStage::Enforce, reason);
        let digest = policy::digest(&document).map_err(unmade)?;
        let event = self.said(who, project, UserEventKind::Promote { digest }).await?;
        let version = policy::promoted(&event, document.clone(), &current, earned);
        let entry = switched("project.promoted", who, &document, found.basis(waiver));
        let change = StageChange { entry, judged_to: Some(log.as_of), waiver };
        store.record_stage(who, expected, version.map_err(unmade)?, change).await?;
        telemetry::rollout_changed("promote");
        Ok(document)
    }

    /// A person's act, and nothing but: it happens by no figure.
    pub async fn demote(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        reason: String,
    ) -> Result<PolicyDocument, RolloutError> {
        self.may(who, project, OWNERS, Rights::may_switch_stage)?;
        let current = self.current(project, expected, DacsStage::Enforce).await?;
        let document = next(who, &current, DacsStage::Observe, reason);
        let digest = policy::digest(&document).map_err(unmade)?;
        let event = self.said(who, project, UserEventKind::Demote { digest }).await?;
        let version = policy::demoted(&event, document.clone(), &current).map_err(unmade)?;
        let entry = switched("project.demoted", who, &document, json!({}));
        let change = StageChange { entry, judged_to: None, waiver: None };
        self.runtime.deps.store.record_stage(who, expected, version, change).await?;
        telemetry::rollout_changed("demote");
        Ok(document)
    }

    fn may(
        self,
        who: &Principal,
        project: ProjectId,
        roles: &'static [&'static str],
        may: fn(Rights) -> bool,
    ) -> Result<(), RolloutError> {
        let ours = self.runtime.deps.keeper.knows(who) && who.project() == Some(project);
        match ours && who.rights().may_see() {
            false => Err(RolloutError::NotFound),
            true if may(who.rights()) => Ok(()),
            true => Err(RolloutError::NotAllowed(roles)),
        }
    }

    /// The version that is changed, which has to be in that stage.
    async fn current(
        self,
        project: ProjectId,
        expected: PolicyVersionId,
        stage: DacsStage,
    ) -> Result<Recorded<PolicyVersion>, RolloutError> {
        let current = Policies { runtime: self.runtime }.in_force(project).await?;
        let document = current.body().document();
        if document.id != expected {
            return Err(RolloutRefused::Stale { current: document.id }.into());
        }
        if document.temporary().is_some() {
            return Err(RolloutError::OverrideRuns);
        }
        if document.policy.dacs_stage != stage {
            return Err(RolloutError::AlreadyThere);
        }
        Ok(current)
    }

    async fn said(
        self,
        who: &Principal,
        project: ProjectId,
        kind: UserEventKind,
    ) -> Result<Recorded<UserEvent>, RolloutError> {
        let event = UserEvent::of(who, project, None, kind, clock::now());
        let event = event.map_err(|_| RolloutError::NotFound)?;
        let (writer, boundary) = (Writer::Project(project), Boundary::new(Point::P).by(who));
        let store = &self.runtime.deps.store;
        Ok(store.record_user_event(&writer, boundary, event).await?.0)
    }
}

/// People found more of its denials wrong than may be; not merely too few were made.
fn is_over(figures: &RolloutFigures) -> bool {
    figures.wrong > 0 && figures.exceeds()
}

fn next(
    who: &Principal,
    current: &Recorded<PolicyVersion>,
    stage: DacsStage,
    reason: String,
) -> PolicyDocument {
    let mut document = current.body().document().clone();
    document.id = clock::fresh();
    document.number = document.number.saturating_add(1);
    document.author = Some(who.user());
    document.reason = reason;
    document.at = clock::now();
    document.policy.dacs_stage = stage;
    document
}

fn switched(kind: &str, who: &Principal, document: &PolicyDocument, mut body: Value) -> AuditEntry {
    if let Some(members) = body.as_object_mut() {
        members.insert("by".to_owned(), json!(who.user()));
        members.insert("number".to_owned(), json!(document.number));
        members.insert("policy".to_owned(), json!(document.id));
    }
    AuditEntry::new(kind, body)
}

fn unmade(error: impl std::fmt::Display) -> RolloutError {
    StoreError::Unavailable { reason: error.to_string() }.into()
}
