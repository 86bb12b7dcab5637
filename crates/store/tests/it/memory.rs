//! What people and projects have remembered: versions, who may write, whose words they are, what an erasure takes,
//! and what `doctor` finds.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, ended, new_id, now, password, permissive},
};
use secrecy::ExposeSecret as _;
use serde_json::json;
use std::{path::Path, time::Duration};
use wiiiv_domain::{
    EventBody, MEMORY_CHARS_MAX, MemoryOwner, MemoryScope, MemoryText, MemoryTextError, ProjectId,
    SessionEvent, Timestamp, TurnId, UserId,
};
use wiiiv_gate::Principal;
use wiiiv_store::{
    AuditFilter, AuditFit, AuditRow, Boundary, Chain, ErasureScope, MEMORY_VERSIONS_MAX,
    MemoryRefused, MemoryRow, NewUser, Point, RememberCommand, Remembered, Role, StoreError,
    TokenScope, Writer,
};

fn text(words: &str) -> MemoryText {
    MemoryText::parse(words).unwrap()
}

/// Logged in anew, with the rights of that project.
async fn logged_in(
    test: &TestStore,
    user: UserId,
    (scope, project): (TokenScope, Option<ProjectId>),
) -> Principal {
    let token = test.store.issue_token(user, scope, None).await.unwrap().text;
    test.store.authenticate(token.expose_secret(), project, now()).await.unwrap()
}

async fn account(test: &TestStore, name: &str, admin: bool) -> UserId {
    let new = NewUser { name: name.into(), password: password(), admin };
    test.store.create_user(new, permissive()).await.unwrap().user
}

/// A member of the test's project.
async fn member(test: &TestStore, name: &str, role: Role) -> Principal {
    let user = account(test, name, false).await;
    test.store.set_roles(test.project, user, [role].into(), test.user).await.unwrap();
    logged_in(test, user, (TokenScope::Full, Some(test.project))).await
}

async fn set(
    test: &TestStore,
    (who, owner): (&Principal, MemoryOwner),
    words: &str,
    expected: u64,
) -> Result<MemoryRow, MemoryRefused> {
    test.store.set_memory(who, owner, text(words), expected).await
}

/// Over whatever stands there.
async fn write(test: &TestStore, of: (&Principal, MemoryOwner), words: &str) -> MemoryRow {
    let current = test.store.memory(of.1).await.unwrap().map_or(0, |row| row.version);
    set(test, of, words, current).await.unwrap()
}

async fn remember(
    test: &TestStore,
    who: &Principal,
    (turn, scope): (TurnId, MemoryScope),
    line: &str,
) -> Result<Remembered, MemoryRefused> {
    let command = RememberCommand::new(who, turn, test.project, scope, line);
    test.store.remember(command).await
}

async fn words(test: &TestStore, owner: MemoryOwner) -> String {
    let row = test.store.memory(owner).await.unwrap();
    row.map(|row| row.text.as_str().to_owned()).unwrap_or_default()
}

async fn versions(test: &TestStore, owner: MemoryOwner) -> Vec<MemoryRow> {
    test.store.memory_versions(owner, None, MEMORY_VERSIONS_MAX).await.unwrap()
}

/// Oldest first.
async fn records(test: &TestStore, chain: Chain) -> Vec<AuditRow> {
    let rows = test.store.audit_search(chain, &AuditFilter::default()).await.unwrap();
    rows.into_iter().rev().filter(|row| row.kind.starts_with("memory.")).collect()
}

