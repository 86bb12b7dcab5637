//! Why a turn made no plan: the reviewers' opinions from the audit, the meaning of each concern,
//! and the line that the policy lacks.

use crate::{
    dto::{
        blueprint::effect_name,
        decision::RiskNote,
        localized::LocalizedText,
        why::{AdviceView, DacsView, OpinionView, PolicyAddition, ReviewView},
    },
    problem::{Problem, refusal::internal},
    view::advice::{addition, place_rule, rule_view, told_of, with_policy},
};
use serde::Deserialize;
use wiiiv_domain::{
    Consensus, DacsSource, DacsStage, DenyCode, FineRuleName, NotDrawn, Opinion, Persona,
    PolicyDocument, ProjectId, ProjectPolicy, ReviewingModel, Scheme, SessionId, SlotName, Spec,
    SpecDigest, StepType, Timestamp, Vote,
};
use wiiiv_governor::{Governor, ReviewEnd, Reviewed};
use wiiiv_store::BlueprintRow;

const HOST_NOT_LISTED: &str = "HOST_NOT_LISTED";
const PATH_NOT_LISTED: &str = "PATH_NOT_LISTED";

/// As `dacs.evaluated` has it.
#[derive(Deserialize)]
struct Evaluated {
    consensus: Consensus,
    risky: Option<bool>,
    binds: Option<bool>,
    rules: Option<String>,
    source: Option<DacsSource>,
    opinions: Vec<Voted>,
    /// Of model personas, where they were asked.
    model: Option<EvaluatedModel>,
}

#[derive(Deserialize)]
struct EvaluatedModel {
    by: Option<ReviewingModel>,
    opinions: Vec<Voted>,
}

#[derive(Deserialize)]
struct Voted {
    persona: Persona,
    vote: Vote,
    concerns: Vec<String>,
}

pub(crate) struct Reviewer<'a> {
    pub(crate) governor: &'a Governor,
    /// That is in force now.
    pub(crate) policy: &'a PolicyDocument,
}

const fn rule_of(reason: &NotDrawn) -> Option<&FineRuleName> {
    match reason {
        NotDrawn::Denied { rule, .. } => rule.as_ref(),
        NotDrawn::NoExecutor { .. } | NotDrawn::Slot { .. } | NotDrawn::OutsideEnvelope { .. } => {
            None
        }
    }
}

/// What is risky binds in either stage.
const fn stage_of(binds: Option<bool>, risky: Option<bool>) -> Option<DacsStage> {
    match (binds, risky) {
        (Some(false), _) => Some(DacsStage::Observe),
        (Some(true), Some(false)) => Some(DacsStage::Enforce),
        (Some(true), Some(true) | None) | (None, _) => None,
    }
}

/// What a concern or a refusal lacks: the code of a gate that says the same, and the lines.
type Lack = (DenyCode, Vec<PolicyAddition>);

/// A review, as its record tells.
pub(crate) struct RecordedReview {
    pub(crate) dacs: DacsView,
    pub(crate) risky: Option<bool>,
}

