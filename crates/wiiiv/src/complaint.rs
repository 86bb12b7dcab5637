//! A failure for its reader: in their language with advice, or as JSON.

use crate::commands::decide::DIGEST_DIGITS_MIN;
use crate::context::Context;
use crate::failure::{Absent, Failure};
use crate::io_reason::io_reason;
use crate::local_model_fault::LocalModelFault;
use crate::output::harmless;
use crate::secret::SecretError;
use crate::start_error::StartError;
use crate::texts::fill;
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use wiiiv_context::OpenSearchFault;
use wiiiv_domain::Lang;
use wiiiv_embed::{InstallError, LocalModel};
use wiiiv_net::{ApiError, Problem};
use wiiiv_server::ProblemCode;

/// What of a problem's parameters names the place.
const NAMED_PARAMS: [&str; 7] =
    ["field", "parameter", "header", "reason", "line", "column", "message"];

/// When a problem may have passed.
const WAIT_PARAM: &str = "retry_after_seconds";

pub fn text(context: &Context, failure: &Failure) -> String {
    let (said, advice) = match failure.problem() {
        Some(problem) => of_problem(context, failure, problem),
        None => (said(context, failure), None),
    };
    if context.output.is_json() {
        return document(failure, &said, advice.as_deref()).to_string();
    }
    let texts = &context.texts.failure;
    let mut lines = vec![fill(&texts.prefix, &[("what", &said)])];
    lines.extend(advice.map(|advice| fill(&texts.advice, &[("advice", &advice)])));
    let trace = failure.problem().and_then(|problem| problem.trace_id.as_deref());
    lines.extend(trace.map(|id| fill(&texts.trace, &[("trace", id)])));
    harmless(&lines.join("\n"))
}

/// A problem with one of several things that a command does, on one line.
pub fn line(context: &Context, problem: &Problem) -> String {
    let known = ProblemCode::ALL.iter().find(|code| code.as_str() == problem.code);
    let (title, advice) = match known {
        Some(code) => of_code(*code, context.language, problem),
        None => (problem.title.clone(), problem.suggestion.clone()),
    };
    let reason = problem.params.get("reason").and_then(Value::as_str).map(str::to_owned);
    let parts = [Some(title), reason.or(advice)];
    harmless(&parts.into_iter().flatten().collect::<Vec<_>>().join(": "))
}

fn document(failure: &Failure, said: &str, advice: Option<&str>) -> Value {
    let problem = failure.problem();
    json!({
        "error": said,
        "code": problem.map(|problem| problem.code.as_str()),
        "params": problem.map(|problem| &problem.params),
        "advice": advice,
        "exit": failure.exit() as u8,
    })
}

/// By its code, which is the same in every language; a code of a later server comes as it is.
fn of_problem(context: &Context, failure: &Failure, problem: &Problem) -> (String, Option<String>) {
    if let Failure::Absent { of, .. } = failure {
        return absent(context, *of);
    }
    if let Failure::NotWaiting { show, change, known, .. } = failure {
        return not_waiting(context, (*change, known), show);
    }
    let known = ProblemCode::ALL.iter().find(|code| code.as_str() == problem.code);
    let (title, mut advice) = match known {
        Some(code) => of_code(*code, context.language, problem),
        None => (problem.title.clone(), problem.suggestion.clone()),
    };
    if let (Some(show), Some(code)) = (failure.shown_by(), known)
        && let Some(told) = of_change(context, (*code, problem), show)
    {
        return told;
    }
    if known == Some(&ProblemCode::InvalidPolicy) {
        advice = Some(context.texts.failure.invalid_policy.clone());
    }
    if let Some(seconds) = problem.params.get(WAIT_PARAM).and_then(Value::as_u64) {
        let values = [("seconds", &*seconds.to_string())];
        advice = Some(fill(&context.texts.failure.wait, &values));
    }
    if let Some(own) = known.and_then(|code| own_advice(context, *code, problem)) {
        // It says what the parameters would, in words.
        return (title, Some(own));
    }
    let params = NAMED_PARAMS.iter().filter_map(|name| problem.params.get(*name));
    // What the server does not know of a place.
    let params = params.filter(|value| !value.is_null());
    let params: Vec<String> = params
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        .collect();
    let title = if params.is_empty() { title } else { format!("{title}: {}", params.join(", ")) };
    (title, advice)
}

