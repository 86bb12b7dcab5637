//! Why nothing was done about a document.

use wiiiv_store::{Capacity, DocumentRefused, StoreError};

#[derive(Debug, Clone, thiserror::Error)]
pub enum DocumentError {
    /// 404: it is not there, or not for this person.
    #[error("no such document, ingest or scope")]
    NotFound,
    /// 403: the person sees the scope and may not change it.
    #[error(
        "documents of everybody are changed by the administrator, a project's by its owner and editors, a person's \
         by that person"
    )]
    NotAllowed,
    /// 413.
    #[error("the file has `{bytes}` bytes, and at most `{max}` are read")]
    TooLarge { bytes: u64, max: u64 },
    /// 422: a name, a title or a text of a search.
    #[error("`{field}`: {problem}")]
    Field { field: &'static str, problem: String },
    /// 409.
    #[error("there is no room: {capacity} are at most `{max}`; remove some documents")]
    Full { capacity: Capacity, max: u64 },
    /// 429: this many wait already, of all people or of that one.
    #[error("`{max}` files wait to be read: try again when some of them are done")]
    QueueFull { max: u64 },
    /// 409.
    #[error("the ingest has ended and cannot be cancelled")]
    Ended,
    /// 412: its version is another one than whoever changes it saw.
    #[error("the document was changed meanwhile: it has version `{current}`")]
    VersionChanged { current: u64 },
    /// 403: the log-in was ended, or the right taken away.
    #[error("nothing was done: the log-in was ended, or the right taken away")]
    RightGone,
    /// 503.
    #[error("nothing was done: {0}")]
    Unavailable(String),
}

impl From<StoreError> for DocumentError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::AuthorityGone => Self::RightGone,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<DocumentRefused> for DocumentError {
    fn from(refused: DocumentRefused) -> Self {
        match refused {
            DocumentRefused::NotFound => Self::NotFound,
            DocumentRefused::NotAllowed => Self::NotAllowed,
            DocumentRefused::Ended => Self::Ended,
            DocumentRefused::VersionChanged { current } => Self::VersionChanged { current },
            DocumentRefused::QueueFull { max } => Self::QueueFull { max },
            DocumentRefused::Full { capacity, max } => Self::Full { capacity, max },
            DocumentRefused::TooLarge { what, max } => {
                Self::Field { field: "file", problem: format!("{what} is over `{max}`") }
            }
            DocumentRefused::Store(error) => error.into(),
        }
    }
}
