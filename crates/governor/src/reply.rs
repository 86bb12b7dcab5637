//! Texts that code writes: one catalogue by code and language, facts from step outputs only.

use crate::{
    budget,
    claims::Known,
    config::FACT_BYTES_MAX,
    operations, preview,
    result::result,
    session::{Down, Session, place},
    shown,
    systems::RegisteredSystems,
};
use std::collections::BTreeSet;
use wiiiv_domain::{
    ApprovalBy, Blueprint, BlueprintDigest, ExecutionId, Grounds, Lang, ProjectPolicy,
    ProposalFailure, ReplyCode, RequestForm, SlotName, Spec, StepOutcome, TaskType,
};
use wiiiv_hlx::{Preview, explain, form_text, neutralise};

/// Between the sentences of a preview, its effects and its question.
pub const PARAGRAPH: &str = "\n\n";
/// Steps of a run that a reply tells of.
const STEPS_TOLD_MAX: usize = 16;

pub async fn render(session: &Session, code: &ReplyCode) -> Result<String, Down> {
    let texts = &session.room.deps.messages;
    let lang = session.language;
    let text = texts.reply(lang, code);
    match code {
        ReplyCode::Facts { execution, message } => came_to(session, *execution, message).await,
        ReplyCode::RunFailed { execution, code } => {
            let why = texts.find(lang, &format!("step_code.{code}")).unwrap_or_default();
            let facts = facts(session, *execution).await?;
            Ok(join(&[&text, why, &facts.text]))
        }
        ReplyCode::RunCancelled { execution } => {
            let facts = facts(session, *execution).await?;
            Ok(join(&[&text, &facts.text]))
        }
        ReplyCode::Waiting { digest } => {
            // Whoever asked may not be the one who answers.
            let others = place::asks_others(&session.flow);
            let text = if others { texts.told(lang, "reply.waiting_other", &[]) } else { text };
            shown_again(session, *digest, &text).await
        }
        ReplyCode::Reopened { from, to } => reopened(session, *from, *to).await,
        ReplyCode::ModelFailed { failure: ProposalFailure::Budget } => {
            Ok(budget::told(session).await?.unwrap_or(text))
        }
        ReplyCode::DacsNo { concerns } | ReplyCode::NeedsRevision { concerns } => {
            // The codes come last: what they mean stands before them.
            let (said, codes) = text.split_once('\n').unwrap_or((&text, ""));
            Ok(join(&[said, &reasons(session, concerns), codes]))
        }
        // Names of jobs are the user's or a model's words.
        ReplyCode::TooManyJobs { .. }
        | ReplyCode::JobsTaken { .. }
        | ReplyCode::JobsDeclined { .. }
        | ReplyCode::JobClosed { .. }
        | ReplyCode::JobsDropped { .. }
        | ReplyCode::JobsLeftOut { .. }
        | ReplyCode::StillWaits { .. } => {
            let text = text.lines().map(neutralise).collect::<Vec<_>>().join("\n");
            // What is asked stands there again whole: a yes is about what its reader has seen.
            match reply_shows(session, code) {
                Some(digest) => shown_again(session, digest, &text).await,
                None => Ok(text),
            }
        }
        ReplyCode::Model { .. }
        | ReplyCode::Told { .. }
        | ReplyCode::Cancelled
        | ReplyCode::NothingToCancel
        | ReplyCode::Refused
        | ReplyCode::NothingToConfirm
        | ReplyCode::Stale { .. }
        | ReplyCode::Expired { .. }
        | ReplyCode::NotDrawable { .. }
        | ReplyCode::Denied { .. }
        | ReplyCode::Unavailable
        | ReplyCode::RunIndeterminate { .. }
        | ReplyCode::RoundLimit
        | ReplyCode::TooManyTasks { .. }
        | ReplyCode::ModelFailed { .. }
        | ReplyCode::Degraded { .. }
        | ReplyCode::FellBack { .. }
        | ReplyCode::Busy
        | ReplyCode::CannotRemember
        | ReplyCode::Reset
        | ReplyCode::Resumed { .. }
        | ReplyCode::UnknownTask => Ok(text),
    }
}

/// What a model says of a run, where the run founds it; else what the run came to.
async fn came_to(session: &Session, execution: ExecutionId, message: &str) -> Result<String, Down> {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let facts = facts(session, execution).await?;
    let message = if facts.known.founds(message) { message.to_owned() } else { String::new() };
    let said = match (message.is_empty(), facts.result.is_empty()) {
        (true, false) => facts.result,
        (true, true) | (false, _) => texts.reply(lang, &ReplyCode::Facts { execution, message }),
    };
    Ok(join(&[&said, &facts.text, &unshown(session)]))
}

