//! The chain of gates, written from governance.md, permits.md, issue 26 and the ADRs by a reader of these and
//! of the types, without the gates' code. Each clause names what it follows: a number alone is a section of
//! governance.md. An answer is every code that speaks against it: none is ALLOW, and no page orders codes.

use super::{Codes, Expected, against, cases::Case};
use crate::test_gate::now;
use std::{collections::BTreeSet, slice::from_ref};
use wiiiv_domain::{
    Amount, ApprovalBy, ArgPlace, BOUND_BYTES_MAX, BudgetWindow, Capability, Confirmation,
    Consensus, DacsSource, DacsStage, DenyCode, Effect, ForeignTargets, ModelPersonas, ModelSlot,
    ProviderName, TaskId, TaskType, UserId, WorkspacePath,
};
use wiiiv_gate::{
    ApprovalFacts, BoundFacts, CallFacts, GrantCover, GrantFacts, NodeFacts, PlanFacts, Rights,
    SubjectFacts, Target,
};

impl Case {
    /// permits.md 1: "Blueprint and ToolCall are asked all four gates, Step permission, ModelCall permission
    /// (provider, model) and cost; the rest are NOT_ASKED". 5: "Order in the record".
    pub fn expected(&self) -> Expected {
        match &self.facts.subject {
            SubjectFacts::Blueprint(plan) => {
                let [dacs, would_deny] = self.dacs(plan);
                let permission = self.permission(&plan.nodes, Some(plan));
                // permits.md 1: when resuming, "the hold must still stand": nothing is taken anew.
                let amount = if plan.resumes.is_some() { Amount::ZERO } else { plan.estimate };
                let cost = self.cost(amount, plan.requester, plan.task);
                ([dacs, self.approval(plan), permission, cost].map(Some), would_deny)
            }
            SubjectFacts::Step(step) => {
                let permission = self.permission(from_ref(&step.node), None);
                ([None, None, Some(permission), None], Codes::new())
            }
            SubjectFacts::ModelCall(call) => {
                let [permission, cost] = self.call(call).map(Some);
                ([None, None, permission, cost], Codes::new())
            }
        }
    }

    /// 5: "consensus is YES, or the project is in `observe` and the spec is not risky": denies, or `would deny`.
    fn dacs(&self, plan: &PlanFacts) -> [Codes; 2] {
        let (dacs, risky) = (&plan.dacs, plan.risk.risky);
        let model = dacs.model.unwrap_or(Consensus::Yes);
        let verdict = dacs.counted.max(model); // 4: "the more severe of the two, NO > REVISION > YES"
        // permits.md 1: "only a more severe recount sends the task back as REVISION".
        let worse_now = dacs.recounted.max(model) > dacs.counted;
        // 4: model personas "only when `isRisky`", "not called after a rule NO"; one "missing": "fail closed".
        let called = risky && dacs.recounted != Consensus::No;
        let asked = called && self.policy.model_personas == ModelPersonas::Risky;
        let lacks = if dacs.source == DacsSource::RulesOnly { asked } else { dacs.model.is_none() };
        // permits.md 1: verdicts are "never stored or read as such", and "EVIDENCE_MISMATCH is a finding": a
        // snapshot that states another consensus than its opinions is no evidence.
        let forged = dacs.claimed != dacs.counted;
        let against = against([
            (verdict == Consensus::No, DenyCode::DacsNo),
            (verdict == Consensus::Revision || worse_now, DenyCode::DacsRevision),
            // permits.md 1: "A verdict is bound to the persona and DACS rules it was made by".
            (dacs.judged_by != dacs.rules || lacks, DenyCode::DacsMissing),
            (forged, DenyCode::EvidenceMismatch),
        ]);
        let binds = self.policy.dacs_stage == DacsStage::Enforce || risky || forged;
        if binds { [against, Codes::new()] } else { [Codes::new(), against] }
    }

