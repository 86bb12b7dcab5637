//! Registered systems, and the credentials sealed for them.

use crate::test_store::{TestStore, now, permissive};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use secrecy::ExposeSecret as _;
use std::{collections::BTreeMap, path::Path};
use wiiiv_domain::{
    Arg, Authentication, BaseUrl, Blueprint, Effect, HttpMethod, NodeKind, Operation, ProjectId,
    ProjectPolicy, Risk, Scheme, StepParams, System, SystemName, UrlTemplate,
};
use wiiiv_gate::{Claim, Committed, Resolved};
use wiiiv_store::{
    AuditFilter, Boundary, Chain, CommitRefused, Moved, Point, StoreError, SystemRefused,
    SystemRow, SystemsStamp, Write,
};
use wiiiv_vault::Credential;

const SECRET: &str = "CANARY-f00d-secret";
const USERNAME: &str = "CANARY-username";

fn name(text: &str) -> SystemName {
    SystemName::parse(text).unwrap()
}

fn system(called: &str, alias: &str, port: u16) -> System {
    let operation = Operation {
        id: "listProducts".into(),
        method: HttpMethod::Get,
        path: "/products".into(),
        labels: vec!["상품 목록".into()],
        reads: false,
        idempotent: false,
        parameters: Vec::new(),
        fields: Vec::new(),
        body: None,
    };
    System {
        version: System::VERSION,
        name: name(called),
        aliases: vec![alias.into()],
        base_url: BaseUrl {
            scheme: Scheme::Http,
            host: "127.0.0.1".into(),
            port: Some(port),
            segments: Vec::new(),
        },
        operations: vec![operation],
        authentication: Authentication::Basic,
        any_path: false,
        risk: Risk::Medium,
    }
}

fn credential() -> Credential {
    Credential::new(USERNAME.into(), SECRET.into()).unwrap()
}

impl TestStore {
    async fn save(
        &self,
        system: System,
        expected: Option<u64>,
    ) -> Result<SystemRow, SystemRefused> {
        self.store.save_system(self.user, self.project, system, expected).await
    }
    /// The revision that it has then.
    async fn changed(&self, system: System, expected: u64) -> u64 {
        self.save(system, Some(expected)).await.unwrap().revision
    }
    async fn set(&self, expected: u64, credential: Option<Credential>) -> u64 {
        let (by, project, name) = (self.user, self.project, name("skymall"));
        let set = self.store.set_credential(by, project, &name, credential, expected).await;
        set.unwrap().revision
    }
    async fn give(&self, called: &str, expected: u64) -> Result<SystemRow, SystemRefused> {
        let (by, project, given) = (self.user, self.project, Some(credential()));
        self.store.set_credential(by, project, &name(called), given, expected).await
    }
    async fn opened(&self, called: &str) -> Result<Option<(Credential, u64)>, StoreError> {
        self.store.credential(self.project, &name(called)).await
    }
    /// What the project's chain says of systems, oldest first.
    async fn said_of_systems(&self) -> Vec<(String, String)> {
        let chain = Chain::Project(self.project);
        let rows = self.store.audit_search(chain, &AuditFilter::default()).await.unwrap();
        let about = rows.into_iter().rev().filter(|row| row.kind.starts_with("system."));
        about.map(|row| (row.kind, row.body.to_string())).collect()
    }
}

