//! Rows that decisions rest on, changed by somebody who has the file: refused where they are read, and
//! named by `doctor`.

use crate::{
    commits::new_policy,
    plan::{step, success},
    seals::{Hand, by_hand, looked},
    test_store::{TestStore, new_id, now, permissive, policy, store_on},
};
use serde_json::json;
use wiiiv_domain::{
    Blueprint, ContentDigest, EventBody, ExecutionId, RunOutcome, SessionEvent, canonical,
};
use wiiiv_gate::{Purpose, Resolved};
use wiiiv_store::{AuditFit, Boundary, DrawnAgain, Point, StoreError, Write};

/// A plan that was said yes to, with its step done and its run still open.
async fn stepped(test: &TestStore) -> ExecutionId {
    let (plan, _) = test.approved_plan().await;
    let (claim, ruled) = test.rule(&plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    let mut run = ruled.seal(done).unwrap().begin();
    let execution = run.execution();
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    let s1 = Boundary::new(Point::S1);
    let _done = test.store.commit(&test.writer(), s1, claim).await.unwrap();
    let outcome = success(b"done");
    let body = json!({"execution": execution, "step": step(), "attempt": 1,
        "outcome": wiiiv_store::outcome_digest(&outcome)});
    let (step, bytes) = (step(), Some(b"done".to_vec()));
    let finished = Write::StepFinished { execution, step, attempt: 1, outcome, bytes };
    let s2 = Boundary::new(Point::S2).write(finished).entry("step.finished", body);
    test.store.append(&test.writer(), s2).await.unwrap();
    execution
}

/// The attempts of a run that goes on are read at a start: a word that is none of a state stops all writing.
#[tokio::test]
async fn an_attempt_in_no_known_state_is_found_at_the_start() {
    for done in [
        "UPDATE step_attempt SET state = 'xtarted'",
        "UPDATE step_attempt SET started_at = 'noon'",
        "UPDATE execution SET state = 'xunning'",
        "UPDATE execution SET started_at = 'noon'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), policy()).await;
        let execution = stepped(&test).await;
        by_hand(folder.path(), &format!("PRAGMA ignore_check_constraints = ON; {done}")).await;
        let read = test.store.attempts(execution).await;
        let is_of_run = done.contains("execution");
        assert!(is_of_run || matches!(read, Err(StoreError::Corrupt { .. })), "{done}: {read:?}");
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        let fault = started.fault();
        let told =
            matches!(fault, Some(StoreError::Tampered { what }) if what.contains("execution"));
        assert!(told, "{done}: {fault:?}");
    }
}

/// A run of an earlier day is not begun again by putting its rows back.
#[tokio::test]
async fn a_run_goes_on_only_as_the_audit_tells_of_it() {
    for (done, at_load) in [
        ("DELETE FROM step_attempt", true),
        ("UPDATE step_attempt SET state = 'started', outcome = NULL, finished_at = NULL", true),
        ("UPDATE step_attempt SET outcome = replace(outcome, 'success', 'cancelled')", true),
        ("UPDATE step_attempt SET outcome = replace(outcome, 'text/plain', 'text/html')", true),
        ("UPDATE step_attempt SET resolution = 'did_not_happen'", true),
        ("UPDATE step_attempt SET attempt = 2", true),
        ("UPDATE step_attempt SET at_seq = at_seq - 1", true),
        (
            "INSERT INTO step_attempt SELECT execution, step, 2, state, at_seq, outcome, resolution, started_at, finished_at FROM step_attempt",
            true,
        ),
        ("UPDATE execution SET state = 'indeterminate'", true),
        ("UPDATE execution SET started_at = started_at + 1", true),
        (
            "UPDATE execution SET evidence = CAST(replace(CAST(evidence AS TEXT), '\"version\":1', '\"version\":2') AS BLOB)",
            true,
        ),
        ("UPDATE step_output SET bytes = CAST('DONE' AS BLOB)", false),
        ("DELETE FROM step_output", false),
        ("UPDATE step_output SET output = replace(output, 'text/plain', 'text/html')", false),
        ("UPDATE approval SET state = 'approved', consumed_by = NULL", false),
        (
            "UPDATE blueprint_text SET canonical = CAST(replace(CAST(canonical AS TEXT), 'notes', 'other') AS BLOB)",
            false,
        ),
        ("UPDATE blueprint SET requester = project", false),
        ("DELETE FROM blueprint_text; DELETE FROM blueprint", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), policy()).await;
        let execution = stepped(&test).await;
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        assert!(test.store.execution_started(execution).await.unwrap().is_some());
        assert_eq!(test.store.attempts(execution).await.unwrap().len(), 1);
        by_hand(folder.path(), done).await;
        let shown = test.store.examine_execution(execution).await;
        assert!(shown.is_err() || done.contains("step_output"), "nothing is shown: {done}");
        let resumed = test.store.execution_started(execution).await;
        assert_eq!(resumed.is_err(), at_load, "{done}: {resumed:?}");
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
        let receipt = test.store.receipt(execution).await;
        assert!(receipt.is_err() || done.contains("step_output"), "nothing is signed: {done}");
    }
}

