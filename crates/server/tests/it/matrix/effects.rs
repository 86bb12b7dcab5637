//! Whoever may not change a thing changes nothing, with a body that fits and the id of what is
//! there.

use super::{Actor, Case, Matrix, body::Bodies, expected, matrix};
use crate::{call::TestRequest, openapi::operations};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_domain::ProjectId;
use wiiiv_server::{Object, RULES, Rule};
use wiiiv_store::{Chain, Page};

/// All that a change would show in: both chains, every list that people read, the files.
async fn picture(matrix: &Matrix) -> Vec<String> {
    let test = &matrix.test;
    let (own, other) = (&matrix.own.project, &matrix.other.project);
    let stranger = matrix.stranger.clone();
    let mut seen = Vec::new();
    for (project, who) in [(own, &test.owner), (other, &stranger)] {
        let chain = Chain::Project(project.parse::<ProjectId>().unwrap());
        seen.push(format!("{:?}", test.store().audit_head(chain).await.unwrap()));
        for list in [
            "members",
            "memory",
            "profile",
            "policy",
            "overrides",
            "rollout",
            "divergences",
            "sessions",
            "systems",
            "webhook",
            "approval-grants",
            "approval-delegations",
            "keys",
            "executions",
            "blueprints",
        ] {
            seen.push(test.get(who, &format!("/projects/{project}/{list}")).await.text);
        }
        for list in ["documents", "jobs"] {
            for scope in [format!("project:{project}"), format!("user:{}", who.user)] {
                seen.push(test.get(who, &format!("/rag/{list}?scope={scope}")).await.text);
            }
        }
        seen.push(test.get(who, "/approvals").await.text);
        seen.push(test.get(who, &format!("/users/{}/memory", who.user)).await.text);
        let tokens = test.store().tokens(who.user, Page::default()).await.unwrap();
        seen.push(format!("{tokens:?}"));
    }
    for session in [&matrix.other_session, &matrix.asking_session] {
        let next = test.store().next_seq(session.parse().unwrap()).await.unwrap();
        seen.push(next.to_string());
    }
    seen.push(format!("{:?}", test.store().audit_head(Chain::Server).await.unwrap()));
    seen.push(format!("{:?}", test.store().users(Page::default()).await.unwrap()));
    seen.push(test.get(&test.admin, "/server/keys").await.text);
    seen.push(test.get(&test.admin, "/rag/documents?scope=global").await.text);
    seen.push(test.get(&test.admin, "/rag/jobs?scope=global").await.text);
    seen.push(format!("{:?}", matrix.test.file("waits.txt")));
    seen
}

impl Matrix {
    /// The same of the question that waits, with its digest, and of the conversation that it waits
    /// in, where they are not the actor's to answer.
    fn tried(
        &self,
        rule: &Rule,
        template: &str,
        actor: &Actor,
        (address, body): (String, &Option<Value>),
    ) -> Vec<(String, Option<Value>)> {
        let judges = rule.object == Object::Question && actor.rights.approver;
        let (id, digest) = &self.waiting;
        let waiting = match template.split('/').nth(1) {
            _ if actor.name == "owner" || judges => None,
            Some("approvals") => Some(template.replace("{id}", id)),
            Some("sessions") => Some(template.replace("{id}", &self.asking_session)),
            _ => None,
        };
        let mut bound = body.clone();
        if let Some(named) = bound.as_mut().and_then(|body| body.get_mut("digest")) {
            *named = json!(digest);
        }
        let waiting = waiting.map(|address| (address, bound));
        std::iter::once((address, body.clone())).chain(waiting).collect()
    }
}

/// One request of somebody who may not make it.
struct Try {
    of: String,
    method: String,
    address: String,
    token: Option<String>,
    body: Option<Value>,
}

/// Every change of the API by everybody who may not make it. What some of them are about is made
/// for them, so that all of them stand before the first is sent.
async fn tries(matrix: &Matrix) -> Vec<Try> {
    let bodies = Bodies::new();
    let rules: BTreeMap<&str, &Rule> = RULES.iter().map(|rule| (rule.operation, *rule)).collect();
    let mut tries = Vec::new();
    for (operation, method, template) in operations().iter().filter(|(_, m, _)| m != "GET") {
        let rule = rules[operation.as_str()];
        let body = bodies.of(method, template);
        for actor in &matrix.actors {
            for case in [Case::Own, Case::Other] {
                let is_refused = matches!(expected(rule, actor, case), "401" | "403" | "404");
                if !is_refused || (case == Case::Other && !template.contains("{id}")) {
                    continue;
                }
                let address = matrix.address(operation, template, (actor, case)).await;
                for (address, body) in matrix.tried(rule, template, actor, (address, &body)) {
                    let of = format!("{operation} {} {case:?} {address}", actor.name);
                    let (method, token) = (method.clone(), actor.token.clone());
                    tries.push(Try { of, method, address, token, body });
                }
            }
        }
    }
    tries
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_change_a_thing_changes_nothing() {
    let matrix = matrix().await;
    let tries = tries(&matrix).await;
    let before = picture(&matrix).await;
    let mut wrong = Vec::new();
    for Try { of, method, address, token, body } in &tries {
        let asked = TestRequest::new(method, address).here().header("if-match", "*");
        let asked = token.iter().fold(asked, |asked, token| asked.by(token));
        let asked = body.iter().fold(asked, |asked, body| asked.json(body));
        let answer = asked.refusal(&matrix.test.router).await;
        if !matches!(answer.status, 400 | 401 | 403 | 404 | 412 | 428) {
            wrong.push(format!("{of}: {}", answer.told()));
        }
    }
    println!("{} changes by people who may not make them", tries.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    let after = picture(&matrix).await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    assert!(tries.len() > 400, "{}", tries.len());
}

/// The bodies above would have been taken from somebody who may.
#[tokio::test(flavor = "multi_thread")]
async fn the_bodies_that_are_tried_are_bodies_that_fit() {
    let matrix = matrix().await;
    let bodies = Bodies::new();
    let mut unfit = Vec::new();
    for (operation, method, template) in operations() {
        let Some(body) = bodies.of(&method, &template) else { continue };
        let actor = matrix.actors.iter().find(|actor| actor.name == "owner").unwrap();
        let admin = matrix.actors.iter().find(|actor| actor.name == "admin").unwrap();
        let rule = RULES.iter().find(|rule| rule.operation == operation).unwrap();
        let actor = if rule.object == Object::Server { admin } else { actor };
        let address = matrix.address(&operation, &template, (actor, Case::Own)).await;
        let asked = TestRequest::new(&method, &address).here().by(actor.token.as_ref().unwrap());
        let answer = asked.json(&body).refusal(&matrix.test.router).await;
        if matches!(answer.status, 400 | 415 | 422) {
            unfit.push(format!("{operation}: {}", answer.text));
        }
    }
    // A policy is a text in a language of its own, and this project's names no host that a webhook could be at.
    let fits = |told: &&String| {
        told.contains("INVALID_POLICY")
            || told.contains("`allowedHosts` has no such host")
            // Of a person that nobody is.
            || told.contains("no member of this project")
    };
    let unfit: Vec<_> = unfit.iter().filter(|told| !fits(told)).collect();
    assert_eq!(unfit, Vec::<&String>::new());
}
