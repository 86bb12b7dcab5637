//! A decision while a turn is in progress: it is on record when it is answered, it has its effect in that turn, and
//! the turn goes on.

use crate::{
    delegations::{lend, member},
    quorum::{approver, records, yes},
    test_governor::{Setup, TestGovernor},
};
use sea_orm::{ConnectionTrait as _, TransactionTrait as _};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, EventBody, Lang, ModelPersonas, ProviderName,
    SessionId, SlotName, Slots, Tally, TokenId, TurnId,
};
use wiiiv_fakes::{FakeModel, ModelMode, Personas, ShopMode};
use wiiiv_gate::Principal;
use wiiiv_governor::{Answering, ApprovalEdit, Control, DecideError, Decided, Decision};
use wiiiv_net::Timeouts;
use wiiiv_store::{ApprovalState, Role};

/// Long past the end of each test.
const LATE: Duration = Duration::from_secs(600);
/// What is not answered by then waits for the turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Within which what was asked for has come to its commit, and what fell has let go.
const MEANWHILE: Duration = Duration::from_millis(300);

fn does(task: &str, slots: &Value) -> String {
    json!({
        "action": "EXECUTE", "taskType": task, "message": "", "slots": slots,
        "taskSwitch": {"kind": "new"},
    })
    .to_string()
}

fn writes(path: &str, switch: &str) -> String {
    json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": path, "content": "x"}, "taskSwitch": {"kind": switch},
    })
    .to_string()
}

fn talk() -> ModelMode {
    let talk: Value =
        json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "ok", "slots": {}});
    ModelMode::Script(vec![talk.to_string()])
}

/// A write is asked about, and what its requester says behind it waits for the model.
struct AtWork {
    test: TestGovernor,
    model: FakeModel,
    session: SessionId,
    asked: (ApprovalId, BlueprintDigest),
    turn: TurnId,
}