    /// 5: "not Missing, not expired, approver allowed and distinct …, digest equal".
    fn approval(&self, plan: &PlanFacts) -> Codes {
        // permits.md 1: "consumed by this execution" counts as given.
        if let Some((_, begun_with)) = plan.resumes {
            return against([(begun_with != plan.digest, DenyCode::ApprovalStaleDigest)]);
        }
        let (rules, risky) = (&self.policy.approval, plan.risk.risky);
        // Issue 26, 7: a foreign "host, path, recipient, statement" is "denied by policy".
        let to = |b: &BoundFacts| ArgPlace::of_arg(&b.arg).is_some_and(ArgPlace::is_target);
        let led = |n: &NodeFacts| n.foreign.iter().any(|p| p.is_target()) || n.bound.iter().any(to);
        if plan.nodes.iter().any(led) && rules.foreign_targets == ForeignTargets::Deny {
            return Codes::from([DenyCode::TaintedArgument]);
        }
        // 2: "a risky Blueprint is always confirmed"; issue 26, 5: what was edited is asked anew.
        let asks = self.confirmation(plan.task_type).0;
        let changes = plan.nodes.iter().any(|n| n.effect.max(n.acts) > Effect::Read);
        let by_type = asks == Confirmation::Always || (changes && asks == Confirmation::UnlessRead);
        let confirmed = by_type || risky || !plan.editors.is_empty();
        // 2: "even `never` asks where a host, path or query value did not come from the user's own words"; a
        // bound value is an output's (permits.md 1), a bound body an output that leaves. reliability.md 3: a
        // tainted turn "loses automatic approval for writes and egress".
        let written = |n: &NodeFacts| n.foreign.iter().any(|place| *place != ArgPlace::Content);
        let bound = |n: &NodeFacts| n.bound.iter().any(|b| b.arg != "content" && b.arg != "when");
        let mut outside = plan.nodes.iter().filter(|n| n.target != Target::Inside);
        let carried = outside.any(|n| self.facts.standing.tainted || written(n) || bound(n));
        // 6: "which risk needs whom, how many", 5: "distinct" people; risk adds a deny: no less.
        let (least, own) = (rules.normal, if risky { rules.risky } else { rules.normal });
        let (by, most) = (own.by.max(least.by), own.approvers.max(least.approvers));
        let refused = |yes: &ApprovalFacts| self.refused(yes, plan, by);
        let counted: Vec<_> = plan.approvals.iter().filter(|yes| refused(yes).is_empty()).collect();
        let refused: Codes = plan.approvals.iter().flat_map(refused).collect();
        let missing = (confirmed && refused.is_empty(), DenyCode::ApprovalMissing);
        let asked = against([missing, (carried, DenyCode::TaintedArgument)]);
        let enough = people(&counted) >= usize::from(most) || (!carried && self.granted(plan));
        if enough || !(confirmed || carried) { Codes::new() } else { &refused | &asked }
    }
    /// The column "confirmation by default" of 2, unless policy replaces it; and whether a grant may do instead:
    /// not for "CODE_EDIT and commands" (issue 26, 5), nor for what "is asked about each time" (ADR 0049).
    fn confirmation(&self, task: TaskType) -> (Confirmation, bool) {
        use {Confirmation as C, TaskType as T};
        let (by_default, by_grant) = match task {
            T::Conversation | T::Information => (C::Never, false),
            T::FileRead => (C::Never, true),
            // `TaskType`: "A page alone is a READ; saved to a file it is a write."; 2: "as the nodes".
            T::ApiWorkflow | T::DbQuery | T::WebFetch | T::WorkflowRun => (C::UnlessRead, true),
            T::WorkflowManage => (C::UnlessRead, false),
            T::FileWrite => (C::Always, true),
            T::FileDelete | T::CodeEdit | T::Command => (C::Always, false),
            T::ProjectCreate | T::WorkflowCreate => (C::Always, false),
        };
        (*self.policy.confirmation.get(&task).unwrap_or(&by_default), by_grant)
    }
    /// What keeps a yes from counting. ADR 0048, four eyes: who asks, who lends a right and who uses it are
    /// three people, no editor is one of them (0051), and the right is none outside its time.
    fn refused(&self, yes: &ApprovalFacts, plan: &PlanFacts, by: ApprovalBy) -> Codes {
        let allowed = yes.on_behalf.map_or(may(plan, yes.approver, yes.rights, by), |lent| {
            let people = BTreeSet::from([plan.requester, lent.delegator, yes.approver]);
            let apart = people.len() == 3 && people.is_disjoint(&plan.editors);
            let theirs = by == ApprovalBy::Requester && !plan.editors.is_empty();
            apart && !theirs && (lent.rights.owner || lent.rights.approver)
        });
        let lent = yes.on_behalf.is_none_or(|l| (l.from..l.until).contains(&now()));
        against([
            (!allowed, DenyCode::ApproverNotAllowed),
            (yes.expires_at <= now() || !lent, DenyCode::ApprovalExpired), // permits.md 2: ">:now"
            (yes.digest != plan.digest, DenyCode::ApprovalStaleDigest),
        ])
    }
    /// "Where a grant covers a plan, the flow does not ask" (issue 26, 5; `PreApproved` of 5), unless it is
    /// `carried`. This counts what is needed and what is left; the gate takes them one by one.
    fn granted(&self, plan: &PlanFacts) -> bool {
        let (asks, by_grant) = self.confirmation(plan.task_type);
        let normal = self.policy.approval.normal;
        // "Never for: plans with a risky ruling, tainted or foreign targets, CODE_EDIT and commands, quorum of
        // more than one"; nor where the review has anything against it, in any stage; nor what was edited (0051).
        let by_call = |n: &NodeFacts| matches!(n.needs, Capability::Delete | Capability::Execute);
        let removes = |n: &NodeFacts| by_call(n) || n.effect.max(n.acts) > Effect::Write;
        let plain = !plan.risk.risky && plan.editors.is_empty() && !plan.nodes.iter().any(removes);
        let sound = plan.faults.is_empty() && self.dacs(plan).iter().all(Codes::is_empty);
        // "A person who may approve (under `by: another_person`, not the requester)"; count and expiry.
        let begun = |g: &&GrantFacts| g.not_before.is_none_or(|from| from <= now());
        let live = plan.grants.iter().filter(|g| g.left > 0 && g.expires_at > now()).filter(begun);
        let grants: Vec<_> = live.filter(|g| may(plan, g.granter, g.rights, normal.by)).collect();
        // "Every step that needs approval": what changes something, under `always` also what looks outside.
        let changes = |n: &NodeFacts| n.effect.max(n.acts) > Effect::Read;
        let looks = |n: &NodeFacts| asks == Confirmation::Always && n.target != Target::Inside;
        let needed: Vec<_> = plan.nodes.iter().filter(|n| looks(n) || changes(n)).collect();
        let names = |grant: &GrantFacts, node: &NodeFacts| match &grant.covers {
            GrantCover::Whole => true, // "one stored workflow version": the plan's steps are exactly its
            GrantCover::Steps(steps) => steps.contains(&node.step),
        };
        let covered = |n: &&NodeFacts| {
            let alike = |one: &&&NodeFacts| grants.iter().any(|g| names(g, n) && names(g, one));
            let left: usize = grants.iter().filter(|g| names(g, n)).map(|g| g.left as usize).sum();
            (1..=left).contains(&needed.iter().filter(alike).count())
        };
        let all = !needed.is_empty() && needed.iter().all(covered);
        let whole = grants.iter().any(|grant| grant.covers == GrantCover::Whole);
        by_grant && plain && sound && normal.approvers <= 1 && (whole || all)
    }