/// The server's words are of any address: here it is known what it leads to.
fn absent(context: &Context, of: Absent) -> (String, Option<String>) {
    let texts = &context.texts.failure;
    let (title, advice) = match of {
        Absent::Document => (&texts.no_document, &texts.see_documents),
        Absent::Passage => (&texts.no_passage, &texts.see_passages),
        Absent::Decision => (&texts.no_decision, &texts.name_project),
    };
    (title.clone(), Some(advice.clone()))
}

/// Which changes of a profile wait, if any does.
fn not_waiting(
    context: &Context,
    (change, known): (u64, &str),
    show: &str,
) -> (String, Option<String>) {
    let texts = &context.texts.failure;
    let text = if known.is_empty() { &texts.none_waits } else { &texts.not_waiting };
    let title = fill(text, &[("change", &change.to_string()), ("known", known)]);
    (title, Some(fill(&texts.look, &[("show", show)])))
}

/// What a person does about it, in place of what a program would: `ETag`, `changes[0]`.
fn of_change(
    context: &Context,
    (code, problem): (ProblemCode, &Problem),
    show: &str,
) -> Option<(String, Option<String>)> {
    let texts = &context.texts.failure;
    let (title, _) = of_code(code, context.language, problem);
    let advised = |title: String, text: &str| Some((title, Some(fill(text, &[("show", show)]))));
    if [ProblemCode::VersionChanged, ProblemCode::PreconditionRequired].contains(&code) {
        return advised(title, &texts.look_again);
    }
    if code == ProblemCode::NotFound {
        return advised(title, &texts.look);
    }
    let reason = problem.params.get("reason").and_then(Value::as_str);
    let reason = reason.filter(|_| code == ProblemCode::InvalidField)?;
    advised(format!("{}: {reason}", texts.not_kept), &texts.look)
}

/// Where the command line can say more than the server, whose advice is for any client.
fn own_advice(context: &Context, code: ProblemCode, problem: &Problem) -> Option<String> {
    if code == ProblemCode::DelegationOver {
        return Some(context.texts.failure.delegation_over.clone());
    }
    let why = problem.params.get("why").and_then(Value::as_str)?;
    let reasons = &context.texts.approvals.grant_reasons;
    (code == ProblemCode::NotGrantable).then(|| reasons.get(why).cloned()).flatten()
}

fn of_code(code: ProblemCode, language: Lang, problem: &Problem) -> (String, Option<String>) {
    let [english, korean] = code.advice(&problem.params);
    let ((title, _), advice) = match language {
        Lang::Ko => (code.korean(), korean),
        Lang::En => (code.english(), english),
    };
    (title.to_owned(), Some(advice))
}

/// As many of its digits as a command takes.
fn short(digest: &str) -> &str {
    digest.get(..DIGEST_DIGITS_MIN).unwrap_or(digest)
}

fn of_secret(context: &Context, error: &SecretError) -> String {
    let texts = &context.texts.failure;
    let told = |text: &str, path: &Path, reason: &str| {
        fill(text, &[("path", &path.display().to_string()), ("reason", reason)])
    };
    match error {
        SecretError::Unreadable { path, reason } => told(&texts.secret_unreadable, path, reason),
        SecretError::Exposed { path } => told(&texts.secret_exposed, path, ""),
        SecretError::Unwritable { path, reason } => told(&texts.secret_unwritable, path, reason),
        SecretError::Missing => texts.secret_missing.clone(),
    }
}

fn of_file(context: &Context, template: &str, (path, reason): (&Path, &io::Error)) -> String {
    let why = io_reason(&context.texts.failure.io, reason.kind(), &reason.to_string());
    fill(template, &[("path", &path.display().to_string()), ("reason", &why)])
}

fn unseen(context: &Context, approval: &str, digest: &str) -> String {
    let values = [("approval", approval), ("digest", short(digest))];
    fill(&context.texts.failure.unseen, &values)
}

fn for_another(context: &Context, approval: &str) -> String {
    fill(&context.texts.chat.pending_other, &[("approval", approval)])
}

fn not_ready(context: &Context, name: &str, hint: &str) -> String {
    fill(&context.texts.failure.provider_not_ready, &[("name", name), ("hint", hint)])
}

fn other_digest(context: &Context, given: &str, asked: &str) -> String {
    fill(&context.texts.failure.other_digest, &[("given", given), ("asked", asked)])
}

