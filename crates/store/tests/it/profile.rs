//! What people told of themselves: versions, what waits for a yes, who may write, what is sealed, what an erasure takes,
//! and what `doctor` finds.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, permissive},
};
use secrecy::ExposeSecret as _;
use serde_json::json;
use std::{path::Path, sync::Arc};
use wiiiv_domain::{
    ProfileChange, ProfileEdit, ProfileFault, ProfileName, ProfileSchema, ProfileText, ProjectId,
    SlotOutcome, TurnId, UserId,
};
use wiiiv_gate::Principal;
use wiiiv_store::{
    AuditFilter, AuditFit, AuditRow, Chain, ErasureScope, NewUser, PROFILE_VERSIONS_MAX,
    ProfileAct, ProfileAuthor, ProfileChanged, ProfileHow, ProfileOwner, ProfileRefused,
    ProfileRow, Role, StoreError, TokenScope,
};

const CANARY: &str = "CANARY of a value";

fn name(text: &str) -> ProfileName {
    ProfileName::parse(text).unwrap()
}

/// One slot of safety, one that is none.
fn schema() -> Arc<ProfileSchema> {
    let label = json!({"ko": "칸", "en": "slot"});
    let schema: ProfileSchema = serde_json::from_value(json!({
        "name": "medical", "label": label, "hint": label,
        "words": {"none": ["none"], "not_before": ["no"]},
        "slots": [
            {"name": "age", "policy": "overwrite", "label": label, "hint": label},
            {"name": "allergies", "policy": "accumulate", "safety": true, "label": label, "hint": label},
        ],
    }))
    .unwrap();
    Arc::new(schema.checked().unwrap())
}

fn set(slot: &str, words: &str) -> ProfileAct {
    let edit = ProfileEdit::Set { text: ProfileText::parse(words).unwrap(), from: None };
    ProfileAct::Change(vec![ProfileChange { slot: name(slot), edit }])
}

fn owner(who: &Principal) -> ProfileOwner {
    let project = who.project().unwrap();
    ProfileOwner { person: who.user(), project, schema: name("medical") }
}

async fn act(
    test: &TestStore,
    who: &Principal,
    act: ProfileAct,
    expected: Option<u64>,
) -> Result<ProfileChanged, ProfileRefused> {
    test.store.change_profile(ProfileAuthor::of(who), schema(), act, expected).await
}

pub async fn tell(test: &TestStore, who: &Principal, slot: &str, words: &str) -> ProfileRow {
    act(test, who, set(slot, words), None).await.unwrap().row.unwrap()
}

pub async fn current(test: &TestStore, who: &Principal) -> Option<ProfileRow> {
    test.store.profile(&owner(who)).await.unwrap()
}

async fn versions(test: &TestStore, who: &Principal) -> Vec<ProfileRow> {
    test.store.profile_versions(&owner(who), None, PROFILE_VERSIONS_MAX).await.unwrap()
}

pub fn values(row: &ProfileRow, slot: &str) -> Vec<String> {
    let content = row.document.content(&name(slot));
    content.entries().iter().map(|entry| entry.text.as_str().to_owned()).collect()
}

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

async fn member(test: &TestStore, name: &str, role: Role) -> Principal {
    let user = account(test, name, false).await;
    test.store.set_roles(test.project, user, [role].into(), test.user).await.unwrap();
    logged_in(test, user, (TokenScope::Full, Some(test.project))).await
}

/// Oldest first.
async fn records(test: &TestStore) -> Vec<AuditRow> {
    let chain = Chain::Project(test.project);
    let rows = test.store.audit_search(chain, &AuditFilter::default()).await.unwrap();
    rows.into_iter().rev().filter(|row| row.kind.starts_with("profile.")).collect()
}

#[tokio::test]
async fn a_change_of_a_safe_slot_waits_for_a_yes_and_any_other_is_kept() {
    let test = TestStore::memory(permissive()).await;
    let who = test.principal().await;
    assert_eq!(current(&test, &who).await, None);
    let first = act(&test, &who, set("age", "35"), Some(0)).await.unwrap();
    assert_eq!(first.done[0].outcome, SlotOutcome::Kept);
    let asked = act(&test, &who, set("allergies", "penicillin"), Some(1)).await.unwrap();
    assert_eq!(asked.done[0].outcome, SlotOutcome::Waits(1));
    let row = asked.row.unwrap();
    assert_eq!((row.version, row.how), (2, ProfileHow::Changed));
    assert!(values(&row, "allergies").is_empty() && row.document.pending.len() == 1);
    let stale = act(&test, &who, ProfileAct::Accept(1), Some(1)).await;
    assert!(matches!(stale, Err(ProfileRefused::Stale { current: 2 })), "{stale:?}");
    let kept = act(&test, &who, ProfileAct::Accept(1), Some(2)).await.unwrap().row.unwrap();
    assert_eq!(
        (kept.how, values(&kept, "allergies")),
        (ProfileHow::Accepted, vec!["penicillin".to_owned()])
    );
    let again = act(&test, &who, ProfileAct::Accept(1), None).await;
    let is_gone = matches!(again, Err(ProfileRefused::Fault(ProfileFault::NotPending)));
    assert!(is_gone, "{again:?}");

    // What says the opposite is asked about as well, and a no leaves all as it is.
    let asked = act(&test, &who, set("allergies", "none"), None).await.unwrap();
    assert_eq!(asked.done[0].outcome, SlotOutcome::Waits(2));
    let dropped = act(&test, &who, ProfileAct::Drop(2), None).await.unwrap().row.unwrap();
    assert_eq!(values(&dropped, "allergies"), ["penicillin"]);
    let same = act(&test, &who, set("age", "35"), None).await.unwrap();
    assert_eq!(same.row.unwrap().version, dropped.version, "the same is no change");
    assert_eq!(current(&test, &who).await.unwrap(), dropped);
}

