//! An override is in force by two people alone, within its scope, until its time is over; then the rules before
//! it are back to the letter.

use crate::test_gate::{
    APPROVER, EDITOR, OWNER, TestGate, VIEWER, execution, id, now, permissive, ruling,
};
use std::sync::Arc;
use wiiiv_domain::{
    ApprovalBy, Blueprint, DacsStage, DenyCode, OverrideEnd, OverrideId, OverrideMark,
    OverrideProposal, OverrideScope, PolicyDocument, ProjectPolicy, TaskType, Timestamp,
};
use wiiiv_gate::{
    Claim, EvidenceError, PolicySnapshot, PolicyVersion, Purpose, Recorded, Resolved, Rights,
    RunPermit, Start, UserEvent, UserEventKind, policy, policy_override,
};

const MINUTES: i64 = 60;
const OWNING: u128 = 5;
const JOINING: u128 = 6;

/// Files in `notes` alone; a write runs without a question.
fn before() -> ProjectPolicy {
    let mut policy = permissive();
    policy.allowed_paths = vec!["notes".into()];
    policy.confirmation.insert(TaskType::FileWrite, wiiiv_domain::Confirmation::Never);
    policy
}

fn during() -> ProjectPolicy {
    ProjectPolicy { allowed_paths: vec!["notes".into(), "ops".into()], ..before() }
}

fn override_id() -> OverrideId {
    id(70)
}

struct Made {
    test: TestGate,
    first: Recorded<PolicyVersion>,
    proposal: OverrideProposal,
    document: PolicyDocument,
}

impl Made {
    fn new(scope: OverrideScope) -> Self {
        Self::over(before(), during(), scope)
    }

    fn over(before: ProjectPolicy, during: ProjectPolicy, scope: OverrideScope) -> Self {
        let test = TestGate::new();
        let first = test.record(&policy::initial(test.document(before.clone())).unwrap());
        let proposal = OverrideProposal {
            version: OverrideProposal::VERSION,
            id: override_id(),
            project: test.project,
            on: first.body().document().id,
            scope,
            ttl_seconds: 60 * 60,
            reason: "the night shift".into(),
            policy: during.clone(),
        };
        let temporary = policy_override::temporary(&proposal, &before, now());
        let document = PolicyDocument {
            id: id(11),
            number: 2,
            author: Some(id(OWNING)),
            reason: proposal.reason.clone(),
            policy: during,
            of_override: Some(OverrideMark::Temporary(temporary)),
            ..test.document(before)
        };
        Self { test, first, proposal, document }
    }

    fn yes(&self, user: u128, rights: Rights, proposes: bool) -> Recorded<UserEvent> {
        let digest = policy_override::proposal_digest(&self.proposal).unwrap();
        let kind = match proposes {
            true => UserEventKind::ProposeOverride { digest },
            false => UserEventKind::ApproveOverride { digest },
        };
        self.test.event(&self.test.person(id(user), rights), kind)
    }

    fn made(
        &self,
        proposed: &Recorded<UserEvent>,
        approved: &Recorded<UserEvent>,
    ) -> Result<Recorded<PolicyVersion>, EvidenceError> {
        let (proposal, document) = (&self.proposal, self.document.clone());
        let made =
            policy_override::overridden((proposed, approved), proposal, document, &self.first)?;
        Ok(self.test.record(&self.test.opened.registrar.take(made).unwrap()))
    }

    fn version(&self) -> Recorded<PolicyVersion> {
        let (one, two) = (self.yes(OWNING, OWNER, true), self.yes(JOINING, APPROVER, false));
        self.made(&one, &two).unwrap()
    }

    fn snapshot(&self) -> Arc<PolicySnapshot> {
        Arc::new(self.test.opened.keeper.compile(&self.version()).unwrap())
    }