impl Reviewer<'_> {
    /// With the number of its record.
    pub(crate) async fn recorded(
        &self,
        place: (ProjectId, SessionId),
        spec: Option<&Spec>,
        (digest, at): (SpecDigest, Timestamp),
    ) -> Result<Option<(u64, RecordedReview)>, Problem> {
        let Some(row) = self.governor.store().review_of(place, digest, at).await? else {
            return Ok(None);
        };
        Ok(Some((row.seq, self.dacs(place.0, spec, row.body).await?)))
    }

    /// `plans`: those that were drawn from specs of the turn.
    pub(crate) async fn view(
        &self,
        place: (ProjectId, SessionId),
        reviewed: Reviewed,
        plans: &[BlueprintRow],
    ) -> Result<ReviewView, Problem> {
        let spec = reviewed.spec.as_ref();
        let found = self.recorded(place, spec, (reviewed.digest, reviewed.at)).await?;
        let record = found.as_ref().map(|(seq, _)| *seq);
        let found = found.map(|(_, found)| found);
        let risky = found.as_ref().and_then(|found| found.risky);
        let dacs = found.map(|found| found.dacs);
        // The same spec may be drawn again later.
        let drawn = plans
            .iter()
            .find(|plan| plan.spec_digest == reviewed.digest && plan.created_at >= reviewed.at);
        let effect = spec.and_then(|spec| spec.envelope.greatest_effect());
        Ok(ReviewView {
            seq: reviewed.seq,
            at: reviewed.at.to_string(),
            record,
            outcome: match &reviewed.end {
                ReviewEnd::Verdict { .. } => "verdict",
                ReviewEnd::Shadowed { .. } => "shadowed",
                ReviewEnd::NotDrawable { .. } => "not_drawable",
            },
            spec: reviewed.digest.to_string(),
            task_type: spec.map(|spec| spec.task_type.to_string()),
            effect: effect.map(effect_name),
            risk: RiskNote { risky, ..RiskNote::default() },
            dacs,
            blueprint: drawn.map(|plan| plan.id.uuid()),
            advice: self.advice(&reviewed),
        })
    }

    async fn dacs(
        &self,
        project: ProjectId,
        spec: Option<&Spec>,
        body: serde_json::Value,
    ) -> Result<RecordedReview, Problem> {
        let told: Evaluated = serde_json::from_value(body).map_err(|e| internal(&e))?;
        let said = |code: &str| meaning(self.governor, code);
        let opinions = told.opinions.into_iter();
        let opinions = opinions.map(|o| OpinionView::of(o.persona, o.vote, &o.concerns, said));
        let models = match told.model {
            Some(told) => {
                let opinions = self.in_words(project, spec, told.opinions).await?;
                OpinionView::of_models(told.by.as_ref(), &opinions, said)
            }
            None => Vec::new(),
        };
        let dacs = DacsView {
            consensus: told.consensus,
            stage: stage_of(told.binds, told.risky),
            panel: told.source.map(Into::into),
            rules: told.rules,
            opinions: opinions.chain(models).collect(),
        };
        Ok(RecordedReview { dacs, risky: told.risky })
    }

    /// With the models' own words, where the newest opinions on the spec are these.
    async fn in_words(
        &self,
        project: ProjectId,
        spec: Option<&Spec>,
        voted: Vec<Voted>,
    ) -> Result<Vec<Opinion>, Problem> {
        let newest = match spec {
            Some(spec) => self.governor.store().opinions_on(project, spec).await?,
            None => None,
        };
        let words = |one: &Voted| {
            let heard = newest.as_ref()?.body().opinions().iter();
            let mut same = heard.filter(|o| (o.persona, o.vote) == (one.persona, one.vote));
            same.find(|o| o.concerns == one.concerns).map(|o| o.reason.clone())
        };
        let told = voted.into_iter().map(|one| {
            let reason = words(&one).unwrap_or_default();
            Opinion { persona: one.persona, vote: one.vote, concerns: one.concerns, reason }
        });
        Ok(told.collect())
    }

    fn advice(&self, reviewed: &Reviewed) -> Vec<AdviceView> {
        let spec = reviewed.spec.as_ref();
        match &reviewed.end {
            ReviewEnd::Shadowed { .. } => Vec::new(),
            ReviewEnd::Verdict { consensus: Consensus::Yes, .. } => Vec::new(),
            ReviewEnd::Verdict { consensus, concerns } => {
                let told = concerns.iter().flat_map(|code| {
                    let lack = spec.map_or_else(
                        || without(*consensus),
                        |spec| self.of_concern(code, *consensus, spec),
                    );
                    self.lines(lack).into_iter().map(|line| self.of_code(code, line))
                });
                told.collect()
            }
            ReviewEnd::NotDrawable { reasons } => {
                let told = reasons.iter().filter_map(|reason| {
                    let rule = rule_of(reason).map(|name| rule_view(&self.policy.policy, name));
                    Some((self.of_refusal(reason, spec)?, rule))
                });
                let lines = told.flat_map(|(lack, rule)| {
                    let lines = self.lines(lack).into_iter();
                    lines.map(move |told| AdviceView { rule: rule.clone(), ..told })
                });
                lines.collect()
            }
        }
    }

    /// One text for each line that is lacking; one where none would do.
    fn lines(&self, (code, lines): Lack) -> Vec<AdviceView> {
        let told = |line| told_of(self.governor.messages(), code, line);
        if lines.is_empty() {
            vec![told(None)]
        } else {
            lines.into_iter().map(|l| told(Some(l))).collect()
        }
    }

    /// Under the name of the concern, and what it means said first.
    fn of_code(&self, code: &str, told: AdviceView) -> AdviceView {
        let (text, user) = match meaning(self.governor, code) {
            Some(text) if told.change.is_none() => (text.clone(), text),
            Some(text) => (text, told.user),
            None => (told.text, told.user),
        };
        AdviceView { code: code.to_owned(), text, user, ..told }
    }

    fn of_concern(&self, code: &str, consensus: Consensus, spec: &Spec) -> Lack {
        match code {
            HOST_NOT_LISTED => (DenyCode::HostNotAllowed, self.hosts(spec)),
            PATH_NOT_LISTED => (DenyCode::PathNotAllowed, self.paths(spec)),
            _ => without(consensus),
        }
    }

    /// `None` of what a line of the policy has nothing to do with.
    fn of_refusal(&self, reason: &NotDrawn, spec: Option<&Spec>) -> Option<Lack> {
        let NotDrawn::Denied { code, what, .. } = reason else { return None };
        let lines = match (code, spec) {
            (DenyCode::HostNotAllowed, Some(spec)) => self.hosts(spec),
            (DenyCode::PathNotAllowed, Some(spec)) => self.paths(spec),
            (DenyCode::StepTypeNotAllowed, _) => self.step_types(what),
            _ => Vec::new(),
        };
        Some((*code, lines))
    }

    fn hosts(&self, spec: &Spec) -> Vec<PolicyAddition> {
        let slots = [SlotName::URL, SlotName::DOMAIN].map(|name| spec.slots.get(name));
        let address = slots.into_iter().flatten().next().unwrap_or_default().to_lowercase();
        let scheme = if address.starts_with("http://") { Scheme::Http } else { Scheme::Https };
        let rules = spec.envelope.hosts.iter().filter_map(|place| {
            let (host, port) = split_port(place);
            let policy = &self.policy.policy;
            let has = policy.allowed_hosts.iter().any(|line| line.covers(scheme, host, port));
            let rule = place_rule(host, Some(scheme), port);
            let amended = |policy: &mut ProjectPolicy| policy.allowed_hosts.push(rule.clone());
            (!has && self.would_do(amended)).then(|| addition("allowedHosts", &rule)).flatten()
        });
        rules.collect()
    }

    fn paths(&self, spec: &Spec) -> Vec<PolicyAddition> {
        let lines = spec.envelope.paths.iter().filter_map(|path| {
            let has = self.policy.policy.allowed_paths.contains(path);
            let amended = |policy: &mut ProjectPolicy| policy.allowed_paths.push(path.clone());
            (!has && self.would_do(amended)).then(|| addition("allowedPaths", path)).flatten()
        });
        lines.collect()
    }

    fn step_types(&self, name: &str) -> Vec<PolicyAddition> {
        let Ok(wanted) = serde_json::from_value::<StepType>(name.into()) else { return Vec::new() };
        let has = self.policy.policy.allowed_step_types.contains(&wanted);
        let line = (!has).then(|| addition("allowedStepTypes", &wanted)).flatten();
        line.into_iter().collect()
    }

    /// A line that no policy may hold is no advice.
    fn would_do(&self, amend: impl FnOnce(&mut ProjectPolicy)) -> bool {
        let mut policy = self.policy.policy.clone();
        amend(&mut policy);
        self.governor.policies().check(&policy).is_ok()
    }
}