/// With the record hashed anew, by somebody who has the file while the server runs. `from` is a digest in it.
async fn hashed_anew(hand: &Hand, place: &str, (from, to): (ContentDigest, ContentDigest)) {
    let line = hand.texts(&format!("SELECT line FROM audit_record WHERE {place}")).await.remove(0);
    let changed = line.replace(&from.to_string(), &to.to_string());
    assert_ne!(changed, line);
    let mut record: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&changed).unwrap();
    record.remove("hash");
    let hash = ContentDigest::of_bytes(&canonical(&record).unwrap());
    record.insert("hash".to_owned(), json!(hash));
    let line = String::from_utf8(canonical(&record).unwrap()).unwrap();
    let update = format!("UPDATE audit_record SET line = $1, hash = $2 WHERE {place}");
    assert_eq!(hand.with(&update, vec![line.into(), hash.bytes().to_vec().into()]).await, 1);
}

/// Issue: "an edited `policy_version.evidence` let the server reach an unlisted host and write without
/// asking": also where the one record that it names is made to fit.
#[tokio::test]
async fn evidence_with_a_record_that_was_hashed_anew_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let execution = stepped(&test).await;
    let (plan, _) = test.approved_plan().await;
    test.store.evidence(&plan, now()).await.unwrap();
    let hand = Hand::on(folder.path()).await;
    for (table, of) in [("policy_version", "1 = 1"), ("approval", "state = 'approved'")] {
        let evidence = format!("SELECT CAST(evidence AS TEXT) FROM {table} WHERE {of}");
        let evidence = hand.texts(&evidence).await.remove(0);
        let other = format!("{evidence} ");
        let digests = [&evidence, &other].map(|text| ContentDigest::of_bytes(text.as_bytes()));
        let place = format!("seq = (SELECT at_seq FROM {table} WHERE {of}) AND chain <> 'server'");
        hashed_anew(&hand, &place, (digests[0], digests[1])).await;
        let update = format!("UPDATE {table} SET evidence = $1 WHERE {of}");
        assert_eq!(hand.with(&update, vec![other.into_bytes().into()]).await, 1);
    }
    let outcome = hand.texts("SELECT outcome FROM step_attempt").await.remove(0);
    let other = outcome.replace("text/plain", "text/html");
    let digests = [&outcome, &other].map(|text| ContentDigest::of_bytes(text.as_bytes()));
    hashed_anew(&hand, "kind = 'step.finished'", (digests[0], digests[1])).await;
    assert_eq!(hand.with("UPDATE step_attempt SET outcome = $1", vec![other.into()]).await, 1);
    hand.gone().await;

    let changed = |error: &StoreError| matches!(error, StoreError::Corrupt { .. });
    let ruled = test.store.policy(test.project).await;
    assert!(ruled.as_ref().is_err_and(changed), "{ruled:?}");
    let given = test.store.evidence(&plan, now()).await;
    assert!(given.as_ref().is_err_and(changed), "{given:?}");
    let tried = test.store.attempts(execution).await;
    assert!(tried.as_ref().is_err_and(changed), "{tried:?}");
}

/// Its record is genuine: it was in force once.
#[tokio::test]
async fn an_older_policy_is_not_put_in_force_again() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (older, plan) = (test.snapshot().await, test.plan().await);
    new_policy(&test, permissive()).await;
    let of = "UPDATE policy_head SET version = (SELECT id FROM policy_version WHERE number = $N)";
    by_hand(folder.path(), &of.replace("$N", "1")).await;
    let ruled = test.store.policy(test.project).await;
    assert!(matches!(ruled, Err(StoreError::Tampered { .. })), "{ruled:?}");

    // What was compiled before is ruled by still; what it let through is on record, and found.
    let evidence = test.store.evidence(&plan, now()).await.unwrap();
    let purpose = Purpose::Start(new_id::<ExecutionId>());
    let cx = test.keeper.gather(new_id(), purpose, plan, older, evidence).unwrap();
    let (claim, _) = test.keeper.rule(cx, now());
    let t1 = Boundary::new(Point::T1);
    let _done = test.store.commit(&test.writer(), t1, claim).await.unwrap();
    by_hand(folder.path(), &of.replace("$N", "2")).await;
    assert!(test.store.policy(test.project).await.is_ok());
    let found = looked(folder.path()).await;
    let said = matches!(&found, AuditFit::Changed(what) if what.contains("did not rule on"));
    assert!(said, "{found:?}");
}