    /// A ruling on a plan at that time, with the start that its commit would write.
    fn ruled(
        &self,
        plan: &Blueprint,
        policy: &Arc<PolicySnapshot>,
        at: Timestamp,
    ) -> (Claim, wiiiv_gate::Ruled<Blueprint>) {
        let cx = self.test.gather(plan.clone(), policy, self.test.evidence(Vec::new()));
        self.test.opened.keeper.rule(cx, at)
    }

    fn begun(&self, plan: &Blueprint, policy: &Arc<PolicySnapshot>) -> RunPermit {
        let (claim, ruled) = self.ruled(plan, policy, now());
        let done = self.test.opened.registrar.attest(claim, self.test.next());
        ruled.seal(done).unwrap().begin()
    }
}

fn codes(claim: &Claim) -> Vec<DenyCode> {
    claim.record().codes()
}

#[test]
fn it_takes_two_different_people_who_may() {
    let made = Made::new(OverrideScope::Window);
    let (one, two) = (made.yes(OWNING, OWNER, true), made.yes(JOINING, APPROVER, false));
    let version = made.made(&one, &two).unwrap();
    assert_eq!(
        (version.body().event(), version.body().proposed()),
        (Some(two.at()), Some(one.at()))
    );
    for (proposed, approved, due) in [
        ((OWNING, OWNER), (OWNING, APPROVER), EvidenceError::SamePerson),
        ((OWNING, EDITOR), (JOINING, APPROVER), EvidenceError::NotAllowed),
        ((OWNING, APPROVER), (JOINING, APPROVER), EvidenceError::NotAllowed),
        ((OWNING, OWNER), (JOINING, EDITOR), EvidenceError::NotAllowed),
        ((OWNING, OWNER), (JOINING, VIEWER), EvidenceError::NotAllowed),
    ] {
        let proposed = made.yes(proposed.0, proposed.1, true);
        let approved = made.yes(approved.0, approved.1, false);
        assert_eq!(made.made(&proposed, &approved).err(), Some(due));
    }
    // A yes is none to another proposal, and proposing is no approving.
    assert_eq!(made.made(&two, &one).err(), Some(EvidenceError::OtherSubject));
    assert_eq!(made.made(&one, &one).err(), Some(EvidenceError::OtherSubject));
    let mut longer = Made::new(OverrideScope::Window);
    longer.proposal.ttl_seconds += 60;
    let late = longer.made(&longer.yes(OWNING, OWNER, true), &two);
    assert_eq!(late.err(), Some(EvidenceError::Foreign));
    let digest = policy_override::proposal_digest(&longer.proposal).unwrap();
    let other = UserEventKind::ApproveOverride { digest };
    let other = made.test.event(&made.test.person(id(JOINING), APPROVER), other);
    assert_eq!(made.made(&one, &other).err(), Some(EvidenceError::StaleDigest));
}

#[test]
fn a_version_says_nothing_but_what_was_approved() {
    let check = |change: &dyn Fn(&mut PolicyDocument)| {
        let mut made = Made::new(OverrideScope::Window);
        change(&mut made.document);
        let (one, two) = (made.yes(OWNING, OWNER, true), made.yes(JOINING, APPROVER, false));
        made.made(&one, &two).err()
    };
    assert_eq!(check(&|_| {}), None);
    let later = |document: &mut PolicyDocument| {
        if let Some(OverrideMark::Temporary(temporary)) = &mut document.of_override {
            temporary.until = temporary.until.plus_seconds(1);
        }
    };
    let other_before = |document: &mut PolicyDocument| {
        if let Some(OverrideMark::Temporary(temporary)) = &mut document.of_override {
            temporary.before.allowed_paths.push("etc".into());
        }
    };
    for change in [
        &later as &dyn Fn(&mut PolicyDocument),
        &other_before,
        &|document| document.of_override = None,
        &|document| document.policy.allowed_paths.push("etc".into()),
        &|document| document.at = document.at.plus_seconds(1),
        &|document| document.author = Some(id(JOINING)),
        &|document| document.number = 1,
    ] {
        assert_eq!(check(change), Some(EvidenceError::OtherSubject));
    }
}