#[tokio::test]
async fn a_change_names_the_revision_that_it_changes() {
    let test = TestStore::memory(permissive()).await;
    let first = test.save(system("skymall", "스카이몰", 8081), None).await.unwrap();
    let again = test.save(system("skymall", "몰", 8081), None).await;
    assert!(matches!(again, Err(SystemRefused::Stale { current }) if current == first.revision));
    let second = test.save(system("skymall", "몰", 8081), Some(first.revision)).await.unwrap();
    assert!(second.revision > first.revision);
    let late = test.save(system("skymall", "늦음", 8081), Some(first.revision)).await;
    assert!(matches!(late, Err(SystemRefused::Stale { current }) if current == second.revision));
    let nothing = test.save(system("skystock", "재고", 8082), Some(1)).await;
    assert!(matches!(nothing, Err(SystemRefused::NotFound)));

    assert_eq!(test.store.systems(test.project).await.unwrap(), std::slice::from_ref(&second));
    assert_eq!(second.updated_by, test.user);
    let remove =
        |expected| test.store.remove_system(test.user, test.project, &second.system.name, expected);
    assert!(matches!(remove(first.revision).await, Err(SystemRefused::Stale { .. })));
    remove(second.revision).await.unwrap();
    assert!(matches!(remove(second.revision).await, Err(SystemRefused::NotFound)));
    let anew = test.save(system("skymall", "몰", 8081), None).await.unwrap();
    assert!(anew.revision > second.revision, "a revision never comes twice");
    let kinds: Vec<_> = test.said_of_systems().await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["system.saved", "system.saved", "system.removed", "system.saved"]);
}

#[tokio::test]
async fn a_stamp_stands_for_one_list_alone() {
    let test = TestStore::memory(permissive()).await;
    let (store, project) = (&test.store, test.project);
    let mut seen = vec![store.systems_stamp(project).await.unwrap()];
    let mall = test.save(system("skymall", "몰", 8081), None).await.unwrap();
    seen.push(store.systems_stamp(project).await.unwrap());
    let stock = test.save(system("skystock", "재고", 8082), None).await.unwrap();
    seen.push(store.systems_stamp(project).await.unwrap());
    test.save(system("skymall", "상점", 8081), Some(mall.revision)).await.unwrap();
    seen.push(store.systems_stamp(project).await.unwrap());
    let (name, expected) = (name("skystock"), stock.revision);
    store.remove_system(test.user, project, &name, expected).await.unwrap();
    seen.push(store.systems_stamp(project).await.unwrap());
    test.give("skymall", store.systems(project).await.unwrap()[0].revision).await.unwrap();
    seen.push(store.systems_stamp(project).await.unwrap());
    for (at, stamp) in seen.iter().enumerate() {
        assert!(!seen[..at].contains(stamp), "{seen:?}");
    }
    let rows = store.systems(project).await.unwrap();
    assert_eq!(store.systems_stamp(project).await.unwrap(), SystemsStamp::of(&rows));
}

#[tokio::test]
async fn no_word_calls_two_systems_of_a_project() {
    let test = TestStore::memory(permissive()).await;
    test.save(system("skymall", "몰", 8081), None).await.unwrap();
    test.save(system("skystock", "재고 시스템", 8082), None).await.unwrap();
    for taken in [system("other", "몰", 8083), system("other", " SkyMall ", 8083)] {
        let refused = test.save(taken, None).await;
        assert!(
            matches!(refused, Err(SystemRefused::WordTaken { by, .. }) if by == name("skymall"))
        );
    }
    let odd = System { aliases: vec!["a,b".into()], ..system("other", "x", 1) };
    assert!(matches!(test.save(odd, None).await, Err(SystemRefused::Invalid(_))));
    let names: Vec<_> = test.store.systems(test.project).await.unwrap();
    assert_eq!(
        names.iter().map(|row| row.system.name.as_str()).collect::<Vec<_>>(),
        ["skymall", "skystock"]
    );
}