#[tokio::test]
async fn an_older_version_is_brought_back() {
    let test = TestStore::memory(permissive()).await;
    let who = test.principal().await;
    let none = act(&test, &who, ProfileAct::Restore(None), None).await;
    assert!(matches!(none, Err(ProfileRefused::NoVersion)), "{none:?}");
    for age in ["34", "35", "36"] {
        tell(&test, &who, "age", age).await;
    }
    let back = |to| act(&test, &who, ProfileAct::Restore(to), None);
    let row = back(None).await.unwrap().row.unwrap();
    assert_eq!(
        (row.version, row.how, values(&row, "age")),
        (4, ProfileHow::Restored, vec!["35".to_owned()])
    );
    assert_eq!(values(&back(Some(1)).await.unwrap().row.unwrap(), "age"), ["34"]);
    assert!(values(&back(Some(0)).await.unwrap().row.unwrap(), "age").is_empty());
    assert!(matches!(back(Some(99)).await, Err(ProfileRefused::NoVersion)));
    assert_eq!(versions(&test, &who).await.len(), 6);
}

#[tokio::test]
async fn the_oldest_of_too_many_versions_go() {
    let test = TestStore::memory(permissive()).await;
    let who = test.principal().await;
    for age in 0..PROFILE_VERSIONS_MAX + 3 {
        tell(&test, &who, "age", &age.to_string()).await;
    }
    let kept: Vec<u64> = versions(&test, &who).await.iter().map(|row| row.version).collect();
    assert_eq!(kept, (4..=PROFILE_VERSIONS_MAX + 3).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn each_writes_and_reads_their_own() {
    let test = TestStore::memory(permissive()).await;
    let (kim, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    tell(&test, &kim, "age", "35").await;
    assert_eq!(current(&test, &lee).await, None);
    tell(&test, &lee, "age", "50").await;
    assert_eq!(values(&current(&test, &kim).await.unwrap(), "age"), ["35"]);
    let vic = member(&test, "vic", Role::Viewer).await;
    let root = account(&test, "root", true).await;
    let root = logged_in(&test, root, (TokenScope::Full, Some(test.project))).await;
    let nowhere = logged_in(&test, test.user, (TokenScope::Full, None)).await;
    let reads = logged_in(&test, test.user, (TokenScope::Read, Some(test.project))).await;
    for (name, who) in
        [("viewer", &vic), ("admin", &root), ("nowhere", &nowhere), ("token", &reads)]
    {
        let refused = act(&test, who, set("age", "1"), None).await;
        assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{name}: {refused:?}");
    }
    test.store.set_roles(test.project, lee.user(), [Role::Viewer].into(), test.user).await.unwrap();
    let gone = act(&test, &lee, set("age", "51"), None).await;
    let is_gone = matches!(gone, Err(ProfileRefused::Store(StoreError::AuthorityGone)));
    assert!(is_gone, "{gone:?}");
}

/// Whoever may ask for no work takes back and erases what they told before, and tells nothing more. An administrator who
/// is no member has nothing there.
#[tokio::test]
async fn any_member_takes_back_and_erases_their_own() {
    let test = TestStore::memory(permissive()).await;
    let lee = member(&test, "lee", Role::Editor).await;
    for age in ["34", "35"] {
        tell(&test, &lee, "age", age).await;
    }
    test.store.set_roles(test.project, lee.user(), [Role::Viewer].into(), test.user).await.unwrap();
    let lee = logged_in(&test, lee.user(), (TokenScope::Full, Some(test.project))).await;
    for more in [set("age", "36"), ProfileAct::Accept(1), ProfileAct::Drop(1)] {
        let refused = act(&test, &lee, more, None).await;
        assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
    }
    let back = act(&test, &lee, ProfileAct::Restore(None), None).await.unwrap().row.unwrap();
    assert_eq!((back.how, values(&back, "age")), (ProfileHow::Restored, vec!["34".to_owned()]));
    assert_eq!(test.store.erase_profile(ProfileAuthor::of(&lee)).await.unwrap(), 3);
    assert!(current(&test, &lee).await.unwrap().document.is_empty());
    let root = account(&test, "root", true).await;
    let root = logged_in(&test, root, (TokenScope::Full, Some(test.project))).await;
    let refused = test.store.erase_profile(ProfileAuthor::of(&root)).await;
    assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
}

fn holds(folder: &Path, words: &str) -> bool {
    let mut files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.any(|file| {
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(words.len()).any(|part| part == words.as_bytes())
    })
}

#[tokio::test]
async fn values_are_sealed_and_stand_in_no_record_and_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (kim, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    let turn: TurnId = new_id();
    let author = ProfileAuthor::in_turn(&kim, turn);
    let told = test.store.change_profile(author, schema(), set("age", CANARY), None).await.unwrap();
    assert_eq!(told.row.as_ref().unwrap().turn, Some(turn));
    assert!(!format!("{told:?}").contains("CANARY"));
    tell(&test, &kim, "allergies", CANARY).await;
    tell(&test, &lee, "age", CANARY).await;
    let long = set("age", &"x".repeat(200));
    act(&test, &kim, long, None).await.unwrap();
    let odd = act(&test, &kim, set("nowhere", CANARY), None).await.unwrap_err();
    assert!(!odd.to_string().contains("CANARY"), "{odd}");
    let records = records(&test).await;
    for row in &records {
        assert!(!row.body.to_string().contains("CANARY"), "{}", row.body);
    }
    let first = &records[0].body;
    assert_eq!((&first["slots"], &first["how"]), (&json!(["age"]), &json!("changed")));
    assert_eq!((&first["turn"], &first["schema"]), (&json!(turn), &json!("medical")));
    assert_eq!((&first["waiting"], &records[1].body["waiting"]), (&json!(0), &json!(1)));
    assert_eq!(records[1].body["slots"], json!([]), "what waits has changed nothing yet");
    assert!(!holds(folder.path(), "CANARY"));
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn what_was_told_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let before = TestStore::on_disk(folder.path(), permissive()).await;
    let who = before.principal().await;
    let row = tell(&before, &who, "age", "35").await;
    let test = before.reopened(folder.path()).await.unwrap();
    drop(before);
    let who = test.principal().await;
    assert_eq!(current(&test, &who).await, Some(row));
    assert_eq!(tell(&test, &who, "age", "36").await.version, 2);
}

#[tokio::test]
async fn an_erasure_takes_profiles_with_their_history_and_nobody_else_s() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (kim, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    for who in [&kim, &lee] {
        tell(&test, who, "age", "34").await;
        tell(&test, who, "allergies", "penicillin").await;
    }
    // One's own, by oneself.
    assert_eq!(test.store.erase_profile(ProfileAuthor::of(&lee)).await.unwrap(), 2);
    let left = versions(&test, &lee).await;
    let [emptied] = left.as_slice() else { panic!("{left:?}") };
    assert_eq!((emptied.version, emptied.how), (3, ProfileHow::Erased));
    assert!(emptied.document.is_empty());
    let late = act(&test, &lee, set("age", "34"), Some(2)).await;
    assert!(matches!(late, Err(ProfileRefused::Stale { current: 3 })), "{late:?}");
    // A number that was asked under before is given to nothing else.
    let asked = act(&test, &lee, set("allergies", "nuts"), None).await.unwrap();
    assert_eq!(asked.done[0].outcome, SlotOutcome::Waits(2));

    let erase = |scope| test.store.erase_texts(&admin, scope, None, "asked for");
    erase(ErasureScope::Person(kim.user())).await.unwrap();
    assert!(current(&test, &kim).await.unwrap().document.is_empty());
    assert!(!current(&test, &lee).await.unwrap().document.is_empty());
    erase(ErasureScope::Project(test.project)).await.unwrap();
    assert!(current(&test, &lee).await.unwrap().document.is_empty());
    let erased: Vec<AuditRow> =
        records(&test).await.into_iter().filter(|row| row.kind == "profile.erased").collect();
    assert_eq!(erased.len(), 3);
    assert_eq!(erased[0].body["erasure"], json!(null), "by its person");
    assert_eq!(
        (&erased[1].body["holder"], &erased[1].body["by"]),
        (&json!(kim.user()), &json!(root))
    );
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn a_profile_that_was_changed_in_the_file_is_found() {
    for done in [
        "UPDATE profile SET sealed = (SELECT sealed FROM profile WHERE version = 1) WHERE version = 2",
        "UPDATE profile SET sealed = zeroblob(60)",
        "UPDATE profile SET person = randomblob(16)",
        "UPDATE profile SET schema = 'other'",
        "UPDATE profile SET version = version + 5",
        "UPDATE profile SET how = 'accepted' WHERE version = 1",
        "UPDATE profile SET author = randomblob(16)",
        "UPDATE profile SET turn = randomblob(16)",
        "UPDATE profile SET at = at + 1",
        "UPDATE profile SET at_seq = at_seq - 1",
        "DELETE FROM profile",
        "DELETE FROM profile WHERE version = 3",
        "DELETE FROM profile WHERE version = 2",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let who = test.principal().await;
        for age in ["34", "35", "36"] {
            tell(&test, &who, "age", age).await;
        }
        drop(test);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{done}");
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}