#[test]
fn the_stage_a_quorum_and_an_endless_time_are_refused() {
    let check = |change: &dyn Fn(&mut OverrideProposal)| {
        let mut made = Made::new(OverrideScope::Window);
        change(&mut made.proposal);
        policy_override::check_proposal(&made.proposal, made.first.body().document()).err()
    };
    assert_eq!(check(&|_| {}), None);
    let stage = check(&|proposal| proposal.policy.dacs_stage = DacsStage::Enforce);
    assert_eq!(stage, Some(EvidenceError::StageEdited));
    for seconds in [0, 59, 72 * 3600 + 1, u32::MAX] {
        let time = check(&|proposal| proposal.ttl_seconds = seconds);
        assert_eq!(time, Some(EvidenceError::OverrideTime), "{seconds}");
    }
    for seconds in [60, 72 * 3600] {
        assert_eq!(check(&|proposal| proposal.ttl_seconds = seconds), None, "{seconds}");
    }
    let other = check(&|proposal| proposal.on = id(99));
    assert_eq!(other, Some(EvidenceError::OtherSubject));
    let same = check(&|proposal| proposal.policy = before());
    assert_eq!(same, Some(EvidenceError::OverrideUnchanged));

    let several = |approvers| {
        let mut policy = before();
        policy.approval.normal.by = ApprovalBy::AnotherPerson;
        policy.approval.normal.approvers = approvers;
        policy
    };
    let made = Made::over(several(2), several(1), OverrideScope::Window);
    let refused = policy_override::check_proposal(&made.proposal, made.first.body().document());
    assert_eq!(refused, Err(EvidenceError::QuorumLowered));
    let made = Made::over(several(2), several(3), OverrideScope::Window);
    assert_eq!(
        policy_override::check_proposal(&made.proposal, made.first.body().document()),
        Ok(())
    );
}

#[test]
fn nothing_else_changes_the_policy_while_it_runs() {
    let made = Made::new(OverrideScope::Window);
    let (test, running) = (&made.test, made.version());
    let mut document = test.document(before());
    (document.number, document.author) = (3, Some(id(OWNING)));
    let digest = policy::digest(&document).unwrap();
    let edit = test.event(&test.person(id(OWNING), OWNER), UserEventKind::EditPolicy { digest });
    let refused = policy::edited(&edit, document, &running);
    assert_eq!(refused.err(), Some(EvidenceError::OverrideRuns));
    let again = OverrideProposal { on: id(11), ..made.proposal.clone() };
    let refused = policy_override::check_proposal(&again, running.body().document());
    assert_eq!(refused, Err(EvidenceError::OverrideRuns));
}

#[test]
fn its_end_is_the_policy_before_it_to_the_letter() {
    let made = Made::new(OverrideScope::Window);
    let (test, running) = (&made.test, made.version());
    let restored = |end, seconds: i64| PolicyDocument {
        id: id(12),
        number: 3,
        author: None,
        reason: String::new(),
        at: now().plus_seconds(seconds),
        of_override: Some(OverrideMark::Restored { id: override_id(), end }),
        ..test.document(before())
    };
    let over = 60 * MINUTES;
    let early = policy_override::restored(None, restored(OverrideEnd::Expired, over - 1), &running);
    assert_eq!(early.err(), Some(EvidenceError::OtherSubject));
    let due = restored(OverrideEnd::Expired, over);
    let end = policy_override::restored(None, due.clone(), &running).unwrap();
    let end = test.record(&test.opened.registrar.take(end).unwrap());
    assert_eq!(end.body().document().policy, before());
    for wrong in [
        PolicyDocument { policy: during(), ..due.clone() },
        PolicyDocument { of_override: None, ..due.clone() },
        PolicyDocument { author: Some(id(OWNING)), ..due.clone() },
        restored(OverrideEnd::Used, over),
        restored(OverrideEnd::Ended, over),
    ] {
        assert_eq!(
            policy_override::restored(None, wrong, &running).err(),
            Some(EvidenceError::OtherSubject)
        );
    }
    let twice = PolicyDocument { number: 4, ..due };
    assert_eq!(policy_override::restored(None, twice, &end).err(), Some(EvidenceError::NoOverride));

    // A person ends it before its time.
    let by = PolicyDocument { author: Some(id(OWNING)), ..restored(OverrideEnd::Ended, 5) };
    let digest = policy::digest(&by).unwrap();
    let ends = |rights| {
        let kind = UserEventKind::EndOverride { digest };
        test.event(&test.person(id(OWNING), rights), kind)
    };
    let refused = policy_override::restored(Some(&ends(APPROVER)), by.clone(), &running);
    assert_eq!(refused.err(), Some(EvidenceError::NotAllowed));
    assert!(policy_override::restored(Some(&ends(OWNER)), by, &running).is_ok());
}

