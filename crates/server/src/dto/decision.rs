//! Wire forms of what a decision rested on, and of the smallest change that would have allowed it.

use super::{impact::AsksView, localized::LocalizedText, mirror::mirror};
use crate::access::authorization::Role;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Asks, DacsSource, ForeignTargets};
use wiiiv_gate::Rights;
use wiiiv_governor::{Change, Enough, Unproved};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PolicyRef {
    pub id: Uuid,
    pub number: u32,
}

/// What was asked: the words themselves are not in the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RequestView {
    /// Of its record in the project's audit.
    pub seq: u64,
    pub at: String,
    pub turn: Uuid,
    pub user: Option<Uuid>,
    /// Of the words, keyed by the project: whoever has them can show that it was these.
    pub hmac: String,
    /// `ko` or `en`.
    pub language: String,
}

/// A call of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ModelCallView {
    /// Of its record in the project's audit.
    pub seq: u64,
    /// The turn that asked.
    pub turn: Option<Uuid>,
    /// `PROVIDER:model` that was asked.
    pub model: String,
    /// As the provider says that it was, where that is another.
    pub answered_by: Option<String>,
    /// The persona that it spoke as; `null` of the governor itself.
    pub persona: Option<String>,
    /// `check`: it looked at an answer before that was given; `refine`: it answered once more; `null`: neither.
    pub stage: Option<String>,
    /// Hash of the whole prompt.
    pub prompt: Option<String>,
    /// Hash of the rule texts in it.
    pub rules: Option<String>,
    /// What the model was shown; `null` of a persona or a check, and of a call before plans were recorded.
    pub plan: Option<TokenPlanView>,
    /// `null`: no documents were looked through for it.
    pub documents: Option<ShownDocumentsView>,
}

/// Passages of documents in a prompt, in figures alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ShownDocumentsView {
    /// 0: nothing relevant was found, and the model was told so.
    pub found: u64,
    /// That the model was shown, numbered from `[1]`.
    pub shown: u64,
}

/// What a model was shown and what each part of it cost, in tokens; no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TokenPlanView {
    /// What all parts together might take: `context.total_tokens`, or less where the model reads less.
    pub total: u64,
    /// What the model reads at once, its answer included.
    pub window: u64,
    /// Each part is counted with the model's own vocabulary. By a file of `llm.tokenizers` the whole may take a few tokens more
    /// or less than its parts.
    pub exact: bool,
    /// Where it is estimated: 95 of 100 texts are that near; else 0.
    pub error_percent: u64,
    /// In the order of the plan: those that took something, or of which something was left out.
    pub parts: Vec<PlannedPartView>,
    /// Of a long conversation: where older turns were shown in less than they could be.
    pub stages: Vec<PlanStageView>,
}

/// A stage that was left out, or gave way to a simpler one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlanStageView {
    /// `summary` (older turns in short) or `related` (older turns that are near to the message).
    pub stage: String,
    /// `unread` (the journal or its beginning could not be read), `too_old` (there are turns before those that are kept at hand),
    /// `too_many_limits` (of what the user forbade and refused the oldest is left out), `shortened` (the least of the key
    /// points are left out), `no_room` (the plan has no room for more of it), `none_near` (no older turn is near to the
    /// message) or `not_compared` (turns are found by their words alone: the local model gave no vectors in time).
    pub why: String,
}

/// One part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlannedPartView {
    /// `system` (the rules), `user_memory`, `project_memory`, `profile`, `summary` (older turns in short), `related` (older
    /// turns that are near to the message), `task`, `systems`, `documents` (passages that were found), `sources` (outputs of
    /// steps), `recent` (the conversation) or `query` (the message).
    pub part: String,
    /// Its share.
    pub granted: u64,
    /// What it took of it.
    pub used: u64,
    /// Left out: messages of `recent`, which are the last 20 of the conversation, or of a longer one the last 10; key points
    /// of `summary`, turns of `related`, lines of `systems`; of `sources`: outputs that were cut short; of
    /// `documents`: passages that were left out or cut short.
    pub dropped: u64,
}

/// Why it counts as risky, as far as code found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RiskNote {
    /// `null` where nothing of it is on record.
    pub risky: Option<bool>,
    /// Of the risk rules that matched.
    pub codes: Vec<String>,
    /// What they mean, as far as this server's rules still have them.
    pub reasons: Vec<LocalizedText>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PanelView {
    RulesOnly,
    RulesAndModel,
}

mirror!(DacsSource => PanelView: RulesOnly, RulesAndModel);

/// By what it was decided.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct VersionsView {
    /// That the plan and the rulings name, each once, in their order; empty where none is on record.
    pub policies: Vec<PolicyRef>,
    /// Hash of the review's rules; `null` where none is on record.
    pub review_rules: Option<String>,
    /// Hash of the risk rules; `null` before anything was ruled.
    pub risk_rules: Option<String>,
    /// Hashes of the rule texts that models were given, each once.
    pub prompts: Vec<String>,
    /// `PROVIDER:model`, each once.
    pub models: Vec<String>,
    /// Of the server that answers this: no record names the build that decided.
    pub answering_build: String,
}