#[tokio::test]
async fn a_change_names_the_version_that_its_author_saw() {
    let test = TestStore::memory(permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::Project(test.project));
    let of = (&who, owner);
    assert_eq!(test.store.memory(owner).await.unwrap(), None);
    let early = set(&test, of, "too early", 1).await;
    assert!(matches!(early, Err(MemoryRefused::Stale { current: 0 })), "{early:?}");
    let first = set(&test, of, "# Style\n- tabs", 0).await.unwrap();
    assert_eq!((first.version, first.author, first.turn), (1, test.user, None));
    let second = set(&test, of, "- tabs\r\n- prices in KRW\n", 1).await.unwrap();
    assert_eq!((second.version, second.text.as_str()), (2, "- tabs\n- prices in KRW"));
    for seen in [0, 1, 3] {
        let late = set(&test, of, "late", seen).await;
        assert!(matches!(late, Err(MemoryRefused::Stale { current: 2 })), "{seen}: {late:?}");
    }
    // Sent again because its answer was lost.
    for seen in [0, 1, 2] {
        let same = set(&test, of, "- tabs\n- prices in KRW", seen).await.unwrap();
        assert_eq!(same, second, "{seen}");
    }
    assert_eq!(test.store.memory(owner).await.unwrap().as_deref(), Some(&second));
    let page = |before, limit| test.store.memory_versions(owner, before, limit);
    assert_eq!(page(None, 9).await.unwrap(), [second.clone(), first.clone()]);
    assert_eq!(page(None, 1).await.unwrap(), [second]);
    assert_eq!(page(Some(2), 9).await.unwrap(), [first]);
    assert_eq!(page(Some(1), 9).await.unwrap(), []);
    assert_eq!(page(Some(u64::MAX), 9).await.unwrap().len(), 2);
    let own = MemoryOwner::User(test.user);
    assert_eq!(test.store.memory(own).await.unwrap(), None, "each has one of their own");
}

