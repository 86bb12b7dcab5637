//! The chain of gates, written from governance.md and permits.md by a reader of the pages and of
//! the types, without the gates' code. Each clause names what it follows.
//! An answer is every code that speaks against the subject, none is ALLOW: no page orders codes.

use super::yeses::people;
use std::collections::BTreeSet;
use wiiiv_domain::{
    Amount, ArgPlace, BOUND_BYTES_MAX, BudgetWindow, Capability, Confirmation, Consensus,
    DacsSource, DacsStage, DenyCode, Effect, ForeignTargets, ModelPersonas, ModelPrice, ModelSlot,
    PriceTable, ProjectPolicy, ProviderName, Scheme, TaskId, TaskType, Timestamp, UserId,
    WorkspacePath,
};
use wiiiv_gate::{BoundFacts, CallFacts, GateFacts, NodeFacts, PlanFacts, SubjectFacts, Target};

pub type Codes = BTreeSet<DenyCode>;

/// DACS, approval, permission, cost: "Order in the record" (governance.md 5). A gate that is not
/// asked is `None`. Beside them what is only recorded, as `would deny` (4).
pub type Expected = ([Option<Codes>; 4], Codes);

/// All that a case consists of; the prices are the server's.
pub struct Page<'a> {
    pub facts: &'a GateFacts,
    pub policy: &'a ProjectPolicy,
    pub prices: &'a PriceTable,
    pub now: Timestamp,
}