    /// 5: both "under Permission"; 7: "over the hard stop nothing executes". ADR 0020: where a run begins.
    fn permission(&self, nodes: &[NodeFacts], plan: Option<&PlanFacts>) -> Codes {
        let begins = plan.filter(|plan| plan.resumes.is_none()).map(|plan| plan.task_type);
        let verify = begins.is_some_and(|t| self.policy.require_verified_model.contains(&t));
        let whole = against([
            (self.facts.standing.halted, DenyCode::Halted),
            (self.facts.risk_hold, DenyCode::SessionRiskHold),
            (verify && self.facts.standing.unverified, DenyCode::ModelUnverified),
            (plan.is_some_and(|plan| !plan.faults.is_empty()), DenyCode::EvidenceMismatch),
        ]);
        nodes.iter().flat_map(|node| self.node(node)).chain(whole).collect()
    }
    /// 5: "executor's declared metadata", keyed by "contract version" (permits.md 1); "every list allows it".
    fn node(&self, node: &NodeFacts) -> Codes {
        let executor = node.executor.as_ref();
        let has = |one: Capability| executor.is_none_or(|e| e.capabilities.contains(&one));
        let able = match node.effect {
            Effect::Read => true,
            Effect::Write => has(Capability::Write) || has(Capability::Send),
            Effect::Delete => has(Capability::Delete),
            Effect::Execute => has(Capability::Execute),
        };
        // 2: a task's effect is "the greatest effect of its drawn steps": none hides its own.
        let hides = node.effect < node.acts;
        let contradicts = executor.is_some_and(|e| hides || node.contract != Some(e.contract));
        // permits.md 1: "as one value, never as syntax", "at most 1 MB".
        let large = |b: &BoundFacts| b.max_bytes > BOUND_BYTES_MAX || b.bytes > Some(b.max_bytes);
        let listed = self.policy.allowed_step_types.contains(&node.step_type);
        against([
            (!listed || executor.is_none(), DenyCode::StepTypeNotAllowed),
            (contradicts, DenyCode::EvidenceMismatch),
            (!able || !has(node.needs), DenyCode::PolicyForbids),
            (!self.lists_path(&node.target), DenyCode::PathNotAllowed),
            (!self.lists_host(&node.target), DenyCode::HostNotAllowed),
            (node.bound.iter().any(|b| b.is_syntax || large(b)), DenyCode::BindingNotAllowed),
        ])
    }
    /// 5: "default deny". "Exact name or address, or `*.name` for its subdomains" (`HostRule`).
    fn lists_host(&self, target: &Target) -> bool {
        let Target::Place { scheme, host, port, .. } = target else { return true };
        let at = |port: Option<u16>| port.unwrap_or(scheme.default_port());
        self.policy.allowed_hosts.iter().any(|line| {
            let below = |suffix: &str| host.len() > suffix.len() && host.ends_with(suffix);
            let named = line.host.strip_prefix('*').map_or(*host == line.host, below);
            named && line.scheme.is_none_or(|only| only == *scheme) && at(line.port) == at(*port)
        })
    }
    /// 2, "Paths": "A system directory must be named to be allowed", by components.
    fn lists_path(&self, target: &Target) -> bool {
        let Target::Path { directory, name } = target else { return true };
        let path = format!("{directory}/{}", name.as_deref().unwrap_or("any-other-name"));
        let Ok(path) = WorkspacePath::parse(&path) else { return false };
        let own: Vec<&str> = path.components().iter().map(String::as_str).collect();
        let is_system = WorkspacePath::SYSTEM_DIRECTORIES.contains(&own[0]);
        self.policy.allowed_paths.iter().any(|line| {
            let line: Vec<&str> = line.split('/').filter(|part| !part.is_empty()).collect();
            own.starts_with(&line) && !(is_system && line.is_empty())
        })
    }