#[tokio::test]
async fn a_record_is_append_only_and_so_is_its_seal() {
    let folder = tempfile::tempdir().unwrap();
    let _test = TestStore::on_disk(folder.path(), policy()).await;
    let by_hand = rusqlite::Connection::open(folder.path().join("wiiiv.db")).unwrap();
    for change in ["seal = NULL", "seal = x'00'", "line = ''", "about = NULL"] {
        let done = by_hand.execute(&format!("UPDATE audit_record SET {change}"), []);
        assert!(done.unwrap_err().to_string().contains("append-only"), "{change}");
    }
}

/// An earlier build left records without seals (`settle` of the store); in data of this one somebody took them.
#[tokio::test]
async fn a_seal_that_is_gone_is_not_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    for of in [" WHERE chain = 'server' AND seq = 1", ""] {
        by_hand(folder.path(), &format!("UPDATE audit_record SET seal = NULL{of}")).await;
        assert_eq!(test.store.policy(test.project).await.is_err(), of.is_empty(), "{of}");
        for _ in 0..2 {
            let found = looked(folder.path()).await;
            let told = matches!(&found, AuditFit::Changed(what) if what.contains("has no seal"));
            assert!(told, "{of}: {found:?}");
            let started = store_on(folder.path()).await;
            assert!(started.fault().is_some(), "{of}");
        }
    }
}

/// Who said yes, and what the plan is, is shown as it is on record, or not at all.
#[tokio::test]
async fn a_question_and_its_plan_are_shown_as_the_audit_tells_or_not_at_all() {
    for (done, question, plan) in [
        ("UPDATE approval SET decided_by = project", true, true),
        ("UPDATE approval SET state = 'rejected'", true, true),
        (
            "UPDATE blueprint_text SET canonical = CAST(replace(CAST(canonical AS TEXT), 'notes', 'other') AS BLOB)",
            false,
            true,
        ),
        ("UPDATE blueprint SET effect = 'read'", false, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), policy()).await;
        let (drawn, id) = test.approved_plan().await;
        test.store.examine_question(id).await.unwrap();
        test.store.examine_plan(drawn.id).await.unwrap();
        by_hand(folder.path(), done).await;
        assert_eq!(test.store.examine_question(id).await.is_err(), question, "{done}");
        assert_eq!(test.store.examine_plan(drawn.id).await.is_err(), plan, "{done}");
        let text = test.store.blueprint(drawn.id).await;
        assert_eq!(text.is_err(), done.contains("blueprint_text"), "{done}: {text:?}");
    }
}

/// A yes is used by the run whose start tells so, and by that one alone.
#[tokio::test]
async fn a_yes_is_shown_as_used_by_the_run_that_used_it_or_not_at_all() {
    let back = "UPDATE approval SET state = 'approved', consumed_by = NULL WHERE id = $1";
    let moved = "UPDATE approval SET consumed_by = (SELECT id FROM execution \
                 WHERE id <> consumed_by) WHERE id = $1";
    let used = "UPDATE approval SET state = 'consumed', consumed_by = (SELECT consumed_by \
                FROM approval WHERE consumed_by IS NOT NULL LIMIT 1) WHERE id = $1";
    for (done, on_used, at_start) in
        [(back, true, true), (moved, true, false), (used, false, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), policy()).await;
        let mut yes = Vec::new();
        for runs_it in [true, true, false] {
            let (drawn, id) = test.approved_plan().await;
            yes.push(id);
            if runs_it {
                let (claim, _) = test.rule(&drawn).await;
                let t1 = Boundary::new(Point::T1);
                let _done = test.store.commit(&test.writer(), t1, claim).await.unwrap();
                let run = test.store.execution_of(drawn.id).await.unwrap().unwrap().id;
                let outcome = RunOutcome::Succeeded;
                let end = Write::ExecutionFinished { execution: run, outcome };
                let t2 = Boundary::new(Point::T2).write(end);
                test.store.append(&test.writer(), t2).await.unwrap();
            }
        }
        for id in &yes {
            test.store.examine_question(*id).await.unwrap();
        }
        let forged = if on_used { yes[0] } else { yes[2] };
        let hand = Hand::on(folder.path()).await;
        assert_eq!(hand.with(done, vec![forged.uuid().into()]).await, 1, "{done}");
        hand.gone().await;
        for id in yes {
            let shown = test.store.examine_question(id).await;
            assert_eq!(shown.is_err(), id == forged, "{done}: {shown:?}");
        }
        assert!(matches!(looked(folder.path()).await, AuditFit::Changed(_)), "{done}");
        drop(test);
        let started = store_on(folder.path()).await;
        assert_eq!(started.fault().is_some(), at_start, "{done}");
    }
}

