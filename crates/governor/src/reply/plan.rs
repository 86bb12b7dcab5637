//! The text of a plan's preview.

use crate::{
    history_text::PARAGRAPH,
    preview,
    session::{Session, SessionFault},
};
use wiiiv_domain::{ApprovalBy, Blueprint, BlueprintDigest, Lang};
use wiiiv_hlx::{Preview, explain};

/// The question's text, and the preview as JSON, which is stored with the question. `by`: who is asked;
/// `None`: an earlier approval is used.
pub async fn preview(
    session: &Session,
    plan: &Blueprint,
    digest: BlueprintDigest,
    by: Option<ApprovalBy>,
) -> Result<(String, String), SessionFault> {
    let (texts, lang) = (&session.runtime.deps.messages, session.conversation.language);
    let shown = look(session, plan).await?;
    let (what, digest) = (sentences(plan, &shown, lang), digest.short());
    let text = match by {
        Some(ApprovalBy::Requester) => texts.confirm(lang, &what, &digest),
        Some(ApprovalBy::AnotherPerson) => texts.seek_approval(lang, &what, &digest),
        None => texts.told(lang, "run.yes_taken_up", &[("what", what), ("digest", digest)]),
    };
    Ok((text, serde_json::to_string(&shown)?))
}

/// INVARIANT: a typed yes approves this text, so a preview that cannot be rendered is a fault.
pub async fn shown_again(
    session: &Session,
    digest: BlueprintDigest,
    text: String,
) -> Result<String, SessionFault> {
    let Some(plan) = session.work.plans.get(&digest).map(|plan| plan.blueprint.clone()) else {
        return Ok(text);
    };
    let shown = look(session, &plan).await?;
    Ok([sentences(&plan, &shown, session.conversation.language), text].join(PARAGRAPH))
}

async fn look(session: &Session, plan: &Blueprint) -> Result<Preview, SessionFault> {
    let (runtime, systems) = (session.runtime.clone(), session.work.systems.clone());
    let shown = preview::preview(runtime, plan.clone(), systems).await;
    shown.ok_or_else(|| SessionFault::other("the preview ended early"))
}

/// The plan in sentences, then what a yes changes and sends.
fn sentences(plan: &Blueprint, shown: &Preview, lang: Lang) -> String {
    let sentences = explain(plan, lang);
    [sentences.trim_end(), shown.to_text(lang).trim_end()].join(PARAGRAPH).trim_end().to_owned()
}