async fn at_work(approvers: u8, mode: ModelMode, words: &str) -> AtWork {
    let model = FakeModel::spawn(ModelMode::Script(vec![writes("a.txt", "new")])).await.unwrap();
    // Nobody gives up waiting for the model.
    let timeouts = Timeouts { connect: LATE, first_byte: LATE, between_chunks: LATE, total: LATE };
    let origins = vec![model.origin()];
    let test = TestGovernor::with(Setup { origins, timeouts, ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.model_personas = ModelPersonas::Risky;
        let rule = &mut policy.approval.normal;
        (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, approvers);
    })
    .await;
    test.put("one.txt", b"what one holds");
    test.put("c.txt", b"what c holds");
    let session = test.session().await;
    let told = test.say(session, "write 'x' to a.txt").await;
    let asked = told.asked().unwrap_or_else(|| panic!("{}", told.text()));
    let before = model.calls().len();
    model.set_mode(mode);
    let turn = test.send(session, words).await.unwrap();
    while model.calls().len() == before {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    AtWork { test, model, session, asked, turn }
}

impl AtWork {
    async fn silent(approvers: u8) -> Self {
        at_work(approvers, ModelMode::Silent, "hello").await
    }

    async fn principal(&self, name: &str) -> Principal {
        let person = approver(&self.test, name).await;
        self.test.principal(&person).await
    }

    async fn decide(&self, who: &Principal, decision: Decision) -> Result<Decided, DecideError> {
        let answer = self.test.governor.decide(who, self.asked.0, decision);
        let answer = tokio::time::timeout(PATIENCE, answer).await.expect("it waits for no turn");
        assert_eq!(self.ends(self.turn).await, 0, "the turn is in progress");
        answer
    }

    async fn yes(&self, who: &Principal) -> Result<Decided, DecideError> {
        self.decide(who, Decision::Approve { digest: self.asked.1 }).await
    }

    async fn no(&self, who: &Principal) -> Result<Decided, DecideError> {
        let reason = "not today".to_owned();
        self.decide(who, Decision::Reject { digest: self.asked.1, reason }).await
    }

    async fn revoke(&self, who: &Principal) -> Result<Decided, DecideError> {
        self.decide(who, Decision::Revoke { reason: "wrong folder".to_owned() }).await
    }

    async fn edit(&self, who: &Principal) -> Result<Decided, DecideError> {
        let mut slots = Slots::default();
        slots.set(SlotName::CONTENT, "y").unwrap();
        let edit = ApprovalEdit { digest: self.asked.1, slots, note: "as agreed".to_owned() };
        let done = self.test.governor.edits().submit(None, who, self.asked.0, edit);
        tokio::time::timeout(PATIENCE, done).await.expect("it waits for no turn")
    }

    /// This person's log-in ends when their decision was looked at, and before it is written.
    async fn logged_out_meanwhile(
        &self,
        who: &Principal,
        decision: impl Future<Output = Result<Decided, DecideError>>,
    ) -> Result<Decided, DecideError> {
        let db = self.test.intruder().await;
        let lock = db.begin().await.unwrap();
        // Nobody else writes before it is let go of, and then in the order of asking.
        lock.execute_unprepared("DELETE FROM halt WHERE 1 = 0").await.unwrap();
        let (store, user) = (self.test.governor.store().clone(), who.user());
        let token = TokenId::from_uuid(who.token());
        let log_out = tokio::spawn(async move { store.revoke_token(user, token).await });
        tokio::time::sleep(MEANWHILE).await;
        let let_go = async {
            tokio::time::sleep(MEANWHILE).await;
            lock.rollback().await.unwrap();
        };
        let (done, ()) = tokio::join!(decision, let_go);
        log_out.await.unwrap().unwrap();
        done
    }

    /// How often the journal says that this turn ended.
    async fn ends(&self, turn: TurnId) -> usize {
        ends(&self.test, self.session, turn).await
    }

    async fn state(&self) -> ApprovalState {
        self.test.governor.store().approval(self.asked.0).await.unwrap().unwrap().state
    }

    /// The model is gone, so that the turn comes to its end.
    async fn let_go(self) -> (TestGovernor, String) {
        drop(self.model);
        let told = self.test.ended(self.session, self.turn).await;
        assert_eq!(ends(&self.test, self.session, self.turn).await, 1);
        let text = told.text();
        (self.test, text)
    }
}

async fn ends(test: &TestGovernor, session: SessionId, turn: TurnId) -> usize {
    let journal = test.governor.store().journal(session, 1).await.unwrap();
    let ends = journal.iter().filter(|(_, event)| {
        event.turn == turn && matches!(event.body, EventBody::TurnEnded { .. })
    });
    ends.count()
}

fn is_decided(answer: &Result<Decided, DecideError>, due: &str) -> bool {
    matches!(answer, Err(DecideError::AlreadyDecided { state }) if state == due)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_answered_at_once_and_counts_once_in_the_turn_in_progress() {
    let at = AtWork::silent(1).await;
    let (min, han) = (at.principal("min").await, at.principal("han").await);
    let given = at.yes(&min).await.unwrap();
    assert_eq!((given.state, given.beside), ("approved", Some(at.turn)));
    assert_eq!((at.state().await, at.ends(given.turn).await), (ApprovalState::Approved, 1));
    for again in [&min, &han] {
        let again = at.yes(again).await;
        assert!(is_decided(&again, "approved"), "{again:?}");
    }
    assert_eq!((at.model.open_streams(), at.test.file("a.txt")), (1, None));
    let asked = at.asked.0;
    let (test, told) = at.let_go().await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"), "{told}");
    let row = test.governor.store().approval(asked).await.unwrap().unwrap();
    assert_eq!((row.state, row.decided_by), (ApprovalState::Consumed, Some(min.user())));
    for kind in ["approval.given", "execution.finished"] {
        assert_eq!(records(&test, kind).await, 1, "{kind}");
    }
}

/// The answer to the message is lost, and the yes goes on by itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_was_answered_is_not_lost_with_the_process() {
    let at = AtWork::silent(1).await;
    let min = at.principal("min").await;
    at.yes(&min).await.unwrap();
    at.model.set_mode(talk());
    let AtWork { test, model, session, turn, .. } = at;
    let test = test.restarted().await;
    let told = test.ended(session, turn).await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"), "{}", told.text());
    assert_eq!((ends(&test, session, turn).await, records(&test, "approval.given").await), (1, 1));
    drop(model);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_answered_at_once_also_behind_a_yes() {
    let at = AtWork::silent(1).await;
    let (min, han) = (at.principal("min").await, at.principal("han").await);
    at.yes(&min).await.unwrap();
    let no = at.no(&han).await.unwrap();
    assert_eq!((no.state, no.beside), ("rejected", Some(at.turn)));
    assert_eq!((at.state().await, at.ends(no.turn).await), (ApprovalState::Rejected, 1));
    let late = at.yes(&min).await;
    assert!(is_decided(&late, "rejected"), "{late:?}");
    let (test, told) = at.let_go().await;
    assert_eq!(test.file("a.txt"), None);
    for due in ["Approved: Write a.txt.", "Write a.txt: rejected."] {
        assert!(told.contains(due), "what was decided on is named: {told}");
    }
    assert_eq!(records(&test, "approval.rejected").await, 1);
    assert_eq!(records(&test, "execution.finished").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_each_is_counted_at_once_and_may_take_it_back() {
    let at = AtWork::silent(2).await;
    let (min, han) = (at.principal("min").await, at.principal("han").await);
    let tally = |given| Some(Tally { given, approvers: 2 });
    let first = at.yes(&min).await.unwrap();
    assert_eq!((first.state, first.tally, first.beside), ("pending", tally(1), Some(at.turn)));
    assert_eq!(at.ends(first.turn).await, 1);
    let back = at.revoke(&min).await.unwrap();
    assert_eq!((back.state, back.tally, back.beside), ("pending", tally(0), Some(at.turn)));
    at.yes(&min).await.unwrap();
    let last = at.yes(&han).await.unwrap();
    assert_eq!((last.state, last.tally), ("approved", tally(2)));
    // Everybody has said it, and nothing has used it: taken back, it is a no.
    let back = at.revoke(&han).await.unwrap();
    assert_eq!((back.state, back.beside), ("rejected", Some(at.turn)));
    assert_eq!(at.state().await, ApprovalState::Rejected);
    let (test, _) = at.let_go().await;
    assert_eq!(test.file("a.txt"), None);
}

/// It is reviewed and asked about when the message is answered.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_is_taken_at_once() {
    let at = AtWork::silent(1).await;
    // Whoever changes a value is none of those who may say yes to it.
    let (min, _) = (at.principal("min").await, at.principal("han").await);
    let done = at.edit(&min).await.unwrap();
    assert_eq!((done.state, done.beside), ("edited", Some(at.turn)));
    assert_eq!((at.ends(done.turn).await, at.ends(at.turn).await), (1, 0));
    let (session, turn) = (at.session, at.turn);
    let said = at.test.ended(session, done.turn).await.text();
    assert!(said.contains("It waits for what is open or in progress"), "{said}");
    let (test, told) = at.let_go().await;
    assert_eq!(test.file("a.txt"), None, "{told}");
    let again = test.ended(session, turn).await.asked();
    let (approval, _) = again.unwrap_or_else(|| panic!("{told}"));
    let row = test.governor.store().approval(approval).await.unwrap().unwrap();
    let editors = BTreeSet::from([min.user()]);
    assert_eq!((row.state, row.request.editors), (ApprovalState::Pending, editors));
}

/// The requester changes the request in that turn: what was approved is not what is asked for any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_void_where_the_turn_changes_the_request() {
    let change = ModelMode::Slow(Duration::from_secs(3), writes("b.txt", "stay"));
    let at = at_work(1, change, "write it to b.txt instead").await;
    let min = at.principal("min").await;
    let given = at.yes(&min).await.unwrap();
    assert_eq!(given.state, "approved");
    let told = at.test.ended(at.session, at.turn).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    assert_ne!(told.asked().unwrap_or_else(|| panic!("{}", told.text())).1, at.asked.1);
    assert_eq!(at.state().await, ApprovalState::Withdrawn);
    assert_eq!((at.test.file("a.txt"), at.test.file("b.txt")), (None, None));
}

/// Another job of the conversation runs meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_was_put_aside_does_not_wait_for_the_run_in_progress() {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
    let min = test.principal(&approver(&test, "min").await).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(3)));
    let turn = test.send(session, &format!("GET {}", test.url("/items"))).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let given = yes(&test, &min, asked).await.unwrap();
    assert_eq!((given.state, given.beside), ("approved", Some(turn)));
    assert_eq!(ends(&test, session, turn).await, 0);
    let told = test.ended(session, turn).await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"), "{}", told.text());
}

