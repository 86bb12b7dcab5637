//! Every operation of the API for every role, for what is there, somebody else's, and what is not
//! there. Whoever may not see a thing is told the same, to the byte, of one that is there and of one
//! that is not; whoever may not change it changes nothing.

mod body;
mod effects;

use crate::{
    call::{Answer, TestRequest},
    openapi::operations,
    test_server::{Person, TestServer, token},
};
use expect_test::expect_file;
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};
use uuid::Uuid;
use wiiiv_gate::Rights;
use wiiiv_server::{Object, RULES, Rule};
use wiiiv_store::{Role, TokenScope};

/// Registered in the project of the roles and in the other one.
const SYSTEM: &str = "matrix";

/// Which object an operation is tried on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// In the project that the roles are of; a conversation or token is the caller's own.
    Own,
    /// Somebody else's: a project that the caller has no role in, another's conversation or token.
    Other,
    Missing,
    /// What is in the thing is missing; and so is all of it.
    MissingIn,
    MissingBoth,
}

/// Who tries.
struct Actor {
    name: &'static str,
    token: Option<String>,
    rights: Rights,
    session: String,
    turn: String,
}

/// Ids to fill an address with, by its parameters.
struct Things {
    project: String,
    approval: String,
    blueprint: String,
    execution: String,
    step: String,
    user: String,
    grant: String,
    document: String,
    job: String,
}

struct Matrix {
    test: TestServer,
    own: Things,
    other: Things,
    /// With a turn in it.
    other_session: String,
    other_turn: String,
    stranger: Person,
    /// A question of the owner's that waits, and the conversation that it waits in.
    waiting: (String, String),
    asking_session: String,
    actors: Vec<Actor>,
}

/// A key to ask about, where there is none yet.
async fn key(test: &TestServer, who: &Person, at: &str) {
    let asked = TestRequest::new("PUT", &format!("{at}/openai")).by(&who.token);
    let status = test.status(asked.json(&json!({"secret": "sk-0123456789abcdef"}))).await;
    assert!(matches!(status, 201 | 428), "{at}: {status}");
}

