//! One turn of a conversation as the command line follows it.

use crate::{
    commands::chat::form::Form, connection::Connection, context::Context, failure::Failure,
};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use wiiiv_domain::{Lang, SessionId};

pub struct Turn<'a> {
    pub context: &'a Context,
    pub connection: &'a Connection,
    pub session: SessionId,
    /// Of what was said last.
    pub language: Cell<Lang>,
    /// Whoever sits here may answer the question that was shown last.
    pub may_answer: Cell<bool>,
    /// The turn that was followed last has shown what waits once more.
    pub shown_again: Cell<bool>,
    /// What was asked for last, field by field.
    pub form: RefCell<Option<Form>>,
    /// Number of the last event that was shown here, or that the person says to have seen: a yes and the
    /// answer to a form go out with it.
    pub seen: Cell<Option<u64>>,
}

impl<'a> Turn<'a> {
    pub fn new(context: &'a Context, connection: &'a Connection, session: SessionId) -> Self {
        Self {
            context,
            connection,
            session,
            language: Cell::new(context.language),
            may_answer: Cell::new(true),
            shown_again: Cell::new(false),
            form: RefCell::default(),
            seen: Cell::new(None),
        }
    }

    /// With what the person saw before.
    pub fn having_seen(self, seen: Option<u64>) -> Self {
        self.seen.set(seen);
        self
    }

    /// What the conversation waits for, as the server has it now.
    pub async fn state(&self) -> Result<Value, Failure> {
        self.connection.get(&format!("/sessions/{}/state", self.session)).await
    }
}