/// Whether something is shown as enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Proof {
    /// Judged again with these changes, it is allowed; without any one of them it is not.
    Proved,
    /// The policy in force would allow it as it is.
    AlreadyAllowed,
    /// This build judges it otherwise than it was judged, so nothing can be proved.
    OtherRules,
    /// No change that code knows of would have been enough: another request is needed.
    AnotherRequest,
    /// The plan's text is no longer kept.
    Erased,
    /// What a ruling on a model call was made on is not on record, or the values of the step are not kept any
    /// more: its advice is a suggestion.
    NotJudged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NeededKind {
    /// `field` has one line more: `value`.
    AddLine,
    /// `field` is `value` at least.
    RaiseCap,
    /// `field` lacks `value`.
    RemoveLine,
    /// `field` is `value`.
    Set,
    /// A yes, in time.
    Approve,
    Resume,
    ClearRisk,
}

/// One thing that would have to be otherwise, and by whom.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct NeededChange {
    pub kind: NeededKind,
    /// Of the policy, e.g. `allowedHosts` or `tokenBudget.perDay`; `null` where the policy stays, or to who may
    /// not see it.
    pub field: Option<String>,
    #[schema(value_type = Option<Value>)]
    pub value: Option<Value>,
    /// One of these roles can do it: `requester`, `approver`, `owner`, `admin`.
    pub by: Vec<&'static str>,
    /// The one who asks this is among them.
    pub yours: bool,
}

/// The smallest change that would have allowed it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct EnoughView {
    pub proof: Proof,
    /// All of them are needed; empty unless `proved`.
    pub changes: Vec<NeededChange>,
    /// Whose yes is asked for with them; `null` unless something is enough, and of a step.
    pub asks: Option<AsksView>,
}

/// Whoever asks, for what is theirs to do and theirs to see.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking {
    pub rights: Rights,
    pub is_requester: bool,
    /// Whether it was whoever asks who wrote values of the plan in the requester's place; `None`: nobody did.
    pub edited: Option<bool>,
    pub sees_policy: bool,
}

const REQUESTER: &str = "requester";

impl EnoughView {
    pub(crate) const fn unproved(proof: Proof) -> Self {
        Self { proof, changes: Vec::new(), asks: None }
    }

    pub(crate) fn of(found: Result<Enough, Unproved>, asking: Asking) -> Self {
        match found {
            Ok(Enough { changes, asks }) => Self {
                proof: if changes.is_empty() { Proof::AlreadyAllowed } else { Proof::Proved },
                changes: changes.iter().map(|one| needed(one, asks, asking)).collect(),
                asks: Some(asks.into()),
            },
            Err(Unproved::OtherRules) => Self::unproved(Proof::OtherRules),
            Err(Unproved::AnotherRequest) => Self::unproved(Proof::AnotherRequest),
            Err(Unproved::NotKept) => Self::unproved(Proof::NotJudged),
        }
    }
}

fn needed(change: &Change, asks: Asks, asking: Asking) -> NeededChange {
    let owner: &[Role] = &[Role::Owner];
    let (kind, policy, roles) = match change {
        Change::StepType(of) => (NeededKind::AddLine, Some(("allowedStepTypes", json!(of))), owner),
        Change::Host(rule) => (NeededKind::AddLine, Some(("allowedHosts", json!(rule))), owner),
        Change::Path(path) => (NeededKind::AddLine, Some(("allowedPaths", json!(path))), owner),
        Change::Rule(name) => (NeededKind::RemoveLine, Some(("fineRules", json!(name))), owner),
        Change::ForeignAsked => {
            let ask = json!(ForeignTargets::Ask);
            (NeededKind::Set, Some(("approval.foreignTargets", ask)), owner)
        }
        Change::Unverified(task) => {
            (NeededKind::RemoveLine, Some(("requireVerifiedModel", json!(task))), owner)
        }
        Change::Cap { field, least } => {
            let kind = NeededKind::RaiseCap;
            let change =
                policy_change(kind, format!("{}.{}", field.group, field.name), json!(least));
            return of_roles(change, owner, asking);
        }
        Change::Approval => return approve(asks, asking),
        Change::Resumed => (NeededKind::Resume, None, &[Role::Owner, Role::Admin][..]),
        // Never of a conversation of one's own.
        Change::Cleared => {
            let by: &[Role] = &[Role::Approver, Role::Owner, Role::Admin];
            let change = act(NeededKind::ClearRisk);
            let told = of_roles(change, by, asking);
            return NeededChange { yours: told.yours && !asking.is_requester, ..told };
        }
    };
    let change = match policy {
        Some((field, value)) => policy_change(kind, field.to_owned(), value),
        None => act(kind),
    };
    of_roles(change, roles, asking)
}

const fn act(kind: NeededKind) -> NeededChange {
    NeededChange { kind, field: None, value: None, by: Vec::new(), yours: false }
}

fn policy_change(kind: NeededKind, field: String, value: Value) -> NeededChange {
    NeededChange { field: Some(field), value: Some(value), ..act(kind) }
}