/// What was at work is stopped, and the yes to another plan stands: whatever its requester's no is called, it begins
/// neither then nor later.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_behind_a_yes_takes_back_what_has_not_begun() {
    const BUTTON: &str = "the button";
    let words = ["no", "cancel", "No, do not write that file, I changed my mind", "아니요"];
    for no in words.into_iter().chain([BUTTON]) {
        let test = TestGovernor::new().await;
        test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
        let min = test.principal(&approver(&test, "min").await).await;
        let session = test.session().await;
        let asked = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
        test.shop.set_mode(ShopMode::Slow(Duration::from_secs(3)));
        test.send(session, &format!("GET {}", test.url("/items"))).await.unwrap();
        while test.shop.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        yes(&test, &min, asked).await.unwrap();
        test.say(session, "cancel").await;
        let told = if no == BUTTON {
            let owner = test.principal(&test.owner).await;
            let turn = test.governor.control(&owner, session, Control::Cancel).await.unwrap();
            test.ended(session, turn).await
        } else {
            test.say(session, no).await
        };
        assert!(told.text().contains("a.txt"), "{no}: it is named: {}", told.text());
        test.say(session, "hello").await;
        assert_eq!(test.file("a.txt"), None, "{no}: {}", told.text());
        let row = test.governor.store().approval(asked.0).await.unwrap().unwrap();
        assert_eq!(row.state, ApprovalState::Withdrawn, "{no}");
    }
}