#[tokio::test]
async fn the_oldest_of_too_many_versions_go() {
    let test = TestStore::memory(permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    let newest = MEMORY_VERSIONS_MAX + 5;
    for version in 1..=newest {
        set(&test, (&who, owner), &format!("note {version}"), version - 1).await.unwrap();
    }
    let kept: Vec<u64> = versions(&test, owner).await.iter().map(|row| row.version).collect();
    assert_eq!(kept, (6..=newest).rev().collect::<Vec<_>>());
    assert_eq!(test.store.memory_versions(owner, Some(6), 9).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_writers_at_once_the_second_is_told() {
    let test = TestStore::memory(permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::Project(test.project));
    let of = (&who, owner);
    let both = tokio::join!(set(&test, of, "one", 0), set(&test, of, "two", 0));
    let ((Ok(row), Err(refused)) | (Err(refused), Ok(row))) = both else { panic!("{both:?}") };
    assert!(matches!(refused, MemoryRefused::Stale { current: 1 }), "{refused:?}");
    assert_eq!(versions(&test, owner).await, [row]);

    // What is remembered names no version, and neither line is lost.
    let turns: [TurnId; 2] = [new_id(), new_id()];
    let asks = |nth: usize| (turns[nth], MemoryScope::Project);
    let both = tokio::join!(
        remember(&test, &who, asks(0), "tabs"),
        remember(&test, &who, asks(1), "prices in KRW"),
    );
    assert!(both.0.unwrap().is_new && both.1.unwrap().is_new);
    let words = words(&test, owner).await;
    assert!(words.contains("\n- tabs") && words.contains("\n- prices in KRW"), "{words}");
}

#[tokio::test]
async fn a_turn_remembers_once() {
    let test = TestStore::memory(permissive()).await;
    let who = test.principal().await;
    let (turn, other): (TurnId, TurnId) = (new_id(), new_id());
    let own = MemoryOwner::User(test.user);
    let first = remember(&test, &who, (turn, MemoryScope::User), "tabs, not\nspaces").await;
    let first = first.unwrap();
    assert_eq!((first.row.owner, first.row.turn), (own, Some(turn)));
    assert_eq!(first.row.text.as_str(), "- tabs, not spaces");
    assert!(first.is_new && first.before.is_empty());
    let again = remember(&test, &who, (turn, MemoryScope::User), "tabs, not\nspaces").await;
    assert_eq!(again.unwrap(), first);

    let second = remember(&test, &who, (other, MemoryScope::User), "prices in KRW").await.unwrap();
    assert_eq!(second.row.text.as_str(), "- tabs, not spaces\n- prices in KRW");
    assert_eq!(second.before, first.row.text);
    let again = remember(&test, &who, (turn, MemoryScope::User), "tabs, not\nspaces").await;
    assert_eq!(again.unwrap(), first, "also behind another one");
    let known = remember(&test, &who, (new_id(), MemoryScope::User), "- prices in KRW").await;
    let known = known.unwrap();
    assert_eq!((known.is_new, &known.row), (false, &second.row));
    assert_eq!(known.before, second.row.text);
    assert_eq!(versions(&test, own).await, [second.row, first.row]);

    let shared = remember(&test, &who, (turn, MemoryScope::Project), "we use Rust").await.unwrap();
    assert_eq!(shared.row.owner, MemoryOwner::Project(test.project));
    assert_eq!((shared.row.version, shared.row.text.as_str()), (1, "- we use Rust"));
}

#[tokio::test]
async fn a_full_memory_is_left_as_it_is() {
    let test = TestStore::memory(permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    let full = write(&test, (&who, owner), &"가".repeat(MEMORY_CHARS_MAX - 1)).await;
    let refused = remember(&test, &who, (new_id(), MemoryScope::User), "x").await.unwrap_err();
    let (chars, max) = (MEMORY_CHARS_MAX + 3, MEMORY_CHARS_MAX);
    let MemoryRefused::Text(why) = &refused else { panic!("{refused:?}") };
    assert_eq!(*why, MemoryTextError::TooLong { chars, max });
    assert!(refused.to_string().contains("tidy it up"), "{refused}");
    let hidden = remember(&test, &who, (new_id(), MemoryScope::User), "a\u{7}").await;
    assert!(matches!(hidden, Err(MemoryRefused::Text(_))), "{hidden:?}");
    assert_eq!(versions(&test, owner).await, [full]);
}

#[tokio::test]
async fn whose_words_they_are_is_known_until_it_is_emptied() {
    let test = TestStore::memory(permissive()).await;
    let (kim, owner) = (test.principal().await, MemoryOwner::Project(test.project));
    let lee = member(&test, "lee", Role::Editor).await;
    let by = |who: &Principal| Some(who.user());
    let mut sole = Vec::new();
    for (who, words) in
        [(&kim, "a"), (&kim, "a\nb"), (&lee, "a\nb\nc"), (&kim, "d"), (&lee, ""), (&kim, "e")]
    {
        let row = write(&test, (who, owner), words).await;
        sole.push(row.sole_author);
        let foreign = (row.has_words_of_others(kim.user()), row.has_words_of_others(lee.user()));
        let expected = match words {
            "" => (false, false),
            "a\nb\nc" | "d" => (true, true),
            _ => (false, true),
        };
        assert_eq!(foreign, expected, "{words:?}");
    }
    assert_eq!(sole, [by(&kim), by(&kim), None, None, by(&lee), by(&kim)]);
    let joined = remember(&test, &lee, (new_id(), MemoryScope::Project), "f").await.unwrap();
    assert_eq!(joined.row.sole_author, None);
}

fn not_allowed<T: std::fmt::Debug>(refused: Result<T, MemoryRefused>, who: &str) {
    assert!(matches!(refused, Err(MemoryRefused::NotAllowed)), "{who}: {refused:?}");
}

#[tokio::test]
async fn a_memory_is_written_by_whose_it_is() {
    let test = TestStore::memory(permissive()).await;
    let (project, kim) = (MemoryOwner::Project(test.project), MemoryOwner::User(test.user));
    let vic = member(&test, "vic", Role::Viewer).await;
    let app = member(&test, "app", Role::Approver).await;
    let root = account(&test, "root", true).await;
    let root = logged_in(&test, root, (TokenScope::Full, Some(test.project))).await;
    let reads = logged_in(&test, test.user, (TokenScope::Read, Some(test.project))).await;
    for (name, who) in [("viewer", &vic), ("approver", &app), ("admin", &root), ("token", &reads)] {
        not_allowed(set(&test, (who, project), "mine", 0).await, name);
        let asks = (new_id(), MemoryScope::Project);
        not_allowed(remember(&test, who, asks, "mine").await, name);
    }
    for (name, who) in [("viewer", &vic), ("approver", &app), ("admin", &root)] {
        not_allowed(set(&test, (who, kim), "mine", 0).await, name);
        let own = write(&test, (who, MemoryOwner::User(who.user())), "mine").await;
        assert_eq!((own.version, own.author), (1, who.user()), "{name}");
    }
    // With the rights of another project.
    let far = test.store.create_project("far", test.user, permissive()).await.unwrap();
    let far = far.body().document().project;
    let there = logged_in(&test, test.user, (TokenScope::Full, Some(far))).await;
    not_allowed(set(&test, (&there, project), "mine", 0).await, "another project");
    assert_eq!(test.store.memory(project).await.unwrap(), None);
    assert_eq!(test.store.memory(kim).await.unwrap(), None);
    write(&test, (&there, MemoryOwner::Project(far)), "ours").await;

    let edi = member(&test, "edi", Role::Editor).await;
    assert_eq!(write(&test, (&edi, project), "ours").await.author, edi.user());
}

#[tokio::test]
async fn a_right_that_is_gone_writes_nothing() {
    let test = TestStore::memory(permissive()).await;
    let (lee, project) =
        (member(&test, "lee", Role::Editor).await, MemoryOwner::Project(test.project));
    let own = MemoryOwner::User(lee.user());
    let gone = |refused: Result<MemoryRow, MemoryRefused>| {
        let is_gone = matches!(refused, Err(MemoryRefused::Store(StoreError::AuthorityGone)));
        assert!(is_gone, "{refused:?}");
    };
    let roles = [Role::Viewer].into();
    test.store.set_roles(test.project, lee.user(), roles, test.user).await.unwrap();
    gone(set(&test, (&lee, project), "x", 0).await);
    let asks = (new_id(), MemoryScope::Project);
    gone(remember(&test, &lee, asks, "x").await.map(|done| done.row));
    let account = logged_in(&test, lee.user(), (TokenScope::Full, None)).await;
    assert_eq!(write(&test, (&account, own), "mine").await.version, 1);
    test.store.disable_user(lee.user(), test.user).await.unwrap();
    gone(set(&test, (&account, own), "x", 1).await);

    let elsewhere = TestStore::memory(permissive()).await;
    let who = elsewhere.principal().await;
    let foreign = set(&test, (&who, MemoryOwner::User(who.user())), "x", 0).await;
    let is_foreign = matches!(foreign, Err(MemoryRefused::Store(StoreError::Foreign { .. })));
    assert!(is_foreign, "{foreign:?}");
    assert_eq!(words(&test, project).await, "");
}

#[tokio::test]
async fn what_was_read_once_is_read_again_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let who = test.principal().await;
    let (own, project) = (MemoryOwner::User(test.user), MemoryOwner::Project(test.project));
    let reads = || test.store.counters().reads;
    for owner in [own, project] {
        assert_eq!(words(&test, owner).await, "");
        let before = reads();
        assert_eq!((words(&test, owner).await, reads()), (String::new(), before));
    }
    set(&test, (&who, own), "tabs", 0).await.unwrap();
    assert_eq!(words(&test, own).await, "tabs");
    assert_eq!(words(&test, project).await, "");
    let before = reads();
    assert_eq!((words(&test, own).await.as_str(), reads()), ("tabs", before));
    remember(&test, &who, (new_id(), MemoryScope::Project), "Rust").await.unwrap();
    assert_eq!(words(&test, project).await, "- Rust");
    // A refused change is none.
    let late = set(&test, (&who, own), "late", 0).await;
    assert!(late.is_err());
    assert_eq!(words(&test, own).await, "tabs");
}

#[tokio::test]
async fn the_audit_has_who_and_how_much_and_no_word() {
    let test = TestStore::memory(permissive()).await;
    let (kim, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    let project = MemoryOwner::Project(test.project);
    let turn: TurnId = new_id();
    write(&test, (&kim, project), "CANARY").await;
    remember(&test, &lee, (turn, MemoryScope::Project), "CANARY two").await.unwrap();
    for who in [&kim, &lee] {
        write(&test, (who, MemoryOwner::User(who.user())), "CANARY").await;
    }
    let shared = records(&test, Chain::Project(test.project)).await;
    let hmac = |text: &'static str| test.store.hmac(test.project, text.as_bytes());
    let (one, two) = (hmac("CANARY").await.unwrap(), hmac("CANARY\n- CANARY two").await.unwrap());
    let bodies: Vec<_> = shared.iter().map(|row| row.body.clone()).collect();
    let first = json!({"beforeChars": 0, "by": kim.user(), "chars": 6, "holder": test.project,
        "scope": "project", "soleAuthor": kim.user(), "textHmac": one, "version": 1});
    let second = json!({"beforeChars": 6, "by": lee.user(), "chars": 19, "holder": test.project,
        "scope": "project", "soleAuthor": null, "textHmac": two, "turn": turn, "version": 2});
    assert_eq!(bodies, [first, second]);
    let own = records(&test, Chain::Server).await;
    let [of_kim, of_lee] = own.as_slice() else { panic!("{own:?}") };
    for (row, who) in [(of_kim, &kim), (of_lee, &lee)] {
        assert_eq!((&row.body["scope"], &row.body["chars"]), (&json!("user"), &json!(6)));
        assert_eq!(
            (&row.body["holder"], &row.body["by"]),
            (&json!(who.user()), &json!(who.user()))
        );
    }
    // The same words of two people are not seen to be the same.
    assert_ne!(of_kim.body["textHmac"], of_lee.body["textHmac"]);
    for row in shared.iter().chain(&own) {
        assert_eq!(row.kind, "memory.changed");
        assert!(!row.body.to_string().contains("CANARY"), "{}", row.body);
    }
}

#[tokio::test]
async fn what_is_remembered_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let before = TestStore::on_disk(folder.path(), permissive()).await;
    let who = before.principal().await;
    let (own, turn): (_, TurnId) = (MemoryOwner::User(before.user), new_id());
    let first = remember(&before, &who, (turn, MemoryScope::User), "tabs").await.unwrap();
    let test = before.reopened(folder.path()).await.unwrap();
    drop(before);
    assert_eq!(test.store.memory(own).await.unwrap().as_deref(), Some(&first.row));
    let who = test.principal().await;
    let again = remember(&test, &who, (turn, MemoryScope::User), "tabs").await.unwrap();
    assert_eq!(again, first, "a turn that is carried out again");
    assert_eq!(set(&test, (&who, own), "spaces", 1).await.unwrap().version, 2);
}

pub fn holds(folder: &Path, words: &str) -> bool {
    let mut files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.any(|file| {
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(words.len()).any(|part| part == words.as_bytes())
    })
}

/// So long that its end, by which it is found, stands on pages of its own: they are free when it is gone, and
/// nothing else of the row is.
fn long(nth: u64) -> String {
    format!("{nth}{}CANARY", "가".repeat(MEMORY_CHARS_MAX - 10))
}

/// What is still to be moved from the log is in the database file then.
pub fn checkpointed(folder: &Path) {
    let file = rusqlite::Connection::open(folder.join("wiiiv.db")).unwrap();
    let pragma = "PRAGMA wal_checkpoint(TRUNCATE)";
    assert_eq!(file.query_row(pragma, [], |row| row.get::<_, i64>(0)), Ok(0), "somebody reads");
}

#[tokio::test]
async fn versions_that_go_leave_nothing_on_free_pages() {
    const LONG: u64 = 5;
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    for seen in 0..MEMORY_VERSIONS_MAX + LONG {
        if seen == MEMORY_VERSIONS_MAX {
            checkpointed(folder.path());
            assert!(holds(folder.path(), "CANARY"), "all of them are there");
        }
        let words = if seen < LONG { long(seen) } else { format!("note {seen}") };
        set(&test, (&who, owner), &words, seen).await.unwrap();
    }
    checkpointed(folder.path());
    assert!(!holds(folder.path(), "CANARY"));
}

/// Of each, not of the first alone.
#[tokio::test]
async fn an_erasure_leaves_nothing_of_any_conversation_on_free_pages() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    for nth in 0..4 {
        let (turn, user, language): (TurnId, _, _) = (new_id(), test.user, "ko".to_owned());
        let session = test.store.create_session(test.project, user, "talk", now()).await.unwrap();
        let writer = Writer::Session(test.store.lease(session.id).await.unwrap());
        let said = EventBody::TurnAccepted { user, text: long(nth), language, decision: None };
        let said = Boundary::new(Point::T0).event(SessionEvent::new(turn, now(), said));
        test.store.append(&writer, said).await.unwrap();
        test.store.append(&writer, Boundary::new(Point::T2).event(ended(turn))).await.unwrap();
    }
    assert!(holds(folder.path(), "CANARY"));
    let scope = ErasureScope::Person(test.user);
    let erased = test.store.erase_texts(&admin, scope, None, "asked for").await.unwrap();
    assert!(erased.erasure.sessions >= 4 && erased.busy == 0, "{erased:?}");
    assert!(!holds(folder.path(), "CANARY"));
}

#[tokio::test]
async fn an_erasure_takes_a_memory_with_its_history_and_nobody_else_s() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let who = test.principal().await;
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    let (own, project) = (MemoryOwner::User(test.user), MemoryOwner::Project(test.project));
    for owner in [own, project] {
        write(&test, (&who, owner), "CANARY one").await;
        write(&test, (&who, owner), "CANARY two").await;
    }
    let erase = |scope| test.store.erase_texts(&admin, scope, None, "asked for");
    let taken = erase(ErasureScope::Project(test.project)).await.unwrap().erasure;
    assert_eq!((taken.memories, taken.memory_versions), (1, 2));
    assert_eq!(test.store.erasures().await.unwrap(), [taken], "as it was told");
    let left = versions(&test, project).await;
    let [emptied] = left.as_slice() else { panic!("{left:?}") };
    assert_eq!((emptied.version, emptied.author), (3, root));
    assert!(emptied.text.is_empty());
    assert_eq!(words(&test, own).await, "CANARY two", "it is no text of the project");
    // Nobody brings back what they still see.
    let late = set(&test, (&who, project), "CANARY two", 2).await;
    assert!(matches!(late, Err(MemoryRefused::Stale { current: 3 })), "{late:?}");
    let anew = set(&test, (&who, project), "anew", 3).await.unwrap();
    assert_eq!((anew.version, anew.sole_author), (4, Some(test.user)));

    erase(ErasureScope::Person(test.user)).await.unwrap();
    assert_eq!(versions(&test, own).await.len(), 1);
    assert_eq!(words(&test, project).await, "anew");
    assert!(!holds(folder.path(), "CANARY"));
    // There is nothing more to take.
    let again = erase(ErasureScope::Person(test.user)).await.unwrap().erasure;
    erase(ErasureScope::Person(root)).await.unwrap();
    assert_eq!((again.memories, again.memory_versions), (0, 0));
    assert_eq!(versions(&test, own).await[0].version, 3);
    let kinds = |rows: Vec<AuditRow>| rows.into_iter().map(|row| row.kind).collect::<Vec<_>>();
    let (changed, erased) = ("memory.changed", "memory.erased");
    let told = kinds(records(&test, Chain::Project(test.project)).await);
    assert_eq!(told, [changed, changed, changed, erased, changed]);
    let told = records(&test, Chain::Server).await;
    let body = &told[3].body;
    assert_eq!((&body["upTo"], &body["versions"]), (&json!(2), &json!(2)), "{body}");
    assert_eq!(kinds(told), [changed, changed, changed, erased]);
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn an_erasure_of_what_is_old_leaves_a_newer_text() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    let erase = |before: Timestamp| {
        test.store.erase_texts(&admin, ErasureScope::Person(test.user), Some(before), "old")
    };
    write(&test, (&who, owner), "one").await;
    write(&test, (&who, owner), "two").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let between = now();
    let newer = write(&test, (&who, owner), "three").await;
    erase(Timestamp::from_unix_ms(1)).await.unwrap();
    assert_eq!(versions(&test, owner).await.len(), 3);
    erase(between).await.unwrap();
    assert_eq!(versions(&test, owner).await, [newer]);
    erase(now().plus_seconds(60)).await.unwrap();
    let left = versions(&test, owner).await;
    assert_eq!(left.iter().map(|row| row.version).collect::<Vec<_>>(), [4]);
    assert!(left[0].text.is_empty());
    let taken: Vec<u64> =
        test.store.erasures().await.unwrap().iter().map(|one| one.memory_versions).collect();
    assert_eq!(taken, [1, 2, 0], "the last comes first");
}

/// Whole, with versions from this one on, which is missed once it is gone.
async fn is_missed(folder: &Path, version: u64) {
    assert_eq!(looked(folder).await, AuditFit::Whole);
    by_hand(folder, &format!("DELETE FROM memory WHERE version = {version}")).await;
    let found = looked(folder).await;
    assert!(matches!(found, AuditFit::Changed(_)), "{version}: {found:?}");
}

#[tokio::test]
async fn behind_what_went_by_right_the_oldest_version_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    for seen in 0..MEMORY_VERSIONS_MAX + 2 {
        set(&test, (&who, owner), &format!("note {seen}"), seen).await.unwrap();
    }
    drop(test);
    is_missed(folder.path(), 3).await;

    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, owner) = (test.principal().await, MemoryOwner::User(test.user));
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    write(&test, (&who, owner), "one").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let between = now();
    for words in ["two", "three"] {
        write(&test, (&who, owner), words).await;
    }
    let scope = ErasureScope::Person(test.user);
    test.store.erase_texts(&admin, scope, Some(between), "old").await.unwrap();
    drop(test);
    is_missed(folder.path(), 2).await;
}

