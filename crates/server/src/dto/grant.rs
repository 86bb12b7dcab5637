//! Wire forms of yeses that are said beforehand.

use crate::{dto::delegation::instant, problem::Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{
    ExactTarget, GRANT_SECONDS_MAX, GRANT_USES_MAX, GrantScope, StepId, StepType, Timestamp, UserId,
};
use wiiiv_gate::{NotGrantable, Principal};
use wiiiv_governor::{GrantOffer, GrantRequest, NotOffered};
use wiiiv_hlx::neutralise;
use wiiiv_store::{GrantRow, GrantUse};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GiveGrant {
    /// A request that was approved: the yes is to its plan, or to one of its steps.
    pub approval: Uuid,
    /// The step to whose exact target the yes is, with whatever content; left out: exactly the plan's steps.
    #[serde(default)]
    pub step: Option<String>,
    /// Whose plans it is for; left out: whoever asked for that plan.
    #[serde(default)]
    pub holder: Option<Uuid>,
    /// How often it counts: for each step at the target, for each run of the plan.
    #[schema(minimum = 1, maximum = 100)]
    pub uses: u32,
    /// Before this it covers nothing: RFC 3339, now or later and before its end; left out: from now on.
    #[serde(default)]
    #[schema(format = DateTime)]
    pub not_before: Option<String>,
    /// When it ends, in seconds from now, whenever it begins: at most 30 days.
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub seconds: u32,
}

impl GiveGrant {
    pub(crate) fn request(self) -> Result<GrantRequest, Problem> {
        if !(1..=GRANT_USES_MAX).contains(&self.uses) {
            return Err(Problem::field("uses", format!("1 to `{GRANT_USES_MAX}`")));
        }
        let seconds = i64::from(self.seconds);
        if !(1..=GRANT_SECONDS_MAX).contains(&seconds) {
            return Err(Problem::field("seconds", format!("1 to `{GRANT_SECONDS_MAX}`")));
        }
        let step = self.step.as_deref().map(StepId::parse).transpose();
        let step = step.map_err(|_| Problem::field("step", "a step of the plan, by its name"))?;
        let from = self.not_before.as_deref();
        let not_before = from.map(|from| instant("not_before", from)).transpose()?;
        Ok(GrantRequest {
            approval: self.approval.into(),
            step,
            holder: self.holder.map(UserId::from),
            uses: self.uses,
            not_before,
            seconds,
        })
    }
}

/// Exactly where a step goes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TargetView {
    /// The path of a file, or method and address, such as `POST https://shop.test/orders`.
    pub text: String,
    /// The registered system whose credential goes along.
    pub system: Option<String>,
    /// All that the body says: whom it is for, how much of what. `*` as a value: any text.
    pub recipients: Vec<RecipientView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecipientView {
    /// In the body, as RFC 6901 has it: `/to`.
    pub place: String,
    pub value: String,
}

/// One step of a plan that a yes is to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GrantedStepView {
    #[schema(value_type = String)]
    pub step_type: StepType,
    /// `null`: it only computes, or an earlier output decides it.
    pub target: Option<TargetView>,
}

/// One use, by one run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GrantUseView {
    pub grant: Uuid,
    pub execution: Uuid,
    pub blueprint: Uuid,
    /// Of the plan that used it.
    pub digest: String,
    /// So many of its uses.
    pub taken: u32,
    pub at: String,
}

impl From<&GrantUse> for GrantUseView {
    fn from(used: &GrantUse) -> Self {
        Self {
            grant: used.grant.uuid(),
            execution: used.execution.uuid(),
            blueprint: used.blueprint.uuid(),
            digest: used.digest.to_string(),
            taken: used.taken,
            at: used.at.to_string(),
        }
    }
}

/// A yes that was said beforehand.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GrantView {
    pub id: Uuid,
    pub granter: Uuid,
    pub granter_name: Option<String>,
    /// Whose plans it is for.
    pub holder: Uuid,
    pub holder_name: Option<String>,
    /// The request that it was made from.
    pub made_from: Uuid,
    /// `target`: steps of one type at one target; `workflow`: plans of exactly these steps.
    pub kind: &'static str,
    /// One of a `target`; all of a `workflow`.
    pub steps: Vec<GrantedStepView>,
    /// SHA-256 of the steps of a `workflow`.
    pub content: Option<String>,
    pub uses: u32,
    pub used: u32,
    pub left: u32,
    pub given_at: String,
    /// Before this it covers nothing; `null`: it has counted since it was given.
    pub not_before: Option<String>,
    pub expires_at: String,
    pub revoked_at: Option<String>,
    pub revoked_by_name: Option<String>,
    /// Whoever gave it still has the right to approve.
    pub granter_stands: bool,
    /// Its beginning, if it has one, is not ahead.
    pub has_begun: bool,
    /// A plan may begin by it now.
    pub counts: bool,
    /// The caller may revoke it.
    pub may_revoke: bool,
    /// Newest first.
    pub used_by: Vec<GrantUseView>,
}