/// How many keys the model that speaks of the run was not shown.
fn unshown(session: &Session) -> String {
    let texts = &session.room.deps.messages;
    match session.turn.as_ref().map_or(0, |turn| turn.secrets) {
        0 => String::new(),
        1 => texts.told(session.language, "run.secret_removed", &[]),
        count => {
            let count = [("count", count.to_string())];
            texts.told(session.language, "run.secrets_removed", &count)
        }
    }
}

/// The preview that this reply shows once more: what a typed yes speaks of from then on.
pub fn reply_shows(session: &Session, code: &ReplyCode) -> Option<BlueprintDigest> {
    if let ReplyCode::Waiting { digest } = code {
        return Some(*digest);
    }
    let stands = matches!(code, ReplyCode::StillWaits { aside: false, .. });
    if stands { place::confirming(&session.flow) } else { None }
}

async fn shown_again(
    session: &Session,
    digest: BlueprintDigest,
    text: &str,
) -> Result<String, Down> {
    match session.plans.get(&digest).map(|plan| plan.blueprint.clone()) {
        Some(plan) => Ok([effects(session, &plan).await?.as_str(), text].join(PARAGRAPH)),
        None => Ok(text.to_owned()),
    }
}

/// Which version of the policy it was refused under, which one is in force, and what the second
/// changed. Read for this reply alone: it follows a change of the policy.
async fn reopened(session: &Session, from: Grounds, to: Grounds) -> Result<String, Down> {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let store = &session.room.deps.store;
    let project = session.lease.project;
    let old = store.policy_version(project, from.policy).await?;
    let new = store.policy_version(project, to.policy).await?;
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(texts.told(lang, "reply.reopened_rules", &[]));
    };
    if from.policy == to.policy {
        return Ok(texts.told(lang, "reply.reopened_rules", &[]));
    }
    let (old, new) = (old.body().document(), new.body().document());
    let versions = [("from", old.number.to_string()), ("to", new.number.to_string())];
    let told = texts.told(lang, "reply.reopened", &versions);
    let fields = changed(&old.policy, &new.policy).into_iter();
    let named = fields.filter_map(|field| texts.find(lang, &format!("policy.{field}")));
    let named = named.collect::<Vec<_>>().join(", ");
    if named.is_empty() {
        return Ok(told);
    }
    let fields = texts.told(lang, "reply.reopened_changed", &[("fields", named)]);
    Ok([told, fields].join(" "))
}

/// Keys of the policy whose values differ.
fn changed(old: &ProjectPolicy, new: &ProjectPolicy) -> Vec<String> {
    let [old, new] = [old, new].map(|policy| match serde_json::to_value(policy) {
        Ok(serde_json::Value::Object(fields)) => fields,
        Ok(_) | Err(_) => serde_json::Map::new(),
    });
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    keys.into_iter().filter(|key| old.get(*key) != new.get(*key)).cloned().collect()
}

/// What each concern means and what would help, as `policies/` says it.
fn reasons(session: &Session, concerns: &[String]) -> String {
    let keeper = &session.room.deps.keeper;
    let known = concerns.iter().filter_map(|code| keeper.reason(code));
    let told = known.map(|reason| match session.language {
        Lang::Ko => format!("- {}", reason.ko),
        Lang::En => format!("- {}", reason.en),
    });
    told.collect::<Vec<_>>().join("\n")
}

fn join(parts: &[&str]) -> String {
    let told: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    told.join("\n")
}

/// `form`: what the request lacks, which is then told in place of the system's operations.
pub fn question(
    session: &Session,
    task: TaskType,
    (missing, form): (&[SlotName], Option<&RequestForm>),
    message: &str,
) -> String {
    let question = session.room.deps.messages.ask(session.language, task, missing, message);
    let told = match form {
        Some(form) => form_text(form, session.language),
        None => operations::told(session, missing),
    };
    join(&[&question, &told])
}

pub fn work_order(session: &Session, spec: &Spec) -> String {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let mut order = texts.task(lang, spec.task_type).to_owned();
    for (name, value) in spec.slots.iter() {
        order.push_str(&format!("\n- {}: {value}", texts.slot(lang, name)));
    }
    let digest = spec.digest().map(|digest| digest.short()).unwrap_or_default();
    texts.work_order(lang, &neutralise(&order), &digest)
}

