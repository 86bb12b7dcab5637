//! Texts that code writes: one catalogue by code and language, facts from step outputs only.

mod budget;
mod edited;
mod operations;
mod plan;
mod result;
mod run_facts;

use crate::{
    reply_kind::{self, Body, ReplyKind},
    session::{Session, SessionFault, task_position},
};
pub use plan::preview;
use result::grouped;
use run_facts::{facts_of, run_facts};
use std::collections::BTreeSet;
use wiiiv_context::PlanRefusal;
use wiiiv_domain::{
    BlueprintDigest, ExecutionId, Grounds, JobName, Lang, ProjectPolicy, ReplyCode, RequestForm,
    SlotName, Spec, TaskType,
};
use wiiiv_hlx::{form_text, neutralise};

pub async fn render(session: &Session, code: &ReplyCode) -> Result<String, SessionFault> {
    let texts = &session.runtime.deps.messages;
    let lang = session.conversation.language;
    let text = texts.reply(lang, code);
    match ReplyKind::of(code).body {
        Body::Catalogue => Ok(text),
        Body::Facts { execution, message } => came_to(session, execution, message).await,
        Body::RunFailed { execution, code } => {
            let why = texts.find(lang, &format!("step_code.{code}")).unwrap_or_default();
            let steps = session.work.step_results(&session.journal, execution).await?;
            let facts = facts_of(session, execution, &steps);
            let leads = facts.redirected_to.map(|origin| [("origin", origin)]);
            let leads = leads.map(|origin| session.text("run.redirected_to", &origin));
            let back = session.work.gives_back(execution, &steps);
            let back = if back { session.text("run.yes_stands", &[]) } else { String::new() };
            Ok(join(&[&text, why, &leads.unwrap_or_default(), &facts.text, &back]))
        }
        Body::RunCancelled { execution } => {
            Ok(join(&[&text, &run_facts(session, execution).await?.text]))
        }
        Body::Waiting { digest } => {
            // The asker may not be the approver.
            let others = task_position::asks_others(&session.flow);
            let text = if others { session.text("reply.waiting_other", &[]) } else { text };
            plan::shown_again(session, digest, text).await
        }
        Body::Reopened { from, to } => reopened(session, from, to).await,
        Body::Refused { digest } => Ok(refused(session, digest).unwrap_or(text)),
        Body::Edited { by, changes } => edited::told(session, &text, by, changes).await,
        Body::Budget => Ok(budget::stopped_by(session).await?.unwrap_or(text)),
        Body::TooLong => Ok(too_long(session).unwrap_or(text)),
        Body::Remembered => {
            let told = session.work.turn.as_ref().and_then(|turn| turn.remembered.clone());
            Ok(told.unwrap_or(text))
        }
        Body::Concerns { codes } => {
            // Codes come last, after their meanings.
            let (sentence, named) = text.split_once('\n').unwrap_or((&text, ""));
            Ok(join(&[sentence, &reasons(session, codes), named]))
        }
        Body::Jobs => {
            let text = text.lines().map(neutralise).collect::<Vec<_>>().join("\n");
            // A yes counts for the text that its reader has seen.
            match reply_kind::shows(code, &session.flow) {
                Some(digest) => plan::shown_again(session, digest, text).await,
                None => Ok(text),
            }
        }
    }
}

/// With what is not done. `None`: there is no plan, or it is not known here any more.
fn refused(session: &Session, digest: Option<BlueprintDigest>) -> Option<String> {
    let spec = &session.work.plans.get(&digest?)?.blueprint.spec_snapshot.spec;
    let job = JobName::of(spec.task_type, &spec.slots);
    let job = session.runtime.deps.messages.job(session.conversation.language, &job);
    Some(session.text("reply.refused_job", &[("job", neutralise(&job))]))
}

/// By how much, and what helps. `None` where it is a provider who says that it is too long.
fn too_long(session: &Session) -> Option<String> {
    let PlanRefusal { needed, max } = session.work.turn.as_ref()?.too_long?;
    let tokens = |count: u64| grouped(&count.to_string());
    let values = [("needed", tokens(needed)), ("max", tokens(max))];
    Some(session.text("failure.context_too_long_by", &values))
}

/// A model's message, if the run supports it; else the run's result.
async fn came_to(
    session: &Session,
    execution: ExecutionId,
    message: &str,
) -> Result<String, SessionFault> {
    let facts = run_facts(session, execution).await?;
    let message = if facts.known.founds(message) { message.to_owned() } else { String::new() };
    let sentence = if message.is_empty() && !facts.result.is_empty() {
        facts.result
    } else {
        let code = ReplyCode::Facts { execution, message };
        session.runtime.deps.messages.reply(session.conversation.language, &code)
    };
    Ok(join(&[&sentence, &facts.text, &removed_secrets(session)]))
}

/// The number of keys that were removed from the model's prompt.
fn removed_secrets(session: &Session) -> String {
    match session.work.turn.as_ref().map_or(0, |turn| turn.secrets) {
        0 => String::new(),
        1 => session.text("run.secret_removed", &[]),
        count => session.text("run.secrets_removed", &[("count", count.to_string())]),
    }
}

/// Names both policy versions and the fields that changed.
async fn reopened(session: &Session, from: Grounds, to: Grounds) -> Result<String, SessionFault> {
    let (store, project) = (&session.runtime.deps.store, session.journal.row.project);
    let old = store.policy_version(project, from.policy).await?;
    let new = store.policy_version(project, to.policy).await?;
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(session.text("reply.reopened_rules", &[]));
    };
    if from.policy == to.policy {
        return Ok(session.text("reply.reopened_rules", &[]));
    }
    let (old, new) = (old.body().document(), new.body().document());
    let versions = [("from", old.number.to_string()), ("to", new.number.to_string())];
    let sentence = session.text("reply.reopened", &versions);
    let (texts, lang) = (&session.runtime.deps.messages, session.conversation.language);
    let fields = changed(&old.policy, &new.policy).into_iter();
    let named = fields.filter_map(|field| texts.find(lang, &format!("policy.{field}")));
    let named = named.collect::<Vec<_>>().join(", ");
    if named.is_empty() {
        return Ok(sentence);
    }
    Ok([sentence, session.text("reply.reopened_changed", &[("fields", named)])].join(" "))
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

/// The meaning of each concern, from `policies/`.
fn reasons(session: &Session, concerns: &[String]) -> String {
    let keeper = &session.runtime.deps.keeper;
    let known = concerns.iter().filter_map(|code| keeper.reason(code));
    let lines = known.map(|reason| match session.conversation.language {
        Lang::Ko => format!("- {}", reason.ko),
        Lang::En => format!("- {}", reason.en),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn join(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// `form`: listed instead of the system's operations.
pub fn question(
    session: &Session,
    task: TaskType,
    (missing, form): (&[SlotName], Option<&RequestForm>),
    message: &str,
) -> String {
    let lang = session.conversation.language;
    let question = session.runtime.deps.messages.ask(lang, task, missing, message);
    let choices = match form {
        Some(form) => form_text(form, lang),
        None => operations::choices(session, missing),
    };
    join(&[&question, &choices])
}

pub fn work_order(session: &Session, spec: &Spec) -> String {
    let (texts, lang) = (&session.runtime.deps.messages, session.conversation.language);
    let mut order = texts.task(lang, spec.task_type).to_owned();
    for (name, value) in spec.slots.iter() {
        order.push_str(&format!("\n- {}: {value}", texts.slot(lang, name)));
    }
    let digest = spec.digest().map(|digest| digest.short()).unwrap_or_default();
    texts.work_order(lang, &neutralise(&order), &digest)
}