#[tokio::test]
async fn a_credential_goes_with_the_origin_that_it_was_given_for() {
    let test = TestStore::memory(permissive()).await;
    let row = test.save(system("skymall", "몰", 8081), None).await.unwrap();
    assert!(test.opened("skymall").await.unwrap().is_none());
    let given = test.give("skymall", row.revision).await.unwrap();
    let (opened, revision) = test.opened("skymall").await.unwrap().unwrap();
    assert_eq!(opened.username().expose_secret(), USERNAME);
    assert_eq!(opened.secret().expose_secret(), SECRET);
    assert_eq!(Some(revision), given.credential_revision);

    let relabelled =
        test.save(system("skymall", "상점", 8081), Some(given.revision)).await.unwrap();
    assert_eq!(relabelled.credential_revision, given.credential_revision, "the origin is the same");
    let before = test.give("skymall", given.revision).await;
    assert!(matches!(before, Err(SystemRefused::Stale { .. })), "given for what was seen before");

    let moved =
        test.save(system("skymall", "상점", 6666), Some(relabelled.revision)).await.unwrap();
    assert_eq!(moved.credential_revision, None);
    assert!(test.opened("skymall").await.unwrap().is_none());
    let back = test.save(system("skymall", "상점", 8081), Some(moved.revision)).await.unwrap();
    assert_eq!(back.credential_revision, None, "it does not come back with its origin");
    assert!(test.opened("skymall").await.unwrap().is_none());

    let again = test.give("skymall", back.revision).await.unwrap();
    assert!(
        again.credential_revision > given.credential_revision,
        "tokens of the old one are void"
    );
    let take = |expected| {
        let name = name("skymall");
        let test = test.clone();
        async move { test.store.set_credential(test.user, test.project, &name, None, expected).await }
    };
    let taken = take(again.revision).await.unwrap();
    assert_eq!(taken.credential_revision, None);
    assert!(take(taken.revision).await.is_err(), "there is none any more");
    let kinds: Vec<_> = test.said_of_systems().await.into_iter().map(|(kind, _)| kind).collect();
    let (saved, set) = ("system.saved", "system.credential_set");
    let removed = "system.credential_removed";
    assert_eq!(kinds, [saved, set, saved, saved, removed, saved, set, removed]);
}

#[tokio::test]
async fn a_credential_fits_the_kind_of_authentication() {
    let test = TestStore::memory(permissive()).await;
    let cases = [
        (Authentication::None, USERNAME, false),
        (Authentication::Bearer, USERNAME, false),
        (Authentication::Bearer, "", true),
        (Authentication::ApiKey { header: "x-key".into() }, "", true),
        (Authentication::Basic, "", false),
        (Authentication::Basic, USERNAME, true),
    ];
    let mut revision = None;
    for (authentication, username, fits) in cases {
        let system = System { authentication, ..system("skymall", "몰", 8081) };
        let row = test.save(system, revision).await.unwrap();
        let given = Some(Credential::new(username.into(), SECRET.into()).unwrap());
        let (by, project) = (test.user, test.project);
        let mall = &row.system.name;
        let told = test.store.set_credential(by, project, mall, given, row.revision).await;
        assert_eq!(told.is_ok(), fits, "{:?}: {told:?}", row.system.authentication);
        revision = Some(told.map_or(row.revision, |row| row.revision));
    }
    let open = System { authentication: Authentication::None, ..system("skymall", "몰", 8081) };
    let row = test.save(open, revision).await.unwrap();
    assert_eq!(row.credential_revision, None, "what is not needed is not kept");
}

fn log_in(path: &str, password_field: &str, token_pointer: &str) -> Authentication {
    Authentication::LogIn {
        path: path.into(),
        username_field: "username".into(),
        password_field: password_field.into(),
        token_pointer: token_pointer.into(),
    }
}

