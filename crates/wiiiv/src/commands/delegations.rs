//! `approvals delegate`, `delegations` and `undelegate`: who stands in for whom.

use crate::args::project::ProjectArg;
use crate::args::{DelegateArgs, UndelegateArgs};
use crate::connection::{path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{Lists, short};
use crate::texts::named;
use serde_json::{Value, json};
use wiiiv_domain::DelegationId;
use wiiiv_net::ApiCall;

pub async fn give(context: &Context, args: &DelegateArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let to = connection.member(project, &args.to).await?;
    let mut body = json!({ "to": to, "until": args.until, "reason": args.reason });
    if let (Some(from), Some(members)) = (args.from, body.as_object_mut()) {
        members.insert("from".to_owned(), json!(from));
    }
    let given = connection.post(&format!("/projects/{project}/approval-delegations"), body).await?;
    done(context, &given, &context.texts.delegations.given)
}

/// What concerns the person; of an owner of the project, or an administrator, all.
pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let rows = connection.all(&format!("/projects/{project}/approval-delegations")).await?;
    let (texts, list) = (&context.texts.delegations, &context.texts.list);
    let cells = |row: &Value| {
        let state = named(&texts.states, text(row, "state"));
        let [delegator, delegate, from, until, reason] =
            ["delegator_name", "delegate_name", "from", "until", "reason"]
                .map(|name| text(row, name).to_owned());
        [
            short(text(row, "id")).to_owned(),
            delegator,
            delegate,
            from,
            until,
            state.to_owned(),
            reason,
        ]
    };
    let heads = [
        &list.id,
        &texts.delegator,
        &texts.delegate,
        &texts.from,
        &texts.until,
        &list.state,
        &texts.reason,
    ];
    context.list(&rows, heads, cells)
}

pub async fn end(context: &Context, args: &UndelegateArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let id: DelegationId = args.delegation.of(&connection, Lists::Delegations(project)).await?;
    let call = ApiCall::delete(path(&format!("/projects/{project}/approval-delegations/{id}")));
    let ended = connection.client.send(call).await?.body;
    done(context, &ended, &context.texts.delegations.ended)
}

fn done(context: &Context, delegation: &Value, template: &str) -> Result<Exit, Failure> {
    let names = ["id", "delegator_name", "delegate_name", "from", "until"];
    context.done(delegation, template, &names.map(|name| (name, text(delegation, name))))
}
