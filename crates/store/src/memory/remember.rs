//! What a person asks to have remembered in a turn of their own. That is the only way to a line of it: no code
//! below the store can name the command, and no text of a model, a file or a page is one.

use super::{
    change::{Author, Change},
    refused::MemoryRefused,
    row::{MemoryRow, newest, of_turn, versions},
};
use crate::{database::clock::now, writer::write_transaction::WriteTransaction};
use std::fmt;
use wiiiv_domain::{MemoryOwner, MemoryScope, MemoryText, ProjectId, TurnId};
use wiiiv_gate::Principal;

/// One line, of an authenticated person's own turn.
pub struct RememberCommand {
    pub(super) author: Author,
    pub(super) owner: MemoryOwner,
    turn: TurnId,
    line: String,
}

impl RememberCommand {
    /// `project`: the conversation's.
    #[must_use]
    pub fn new(
        who: &Principal,
        turn: TurnId,
        project: ProjectId,
        scope: MemoryScope,
        line: &str,
    ) -> Self {
        let owner = match scope {
            MemoryScope::User => MemoryOwner::User(who.user()),
            MemoryScope::Project => MemoryOwner::Project(project),
        };
        Self { author: Author::of(who), owner, turn, line: line.to_owned() }
    }
}

/// Without the person's words.
impl fmt::Debug for RememberCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RememberCommand");
        shown.field("owner", &self.owner).field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// The version that has the line.
    pub row: MemoryRow,
    /// `false`: it stood there already.
    pub is_new: bool,
    /// What stood there before.
    pub before: MemoryText,
}

impl Change {
    /// A turn asks once for each memory: where it has a version already, that is what came of it.
    pub(super) async fn remember(
        self,
        tx: &mut WriteTransaction,
        RememberCommand { turn, line, .. }: RememberCommand,
    ) -> Result<Remembered, MemoryRefused> {
        let at = now();
        self.author.stands(&tx.db, at).await?;
        if let Some(row) = of_turn(&tx.db, self.owner, turn).await? {
            let before = versions(&tx.db, self.owner, Some(row.version), 1).await?.pop();
            return Ok(Remembered { row, is_new: true, before: text_of(before.as_ref()) });
        }
        let newest = newest(&tx.db, self.owner).await?;
        let before = text_of(newest.as_ref());
        let text = before.with(&line)?;
        match newest {
            Some(row) if row.text == text => Ok(Remembered { row, is_new: false, before }),
            newest => {
                let is_new = text != before;
                let row = self.write(tx, newest.as_ref(), (text, Some(turn)), at).await?;
                Ok(Remembered { row, is_new, before })
            }
        }
    }
}

fn text_of(row: Option<&MemoryRow>) -> MemoryText {
    row.map(|row| row.text.clone()).unwrap_or_default()
}