#[tokio::test]
async fn a_credential_is_used_as_it_was_given_or_not_at_all() {
    let token = log_in("/login", "password", "/token");
    let key = |header: &str| Authentication::ApiKey { header: header.into() };
    let cases = [
        (Authentication::Bearer, Authentication::Bearer, true),
        (Authentication::Bearer, Authentication::Basic, false),
        (Authentication::Bearer, key("x-key"), false),
        (key("x-key"), key("x-other"), false),
        (Authentication::Basic, token.clone(), false),
        (token.clone(), Authentication::Basic, false),
        (token.clone(), Authentication::Bearer, false),
        (token.clone(), log_in("/session", "password", "/token"), false),
        (token.clone(), log_in("/login", "note", "/token"), false),
        (token.clone(), log_in("/login", "password", "/data/token"), true),
    ];
    for (before, after, stays) in cases {
        let told = format!("{before:?} to {after:?}");
        let test = TestStore::memory(permissive()).await;
        let named = matches!(before, Authentication::Basic | Authentication::LogIn { .. });
        let of = |authentication| System { authentication, ..system("skymall", "몰", 8081) };
        let row = test.save(of(before), None).await.unwrap();
        let username = if named { USERNAME } else { "" };
        let given = Some(Credential::new(username.into(), SECRET.into()).unwrap());
        let (by, project, mall) = (test.user, test.project, name("skymall"));
        let row = test.store.set_credential(by, project, &mall, given, row.revision).await.unwrap();
        let row = test.save(of(after), Some(row.revision)).await.unwrap();
        assert_eq!(row.credential_revision.is_some(), stays, "{told}");
        assert_eq!(test.opened("skymall").await.unwrap().is_some(), stays, "{told}");
        let said = test.said_of_systems().await;
        let gone = said.iter().any(|(_, body)| body.contains("AUTHENTICATION_CHANGED"));
        assert_eq!(gone, !stays, "{told}: {said:?}");
    }
}

async fn intruder(folder: &Path) -> DatabaseConnection {
    let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
    Database::connect(url).await.unwrap()
}