/// Whoever puts the version before it back, and when.
#[test]
fn nothing_is_allowed_from_its_time_on() {
    let made = Made::new(OverrideScope::Window);
    let policy = made.snapshot();
    let plan = made.test.write("ops/a.md", &policy);
    let until = now().plus_seconds(60 * MINUTES);
    assert_eq!(policy.until(), Some(until));
    let (claim, _) = made.ruled(&plan, &policy, until.plus_seconds(-1));
    assert_eq!(codes(&claim), []);
    let guard = claim.guard().unwrap();
    assert_eq!(guard.until, Some(until), "the commit has to be in time, too");
    assert_eq!(claim.record().by_override, Some(override_id()));
    for late in [until, until.plus_seconds(86_400)] {
        let (claim, ruled) = made.ruled(&plan, &policy, late);
        assert_eq!(codes(&claim), [DenyCode::EvidenceMismatch]);
        assert!(claim.guard().is_none() && ruled.denied().is_some());
    }
    // Nor does a run that began before go on under it.
    let mut run = made.begun(&plan, &policy);
    let step = plan.nodes[0].id.clone();
    let standing = made.test.standing();
    for (at, due) in [(until.plus_seconds(-1), None), (until, Some(DenyCode::EvidenceMismatch))] {
        let inputs = Resolved::new(std::collections::BTreeMap::new());
        let ruled = run.rule_step(&step, 1, inputs, &policy, &standing, at).unwrap();
        assert_eq!(codes(&ruled.0).first().copied(), due);
    }
}

#[test]
fn an_override_of_one_type_is_for_that_type_alone() {
    let made = Made::new(OverrideScope::Type { task_type: TaskType::FileWrite });
    let policy = made.snapshot();
    assert_eq!(policy.project_policy(), &before(), "what is no plan");
    let plan = made.test.write("ops/a.md", &policy);
    let (claim, _) = made.ruled(&plan, &policy, now());
    assert_eq!((codes(&claim), claim.record().by_override), (vec![], Some(override_id())));
    let slots = [("targetPath", "ops/a.md")];
    let nodes = vec![crate::test_gate::read_node("ops/a.md")];
    let reads = made.test.plan(TaskType::FileRead, &slots, nodes, &policy);
    let (claim, _) = made.ruled(&reads, &policy, now());
    assert_eq!((codes(&claim), claim.record().by_override), (vec![DenyCode::PathNotAllowed], None));
}