#[tokio::test]
async fn an_output_that_was_changed_is_not_handed_on() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let execution = stepped(&test).await;
    assert!(test.store.output(execution, &step()).await.unwrap().is_some());
    by_hand(folder.path(), "UPDATE step_output SET bytes = CAST('DONE' AS BLOB)").await;
    let read = test.store.output(execution, &step()).await;
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
    // Its own description is changed with it: the attempt says otherwise.
    let other = ContentDigest::of_bytes(b"DONE").to_string();
    let both = format!("UPDATE step_output SET output = json_set(output, '$.digest', '{other}')");
    by_hand(folder.path(), &both).await;
    let read = test.store.output(execution, &step()).await;
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
}

/// No is the newest word on a plan: it is neither taken away nor turned into a yes unseen.
#[tokio::test]
async fn opinions_are_those_that_were_recorded() {
    let no =
        br#"{"opinions":[{"persona":"architect","vote":"REJECT","concerns":[],"reason":"no"}]}"#;
    for (done, at_load) in [
        (
            "UPDATE opinion SET evidence = CAST(replace(CAST(evidence AS TEXT), 'REJECT', 'APPROVE') AS BLOB)",
            true,
        ),
        ("UPDATE opinion SET at_seq = at_seq - 1", true),
        ("UPDATE opinion SET spec_digest = substr(spec_digest, 2) || x'00'", false),
        ("UPDATE opinion SET project = substr(project, 2) || x'00'", false),
        ("DELETE FROM opinion", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let plan = test.plan().await;
        let spec = plan.spec_snapshot.spec.digest().unwrap();
        let opinions = wiiiv_gate::dacs::parse(spec, no).unwrap();
        let boundary = Boundary::new(Point::E);
        test.store.record_opinions(&test.writer(), boundary, opinions).await.unwrap();
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        assert_eq!(test.store.evidence(&plan, now()).await.is_err(), at_load, "{done}");
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}

/// The run's end is on record too.
#[tokio::test]
async fn an_end_that_was_taken_back_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let execution = stepped(&test).await;
    let outcome = RunOutcome::Succeeded;
    let body = json!({"execution": execution, "outcome": outcome});
    let over = Write::ExecutionFinished { execution, outcome };
    let s2 = Boundary::new(Point::S2).write(over).entry("execution.finished", body);
    test.store.append(&test.writer(), s2).await.unwrap();
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    let back = "UPDATE execution SET state = 'running', outcome = NULL, finished_at = NULL";
    by_hand(folder.path(), back).await;
    assert!(test.store.execution_started(execution).await.is_err());
    assert!(matches!(looked(folder.path()).await, AuditFit::Changed(_)));
}

/// What was shown with a question is shown again with the plan that took its yes up.
#[tokio::test]
async fn a_preview_that_was_changed_is_found_where_its_yes_was_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let (plan, _) = test.approved_plan().await;
    let (claim, ruled) = test.rule(&plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    let execution = ruled.seal(done).unwrap().begin().execution();
    let outcome = RunOutcome::Failed { code: "FILE_IO".to_owned() };
    let body = json!({"execution": execution, "outcome": outcome});
    let over = Write::ExecutionFinished { execution, outcome };
    let t2 = Boundary::new(Point::T2).write(over).entry("execution.finished", body);
    test.store.append(&test.writer(), t2).await.unwrap();

    let digest = plan.digest().unwrap();
    let of = (test.project, test.session);
    let found = test.store.released_approval(of, digest, now()).await.unwrap().unwrap();
    let again = Blueprint { id: new_id(), task: new_id(), ..plan };
    let body = json!({"task": again.task, "blueprint": again.id, "policy": again.policy, "digest": digest});
    let (taken, blueprint) = (new_id(), again.id);
    let drawn = Write::Blueprint(Box::new(again));
    let text = "again".to_owned();
    let salt = test.store.session(test.session).await.unwrap().unwrap().salt;
    let words = salt.digest_of(&text);
    let shown = EventBody::Previewed { approval: taken, blueprint, digest, text };
    let shown = SessionEvent::new(new_id(), now(), shown);
    let boundary = Boundary::new(Point::E).write(drawn).entry("blueprint.drawn", body);
    let again = DrawnAgain { approval: taken, blueprint, words };
    test.store
        .take_up_approval(&test.writer(), boundary.event(shown), &found, again)
        .await
        .unwrap();
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    by_hand(folder.path(), "UPDATE approval SET preview = '{ }' WHERE state = 'approved'").await;
    let found = looked(folder.path()).await;
    assert!(matches!(&found, AuditFit::Changed(_)), "{found:?}");
}