/// What people meet at their first steps is said in their language; the rest is for operators.
fn said(context: &Context, failure: &Failure) -> String {
    let texts = &context.texts.failure;
    let one_of = |text, name, known| fill(text, &[("name", name), ("known", known)]);
    match failure {
        Failure::NotLoggedIn { origin } => fill(&texts.not_logged_in, &[("origin", origin)]),
        Failure::Api(ApiError::Unreachable { origin, reason }) => {
            fill(&texts.unreachable, &[("origin", origin), ("reason", reason)])
        }
        Failure::Start(StartError::NoMasterKey) => texts.no_master_key.clone(),
        Failure::NoSuchProfile { name, known } => one_of(&texts.no_such_profile, name, known),
        Failure::NoSuchProject { name, known } => one_of(&texts.no_such_project, name, known),
        Failure::WhichProject { known } => fill(&texts.which_project, &[("known", known)]),
        Failure::SeveralNamed { name, known } => one_of(&texts.several_named, name, known),
        Failure::NotOfProject => texts.not_of_project.clone(),
        Failure::OtherScope => texts.other_scope.clone(),
        Failure::NoSuchId { given } => fill(&texts.no_such_id, &[("given", given)]),
        Failure::NoSuchDecision { given } => fill(&texts.no_such_decision, &[("given", given)]),
        Failure::SeveralIds { given, known } => one_of(&texts.several_ids, given, known),
        Failure::NoSession => texts.no_session.clone(),
        Failure::NoForm => texts.no_form.clone(),
        Failure::NoField { name } => fill(&texts.no_field, &[("name", name)]),
        Failure::NoDigest { min } => fill(&texts.no_digest, &[("min", &min.to_string())]),
        Failure::OtherDigest { given, asked } => other_digest(context, given, asked),
        Failure::Unseen { approval, digest } => unseen(context, approval, digest),
        Failure::NoSuchAccount { name } => fill(&texts.no_such_account, &[("name", name)]),
        Failure::ForAnother { approval } => for_another(context, approval),
        Failure::NoSuchMember { name } => fill(&texts.no_such_member, &[("name", name)]),
        Failure::NoSuchUser { name } => fill(&texts.no_such_user, &[("name", name)]),
        Failure::NoSuchProvider { name, known } => one_of(&texts.no_such_provider, name, known),
        Failure::ProviderNotReady { name, hint } => not_ready(context, name, hint),
        Failure::GrantWindow => texts.grant_window.clone(),
        Failure::TitleOfOne => texts.title_of_one.clone(),
        Failure::RunnerKeyUnknown { public } => fill(&texts.runner_unknown, &[("public", public)]),
        Failure::NoSuchRunnerKey { name } => fill(&texts.no_such_runner_key, &[("name", name)]),
        Failure::EmptyInput => texts.empty_input.clone(),
        Failure::NotGiven { flag } => fill(&texts.not_given, &[("flag", flag)]),
        Failure::Secret(error) => of_secret(context, error),
        Failure::LocalModel(LocalModelFault::Install(InstallError::Unreadable {
            path,
            reason,
        })) => of_file(context, &texts.unreadable, (path, reason)),
        Failure::LocalModel(fault) => fault.text(&context.texts.local_models),
        // By `Failure::exit` each is known: these are for operators.
        other => of_files(context, other).unwrap_or_else(|| other.to_string()),
    }
}

/// Of files, and of models that are files. `None`: it is about something else.
fn of_files(context: &Context, failure: &Failure) -> Option<String> {
    let texts = &context.texts.failure;
    let at = |text, name, path: &Path| fill(text, &[(name, &path.display().to_string())]);
    let of_model = |text, model: LocalModel| fill(text, &[("model", model.as_str())]);
    Some(match failure {
        Failure::NoScenarioFolder { folder } => at(&texts.no_scenario_folder, "folder", folder),
        Failure::NoConversationFolder { folder } => at(&texts.no_talk_folder, "folder", folder),
        Failure::NoSetFolder { folder } => at(&texts.no_set_folder, "folder", folder),
        Failure::Hits { path, fault: OpenSearchFault::NoHits } => at(&texts.no_hits, "path", path),
        Failure::Hits { path, fault: OpenSearchFault::NoText } => {
            at(&texts.no_hit_text, "path", path)
        }
        Failure::Exists { path } => at(&texts.exists, "path", path),
        Failure::RunnerKeyThere { path } => at(&texts.runner_key_there, "path", path),
        Failure::Unopened { path, reason } => of_file(context, &texts.unreadable, (path, reason)),
        Failure::Unwritable { path, reason } => of_file(context, &texts.unwritable, (path, reason)),
        Failure::NotInstalled(model) => of_model(&texts.not_installed, *model),
        Failure::Start(StartError::Embedder(model)) => of_model(&texts.no_embedder, *model),
        _ => return None,
    })
}