/// From the frozen plan: what will happen, and what a yes means; and the same as data, which is kept
/// with the question.
pub async fn preview(
    session: &Session,
    plan: &Blueprint,
    digest: BlueprintDigest,
    by: ApprovalBy,
) -> Result<(String, String), Down> {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let shown = look(session, plan).await?;
    let (what, digest) = (told(plan, &shown, lang), digest.short());
    let text = match by {
        ApprovalBy::Requester => texts.confirm(lang, &what, &digest),
        ApprovalBy::AnotherPerson => texts.seek_approval(lang, &what, &digest),
    };
    let document = serde_json::to_string(&shown).map_err(|error| Down(error.to_string()))?;
    Ok((text, document))
}

/// The plan in sentences, then what a yes changes and sends. A typed yes answers this text: it is
/// shown whole or the session goes down, never without its effects.
async fn effects(session: &Session, plan: &Blueprint) -> Result<String, Down> {
    Ok(told(plan, &look(session, plan).await?, session.language))
}

async fn look(session: &Session, plan: &Blueprint) -> Result<Preview, Down> {
    let systems = RegisteredSystems {
        list: session.systems.clone(),
        with_credential: session.with_credential.clone(),
    };
    let shown = preview::preview(session.room.clone(), plan.clone(), systems).await;
    shown.ok_or_else(|| Down("the preview ended early".to_owned()))
}

fn told(plan: &Blueprint, shown: &Preview, lang: Lang) -> String {
    let sentences = explain(plan, lang);
    [sentences.trim_end(), shown.to_text(lang).trim_end()].join(PARAGRAPH).trim_end().to_owned()
}

/// The preview that it says is over.
pub const fn expired(code: &ReplyCode) -> Option<BlueprintDigest> {
    if let ReplyCode::Expired { digest } = code { Some(*digest) } else { None }
}

struct Facts {
    /// In a sentence.
    result: String,
    text: String,
    known: Known,
}

async fn facts(session: &Session, execution: ExecutionId) -> Result<Facts, Down> {
    let (mut lines, mut known) = (Vec::new(), Known::default());
    let ended = session.ended(execution).await?;
    let result = result(&session.room.deps.messages, session.language, &ended);
    for row in ended.iter().take(STEPS_TOLD_MAX) {
        let foreign =
            matches!(&row.outcome, Some(StepOutcome::Success { output }) if output.foreign);
        let line = match &row.outcome {
            Some(StepOutcome::Success { output }) if output.foreign => {
                format!("✓ {}{} ({} B)", row.step, status(output.status), output.size_bytes)
            }
            // A report of ours: the file that it speaks of comes below.
            Some(StepOutcome::Success { .. }) => format!("✓ {}", row.step),
            Some(StepOutcome::Failure { failure }) => {
                format!("✗ {} {}{}", row.step, failure.code, status(failure.status))
            }
            Some(StepOutcome::Cancelled { .. }) => format!("– {}", row.step),
            None => format!("? {}", row.step),
        };
        lines.push(line);
        if let Some(bytes) = &row.bytes {
            let beginning = bytes.get(..FACT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
            known.add(&String::from_utf8_lossy(beginning));
            if foreign && row.last {
                if let (Some(rows), Some(line)) = (shown::rows(bytes), lines.last_mut()) {
                    let told = rows_told(session, rows);
                    known.add(&told);
                    line.push_str(&format!(" {told}"));
                }
                lines.push(shown::output(bytes));
            } else if !foreign && let Some(line) = lines.last_mut() {
                line.push_str(&own_report(bytes.as_slice()));
            }
        }
    }
    let texts = &session.room.deps.messages;
    for step in session.skipped_of(execution) {
        let step = [("step", step.to_string())];
        lines.push(texts.told(session.language, "run.step_skipped", &step));
    }
    // What a model said earlier founds nothing.
    session.history.iter().filter(|line| line.by_user).for_each(|line| known.add(&line.text));
    Ok(Facts { result, text: lines.join("\n"), known })
}

/// How many rows an answer holds.
fn rows_told(session: &Session, rows: usize) -> String {
    let count = [("count", rows.to_string())];
    session.room.deps.messages.told(session.language, "run.rows", &count)
}

/// What the service answered, where one did.
fn status(status: Option<u16>) -> String {
    status.map(|status| format!(" · HTTP {status}")).unwrap_or_default()
}

/// `: path (size)` of a report on a file.
fn own_report(bytes: &[u8]) -> String {
    let report: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    let path = report.get("path").and_then(serde_json::Value::as_str);
    let Some(path) = path else { return String::new() };
    let path = neutralise(path);
    match report.get("sizeBytes").and_then(serde_json::Value::as_u64) {
        Some(size) => format!(": {path} ({size} B)"),
        None => format!(": {path}"),
    }
}
