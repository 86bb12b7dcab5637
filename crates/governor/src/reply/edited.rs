//! What an edit changed, for the requester: by whom, and each value before and after.

use crate::session::{Session, SessionFault};
use wiiiv_domain::{SlotChange, UserId};
use wiiiv_hlx::neutralise;

/// `own`: the sentence where the requester did it. A name that is not known any more is left out.
pub async fn told(
    session: &Session,
    own: &str,
    by: Option<UserId>,
    changes: &[SlotChange],
) -> Result<String, SessionFault> {
    let name = match by {
        Some(by) => session.runtime.deps.store.user_names(&[by]).await?.remove(&by),
        None => None,
    };
    let sentence = match (by, name) {
        (None, _) => own.to_owned(),
        (Some(_), None) => session.text("reply.edited_by_approver", &[]),
        (Some(_), Some(name)) => session.text("reply.edited_by", &[("name", neutralise(&name))]),
    };
    let lines = changes.iter().map(|change| line(session, change));
    Ok(std::iter::once(sentence).chain(lines).collect::<Vec<_>>().join("\n"))
}

fn line(session: &Session, SlotChange { slot, from, to }: &SlotChange) -> String {
    let (texts, lang) = (&session.runtime.deps.messages, session.conversation.language);
    let values =
        [("slot", texts.slot(lang, slot)), ("from", neutralise(from)), ("to", neutralise(to))];
    session.text("reply.edited_value", &values)
}