fn hex_of(project: ProjectId) -> String {
    hex::encode(project.uuid().as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_row_does_not_open() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let mut rows = BTreeMap::new();
    for (called, alias, port) in
        [("mall", "몰", 8081), ("twin", "쌍둥이", 8081), ("moved", "이사", 8081)]
    {
        let row = test.save(system(called, alias, port), None).await.unwrap();
        rows.insert(called, test.give(called, row.revision).await.unwrap());
    }
    let other = test.store.create_project("other", test.user, permissive()).await.unwrap();
    let other = other.body().document().project;
    let elsewhere = system("mall", "몰", 8081);
    test.store.save_system(test.user, other, elsewhere, None).await.unwrap();

    let db = intruder(folder.path()).await;
    let (here, there) = (hex_of(test.project), hex_of(other));
    let of = |project: &str, name: &str| {
        format!("hex(project) = upper('{project}') AND name = '{name}'")
    };
    let copy = |to: String| {
        format!(
            "UPDATE system SET credential = (SELECT credential FROM system WHERE {}), \
         credential_revision = 1 WHERE {to}",
            of(&here, "mall")
        )
    };
    let mut changed = 0;
    for sql in [
        copy(of(&here, "twin")),
        copy(of(&there, "mall")),
        format!(
            "UPDATE system SET document = replace(document, '8081', '6666') WHERE {}",
            of(&here, "moved")
        ),
    ] {
        changed += db.execute_unprepared(&sql).await.unwrap().rows_affected();
    }
    assert_eq!(changed, 3, "each statement found its row");
    assert!(test.opened("mall").await.unwrap().is_some());
    for refused in [
        test.opened("twin").await,
        test.opened("moved").await,
        test.store.credential(other, &name("mall")).await,
    ] {
        let error = refused.unwrap_err();
        assert!(matches!(error, StoreError::Key(_)), "{error:?}");
        assert!(!error.to_string().contains("CANARY"));
    }
    assert_eq!(rows.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_kept_or_told_in_the_clear() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let row = test.save(system("skymall", "몰", 8081), None).await.unwrap();
    let row = test.give("skymall", row.revision).await.unwrap();
    assert!(!format!("{row:?}").contains("CANARY"));
    test.save(system("skymall", "몰", 8082), Some(row.revision)).await.unwrap();
    let told = test.said_of_systems().await;
    assert_eq!(told.len(), 4);
    for (kind, body) in told {
        let named = body.contains("skymall") && body.contains(&test.user.to_string());
        assert!(named && !body.contains("CANARY"), "{kind}: {body}");
    }
    assert!(now() >= row.updated_at);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let found = bytes.windows(6).any(|window| window == b"CANARY");
        assert!(!found, "{}", path.display());
    }
}

/// A plan that calls `skymall`, drawn by these revisions, and on record.
async fn call_plan(test: &TestStore, systems: BTreeMap<SystemName, u64>) -> Blueprint {
    let mut plan = crate::plan::write_plan(test, "notes/a.md").await;
    let url = UrlTemplate {
        system: Some(name("skymall")),
        scheme: Scheme::Http,
        host: "127.0.0.1".to_owned(),
        port: Some(8081),
        segments: vec![Arg::Literal("products".to_owned())],
        query: Vec::new(),
    };
    let (method, content_type, body) = (HttpMethod::Get, None, None);
    let node = &mut plan.nodes[0];
    node.params = StepParams::ApiCall { method, url, content_type, body };
    (node.kind, node.effect) = (NodeKind::Observe, Effect::Read);
    plan.systems = systems;
    let write = Write::Blueprint(Box::new(plan.clone()));
    test.store.append(&test.writer(), Boundary::new(Point::T1).write(write)).await.unwrap();
    plan
}

fn calling() -> ProjectPolicy {
    let mut policy = permissive();
    policy.allowed_hosts.push(system("skymall", "몰", 8081).proposed_rule(true));
    policy
}

async fn commit(test: &TestStore, claim: Claim) -> Result<Committed, CommitRefused> {
    Ok(test.store.commit(&test.writer(), Boundary::new(Point::S1), claim).await?.0)
}

#[track_caller]
fn is_changed(refused: Result<Committed, CommitRefused>) {
    let changed = matches!(refused, Err(CommitRefused::Moved(Moved::SystemChanged, _)));
    assert!(changed, "{refused:?}");
}

/// What a person said yes to is the registration that they were shown, and its credential.
#[tokio::test]
async fn a_plan_begins_and_goes_on_only_under_the_registration_it_was_drawn_by() {
    let test = TestStore::memory(calling()).await;
    let row = test.save(system("skymall", "몰", 8081), None).await.unwrap();
    let mut at = row.revision;
    let drawn_by = |revision| BTreeMap::from([(name("skymall"), revision)]);
    let with = |change: fn(&mut System)| {
        let mut system = system("skymall", "몰", 8081);
        change(&mut system);
        system
    };
    let give = || Some(credential());
    for change in 0..6 {
        let plan = call_plan(&test, drawn_by(at)).await;
        let (claim, _) = test.rule(&plan).await;
        let running = call_plan(&test, drawn_by(at)).await;
        let (begins, ruled) = test.rule(&running).await;
        let mut run = ruled.seal(commit(&test, begins).await.unwrap()).unwrap().begin();
        let policy = test.snapshot().await;
        let standing = test.store.standing(test.session).await.unwrap();
        let step =
            run.rule_step(&crate::plan::step(), 1, Resolved::default(), &policy, &standing, now());
        let (step, _) = step.unwrap();
        at = match change {
            0 | 1 => test.set(at, give()).await,
            2 => test.changed(with(|system| system.any_path = true), at).await,
            3 => test.changed(with(|system| system.aliases.clear()), at).await,
            4 => test.set(at, None).await,
            _ => {
                test.store
                    .remove_system(test.user, test.project, &name("skymall"), at)
                    .await
                    .unwrap();
                test.save(system("skymall", "몰", 8081), None).await.unwrap().revision
            }
        };
        is_changed(commit(&test, claim).await);
        is_changed(commit(&test, step).await);
    }
    // Drawn before plans said so: there is nothing to hold it to.
    let (claim, _) = test.rule(&call_plan(&test, BTreeMap::new()).await).await;
    is_changed(commit(&test, claim).await);
    let (claim, _) = test.rule(&call_plan(&test, drawn_by(at)).await).await;
    assert!(commit(&test, claim).await.is_ok());
}
