//! A body that is the bytes of a file. It is read after the caller's rights are checked, and where there is a place for it:
//! neither a stranger nor many files at once fill the memory.

use crate::{
    access::caller::Caller,
    limits::INGEST_QUEUE_SECONDS,
    listen::{slots::HeldSlot, timed_body::is_too_slow},
    problem::{Problem, ProblemCode},
};
use axum::{
    body::{Body, Bytes, HttpBody as _, to_bytes},
    extract::{FromRequest, Request},
    http::header,
};
use futures::StreamExt as _;
use std::sync::Arc;

/// It says nothing of what a file is.
const ANY_BYTES: &str = "application/octet-stream";

pub(crate) struct FileBody {
    media_type: Option<String>,
    body: Body,
    /// Where it was read before the handler.
    place: Option<FilePlace>,
}

/// The place of a file that was read. Whoever has the bytes holds it.
#[derive(Debug, Clone)]
pub(crate) struct FilePlace {
    _held: Arc<HeldSlot>,
}

impl<S: Send + Sync> FromRequest<S> for FileBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        let media_type = request.headers().get(header::CONTENT_TYPE);
        let media_type = media_type.and_then(|value| value.to_str().ok());
        let media_type = media_type.filter(|of| !of.eq_ignore_ascii_case(ANY_BYTES));
        let media_type = media_type.map(str::to_owned);
        let place = request.extensions().get::<FilePlace>().cloned();
        Ok(Self { media_type, body: request.into_body(), place })
    }
}

impl FileBody {
    /// Its media type, and its bytes with the place that they have.
    pub(crate) async fn read(
        self,
        caller: &Caller,
    ) -> Result<(Option<String>, Vec<u8>, FilePlace), Problem> {
        let (bytes, place) = match self.place {
            Some(place) => (bytes_of(self.body, bytes_max(caller)).await?, place),
            None => read_file(self.body, caller).await?,
        };
        Ok((self.media_type, bytes.into(), place))
    }
}

/// Nothing is kept of a file that finds no place.
pub(crate) async fn read_file(body: Body, caller: &Caller) -> Result<(Bytes, FilePlace), Problem> {
    let max = bytes_max(caller);
    if body.size_hint().lower() > max {
        return Err(too_large(max));
    }
    match place(caller).await {
        Ok(place) => Ok((bytes_of(body, max).await?, place)),
        Err(problem) => {
            let_pass(body, max).await;
            Err(problem)
        }
    }
}

fn bytes_max(caller: &Caller) -> u64 {
    caller.state.governor().documents().file_bytes_max()
}

/// In memory, where one more could be queued too.
async fn place(caller: &Caller) -> Result<FilePlace, Problem> {
    let held = caller.state.files().take(caller.user());
    let held = held.map_err(|problem| problem.retry_after(INGEST_QUEUE_SECONDS))?;
    caller.state.governor().documents().may_queue(&caller.account).await?;
    Ok(FilePlace { _held: Arc::new(held) })
}

/// Whoever is cut off while they send may never hear why: what comes is taken, and thrown away.
async fn let_pass(body: Body, max: u64) {
    let (mut pieces, mut passed) = (body.into_data_stream(), 0_u64);
    while let Some(Ok(piece)) = pieces.next().await {
        passed = passed.saturating_add(piece.len() as u64);
        if passed > max {
            break;
        }
    }
}

fn too_large(max: u64) -> Problem {
    Problem::new(ProblemCode::DocumentTooLarge).with("max", max)
}

/// What says that it is longer is refused before it comes.
async fn bytes_of(body: Body, max: u64) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > max {
        return Err(too_large(max));
    }
    let limit = usize::try_from(max).unwrap_or(usize::MAX);
    let read = to_bytes(body, limit).await;
    read.map_err(|error| {
        if is_too_slow(&error) { ProblemCode::RequestTimeout.into() } else { too_large(max) }
    })
}

#[cfg(test)]
mod tests {
    use super::{Body, Bytes, ProblemCode, bytes_of};
    use futures::{StreamExt as _, stream};
    use serde_json::json;
    use std::convert::Infallible;

    #[tokio::test]
    async fn no_more_is_read_than_a_file_may_have() {
        let whole = bytes_of(Body::from(vec![7_u8; 9]), 9).await.unwrap();
        assert_eq!(whole.len(), 9);
        let told = bytes_of(Body::from(vec![7_u8; 10]), 9).await.unwrap_err();
        assert_eq!(told.code(), ProblemCode::DocumentTooLarge);
        assert_eq!(told.params()["max"], json!(9));
        // One that does not say how long it is: it never ends.
        let pieces = stream::repeat(Bytes::from_static(&[7; 4])).map(Ok::<_, Infallible>);
        let told = bytes_of(Body::from_stream(pieces), 9).await.unwrap_err();
        assert_eq!(told.code(), ProblemCode::DocumentTooLarge);
    }
}