/// It waits in the queue, as the turn is in progress, and comes before the yes that waits for that turn, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_in_the_queue_takes_back_what_the_turn_in_progress_would_begin() {
    for (no, is_first) in
        [("no", false), ("아니요", true), ("No, do not write that file, I changed my mind", false)]
    {
        let test = TestGovernor::new().await;
        test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
        let min = test.principal(&approver(&test, "min").await).await;
        let session = test.session().await;
        let asked = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
        test.shop.set_mode(ShopMode::Slow(Duration::from_secs(3)));
        let first = test.send(session, &format!("GET {}", test.url("/items"))).await.unwrap();
        while test.shop.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let approves = async {
            tokio::time::sleep(if is_first { MEANWHILE } else { Duration::ZERO }).await;
            yes(&test, &min, asked).await.unwrap()
        };
        let says_no = async {
            tokio::time::sleep(if is_first { Duration::ZERO } else { MEANWHILE }).await;
            test.send(session, no).await.unwrap()
        };
        let (given, turn) = tokio::join!(approves, says_no);
        assert_eq!(given.beside, Some(first), "{no}: the turn was in progress");
        let (before, told) = (test.ended(session, first).await, test.ended(session, turn).await);
        assert_eq!(test.file("a.txt"), None, "{no}: {}", before.text());
        assert_eq!(before.outcome, "done", "{no}: it was not stopped: {}", before.text());
        assert!(told.text().contains("a.txt"), "{no}: it is named: {}", told.text());
        let row = test.governor.store().approval(asked.0).await.unwrap().unwrap();
        assert_eq!(row.state, ApprovalState::Withdrawn, "{no}");
    }
}

/// The same of a message to the very task that the yes is to.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_behind_talk_comes_before_the_yes_that_waits_for_its_answer() {
    let at = AtWork::silent(1).await;
    let min = at.principal("min").await;
    at.yes(&min).await.unwrap();
    let AtWork { test, model, session, asked, turn } = at;
    let lets_go = async {
        tokio::time::sleep(MEANWHILE).await;
        drop(model);
    };
    let (no, ()) = tokio::join!(test.send(session, "no"), lets_go);
    let before = test.ended(session, turn).await;
    let told = test.ended(session, no.unwrap()).await;
    assert_eq!(test.file("a.txt"), None, "{} {}", before.text(), told.text());
    let row = test.governor.store().approval(asked.0).await.unwrap().unwrap();
    assert_eq!(row.state, ApprovalState::Withdrawn);
    let view = test.governor.state(session).await.unwrap();
    assert!(view.active.is_none(), "the task has ended: {}", told.text());
}

/// Of a turn that reads and then is to delete: whoever decides meanwhile takes nothing of that away.
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_leaves_what_the_turn_in_progress_has_read() {
    let acts = ModelMode::Script(vec![
        does("FILE_READ", &json!({"targetPath": "one.txt"})),
        does("FILE_DELETE", &json!({"targetPath": "c.txt"})),
    ]);
    let silent = || ModelMode::Silent;
    let personas = Personas {
        architect: silent(),
        reviewer: silent(),
        adversary: silent(),
        ..Personas::approving(acts)
    };
    let at = at_work(1, ModelMode::Personas(Box::new(personas)), "read one.txt").await;
    // The proposal before, these two, and three opinions.
    while at.model.calls().len() < 6 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let min = at.principal("min").await;
    let store = at.test.governor.store();
    assert!(store.standing(at.session).await.unwrap().tainted, "it was read");
    at.no(&min).await.unwrap();
    assert!(store.standing(at.session).await.unwrap().tainted, "it is another's decision");
    assert_eq!(records(&at.test, "session.tainted").await, 1);
}