async fn things(
    test: &TestServer,
    who: &Person,
    project: String,
    session: &str,
    file: &str,
) -> Things {
    let (approval, digest) = test.question(who, session, file).await;
    assert_eq!(test.approve(who, &approval, &digest).await.status, 200);
    let asked = test.get(who, &format!("/approvals/{approval}")).await;
    let blueprint = asked.body["blueprint"].as_str().unwrap().to_owned();
    let rows = loop {
        let rows = test.get(who, &format!("/projects/{project}/executions")).await;
        if rows.body["items"][0]["finished_at"].is_string() {
            break rows;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let execution = rows.body["items"][0]["id"].as_str().unwrap().to_owned();
    let system = TestRequest::new("PUT", &format!("/projects/{project}/systems/{SYSTEM}"));
    let system = system.by(&who.token).json(&json!({"baseUrl": "http://127.0.0.1:9"}));
    assert_eq!(test.status(system).await, 201);
    key(test, who, &format!("/projects/{project}/keys")).await;
    let run = test.get(who, &format!("/executions/{execution}")).await;
    let step = run.body["attempts"][0]["step"].as_str().unwrap().to_owned();
    let grant = json!({ "approval": approval, "step": step, "uses": 2, "seconds": 3600 });
    let grant = test.post(who, &format!("/projects/{project}/approval-grants"), grant).await;
    assert_eq!(grant.status, 201, "{}", grant.text);
    let grant = grant.body["id"].as_str().unwrap().to_owned();
    let (document, job) = ingested(test, who, &format!("/rag/projects/{project}/ingest")).await;
    let user = who.user.to_string();
    Things { project, approval, blueprint, execution, step, user, grant, document, job }
}

/// A document of their own making, and the ingest that it came by.
async fn ingested(test: &TestServer, who: &Person, at: &str) -> (String, String) {
    let name = Uuid::now_v7();
    let asked = TestRequest::new("POST", &format!("{at}?name={name}.md")).by(&who.token);
    let job = test.send(asked.bytes("text/markdown", b"# matrix\n\nfound here\n".to_vec())).await;
    assert_eq!(job.status, 202, "{}", job.text);
    let job = job.body["id"].as_str().unwrap().to_owned();
    loop {
        let row = test.get(who, &format!("/rag/jobs/{job}")).await;
        assert_ne!(row.body["state"], "failed", "{}", row.text);
        if let Some(document) = row.body["document"].as_str() {
            return (document.to_owned(), job);
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn actor(test: &TestServer, name: &'static str, who: &Person, rights: Rights) -> Actor {
    let session = test.store();
    let title = "matrix";
    let row =
        session.create_session(test.project, who.user, title, crate::test_server::now()).await;
    let session = row.unwrap().id.to_string();
    if !name.ends_with("read token") {
        key(test, who, "/keys").await;
    }
    let turn = Uuid::now_v7().to_string();
    Actor { name, token: Some(who.token.clone()), rights, session, turn }
}

/// A turn in the actor's own session, which whoever may not speak had the role for before.
async fn spoke(test: &TestServer, actor: Actor, who: &Person, role: Option<Role>) -> Actor {
    let becomes = async |role: Option<Role>| {
        let roles: BTreeSet<Role> = role.into_iter().collect();
        test.store().set_roles(test.project, who.user, roles, test.owner.user).await.unwrap();
    };
    if role != Some(Role::Owner) {
        becomes(Some(Role::Editor)).await;
    }
    let turn = said(test, who, &actor.session).await;
    becomes(role).await;
    Actor { turn, ..actor }
}

async fn said(test: &TestServer, who: &Person, session: &str) -> String {
    let events = test.say(who, session, "hello").await;
    events[0].1["turn"].as_str().unwrap().to_owned()
}

async fn matrix() -> Matrix {
    let (test, _links) = TestServer::demo().await;
    key(&test, &test.admin, "/server/keys").await;
    let session = test.session(&test.owner, test.project).await;
    let project = test.project.to_string();
    let own = things(&test, &test.owner.clone(), project, &session, "own.txt").await;
    let stranger = test.person("stranger").await;
    let theirs = test.session(&stranger, stranger.personal).await;
    let personal = stranger.personal.to_string();
    let other = things(&test, &stranger, personal, &theirs, "other.txt").await;
    let none = Rights::default();
    let turn = Uuid::now_v7().to_string();
    let nobody = Actor { name: "nobody", token: None, rights: none, session: theirs.clone(), turn };
    let mut actors = vec![nobody];
    let admin = Rights { admin: true, ..none };
    let silent = actor(&test, "admin", &test.admin, admin).await;
    actors.push(spoke(&test, silent, &test.admin, None).await);
    let outsider = test.person("outsider").await;
    actors.push(actor(&test, "outsider", &outsider, none).await);
    let roles = [
        ("viewer", Role::Viewer, Rights { viewer: true, ..none }),
        ("approver", Role::Approver, Rights { approver: true, ..none }),
        ("editor", Role::Editor, Rights { editor: true, ..none }),
    ];
    for (name, role, rights) in roles {
        let member = test.member(name, role).await;
        let silent = actor(&test, name, &member, rights).await;
        actors.push(spoke(&test, silent, &member, Some(role)).await);
    }
    let owner = Rights { owner: true, ..none };
    let silent = actor(&test, "owner", &test.owner, owner).await;
    actors.push(spoke(&test, silent, &test.owner, Some(Role::Owner)).await);
    let looks = token(test.store(), test.owner.user, TokenScope::Read).await;
    let looking = Person { token: looks, ..test.owner.clone() };
    let viewer = Rights { viewer: true, ..none };
    let silent = actor(&test, "owner, read token", &looking, viewer).await;
    let spoken = spoke(&test, silent, &test.owner, Some(Role::Owner)).await;
    actors.push(spoken);
    let colleague = test.member("colleague", Role::Editor).await;
    let other_session = test.session(&colleague, test.project).await;
    let other_turn = said(&test, &colleague, &other_session).await;
    let asking_session = test.session(&test.owner, test.project).await;
    let waiting = test.question(&test.owner, &asking_session, "waits.txt").await;
    Matrix {
        test,
        own,
        other,
        other_session,
        other_turn,
        stranger,
        waiting,
        asking_session,
        actors,
    }
}

impl Matrix {
    /// The address of the object that this case is about.
    async fn address(&self, operation: &str, template: &str, of: (&Actor, Case)) -> String {
        let (actor, case) = of;
        let missing = Uuid::now_v7().to_string();
        let pick = |own: &str, other: &str| match case {
            Case::Own => own.to_owned(),
            Case::Other | Case::MissingIn => other.to_owned(),
            Case::Missing | Case::MissingBoth => missing.clone(),
        };
        let (own, other) = (&self.own, &self.other);
        let mut parts = template.split('/').skip(1);
        let first = parts.find(|part| *part != "rag").unwrap_or_default();
        let id = match first {
            "projects" => pick(&own.project, &other.project),
            "audit" => pick(&own.project, &other.project),
            // What is deleted is made for it: every other case is about one that is there.
            "sessions" if operation == "delete_session" && case == Case::Own => {
                self.fresh_session(actor).await.unwrap_or(missing.clone())
            }
            "sessions" => pick(&actor.session, &self.other_session),
            "approvals" => pick(&own.approval, &other.approval),
            "blueprints" => pick(&own.blueprint, &other.blueprint),
            "executions" => pick(&own.execution, &other.execution),
            "auth" => self.token_id(actor, case).await.unwrap_or(missing.clone()),
            "documents" if operation == "delete_document" && case == Case::Own => {
                let at = format!("/rag/projects/{}/ingest", own.project);
                ingested(&self.test, &self.test.owner, &at).await.0
            }
            "documents" => pick(&own.document, &other.document),
            "jobs" => pick(&own.job, &other.job),
            "users" if is_of_user(operation) && case == Case::Own => {
                self.account(actor).await.unwrap_or(missing.clone())
            }
            // An account that is closed, and one that gets a password, is made for it.
            "users" if case != Case::Missing && actor.rights.admin => self.fresh_user().await,
            "users" => pick(&own.user, &other.user),
            _ => missing.clone(),
        };
        let inner = |real: &str, random: &str| match case {
            Case::Own | Case::Other | Case::Missing => real.to_owned(),
            Case::MissingIn | Case::MissingBoth => random.to_owned(),
        };
        let (turn, of) = match case {
            Case::Other => (&self.other_turn, &other.blueprint),
            Case::Own | Case::Missing | Case::MissingIn | Case::MissingBoth => {
                (&actor.turn, &own.blueprint)
            }
        };
        let address = template.replace("{id}", &id).replace("{user}", &inner(&own.user, &missing));
        let address = address.replace("{step}", &inner(&own.step, "nowhere"));
        let address = address.replace("{name}", &inner(SYSTEM, "nowhere"));
        let address = address.replace("{provider}", &inner("openai", "google"));
        let address = address.replace("{slot}", &inner("age", "nowhere"));
        let address = address.replace("{change}", &inner("1", "2"));
        let address = address.replace("{turn}", &inner(turn, &missing));
        let address = address.replace("{record}", &inner("1", "2"));
        let address = address.replace("{of}", &inner(of, &missing));
        let address = address.replace("{waiver}", &missing).replace("{override}", &missing);
        let address = address.replace("{delegation}", &missing);
        let address = address.replace("{grant}", &inner(&own.grant, &missing));
        let address = address.replace("{number}", &inner("0", "99"));
        match template {
            _ if template.ends_with("/policy/diff") => address + "?from=1&to=1",
            _ if template.ends_with("/ingest") => address + "?name=tried.txt",
            _ if SCOPED.contains(&template) => {
                format!("{address}?scope=project:{}", pick(&own.project, &other.project))
            }
            _ => address,
        }
    }

    async fn fresh_session(&self, actor: &Actor) -> Option<String> {
        let name = actor.name.split(',').next().unwrap_or_default();
        let owner = self.test.store().user_named(name).await.unwrap()?.id;
        let (store, now) = (self.test.store(), crate::test_server::now());
        let row = store.create_session(self.test.project, owner, "matrix", now).await;
        Some(row.unwrap().id.to_string())
    }

    /// The caller's own; nobody has none.
    async fn account(&self, actor: &Actor) -> Option<String> {
        let name = actor.name.split(',').next().unwrap_or_default();
        Some(self.test.store().user_named(name).await.unwrap()?.id.to_string())
    }

    async fn fresh_user(&self) -> String {
        let nth = Uuid::now_v7().simple().to_string();
        self.test.person(&nth).await.user.to_string()
    }

    /// A token of the caller's, or of somebody else.
    async fn token_id(&self, actor: &Actor, case: Case) -> Option<String> {
        let whose = match case {
            Case::Own => actor.name.split(',').next().unwrap_or_default().to_owned(),
            Case::Other => "stranger".to_owned(),
            Case::Missing | Case::MissingIn | Case::MissingBoth => return None,
        };
        let user = self.test.store().user_named(&whose).await.unwrap()?;
        let issued = self.test.store().issue_token(user.id, TokenScope::Full, None).await;
        Some(issued.unwrap().id.to_string())
    }

    /// Whoever logs out, here or everywhere else, ends tokens: those are made for it.
    async fn token_for(&self, operation: &str, actor: &Actor) -> Option<String> {
        let name = actor.name.split(',').next().unwrap_or_default();
        let is_narrow = actor.name.ends_with("read token");
        match operation {
            "end_other_tokens" if !is_narrow && actor.token.is_some() => {
                let fresh = self.test.person(&Uuid::now_v7().simple().to_string()).await;
                return Some(fresh.token);
            }
            "log_out" if actor.token.is_some() => {}
            _ => return actor.token.clone(),
        }
        let user = self.test.store().user_named(name).await.unwrap()?;
        Some(token(self.test.store(), user.id, TokenScope::Full).await)
    }

    async fn answer(&self, method: &str, address: &str, token: Option<String>) -> Answer {
        let asked = TestRequest::new(method, address).here();
        let asked = token.iter().fold(asked, |asked, token| asked.by(token));
        // A body that nobody takes: whoever gets past the rights changes nothing.
        let asked = match method {
            "GET" | "DELETE" => asked,
            _ => asked.json(&json!({"no such field": 1})),
        };
        asked.refusal(&self.test.router).await
    }
}

/// 401, 403, 404, or past the rights.
fn class(status: u16) -> &'static str {
    match status {
        401 => "401",
        403 => "403",
        404 => "404",
        500.. => "failed",
        _ => "ok",
    }
}

fn expected(rule: &Rule, actor: &Actor, case: Case) -> &'static str {
    let anonymous = actor.token.is_none();
    let project = || match case {
        Case::Own if rule.is_seen_with(actor.rights) => ruled(rule, actor.rights),
        // A server's administrator has that one role everywhere.
        Case::Other if rule.is_seen_with(everywhere(actor)) => ruled(rule, everywhere(actor)),
        Case::MissingIn
            if LOOKED_FOR_LAST.contains(&rule.operation)
                && rule.is_seen_with(everywhere(actor)) =>
        {
            ruled(rule, everywhere(actor))
        }
        Case::Own | Case::Other | Case::Missing | Case::MissingIn | Case::MissingBoth => "404",
    };
    match rule.object {
        Object::Public => "ok",
        _ if anonymous => "401",
        Object::Account if rule.operation == "revoke_token" => account(actor, case),
        Object::Account if CHANGES_AN_ACCOUNT.contains(&rule.operation) => {
            account(actor, Case::Own)
        }
        // Of the demo's own user, who is the owner here.
        Object::Account if rule.operation == "create_demo_link" => {
            if asked(actor) {
                account(actor, Case::Own)
            } else {
                "404"
            }
        }
        Object::Account if rule.operation.ends_with("_own_key") => account(actor, Case::Own),
        Object::Account if is_of_user(rule.operation) => own_memory(rule, actor, case),
        Object::Account => "ok",
        Object::Server if rule.is_allowed_with(actor.rights) => match (rule.operation, case) {
            ("close_user" | "open_user", Case::Missing) | ("revoke_runner_key", _) => "404",
            _ => "ok",
        },
        Object::Server => "403",
        Object::Conversation if case == Case::Own => project(),
        Object::Conversation => "404",
        Object::Question if case == Case::Own && asked(actor) => ruled(rule, actor.rights),
        // One's own as a member, another's in the same project by the roles of the rule.
        Object::Oversight => match case {
            Case::Own if actor.rights != Rights::default() => ruled(rule, actor.rights),
            Case::Other if rule.is_seen_with(actor.rights) => ruled(rule, actor.rights),
            Case::Own | Case::Other | Case::Missing | Case::MissingIn | Case::MissingBoth => "404",
        },
        // Of a delegation that is not there.
        Object::Project if rule.operation == "end_approval_delegation" => match project() {
            "ok" if actor.name.ends_with("read token") => "403",
            "ok" => "404",
            due => due,
        },
        // One's own, with any role, by a token that does more than look.
        Object::Project if TAKES_BACK.contains(&rule.operation) => match project() {
            "ok" if actor.name.ends_with("read token") => "403",
            due => due,
        },
        // No project is named in what is tried.
        Object::Document if rule.operation == "search_documents" => "ok",
        Object::Project | Object::Question | Object::Chain | Object::Document => project(),
    }
}

/// About one's own account, by an address that could name another.
fn is_of_user(operation: &str) -> bool {
    operation.contains("_user_memory") || operation == "ingest_user"
}

/// Lists of a scope that the query names.
const SCOPED: [&str; 2] = ["/rag/documents", "/rag/jobs"];

/// What they are about is looked for behind the role and the body, which say nothing of it.
const LOOKED_FOR_LAST: [&str; 2] = ["approve_override", "end_override"];

const TAKES_BACK: [&str; 4] =
    ["accept_profile_change", "drop_profile_change", "erase_profile", "undo_profile"];

const CHANGES_AN_ACCOUNT: [&str; 4] =
    ["create_token", "create_project", "end_other_tokens", "change_password"];

/// The question of the walk is the owner's.
fn asked(actor: &Actor) -> bool {
    actor.name.starts_with("owner")
}

fn everywhere(actor: &Actor) -> Rights {
    Rights { admin: actor.rights.admin, ..Rights::default() }
}

fn ruled(rule: &Rule, rights: Rights) -> &'static str {
    if rule.is_allowed_with(rights) { "ok" } else { "403" }
}

fn account(actor: &Actor, case: Case) -> &'static str {
    match case {
        _ if actor.name.ends_with("read token") => "403",
        Case::Own => "ok",
        Case::Other | Case::Missing | Case::MissingIn | Case::MissingBoth => "404",
    }
}

/// One's own alone is there, and a token that only looks changes nothing of it.
fn own_memory(rule: &Rule, actor: &Actor, case: Case) -> &'static str {
    match case {
        Case::Own if matches!(rule.operation, "put_user_memory" | "ingest_user") => {
            account(actor, case)
        }
        Case::Own => "ok",
        Case::Other | Case::Missing | Case::MissingIn | Case::MissingBoth => "404",
    }
}