    /// permits.md 2: "settled+held+:a<=:cap" for every window.
    fn cost(&self, amount: Amount, user: UserId, task: TaskId) -> Codes {
        let (tokens, money) = (&self.policy.token_budget, &self.policy.cost_limit);
        let caps = [
            (tokens.per_run, money.per_run_micros),
            (tokens.per_day, money.per_day_micros),
            (tokens.per_month, money.per_month_micros),
            (tokens.per_user_day, money.per_user_day_micros),
            (tokens.per_user_month, money.per_user_month_micros),
        ];
        let windows = BudgetWindow::all(self.facts.project, user, task, now());
        let over = windows.iter().zip(caps).flat_map(|(window, (cap, money_cap))| {
            let lines = self.facts.budget.lines.iter().filter(|line| line.window == *window);
            let used: Vec<Amount> = lines.flat_map(|line| [line.settled, line.held]).collect();
            let tokens = amount.tokens + used.iter().map(|used| used.tokens).sum::<u64>();
            let spent: u64 = used.iter().filter_map(|used| used.micros).sum();
            let money = amount.micros.map(|micros| micros + spent);
            against([
                (cap.is_some_and(|cap| tokens > cap), DenyCode::TokenBudgetExceeded),
                (money_cap.is_some_and(|cap| money > Some(cap)), DenyCode::CostLimitExceeded),
                // 6: only with "no money cap" does "an unpriced model" work.
                (money_cap.is_some() && money.is_none(), DenyCode::ModelUnpriced),
            ])
        });
        if amount.is_zero() { Codes::new() } else { over.collect() }
    }
    /// permits.md 1: "permission (provider, model) and cost"; "their worst case, computed by gate".
    fn call(&self, call: &CallFacts) -> [Codes; 2] {
        let policy = &self.policy;
        // "`model`, or `PROVIDER:model` of another provider" (`ProjectPolicy`).
        let full = |provider: ProviderName, model: &str| format!("{}:{model}", provider.as_str());
        let own = |name: &str| full(policy.llm_provider, name);
        let asked = full(call.provider, &call.model);
        let of = |name: &str| asked == if name.contains(':') { name.to_owned() } else { own(name) };
        let fallbacks = policy.model_fallbacks.iter().map(|f| full(f.provider, &f.model));
        let named = match call.slot {
            ModelSlot::Generator => of(policy.generator_model.as_deref().unwrap_or(policy.model())),
            ModelSlot::Embedding => policy.embedding_model.as_deref().is_some_and(of),
            ModelSlot::Governor => fallbacks.chain([own(policy.model())]).any(|one| one == asked),
        };
        let halted = (self.facts.standing.halted, DenyCode::Halted);
        let permission = against([halted, (!named, DenyCode::PolicyForbids)]);
        let price = policy.model_prices.get(&asked).or(self.prices.0.get(&asked));
        let (output, attempts) = (call.max_output_tokens, u64::from(call.attempts));
        let costs = (0..=call.max_input_tokens).filter_map(|input| price?.cost(input, output));
        let micros = costs.max().map(|micros| micros * attempts);
        let tokens = (call.max_input_tokens + output) * attempts;
        // `ProviderName::is_built_in`: "no budget counts or stops it".
        let is_free = matches!(call.provider, ProviderName::Offline | ProviderName::Local);
        let amount = if is_free { Amount::ZERO } else { Amount { tokens, micros } };
        [permission, self.cost(amount, call.user, call.task)]
    }
}

/// The roles of docs/operator.md; 1: "no administrator flag". ADR 0051: no editor, and where the requester is
/// asked, nobody confirms for them what somebody else wrote.
fn may(plan: &PlanFacts, who: UserId, rights: Rights, by: ApprovalBy) -> bool {
    let (own, judges) = (who == plan.requester, rights.owner || rights.approver);
    match by {
        ApprovalBy::Requester if own => judges || rights.editor,
        ApprovalBy::Requester => judges && plan.editors.is_empty(),
        ApprovalBy::AnotherPerson => judges && !own && !plan.editors.contains(&who),
    }
}

/// ADR 0045: people are counted; 0048: "one right counts once". The most that can be chosen of them.
fn people(yeses: &[&ApprovalFacts]) -> usize {
    let Some((one, rest)) = yeses.split_first() else { return 0 };
    let right = |yes: &ApprovalFacts| yes.on_behalf.map_or(yes.approver, |lent| lent.delegator);
    let apart = |yes: &&ApprovalFacts| yes.approver != one.approver && right(yes) != right(one);
    people(rest).max(1 + people(&rest.iter().copied().filter(apart).collect::<Vec<_>>()))
}