#[test]
fn an_override_of_one_request_is_taken_by_the_first_run_that_needs_it() {
    let made = Made::new(OverrideScope::Request);
    let policy = made.snapshot();
    let (keeper, standing) = (&made.test.opened.keeper, made.test.standing());
    let plain = made.test.write("notes/a.md", &policy);
    let (claim, _) = made.ruled(&plain, &policy, now());
    assert_eq!((codes(&claim), claim.record().by_override), (vec![], None), "it needs none");
    assert!(claim.guard().unwrap().start.takes().is_none());

    let plan = made.test.write("ops/a.md", &policy);
    assert_ne!(keeper.asks(&plan, &policy, &standing), wiiiv_domain::Asks::Refused);
    let (claim, ruled) = made.ruled(&plan, &policy, now());
    assert_eq!((codes(&claim), claim.record().by_override), (vec![], Some(override_id())));
    assert_eq!(claim.guard().unwrap().start.takes(), Some(override_id()));
    let started = claim.started().unwrap();
    assert_eq!(started.took(), Some(override_id()));
    let done = made.test.opened.registrar.attest(claim, made.test.next());
    let mut run = ruled.seal(done).unwrap().begin();
    assert_eq!(run.took(), Some(override_id()));

    // The run goes on by it, also where it is taken up again; no other plan begins by it.
    let taken = Arc::new(keeper.compile(&made.version()).unwrap().taken());
    let step = plan.nodes[0].id.clone();
    let ruled = run
        .rule_step(
            &step,
            1,
            Resolved::new(std::collections::BTreeMap::new()),
            &taken,
            &standing,
            now(),
        )
        .unwrap();
    assert_eq!((codes(&ruled.0), ruled.0.record().by_override), (vec![], Some(override_id())));
    let resume = |started| {
        let purpose = Purpose::Resume(made.test.record(&started));
        let given = made.test.evidence(Vec::new());
        let cx = keeper.gather(ruling(), purpose, plan.clone(), Arc::clone(&taken), given);
        keeper.rule(cx.unwrap(), now()).0
    };
    let claim = resume(started);
    assert_eq!(codes(&claim), []);
    let took = Some(override_id());
    assert_eq!(claim.guard().unwrap().start, Start::Resume { execution: execution(), took });
    let other = made.test.write("ops/b.md", &taken);
    assert_eq!(keeper.asks(&other, &taken, &standing), wiiiv_domain::Asks::Refused);
    let (claim, _) = made.ruled(&other, &taken, now());
    assert_eq!((codes(&claim), claim.record().by_override), (vec![DenyCode::PathNotAllowed], None));
    // A run that began by the rules before it does not go on by it.
    let mut plain = made.begun(&made.test.write("notes/c.md", &policy), &policy);
    assert_eq!(plain.took(), None);
    let step = plain.blueprint().nodes[0].id.clone();
    let ruled = plain
        .rule_step(
            &step,
            1,
            Resolved::new(std::collections::BTreeMap::new()),
            &policy,
            &standing,
            now(),
        )
        .unwrap();
    assert_eq!((codes(&ruled.0), ruled.0.record().by_override), (vec![], None));
}

/// Where a plan may be left to the rules before it, theirs is asked for too; else that of its own alone.
#[test]
fn the_rules_that_ask_for_a_verified_model_are_those_that_may_judge_the_plan() {
    let asks = |policy: ProjectPolicy, asks: bool| {
        let types = [TaskType::FileWrite].into_iter().filter(|_| asks);
        ProjectPolicy { require_verified_model: types.collect(), ..policy }
    };
    let (one, window) = (OverrideScope::Request, OverrideScope::Window);
    for (scope, of_before, of_during, due) in [
        (window, true, false, during()),
        (window, false, true, during()),
        (one, true, false, before()),
        (one, true, true, before()),
        (one, false, true, during()),
        (one, false, false, during()),
    ] {
        let made = Made::over(asks(before(), of_before), asks(during(), of_during), scope);
        let policy = made.snapshot();
        let verifying = policy.verifying(TaskType::FileWrite);
        assert_eq!(verifying.allowed_paths, due.allowed_paths, "{scope:?} {of_before} {of_during}");
    }
}

#[test]
fn a_stale_view_of_an_unused_override_is_no_second_use() {
    let made = Made::new(OverrideScope::Request);
    let policy = made.snapshot();
    for path in ["ops/a.md", "ops/b.md"] {
        let (claim, _) = made.ruled(&made.test.write(path, &policy), &policy, now());
        // Both claims want it; the commit gives it to one.
        assert_eq!(claim.guard().unwrap().start.takes(), Some(override_id()));
    }
}
