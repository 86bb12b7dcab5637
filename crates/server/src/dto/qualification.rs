//! Wire form of a model's qualification: whether GHOST has verified it.

use super::{ghost::VerdictName, mirror::mirror};
use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_domain::TaskType;
use wiiiv_governor::{LeftOut, Qualification, TypeStanding};
use wiiiv_store::{Barred, ModelStanding, Part};

/// What the ledger says of a model for this build, its prompts and the rules of the policy, by the whole suite
/// and for each kind of task.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QualificationView {
    #[serde(flatten)]
    pub whole: StandingView,
    /// For each kind of task that a scenario speaks for or the policy asks for.
    pub task_types: Vec<TypeStandingView>,
    /// The case that was asked for.
    pub build: String,
    pub prompt_hash: String,
    pub policy_hash: String,
}

/// What it says for one kind of task, by the scenarios that speak for it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TypeStandingView {
    /// `FILE_WRITE`, ...
    #[schema(value_type = String)]
    pub task_type: TaskType,
    /// The policy asks for a verified model here.
    pub required: bool,
    #[serde(flatten)]
    pub standing: StandingView,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StandingView {
    pub verified: bool,
    pub standing: StandingName,
    /// Where it is verified for another case: what differs there.
    pub differs: Vec<PartName>,
    /// The scenario that decided.
    pub scenario: Option<String>,
    /// What it came to.
    pub verdict: Option<VerdictName>,
    /// How many scenarios of the suite were played in every repeat, or passed in the worst one.
    pub scenarios: Option<usize>,
    /// Scenarios that the suite has.
    pub of: Option<usize>,
    /// How often it was played, or which of the repeats it is that too few passed in.
    pub repeats: Option<usize>,
    /// Of a verified model, as its provider's answers named it.
    pub revision: Option<String>,
    /// When the newest run of a green suite was stored.
    pub at: Option<String>,
    /// Scenarios that are left out of the count: this build lacks stages of theirs.
    pub excluded: Vec<&'static str>,
    /// Scenarios that are left out because the policy's rules do not let them be played as they are written.
    pub barred: Vec<BarredView>,
}

/// A scenario that the policy's rules do not let be played.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BarredView {
    pub scenario: &'static str,
    pub why: BarredName,
    /// The type of step, or the kind of task: `FILE_DELETE`, ...
    pub of: &'static str,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BarredName {
    /// The rules do not allow steps that it needs.
    StepType,
    /// The rules ask for a yes that nobody says in it, or for none where somebody says it.
    Confirmation,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StandingName {
    Verified,
    /// Nothing that counts is stored of this case: no signed result.
    NoRecord,
    /// No scenario that this build can play whole, and the rules let be played, speaks for this kind of task.
    NoScenario,
    /// Nothing is stored of this case, and of another it is verified.
    VerifiedElsewhere,
    InvariantViolated,
    /// The suite has not been played whole in three repeats.
    Incomplete,
    /// Invariants could not be looked at in a run.
    Unchecked,
    /// The provider's answers named more than one revision.
    MixedRevisions,
    SmokeNotPassed,
    TooFewPassed,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PartName {
    Build,
    Prompts,
    Policy,
    Revision,
}

mirror!(Part => PartName: Build, Prompts, Policy, Revision);

impl From<Qualification> for QualificationView {
    fn from(of: Qualification) -> Self {
        let Qualification { key, standing, left_out, task_types } = of;
        Self {
            whole: StandingView::of(standing, left_out),
            task_types: task_types.into_iter().map(Into::into).collect(),
            build: key.build,
            prompt_hash: key.prompt_hash,
            policy_hash: key.policy_hash,
        }
    }
}

impl From<TypeStanding> for TypeStandingView {
    fn from(of: TypeStanding) -> Self {
        let TypeStanding { task_type, required, standing, left_out } = of;
        Self { task_type, required, standing: StandingView::of(standing, left_out) }
    }
}

impl BarredView {
    const fn of(scenario: &'static str, barred: Barred) -> Self {
        let (why, of) = match barred {
            Barred::StepType(of) => (BarredName::StepType, of.as_str()),
            Barred::Confirmation(of) => (BarredName::Confirmation, of.as_str()),
        };
        Self { scenario, why, of }
    }
}

impl StandingView {
    fn of(standing: ModelStanding, left_out: LeftOut) -> Self {
        let LeftOut { partial, barred } = left_out;
        let view = Self {
            verified: standing.is_verified(),
            standing: StandingName::of(&standing),
            differs: Vec::new(),
            scenario: None,
            verdict: None,
            scenarios: None,
            of: None,
            repeats: None,
            revision: None,
            at: None,
            excluded: partial,
            barred: barred.into_iter().map(|(id, why)| BarredView::of(id, why)).collect(),
        };
        view.with(standing)
    }

    fn with(self, standing: ModelStanding) -> Self {
        match standing {
            ModelStanding::NoRecord | ModelStanding::NoScenario | ModelStanding::MixedRevisions => {
                self
            }
            ModelStanding::Verified { revision, at } => {
                Self { revision, at: Some(at.to_string()), ..self }
            }
            ModelStanding::VerifiedElsewhere { differs } => {
                Self { differs: differs.into_iter().map(Into::into).collect(), ..self }
            }
            ModelStanding::InvariantViolated { scenario }
            | ModelStanding::Unchecked { scenario } => Self { scenario: Some(scenario), ..self },
            ModelStanding::SmokeNotPassed { scenario, verdict } => {
                Self { scenario: Some(scenario), verdict: Some(verdict.into()), ..self }
            }
            ModelStanding::Incomplete { scenarios, of, repeats } => {
                Self { scenarios: Some(scenarios), of: Some(of), repeats: Some(repeats), ..self }
            }
            ModelStanding::TooFewPassed { repeat, passed, of } => Self {
                scenarios: Some(passed),
                of: Some(of),
                repeats: usize::try_from(repeat).ok(),
                ..self
            },
        }
    }
}

impl StandingName {
    const fn of(standing: &ModelStanding) -> Self {
        match standing {
            ModelStanding::Verified { .. } => Self::Verified,
            ModelStanding::NoRecord => Self::NoRecord,
            ModelStanding::NoScenario => Self::NoScenario,
            ModelStanding::VerifiedElsewhere { .. } => Self::VerifiedElsewhere,
            ModelStanding::InvariantViolated { .. } => Self::InvariantViolated,
            ModelStanding::Incomplete { .. } => Self::Incomplete,
            ModelStanding::Unchecked { .. } => Self::Unchecked,
            ModelStanding::MixedRevisions => Self::MixedRevisions,
            ModelStanding::SmokeNotPassed { .. } => Self::SmokeNotPassed,
            ModelStanding::TooFewPassed { .. } => Self::TooFewPassed,
        }
    }
}
