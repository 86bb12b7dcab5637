//! `approvals approve` and `reject`: for the digest that the person has seen; and `revoke`, of a yes that was given.

use super::outcome::{self, Decided};
use crate::args::DecideArgs;
use crate::connection::{Connection, number, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{IdArg, Lists};
use crate::terminal;
use serde_json::{Value, json};
use wiiiv_domain::{ApprovalId, Lang};

/// Fewer digits could mean another plan.
pub const DIGEST_DIGITS_MIN: usize = 8;

#[derive(Debug, Clone, Copy)]
pub enum Verdict<'a> {
    /// `wait`: until it is known what became of the plan.
    Approve {
        wait: bool,
    },
    Reject {
        reason: &'a str,
    },
}

impl Verdict<'_> {
    const fn is_yes(self) -> bool {
        matches!(self, Self::Approve { .. })
    }
}

/// The digest is named, or the preview is shown on a terminal and answered there.
pub async fn decide(
    context: &Context,
    args: &DecideArgs,
    verdict: Verdict<'_>,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ApprovalId = args.approval.of(&connection, Lists::Approvals).await?;
    let asked = connection.get(&format!("/approvals/{id}")).await?;
    let digest = required(&asked, "digest")?;
    match args.digest.as_deref() {
        Some(given) => names(given, digest)?,
        // The server says who may: nobody is asked for a yes that would not be taken.
        None if verdict.is_yes() && asked.get("may_approve") == Some(&Value::Bool(false)) => {}
        None if context.output.is_json() || !terminal::is_interactive() => {
            return Err(Failure::NoDigest { min: DIGEST_DIGITS_MIN });
        }
        None => {
            super::approvals::print(context, &asked)?;
            if !terminal::agrees(&context.texts.approvals.ask)? {
                context.output.line(&context.texts.approvals.left)?;
                return Ok(Exit::Approval);
            }
        }
    }
    let language = context.chosen_language.map(Lang::as_str);
    // As it was shown: in that right, or not at all.
    let delegation = asked.pointer("/answers_for/delegation");
    let mut body = json!({ "digest": digest, "language": language, "delegation": delegation });
    let action = match verdict {
        Verdict::Approve { .. } => "approve",
        Verdict::Reject { reason } => {
            if let Some(members) = body.as_object_mut() {
                members.insert("reason".to_owned(), reason.into());
            }
            "reject"
        }
    };
    let talk = outcome::AskingSession::beside(&connection, &asked).await?;
    let answer = connection.post(&format!("/approvals/{id}/{action}"), body).await?;
    match verdict {
        // Others have to approve it too: there is nothing to wait for yet.
        Verdict::Approve { wait } if text(&answer, "state") == "pending" => {
            report(context, verdict, &answer)?;
            Ok(if wait { Exit::Approval } else { Exit::Done })
        }
        Verdict::Approve { wait: true } => {
            let decided = Decided { connection: &connection, approval: id, answer: &answer };
            outcome::told(context, &decided, talk).await
        }
        Verdict::Approve { wait: false } | Verdict::Reject { .. } => {
            report(context, verdict, &answer)
        }
    }
}

/// Of the caller's own; what it comes to is the server's to say.
pub async fn revoke(context: &Context, id: &IdArg, reason: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ApprovalId = id.of(&connection, Lists::Approvals).await?;
    let below = format!("/approvals/{id}/revoke");
    let answer = connection.post(&below, json!({ "reason": reason })).await?;
    let texts = &context.texts.approvals;
    let said = match text(&answer, "state") {
        "pending" => &texts.unsaid,
        "rejected" => &texts.rejected,
        _ => &texts.revoked,
    };
    let [given, approvers] = ["given", "approvers"].map(|name| number(&answer, name).to_string());
    let fields = [
        ("turn", text(&answer, "turn")),
        ("given", &given),
        ("approvers", &approvers),
        ("approval", text(&answer, "approval")),
    ];
    context.done(&answer, said, &fields)
}

fn report(context: &Context, verdict: Verdict<'_>, answer: &Value) -> Result<Exit, Failure> {
    let texts = &context.texts.approvals;
    let said = match verdict {
        Verdict::Approve { .. } if text(answer, "state") == "pending" => texts.counted.as_str(),
        Verdict::Approve { .. } => outcome::approved(texts, answer),
        Verdict::Reject { .. } => texts.rejected.as_str(),
    };
    let [given, approvers] = ["given", "approvers"].map(|name| number(answer, name).to_string());
    let fields =
        [("turn", text(answer, "turn")), ("given", given.as_str()), ("approvers", &approvers)];
    context.done(answer, said, &fields)
}

/// Whether the digits given name the plan that is asked about.
pub fn names(given: &str, digest: &str) -> Result<(), Failure> {
    if given.len() < DIGEST_DIGITS_MIN {
        return Err(Failure::NoDigest { min: DIGEST_DIGITS_MIN });
    }
    if digest.starts_with(&given.to_lowercase()) {
        return Ok(());
    }
    let asked = digest.chars().take(given.len()).collect();
    Err(Failure::OtherDigest { given: given.to_owned(), asked })
}

#[cfg(test)]
mod tests {
    use super::names;
    use crate::failure::Failure;

    #[test]
    fn a_digest_is_named_by_enough_of_its_digits() {
        let digest = "0123456789abcdef".repeat(4);
        assert!(names(&digest, &digest).is_ok());
        assert!(names("01234567", &digest).is_ok());
        assert!(names("0123456789ABCDEF", &digest).is_ok());
        assert!(matches!(names("0123456", &digest), Err(Failure::NoDigest { .. })));
        assert!(matches!(names("01234568", &digest), Err(Failure::OtherDigest { .. })));
    }
}