/// What is tried on an address: more where something is in the thing, which may be missing too.
fn cases(template: &str) -> &'static [Case] {
    match template.matches('{').count() {
        0 if SCOPED.contains(&template) => &[Case::Own, Case::Other, Case::Missing],
        0 => &[Case::Own],
        _ if !template.contains("{id}") => &[Case::Own],
        1 => &[Case::Own, Case::Other, Case::Missing],
        _ => &[Case::Own, Case::Other, Case::Missing, Case::MissingIn, Case::MissingBoth],
    }
}

/// To whoever may not see them all these things are told alike; so are those that somebody may see
/// and only an administrator may touch.
fn is_alike(rule: &Rule, due: &str) -> bool {
    match due {
        "404" | "401" => true,
        "403" => rule.object == Object::Server,
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reviewed_table_is_what_the_server_does() {
    let matrix = matrix().await;
    let rules: BTreeMap<&str, &Rule> = RULES.iter().map(|rule| (rule.operation, *rule)).collect();
    let mut table = String::from("operation: actor own/other/missing\n");
    let (mut wrong, mut requests, mut routes) = (Vec::new(), 0_u32, 0_u32);
    for (operation, method, template) in operations() {
        let rule = rules[operation.as_str()];
        routes += 1;
        let _ = write!(table, "{operation}:");
        for actor in &matrix.actors {
            let mut told = Vec::new();
            let mut alike: BTreeMap<&str, String> = BTreeMap::new();
            for case in cases(&template).iter().copied() {
                let address = matrix.address(&operation, &template, (actor, case)).await;
                let token = matrix.token_for(&operation, actor).await;
                let answer = matrix.answer(&method, &address, token).await;
                requests += 1;
                let of = format!("{operation} {} {case:?}", actor.name);
                let (class, due) = (class(answer.status), expected(rule, actor, case));
                if class != due {
                    wrong.push(format!("{of}: {}, not {due}", answer.status));
                }
                if is_alike(rule, due) {
                    let first = alike.entry(due).or_insert_with(|| answer.told());
                    if *first != answer.told() {
                        wrong.push(format!("{of}: {} and not {first}", answer.told()));
                    }
                }
                if !matches!(case, Case::MissingIn | Case::MissingBoth) {
                    told.push(class);
                }
            }
            let _ = write!(table, " {} {};", actor.name, told.join("/"));
        }
        table.push('\n');
    }
    println!("{requests} requests on {routes} routes by {} actors", matrix.actors.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(routes as usize, RULES.len(), "every route");
    expect_file!["../authorization.txt"].assert_eq(&table);
}