/// The yes that waits for the turn counts no more when that turn comes to it.
#[tokio::test(flavor = "multi_thread")]
async fn a_delegation_that_ends_before_its_yes_is_used_is_the_reason_of_the_denial() {
    let at = AtWork::silent(1).await;
    let min = approver(&at.test, "min").await;
    let vic = member(&at.test, "vic", Role::Viewer).await;
    let lent = lend(&at.test, &min, &vic).await;
    let given = at.yes(&at.test.principal(&vic).await).await.unwrap();
    let by = given.on_behalf_of.map(|by| by.delegation);
    assert_eq!((given.state, by), ("approved", Some(lent.id)));
    let who = at.test.principal(&min).await;
    at.test.governor.delegations().end(&who, at.test.project, lent.id).await.unwrap();
    let (test, told) = at.let_go().await;
    assert!(told.contains("DELEGATION_ENDED"), "{told}");
    assert_eq!(test.file("a.txt"), None);
}

/// Another question was put in that turn, and what was approved waits behind it.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_was_given_beside_a_turn_counts_once_when_that_has_ended() {
    let more = ModelMode::Slow(Duration::from_secs(3), writes("b.txt", "new"));
    let at = at_work(1, more, "write it to b.txt as well").await;
    let min = at.principal("min").await;
    at.yes(&min).await.unwrap();
    let told = at.test.ended(at.session, at.turn).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    let other = told.asked().unwrap_or_else(|| panic!("{}", told.text()));
    let han = at.principal("han").await;
    let again = yes(&at.test, &han, at.asked).await;
    assert!(is_decided(&again, "approved"), "{again:?}");
    // The end of the other question lets it go on.
    at.model.set_mode(talk());
    let no = Decision::Reject { digest: other.1, reason: String::new() };
    let no = at.test.governor.decide(&han, other.0, no).await.unwrap();
    let told = at.test.ended(at.session, no.turn).await;
    let files = (at.test.file("a.txt"), at.test.file("b.txt"));
    assert_eq!(files, (Some("x".to_owned()), None), "{}", told.text());
}

/// A click that is refused, or that is another turn's, changes nothing of how the requester is spoken to.
#[tokio::test(flavor = "multi_thread")]
async fn a_click_in_another_language_leaves_that_of_the_turn_in_progress() {
    let at = AtWork::silent(1).await;
    let owner = at.test.principal(&at.test.owner).await;
    let (approval, digest) = at.asked;
    let answering = Answering { language: Some(Lang::Ko), ..Answering::default() };
    let decide = |decision| at.test.governor.decide_in(answering, &owner, approval, decision);
    let refused = decide(Decision::Approve { digest }).await;
    assert!(matches!(refused, Err(DecideError::NotAnother)), "{refused:?}");
    decide(Decision::Reject { digest, reason: String::new() }).await.unwrap();
    let (_, told) = at.let_go().await;
    let is_korean = |c: char| ('가'..='힣').contains(&c);
    assert!(!told.is_empty() && !told.chars().any(is_korean), "{told}");
}

/// The commit that finds it records nothing, and is nobody else's.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_out_between_the_look_and_the_commit_leaves_the_turn_in_progress() {
    let at = AtWork::silent(1).await;
    let [min, han, lee] =
        [at.principal("min").await, at.principal("han").await, at.principal("lee").await];
    let no = at.logged_out_meanwhile(&min, at.no(&min)).await;
    let yes = at.logged_out_meanwhile(&han, at.yes(&han)).await;
    let edit = at.logged_out_meanwhile(&lee, at.edit(&lee)).await;
    goes_on(at, [no, yes, edit]).await;

    let at = AtWork::silent(2).await;
    let (min, han) = (at.principal("min").await, at.principal("han").await);
    at.yes(&min).await.unwrap();
    let joins = at.logged_out_meanwhile(&han, at.yes(&han)).await;
    let takes_back = at.logged_out_meanwhile(&min, at.revoke(&min)).await;
    goes_on(at, [joins, takes_back]).await;
}

/// Each was refused, and the turn in progress comes to its end as if nobody had asked.
async fn goes_on<const N: usize>(at: AtWork, answers: [Result<Decided, DecideError>; N]) {
    for answer in answers {
        assert!(matches!(answer, Err(DecideError::RightGone)), "{answer:?}");
    }
    tokio::time::sleep(MEANWHILE).await;
    let calls = (at.model.open_streams(), at.ends(at.turn).await);
    assert_eq!(calls, (1, 0), "the session was not put down");
    assert_eq!(at.state().await, ApprovalState::Pending);
    let (test, _) = at.let_go().await;
    let kinds = ["approval.rejected", "approval.given", "approval.edited", "approval.revoked"];
    for kind in kinds {
        assert_eq!(records(&test, kind).await, 0, "{kind}");
    }
}
