//! What people told of themselves: versions, what waits for a yes, who may write, what is sealed, what an erasure takes,
//! and what `doctor` finds.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, permissive},
};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, Statement};
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

/// What only waits, or was dropped, is no value that an undo could bring back.
#[tokio::test]
async fn an_undo_goes_to_other_values_and_says_where_there_are_none() {
    let test = TestStore::memory(permissive()).await;
    let (who, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    for age in ["34", "35"] {
        tell(&test, &who, "age", age).await;
    }
    tell(&test, &who, "allergies", "penicillin").await;
    act(&test, &who, ProfileAct::Drop(1), None).await.unwrap();
    let undo = |who| act(&test, who, ProfileAct::Restore(None), None);
    let row = undo(&who).await.unwrap().row.unwrap();
    assert_eq!((row.version, values(&row, "age")), (5, vec!["34".to_owned()]));
    let row = undo(&who).await.unwrap().row.unwrap();
    assert_eq!((row.version, values(&row, "age")), (6, vec!["35".to_owned()]), "and forth");
    let asked = tell(&test, &lee, "allergies", "nuts").await;
    let same = undo(&lee).await.unwrap().row.unwrap();
    assert_eq!((same.version, same), (1, asked), "no version, so nothing was changed");
}

/// As a change of it does. Whoever may tell nothing more says yes to an undo that goes back, and to no other.
#[tokio::test]
async fn an_undo_of_a_safe_slot_waits_for_a_yes() {
    let test = TestStore::memory(permissive()).await;
    let lee = member(&test, "lee", Role::Editor).await;
    let does = async |who: &Principal, what: ProfileAct| act(&test, who, what, None).await;
    for (id, value) in (1..).zip(["nuts", "milk"]) {
        tell(&test, &lee, "allergies", value).await;
        does(&lee, ProfileAct::Accept(id)).await.unwrap();
    }
    let asked = does(&lee, ProfileAct::Restore(None)).await.unwrap();
    assert_eq!(asked.done[0].outcome, SlotOutcome::Waits(3));
    let row = asked.row.unwrap();
    assert_eq!((row.version, values(&row, "allergies").len()), (5, 2), "not before the yes");
    let again = does(&lee, ProfileAct::Restore(None)).await.unwrap();
    assert_eq!((again.row.unwrap().version, again.done[0].outcome), (5, SlotOutcome::Waits(3)));
    let back = does(&lee, ProfileAct::Accept(3)).await.unwrap().row.unwrap();
    assert_eq!(
        (back.how, values(&back, "allergies")),
        (ProfileHow::Restored, vec!["nuts".to_owned()])
    );
    // To bring back what was undone is asked about just as well.
    let forth = does(&lee, ProfileAct::Restore(None)).await.unwrap();
    assert_eq!(forth.done[0].outcome, SlotOutcome::Waits(4));

    test.store.set_roles(test.project, lee.user(), [Role::Viewer].into(), test.user).await.unwrap();
    let lee = logged_in(&test, lee.user(), (TokenScope::Full, Some(test.project))).await;
    let refused = does(&lee, ProfileAct::Accept(4)).await;
    assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
    let asked = does(&lee, ProfileAct::Restore(Some(0))).await.unwrap();
    assert_eq!(asked.done[0].outcome, SlotOutcome::Waits(5));
    let gone = does(&lee, ProfileAct::Accept(5)).await.unwrap().row.unwrap();
    assert!(values(&gone, "allergies").is_empty(), "{gone:?}");
    let forth = gone.document.pending.iter().map(|waits| waits.id).collect::<Vec<_>>();
    assert_eq!(forth.len(), 1, "the one that goes forth");
    let refused = does(&lee, ProfileAct::Accept(forth[0])).await;
    assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
}

#[tokio::test]
async fn the_oldest_of_too_many_versions_go() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let who = test.principal().await;
    for age in 0..PROFILE_VERSIONS_MAX + 3 {
        tell(&test, &who, "age", &age.to_string()).await;
    }
    let kept: Vec<u64> = versions(&test, &who).await.iter().map(|row| row.version).collect();
    assert_eq!(kept, (4..=PROFILE_VERSIONS_MAX + 3).rev().collect::<Vec<_>>());
    let erased = test.store.erase_profile(ProfileAuthor::of(&who)).await.unwrap();
    assert_eq!(erased, PROFILE_VERSIONS_MAX, "all of them are counted");
    for age in 0..PROFILE_VERSIONS_MAX {
        tell(&test, &who, "age", &age.to_string()).await;
    }
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    by_hand(
        folder.path(),
        "DELETE FROM profile WHERE version = (SELECT MIN(version) FROM profile)",
    )
    .await;
    let found = looked(folder.path()).await;
    assert!(matches!(found, AuditFit::Changed(_)), "{found:?}");
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

/// Where a slot of safety waits, the values are of no version as a whole: each slot goes back for itself.
#[tokio::test]
async fn who_undid_a_part_goes_on_undoing() {
    let test = TestStore::memory(permissive()).await;
    let lee = member(&test, "lee", Role::Editor).await;
    for (id, (age, allergy)) in (1..).zip([("34", "nuts"), ("35", "milk")]) {
        tell(&test, &lee, "age", age).await;
        tell(&test, &lee, "allergies", allergy).await;
        act(&test, &lee, ProfileAct::Accept(id), None).await.unwrap();
    }
    test.store.set_roles(test.project, lee.user(), [Role::Viewer].into(), test.user).await.unwrap();
    let lee = logged_in(&test, lee.user(), (TokenScope::Full, Some(test.project))).await;
    let undo = async |to| act(&test, &lee, ProfileAct::Restore(to), None).await;
    let part = undo(Some(3)).await.unwrap().row.unwrap();
    assert_eq!(
        (values(&part, "age"), values(&part, "allergies").len()),
        (vec!["34".to_owned()], 2)
    );
    let again = undo(None).await.unwrap();
    assert_eq!(again.done[0].outcome, SlotOutcome::Waits(3));
    let forth = undo(Some(6)).await;
    assert!(matches!(forth, Err(ProfileRefused::NotAllowed)), "{forth:?}");
    let further = undo(Some(1)).await.unwrap();
    assert_eq!(further.done[0].outcome, SlotOutcome::Waits(4));
}

/// Whoever may ask for no work takes back, drops and erases what they told before, and tells nothing more, nor by going
/// forth again. An administrator who is no member has nothing there.
#[tokio::test]
async fn any_member_takes_back_and_erases_their_own() {
    let test = TestStore::memory(permissive()).await;
    let lee = member(&test, "lee", Role::Editor).await;
    for age in ["34", "35"] {
        tell(&test, &lee, "age", age).await;
    }
    tell(&test, &lee, "allergies", "nuts").await;
    test.store.set_roles(test.project, lee.user(), [Role::Viewer].into(), test.user).await.unwrap();
    let lee = logged_in(&test, lee.user(), (TokenScope::Full, Some(test.project))).await;
    for more in [set("age", "36"), ProfileAct::Accept(1)] {
        let refused = act(&test, &lee, more, None).await;
        assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
    }
    let done = async |what: ProfileAct| act(&test, &lee, what, None).await.unwrap().row.unwrap();
    assert!(done(ProfileAct::Drop(1)).await.document.pending.is_empty());
    let back = done(ProfileAct::Restore(None)).await;
    assert_eq!((back.how, values(&back, "age")), (ProfileHow::Restored, vec!["34".to_owned()]));
    let forth = act(&test, &lee, ProfileAct::Restore(Some(2)), None).await;
    assert!(matches!(forth, Err(ProfileRefused::NotAllowed)), "{forth:?}");
    let further = done(ProfileAct::Restore(None)).await;
    assert!(values(&further, "age").is_empty(), "before the first there was nothing");
    assert_eq!(done(ProfileAct::Restore(None)).await, further);
    assert_eq!(test.store.erase_profile(ProfileAuthor::of(&lee)).await.unwrap(), 5);
    assert!(current(&test, &lee).await.unwrap().document.is_empty());
    let root = account(&test, "root", true).await;
    let root = logged_in(&test, root, (TokenScope::Full, Some(test.project))).await;
    let refused = test.store.erase_profile(ProfileAuthor::of(&root)).await;
    assert!(matches!(refused, Err(ProfileRefused::NotAllowed)), "{refused:?}");
}

fn holds(folder: &Path, words: impl AsRef<[u8]>) -> bool {
    let words = words.as_ref();
    let mut files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.any(|file| {
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(words.len()).any(|part| part == words)
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

/// Another program's hand in the file of a store that is open.
async fn intruder(folder: &Path) -> DatabaseConnection {
    let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
    Database::connect(url).await.unwrap()
}

/// Whoever gets the master key later would open them.
#[tokio::test]
async fn of_what_one_erases_oneself_no_sealed_value_stays_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let who = test.principal().await;
    for age in ["34", "35", "36"] {
        tell(&test, &who, "age", age).await;
    }
    let db = intruder(folder.path()).await;
    let all = Statement::from_string(db.get_database_backend(), "SELECT sealed FROM profile");
    let rows = db.query_all_raw(all).await.unwrap();
    db.close().await.unwrap();
    let sealed: Vec<Vec<u8>> = rows.iter().map(|row| row.try_get("", "sealed").unwrap()).collect();
    let there = || sealed.iter().filter(|sealed| holds(folder.path(), sealed)).count();
    assert_eq!((sealed.len(), there()), (3, 3));
    assert_eq!(test.store.erase_profile(ProfileAuthor::of(&who)).await.unwrap(), 3);
    assert_eq!(there(), 0);
}

/// What does not open can still be taken away: by its person, and by an erasure, which goes on behind it.
#[tokio::test]
async fn a_profile_that_does_not_open_is_erased_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (kim, lee) = (test.principal().await, member(&test, "lee", Role::Editor).await);
    for who in [&kim, &lee] {
        tell(&test, who, "age", "34").await;
        tell(&test, who, "allergies", "nuts").await;
    }
    let db = intruder(folder.path()).await;
    db.execute_unprepared("UPDATE profile SET sealed = zeroblob(60)").await.unwrap();
    db.close().await.unwrap();
    let told = act(&test, &kim, set("age", "35"), None).await;
    assert!(matches!(told, Err(ProfileRefused::Store(StoreError::Key(_)))), "{told:?}");
    assert_eq!(test.store.erase_profile(ProfileAuthor::of(&kim)).await.unwrap(), 2);
    let root = account(&test, "root", true).await;
    let admin = logged_in(&test, root, (TokenScope::Full, None)).await;
    let scope = ErasureScope::Project(test.project);
    let taken = test.store.erase_texts(&admin, scope, None, "asked for").await.unwrap().erasure;
    assert_eq!((taken.profiles, taken.profile_versions), (1, 2), "kim's is empty");
    assert!(taken.sessions > 0, "{taken:?}");
    for who in [&kim, &lee] {
        let asked = act(&test, who, set("allergies", "nuts"), None).await.unwrap();
        let SlotOutcome::Waits(number) = asked.done[0].outcome else { panic!("{asked:?}") };
        assert!(number > 1, "the number of what was asked before is given to nothing else");
    }
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
    let taken = erase(ErasureScope::Person(kim.user())).await.unwrap().erasure;
    assert_eq!((taken.profiles, taken.profile_versions), (1, 2));
    assert_eq!(test.store.erasures().await.unwrap(), [taken], "as it was told");
    assert!(current(&test, &kim).await.unwrap().document.is_empty());
    assert!(!current(&test, &lee).await.unwrap().document.is_empty());
    let taken = erase(ErasureScope::Project(test.project)).await.unwrap().erasure;
    assert_eq!((taken.profiles, taken.profile_versions), (1, 2), "kim's is empty already");
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
        "DELETE FROM profile WHERE version = 1",
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