impl GrantView {
    /// `name`: what a person is called.
    pub(crate) fn of(
        row: &GrantRow,
        who: &Principal,
        now: Timestamp,
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Self {
        let given = row.given.body();
        let (kind, steps, content) = scope(given.scope());
        let own = who.rights().owner || given.granter() == who.user();
        Self {
            id: given.id().uuid(),
            granter: given.granter().uuid(),
            granter_name: name(given.granter()),
            holder: given.holder().uuid(),
            holder_name: name(given.holder()),
            made_from: given.made_from().uuid(),
            kind,
            steps,
            content,
            uses: given.uses(),
            used: row.used,
            left: row.left(),
            given_at: given.at().to_string(),
            not_before: given.not_before().map(|from| from.to_string()),
            expires_at: given.expires_at().to_string(),
            revoked_at: row.revoked.map(|(_, at)| at.to_string()),
            revoked_by_name: row.revoked.and_then(|(by, _)| name(by)),
            granter_stands: row.granter_stands,
            has_begun: row.has_begun(now),
            counts: row.counts(now),
            may_revoke: own && row.revoked.is_none() && given.expires_at() > now,
            used_by: row.uses.iter().map(Into::into).collect(),
        }
    }
}

fn scope(scope: &GrantScope) -> (&'static str, Vec<GrantedStepView>, Option<String>) {
    let step = |step_type: StepType, target: Option<&ExactTarget>| GrantedStepView {
        step_type,
        target: target.map(target_view),
    };
    match scope {
        GrantScope::Target { step_type, target } => {
            ("target", vec![step(*step_type, Some(target))], None)
        }
        GrantScope::Workflow { content, steps } => {
            let steps = steps.iter().map(|of| step(of.step_type, of.target.as_ref())).collect();
            ("workflow", steps, Some(content.to_string()))
        }
    }
}

fn target_view(target: &ExactTarget) -> TargetView {
    let text = neutralise(&target.text());
    match target {
        ExactTarget::File { .. } => TargetView { text, system: None, recipients: Vec::new() },
        ExactTarget::Request(place) => {
            let recipient = |(place, value): (&String, &String)| RecipientView {
                place: neutralise(place),
                value: neutralise(value),
            };
            TargetView {
                text,
                system: place.system.as_ref().map(|system| system.name.to_string()),
                recipients: place.recipients.iter().map(recipient).collect(),
            }
        }
    }
}

/// Why nobody approves beforehand what nobody can look at any more.
pub(crate) const ERASED: &str = "erased";

/// What of an approved plan can be approved beforehand.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OfferView {
    /// Exactly its steps.
    pub whole: OfferedView,
    /// Each step's exact target; empty where `whole` is refused for `several` or `erased`.
    pub steps: Vec<OfferedStepView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OfferedStepView {
    pub step: String,
    #[serde(flatten)]
    pub offered: OfferedView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OfferedView {
    /// As it would be granted; empty where it cannot be.
    pub steps: Vec<GrantedStepView>,
    /// Why it cannot be: `risky`, `each_time`, `review`, `foreign`, `several`, `not_exact` or `erased`.
    pub refused: Option<&'static str>,
}

impl From<GrantOffer> for OfferView {
    fn from(offer: GrantOffer) -> Self {
        let steps = offer.steps.iter().map(|(step, of)| OfferedStepView {
            step: step.to_string(),
            offered: offered(of.as_ref().map_err(reason)),
        });
        let whole = offer.whole.as_ref().map_err(|why| match why {
            NotOffered::Erased => ERASED,
            NotOffered::NotGrantable(why) => reason(why),
        });
        Self { whole: offered(whole), steps: steps.collect() }
    }
}

fn offered(of: Result<&GrantScope, &'static str>) -> OfferedView {
    match of {
        Ok(of) => OfferedView { steps: scope(of).1, refused: None },
        Err(why) => OfferedView { steps: Vec::new(), refused: Some(why) },
    }
}

/// Stable over versions.
pub(crate) const fn reason(why: &NotGrantable) -> &'static str {
    match why {
        NotGrantable::Risky => "risky",
        NotGrantable::EachTime => "each_time",
        NotGrantable::Review => "review",
        NotGrantable::Foreign => "foreign",
        NotGrantable::Several => "several",
        NotGrantable::NoStep => "no_step",
        NotGrantable::NotExact => "not_exact",
        NotGrantable::Uses => "uses",
        NotGrantable::Expiry => "expiry",
        NotGrantable::Beginning => "beginning",
        NotGrantable::NotAllowed => "not_allowed",
        NotGrantable::Event(_) => "event",
    }
}
