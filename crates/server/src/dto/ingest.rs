//! Wire forms of ingests: how files become documents.

use super::{document::DocumentOriginName, mirror::mirror};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_store::{IngestJobRow, IngestState};

/// What a file is to be called.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct IngestQuery {
    /// File name, 1 to 255 bytes on one line, without `/` and `\`; its ending tells the format. A file of the same name
    /// in the scope takes that document's place, under its id.
    pub name: String,
    /// 1 to 200 characters on one line; left out: the one that somebody gave the document of that name, else the title
    /// that the file gives itself, else its name.
    pub title: Option<String>,
}

/// How far an ingest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IngestStateName {
    /// It waits for others.
    Queued,
    /// Its text is read out of the file.
    Reading,
    /// Passages and chunks are cut.
    Cutting,
    /// Chunks without a vector get one.
    Embedding,
    /// Its document is found.
    Ready,
    /// For the reason in `code`.
    Failed,
    Cancelled,
}

mirror!(IngestState => IngestStateName: Queued, Reading, Cutting, Embedding, Ready, Failed, Cancelled);

/// An ingest of one file. The newest 200 of a scope that ended are kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct IngestJobView {
    pub id: Uuid,
    /// Who will find the document: `global`, `user:ID` or `project:ID`.
    pub scope: String,
    pub origin: DocumentOriginName,
    pub file_name: String,
    /// `null`: the one that the file gives itself, else its name.
    pub title: Option<String>,
    pub media_type: Option<String>,
    /// Of the file.
    pub bytes: u64,
    pub state: IngestStateName,
    /// Why it failed, stable over versions; of one that is ready, why texts of it have no vector.
    pub code: Option<String>,
    /// Cut so far.
    pub passages: u64,
    pub chunks: u64,
    /// Texts that its scope had not, or had without a vector.
    pub to_embed: u64,
    /// How many of them have one now.
    pub embedded: u64,
    /// The provider's model that texts of its scope are sent to now; `null`: they leave nowhere.
    pub sent_to: Option<String>,
    /// What came of it.
    pub document: Option<Uuid>,
    /// `null`: the folder.
    pub author: Option<Uuid>,
    pub author_name: Option<String>,
    pub created_at: String,
    pub ended_at: Option<String>,
}

impl IngestJobView {
    /// `author_name`: of its author. `sent_to`: of its scope.
    pub(crate) fn of(
        row: IngestJobRow,
        author_name: Option<String>,
        sent_to: Option<String>,
    ) -> Self {
        Self {
            id: row.id.uuid(),
            scope: row.scope.to_string(),
            origin: row.origin.into(),
            file_name: row.file_name,
            title: row.title,
            media_type: row.media_type,
            bytes: row.bytes,
            state: row.state.into(),
            code: row.code,
            passages: row.progress.passages,
            chunks: row.progress.chunks,
            to_embed: row.progress.to_embed,
            embedded: row.progress.embedded,
            sent_to,
            document: row.document.map(|document| document.uuid()),
            author: row.author.map(|author| author.uuid()),
            author_name,
            created_at: row.created_at.to_string(),
            ended_at: row.ended_at.map(|at| at.to_string()),
        }
    }
}
