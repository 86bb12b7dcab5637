//! Where the rules that are played ask others for a yes, they say it where the person of the scenario does.

use super::{
    press::{asked, join},
    snapshot::state,
};
use crate::{
    harness::{Conversation, PlayError, ProjectSetup, RestClient, follow, last_number},
    scenario::{Act, Press, Pressed, Who},
    verdict::text_of,
};
use serde_json::Value;

/// A question that the person of the scenario may be about to say yes to, and that others have to.
pub(super) struct Others<'a> {
    rest: &'a RestClient,
    conversation: Conversation,
    question: Value,
    /// Of whom the rules ask for a yes.
    count: usize,
}

impl<'a> Others<'a> {
    /// `None`: no question waits that others are asked.
    pub(super) async fn asked(
        rest: &'a RestClient,
        setup: &ProjectSetup,
        act: &Act,
    ) -> Result<Option<Self>, PlayError> {
        let nth = match act {
            Act::Press(Pressed { press: Press::Approve, by: Who::Person, question, .. }) => {
                *question
            }
            Act::Say(_) => None,
            Act::Press(_) | Act::Wait(_) => return Ok(None),
        };
        if setup.others == 0 {
            return Ok(None);
        }
        let conversation = setup.conversation();
        let question = asked(rest, &conversation, nth).await?;
        let waits = |question: &Value| {
            text_of(question, "by") == "another_person" && state(question) == "pending"
        };
        let Some(question) = question.filter(waits) else { return Ok(None) };
        let needed = question.get("approvers").and_then(Value::as_u64).unwrap_or(1);
        let count = usize::try_from(needed).unwrap_or(setup.others).min(setup.others);
        Ok(Some(Self { rest, conversation, question, count }))
    }

    /// A button is pressed by the last of them, in the person's place. The others have said yes before: the
    /// events of that.
    pub(super) async fn before(
        &self,
        act: Act,
        after: u64,
    ) -> Result<(Act, Vec<Value>), PlayError> {
        let Act::Press(pressed) = act else { return Ok((act, Vec::new())) };
        let mut events = Vec::new();
        for nth in 1..self.count {
            self.join(nth, after, &mut events).await?;
        }
        Ok((Act::Press(Pressed { by: Who::Approver, ..pressed }), events))
    }

    /// Where the person has said yes in words, all of them follow, until the question is closed.
    pub(super) async fn behind(&self, events: &mut Vec<Value>) -> Result<(), PlayError> {
        let says_yes = |event: &Value| {
            text_of(event, "input") == "signal" && text_of(event, "outcome") == "affirm"
        };
        if !events.iter().any(says_yes) {
            return Ok(());
        }
        let below = format!("/approvals/{}", text_of(&self.question, "id"));
        for nth in 0..self.count {
            if state(&self.rest.get(&below).await?) != "pending" {
                break;
            }
            self.join(nth, 0, events).await?;
        }
        Ok(())
    }

    async fn join(&self, nth: usize, after: u64, events: &mut Vec<Value>) -> Result<(), PlayError> {
        let turn = join(self.rest, &self.conversation, &self.question, nth).await?;
        let after = after.max(last_number(events));
        events.extend(follow(self.rest, &self.conversation.session, after, Some(&turn)).await?);
        Ok(())
    }
}