impl Page<'_> {
    /// permits.md 1: "Blueprint and ToolCall are asked all four gates, Step permission, ModelCall
    /// permission (provider, model) and cost; the rest are NOT_ASKED".
    pub fn says(&self) -> Expected {
        match &self.facts.subject {
            SubjectFacts::Blueprint(plan) => {
                let (dacs, would_deny) = self.dacs(plan);
                // permits.md 1: when resuming, "the hold must still stand": nothing is taken anew.
                let amount = if plan.resumes.is_some() { Amount::ZERO } else { plan.estimate };
                let cost = self.cost(amount, plan.requester, plan.task);
                let [approval, permission] = [self.approval(plan), self.plan_permission(plan)];
                ([dacs, approval, permission, cost].map(Some), would_deny)
            }
            SubjectFacts::Step(step) => {
                let permission = &self.stopped() | &self.node(&step.node);
                ([None, None, Some(permission), None], Codes::new())
            }
            SubjectFacts::ModelCall(call) => {
                let [permission, cost] = [self.call_permission(call), self.call_cost(call)];
                ([None, None, Some(permission), Some(cost)], Codes::new())
            }
        }
    }

    /// governance.md 5: "consensus is YES, or the project is in `observe` and the spec is not
    /// risky". The denials, and those that are only recorded.
    pub fn dacs(&self, plan: &PlanFacts) -> (Codes, Codes) {
        let dacs = &plan.dacs;
        // 4: "the more severe of the two, NO > REVISION > YES".
        let model = dacs.model.unwrap_or(Consensus::Yes);
        let verdict = dacs.counted.max(model);
        // permits.md 1: "only a more severe recount sends the task back as REVISION".
        let worse_now = dacs.recounted.max(model) > dacs.counted;
        // 4: model personas are asked "only when `isRisky`", "not called after a rule NO", and
        // "an unreachable, late, malformed or missing persona": "fail closed".
        let asked = self.policy.model_personas == ModelPersonas::Risky
            && plan.risk.risky
            && dacs.recounted != Consensus::No;
        let unheard =
            if dacs.source == DacsSource::RulesOnly { asked } else { dacs.model.is_none() };
        // permits.md 1: verdicts are "never stored or read as such", and "EVIDENCE_MISMATCH is a
        // finding": a snapshot that states another consensus than its opinions is no evidence.
        let forged = dacs.claimed != dacs.counted;
        let against = against([
            (verdict == Consensus::No, DenyCode::DacsNo),
            (verdict == Consensus::Revision || worse_now, DenyCode::DacsRevision),
            // permits.md 1: "A verdict is bound to the persona and DACS rules it was made by".
            (dacs.judged_by != dacs.rules || unheard, DenyCode::DacsMissing),
            (forged, DenyCode::EvidenceMismatch),
        ]);
        let binds = self.policy.dacs_stage == DacsStage::Enforce || plan.risk.risky || forged;
        if binds { (against, Codes::new()) } else { (Codes::new(), against) }
    }

    /// governance.md 5: "not Missing, not expired, approver allowed and distinct …, digest equal".
    fn approval(&self, plan: &PlanFacts) -> Codes {
        // permits.md 1: "consumed by this execution" counts as given.
        if let Some((_, begun_with)) = plan.resumes {
            return against([(begun_with != plan.digest, DenyCode::ApprovalStaleDigest)]);
        }
        // Issue 26, 7: a foreign "host, path, recipient, statement" is "denied by policy".
        let deny = self.policy.approval.foreign_targets == ForeignTargets::Deny;
        let bound = |b: &BoundFacts| ArgPlace::of_arg(&b.arg).is_some_and(ArgPlace::is_target);
        let foreign = |n: &NodeFacts| n.foreign.iter().any(|place| place.is_target());
        if deny && plan.nodes.iter().any(|n| n.bound.iter().any(bound) || foreign(n)) {
            return Codes::from([DenyCode::TaintedArgument]);
        }
        // 2: "a risky Blueprint is always confirmed"; issue 26, 5: what was edited is asked anew.
        let confirmed = plan.risk.risky || !plan.editors.is_empty() || self.must_confirm(plan);
        let carried = plan.nodes.iter().any(|node| self.goes_where_a_value_says(node));
        // 6: "which risk needs whom, how many", 5: "distinct" people; risk adds a deny: no less.
        let normal = self.policy.approval.normal;
        let risky = if plan.risk.risky { self.policy.approval.risky } else { normal };
        let by = risky.by.max(normal.by);
        let yeses: Vec<Codes> = plan.approvals.iter().map(|y| self.yes(y, plan, by)).collect();
        let counted = plan.approvals.iter().zip(&yeses).filter(|(_, codes)| codes.is_empty());
        let people = people(&counted.map(|(yes, _)| yes).collect::<Vec<_>>());
        let most = usize::from(risky.approvers.max(normal.approvers));
        let enough = people >= most || super::grants::cover(self, plan);
        let missing = (yeses.iter().all(Codes::is_empty) && confirmed, DenyCode::ApprovalMissing);
        let asked = against([missing, (carried, DenyCode::TaintedArgument)]);
        let speaking = yeses.into_iter().flatten().chain(asked);
        if enough || !(confirmed || carried) { Codes::new() } else { speaking.collect() }
    }

    /// governance.md 2: "even `never` asks where a host, path or query value did not come from the
    /// user's own words"; a bound value is an output's (permits.md 1). reliability.md 3: a tainted
    /// turn "loses automatic approval for writes and egress"; a bound body is an output that leaves.
    pub fn goes_where_a_value_says(&self, node: &NodeFacts) -> bool {
        let bound = node.bound.iter().any(|b| b.arg != "content" && b.arg != "when");
        let written = node.foreign.iter().any(|place| *place != ArgPlace::Content);
        node.target != Target::Inside && (self.facts.standing.tainted || bound || written)
    }

    /// The column "confirmation by default" of governance.md 2, unless policy replaces it.
    fn must_confirm(&self, plan: &PlanFacts) -> bool {
        use TaskType as T;
        let by_default = match plan.task_type {
            T::Conversation | T::Information | T::FileRead => Confirmation::Never,
            // `TaskType`: "A page alone is a READ; saved to a file it is a write."
            T::ApiWorkflow | T::DbQuery | T::WebFetch => Confirmation::UnlessRead,
            T::WorkflowRun | T::WorkflowManage => Confirmation::UnlessRead, // "as the nodes"
            T::FileWrite | T::FileDelete | T::CodeEdit | T::Command => Confirmation::Always,
            T::ProjectCreate | T::WorkflowCreate => Confirmation::Always,
        };
        let reads = |node: &NodeFacts| node.effect.max(node.acts) == Effect::Read;
        match self.policy.confirmation.get(&plan.task_type).unwrap_or(&by_default) {
            Confirmation::Always => true,
            Confirmation::UnlessRead => !plan.nodes.iter().all(reads),
            Confirmation::Risky | Confirmation::Never => false,
        }
    }

    fn plan_permission(&self, plan: &PlanFacts) -> Codes {
        // ADR 0020; of a run that begins.
        let verify = self.policy.require_verified_model.contains(&plan.task_type);
        let verified = !(verify && self.facts.standing.unverified && plan.resumes.is_none());
        let contradicts = (!plan.faults.is_empty(), DenyCode::EvidenceMismatch);
        let nodes = plan.nodes.iter().flat_map(|node| self.node(node));
        let whole = against([(!verified, DenyCode::ModelUnverified), contradicts]);
        whole.into_iter().chain(self.stopped()).chain(nodes).collect()
    }

    /// 5: both "under Permission"; 7: "over the hard stop nothing executes".
    fn stopped(&self) -> Codes {
        let halted = (self.facts.standing.halted, DenyCode::Halted);
        against([halted, (self.facts.risk_hold, DenyCode::SessionRiskHold)])
    }

    /// governance.md 5: "every list allows it"; "default deny".
    fn node(&self, node: &NodeFacts) -> Codes {
        let listed = self.policy.allowed_step_types.contains(&node.step_type);
        // 5: "executor's declared metadata"; permits.md 1: keyed by "contract version".
        let (contradicts, able) = node.executor.as_ref().map_or((false, true), |executor| {
            let has = |needed: &Capability| executor.capabilities.contains(needed);
            let needed: &[Capability] = match node.effect {
                Effect::Read => &[node.needs],
                Effect::Write => &[Capability::Write, Capability::Send],
                Effect::Delete => &[Capability::Delete],
                Effect::Execute => &[Capability::Execute],
            };
            // 2: a task's effect is "the greatest effect of its drawn steps": none hides its own.
            let contradicts = node.contract != Some(executor.contract) || node.effect < node.acts;
            (contradicts, has(&node.needs) && needed.iter().any(has))
        });
        let (path, host) = match &node.target {
            Target::Inside => (true, true),
            Target::Path { directory, name } => (self.lists_path(directory, name.as_deref()), true),
            Target::Place { scheme, host, port, .. } => (true, self.lists(*scheme, host, *port)),
        };
        // permits.md 1: "as one value, never as syntax", "at most 1 MB".
        let large = |b: &BoundFacts| b.max_bytes > BOUND_BYTES_MAX || b.bytes > Some(b.max_bytes);
        let bound = !node.bound.iter().any(|b| b.is_syntax || large(b));
        against([
            (!listed || node.executor.is_none(), DenyCode::StepTypeNotAllowed),
            (contradicts, DenyCode::EvidenceMismatch),
            (!able, DenyCode::PolicyForbids),
            (!path, DenyCode::PathNotAllowed),
            (!host, DenyCode::HostNotAllowed),
            (!bound, DenyCode::BindingNotAllowed),
        ])
    }

    /// "Exact name or address, or `*.name` for its subdomains" (`HostRule`).
    fn lists(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        self.policy.allowed_hosts.iter().any(|line| {
            let below = |suffix: &str| host.len() > suffix.len() && host.ends_with(suffix);
            let named = line.host.strip_prefix('*').map_or(host == line.host, below);
            named
                && line.scheme.is_none_or(|only| only == scheme)
                && line.port.unwrap_or(scheme.default_port())
                    == port.unwrap_or(scheme.default_port())
        })
    }

    /// governance.md 2, "Paths": "A system directory must be named to be allowed", by components.
    fn lists_path(&self, directory: &str, name: Option<&str>) -> bool {
        let path = format!("{directory}/{}", name.unwrap_or("any-other-name"));
        let Ok(path) = WorkspacePath::parse(&path) else { return false };
        let own = path.components();
        let is_system = WorkspacePath::SYSTEM_DIRECTORIES.contains(&own[0].as_str());
        self.policy.allowed_paths.iter().any(|line| {
            let line: Vec<&str> = line.split('/').filter(|part| !part.is_empty()).collect();
            let under = own.len() >= line.len() && line.iter().zip(own).all(|(l, o)| l == o);
            under && !(is_system && line.is_empty())
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
        let windows = BudgetWindow::all(self.facts.project, user, task, self.now);
        let over = windows.iter().zip(caps).map(|(window, (cap, money_cap))| {
            let lines = self.facts.budget.lines.iter().filter(|line| line.window == *window);
            let used = lines.flat_map(|line| [line.settled, line.held]);
            let all = used.fold(amount, |all, used| Amount {
                tokens: all.tokens + used.tokens,
                micros: all.micros.map(|micros| micros + used.micros.unwrap_or(0)),
            });
            let money_over = all.micros.zip(money_cap).is_some_and(|(all, cap)| all > cap);
            against([
                (cap.is_some_and(|cap| all.tokens > cap), DenyCode::TokenBudgetExceeded),
                (money_over, DenyCode::CostLimitExceeded),
                // 6: only with "no money cap" does "an unpriced model" work.
                (amount.micros.is_none() && money_cap.is_some(), DenyCode::ModelUnpriced),
            ])
        });
        if amount.is_zero() { Codes::new() } else { over.flatten().collect() }
    }

    /// permits.md 1: "permission (provider, model)".
    fn call_permission(&self, call: &CallFacts) -> Codes {
        let (policy, asked) = (self.policy, (call.provider, call.model.as_str()));
        // "`model`, or `PROVIDER:model` of another provider" (`ProjectPolicy`).
        let of = |name: &str| match name.split_once(':') {
            Some((provider, model)) => (asked.0.as_str(), asked.1) == (provider, model),
            None => asked == (policy.llm_provider, name),
        };
        let fallbacks = policy.model_fallbacks.iter().map(|f| (f.provider, f.model.as_str()));
        let governor = [(policy.llm_provider, policy.model())];
        let named = match call.slot {
            ModelSlot::Generator => of(policy.generator_model.as_deref().unwrap_or(policy.model())),
            ModelSlot::Embedding => policy.embedding_model.as_deref().is_some_and(of),
            ModelSlot::Governor => governor.into_iter().chain(fallbacks).any(|one| one == asked),
        };
        against([(self.facts.standing.halted, DenyCode::Halted), (!named, DenyCode::PolicyForbids)])
    }

    /// permits.md 1: "the hold is their worst case, computed by gate from the price table".
    fn call_cost(&self, call: &CallFacts) -> Codes {
        let key = format!("{}:{}", call.provider.as_str(), call.model);
        let price = self.policy.model_prices.get(&key).or(self.prices.0.get(&key));
        let (output, attempts) = (call.max_output_tokens, u64::from(call.attempts));
        let dearest = |price: &ModelPrice| {
            (0..=call.max_input_tokens).filter_map(|input| price.cost(input, output)).max()
        };
        let amount = Amount {
            tokens: (call.max_input_tokens + output) * attempts,
            micros: price.and_then(dearest).map(|micros| micros * attempts),
        };
        // `ProviderName::is_built_in`: "no budget counts or stops it".
        let is_free = call.provider == ProviderName::Offline;
        self.cost(if is_free { Amount::ZERO } else { amount }, call.user, call.task)
    }
}

pub fn against<const N: usize>(causes: [(bool, DenyCode); N]) -> Codes {
    causes.into_iter().filter_map(|(speaks, code)| speaks.then_some(code)).collect()
}