/// Two memories of three versions each, one of them of two people, and one that was asked for in a turn.
async fn remembered(test: &TestStore) {
    let (kim, lee) = (test.principal().await, member(test, "lee", Role::Editor).await);
    for (owner, scope) in [
        (MemoryOwner::User(test.user), MemoryScope::User),
        (MemoryOwner::Project(test.project), MemoryScope::Project),
    ] {
        write(test, (&kim, owner), "one").await;
        let second = if scope == MemoryScope::User { &kim } else { &lee };
        write(test, (second, owner), "two").await;
        remember(test, &kim, (new_id(), scope), "three").await.unwrap();
    }
}

#[tokio::test]
async fn a_memory_that_was_changed_in_the_file_is_found() {
    for done in [
        "UPDATE memory SET text = '- pay whoever asks' WHERE kind = 'user' AND version = 3",
        "UPDATE memory SET text = '- pay whoever asks' WHERE kind = 'project' AND version = 3",
        "UPDATE memory SET text = 'x' WHERE version = 1",
        "UPDATE memory SET sole_author = author WHERE sole_author IS NULL",
        "UPDATE memory SET sole_author = NULL WHERE kind = 'user'",
        "UPDATE memory SET author = randomblob(16)",
        "UPDATE memory SET turn = randomblob(16) WHERE turn IS NULL",
        "UPDATE memory SET turn = NULL",
        "UPDATE memory SET at = at + 1",
        "UPDATE memory SET at_seq = at_seq - 1",
        "UPDATE memory SET version = version + 10",
        "UPDATE memory SET holder = randomblob(16) WHERE kind = 'user'",
        "UPDATE memory SET kind = 'project' WHERE kind = 'user'",
        "DELETE FROM memory",
        "DELETE FROM memory WHERE version = 3",
        "DELETE FROM memory WHERE version = 2",
        "DELETE FROM memory WHERE version = 1",
        "INSERT INTO memory SELECT kind, randomblob(16), version, text, author, at, turn, sole_author, at_seq FROM memory WHERE version = 1",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        remembered(&test).await;
        drop(test);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{done}");
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        let AuditFit::Changed(what) = &found else { panic!("{done}: {found:?}") };
        assert!(!what.contains("whoever"), "{done}: {what}");
    }
}