/// For whoever reads the audit of a conversation that is somebody else's: no word of a person or a model.
pub(crate) fn for_auditor(view: ReviewView, sees_policy: bool) -> ReviewView {
    let told = |dacs: DacsView| DacsView {
        opinions: dacs.opinions.into_iter().map(|one| OpinionView { said: None, ..one }).collect(),
        ..dacs
    };
    // Hosts and paths of a line that is lacking are the request's own.
    let lines = view.advice.into_iter().map(|one| AdviceView { change: None, ..one }).collect();
    let mut advice = with_policy(lines, sees_policy);
    advice.dedup();
    ReviewView { dacs: view.dacs.map(told), advice, ..view }
}

/// What a reviewer's concern means.
pub(crate) fn meaning(governor: &Governor, code: &str) -> Option<LocalizedText> {
    let reason = governor.plans().concern(code)?;
    Some(LocalizedText { ko: reason.ko.clone(), en: reason.en.clone() })
}

const fn without(consensus: Consensus) -> Lack {
    let code = match consensus {
        Consensus::No => DenyCode::DacsNo,
        Consensus::Revision | Consensus::Yes => DenyCode::DacsRevision,
    };
    (code, Vec::new())
}

/// `host`, `host:port`, `[v6]` or `[v6]:port`.
fn split_port(place: &str) -> (&str, Option<u16>) {
    let Some((host, port)) = place.rsplit_once(':') else { return (place, None) };
    match port.parse() {
        Ok(port) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        Ok(_) | Err(_) => (place, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{for_auditor, stage_of};
    use crate::dto::{
        decision::RiskNote,
        localized::LocalizedText,
        why::{AdviceView, DacsView, OpinionView, PolicyAddition, ReviewView, RuleView},
    };
    use serde_json::json;
    use wiiiv_domain::{Consensus, DacsStage, Persona, Vote};

    fn advice(path: &str) -> AdviceView {
        let text = || LocalizedText::same("not on the list");
        AdviceView {
            code: "PATH_NOT_ALLOWED".to_owned(),
            text: text(),
            user: text(),
            operator: text(),
            administrator: text(),
            change: Some(PolicyAddition { field: "allowedPaths", add: json!(path) }),
            rule: Some(RuleView {
                id: "quiet-hours".to_owned(),
                advice: Some(LocalizedText::same("the policy's own words")),
            }),
        }
    }

    fn review() -> ReviewView {
        let opinion = OpinionView {
            model: Some("CUSTOM:m".to_owned()),
            said: Some("a secret was named".to_owned()),
            ..OpinionView::of(Persona::Adversary, Vote::Reject, &["SECRET".to_owned()], |_| None)
        };
        ReviewView {
            seq: 1,
            at: String::new(),
            record: Some(2),
            outcome: "verdict",
            spec: "d1".to_owned(),
            task_type: Some("FILE_WRITE".to_owned()),
            effect: Some("WRITE"),
            risk: RiskNote::default(),
            dacs: Some(DacsView {
                consensus: Consensus::No,
                stage: None,
                panel: None,
                rules: None,
                opinions: vec![opinion],
            }),
            blueprint: None,
            advice: vec![advice("secret/one"), advice("secret/two")],
        }
    }

    #[test]
    fn who_reads_the_audit_is_told_codes_and_no_word_of_anybody() {
        for (sees_policy, rule) in [(true, Some("the policy's own words")), (false, None)] {
            let told = for_auditor(review(), sees_policy);
            // Two lines that lack are one code.
            let [advice] = &told.advice[..] else { panic!("{:?}", told.advice) };
            assert_eq!(advice.rule.as_ref().unwrap().id, "quiet-hours");
            let said = advice.rule.as_ref().unwrap().advice.as_ref();
            assert_eq!(said.map(|words| words.en.as_str()), rule);
            let told = serde_json::to_value(&told).unwrap();
            assert!(!told.to_string().contains("secret"), "{told:#}");
            assert_eq!(told["dacs"]["opinions"][0]["codes"], json!(["SECRET"]));
            assert_eq!(told["spec"], "d1");
        }
    }

    #[test]
    fn a_record_tells_the_stage_where_it_made_a_difference() {
        assert_eq!(stage_of(Some(false), Some(false)), Some(DacsStage::Observe));
        assert_eq!(stage_of(Some(true), Some(false)), Some(DacsStage::Enforce));
        for (binds, risky) in [(Some(true), Some(true)), (Some(true), None), (None, Some(false))] {
            assert_eq!(stage_of(binds, risky), None);
        }
    }
}