fn of_roles(change: NeededChange, by: &[Role], asking: Asking) -> NeededChange {
    let shown = |of: NeededChange| match asking.sees_policy {
        true => of,
        false => NeededChange { field: None, value: None, ..of },
    };
    NeededChange {
        by: by.iter().map(|role| role.as_str()).collect(),
        yours: by.iter().any(|role| role.is_held(asking.rights)),
        ..shown(change)
    }
}

fn approve(asks: Asks, asking: Asking) -> NeededChange {
    let may_judge = asking.rights.owner || asking.rights.approver;
    let (by, yours) = match asks {
        Asks::AnotherPerson => {
            let own = asking.is_requester || asking.edited == Some(true);
            (vec!["approver", "owner"], may_judge && !own)
        }
        Asks::Requester | Asks::Nothing | Asks::Refused if asking.edited.is_some() => {
            (vec![REQUESTER], asking.is_requester)
        }
        Asks::Requester | Asks::Nothing | Asks::Refused => {
            (vec![REQUESTER, "approver", "owner"], may_judge || asking.is_requester)
        }
    };
    NeededChange { by, yours, ..act(NeededKind::Approve) }
}

/// Where an id leads to that somebody asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct DecisionPlace {
    /// Of a decision on a plan, which `/blueprints/{id}/why` tells of.
    pub blueprint: Option<Uuid>,
    /// Of a decision in a turn, which `/sessions/{id}/turns/{turn}/why` tells of.
    pub session: Option<Uuid>,
    pub turn: Option<Uuid>,
}

#[cfg(test)]
mod tests {
    use super::{Asking, EnoughView, NeededKind, Proof};
    use serde_json::json;
    use wiiiv_domain::Asks;
    use wiiiv_gate::Rights;
    use wiiiv_governor::{CapField, Change, Enough, Unproved};

    fn viewer() -> Asking {
        let rights = Rights { viewer: true, ..Rights::default() };
        Asking { rights, is_requester: false, edited: None, sees_policy: true }
    }

    fn told(changes: Vec<Change>, asks: Asks, asking: Asking) -> EnoughView {
        EnoughView::of(Ok(Enough { changes, asks }), asking)
    }

    #[test]
    fn who_may_not_see_the_policy_is_told_whose_act_it_is_and_nothing_of_its_content() {
        let cap =
            Change::Cap { field: CapField { group: "tokenBudget", name: "perDay" }, least: 9 };
        let changes = vec![Change::Path("secret/plans".to_owned()), cap, Change::Resumed];
        let open = told(changes.clone(), Asks::Nothing, viewer());
        let fields: Vec<_> = open.changes.iter().map(|one| one.field.as_deref()).collect();
        assert_eq!(fields, [Some("allowedPaths"), Some("tokenBudget.perDay"), None]);
        assert_eq!(open.changes[1].value, Some(json!(9)));
        let blind = Asking { sees_policy: false, ..viewer() };
        let closed = told(changes, Asks::Nothing, blind);
        assert!(closed.changes.iter().all(|one| one.field.is_none() && one.value.is_none()));
        assert_eq!(closed.changes[0].by, ["owner"]);
        assert!(!serde_json::to_string(&closed).unwrap().contains("secret"));
    }

    #[test]
    fn an_act_names_the_roles_that_can_do_it() {
        let requester = Asking { is_requester: true, ..viewer() };
        let yes = |asks, asking| told(vec![Change::Approval], asks, asking).changes[0].clone();
        let own = yes(Asks::Requester, requester);
        assert_eq!((own.kind, own.yours), (NeededKind::Approve, true));
        assert_eq!(own.by, ["requester", "approver", "owner"]);
        let others = yes(Asks::AnotherPerson, requester);
        assert_eq!((others.by, others.yours), (vec!["approver", "owner"], false));
        let owner = Rights { owner: true, ..Rights::default() };
        // Whoever wrote a value says yes to it no more than the requester does.
        let judge = |edited| Asking { rights: owner, edited, ..viewer() };
        assert!(yes(Asks::AnotherPerson, judge(Some(false))).yours);
        assert!(!yes(Asks::AnotherPerson, judge(Some(true))).yours);
        let confirmed = yes(Asks::Requester, judge(Some(false)));
        assert_eq!((confirmed.by, confirmed.yours), (vec!["requester"], false));
        let clear = |is_requester| {
            let asking = Asking { rights: owner, is_requester, edited: None, sees_policy: true };
            told(vec![Change::Cleared], Asks::Requester, asking).changes[0].yours
        };
        assert!(clear(false) && !clear(true), "nobody clears a conversation of their own");
    }

    #[test]
    fn what_is_not_proved_shows_no_change() {
        let already = told(Vec::new(), Asks::Nothing, viewer());
        assert_eq!((already.proof, already.changes.len()), (Proof::AlreadyAllowed, 0));
        for (why, proof) in [
            (Unproved::OtherRules, Proof::OtherRules),
            (Unproved::AnotherRequest, Proof::AnotherRequest),
            (Unproved::NotKept, Proof::NotJudged),
        ] {
            let other = EnoughView::of(Err(why), viewer());
            assert_eq!((other.proof, other.changes.len(), other.asks), (proof, 0, None));
        }
    }
}
