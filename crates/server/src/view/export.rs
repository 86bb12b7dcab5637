//! An export as a response body, written while it is read, in constant memory.

use crate::problem::{Problem, ProblemCode};
use axum::body::{Body, Bytes};
use futures::{StreamExt as _, stream};
use std::io;
use tokio::io::duplex;
use tokio_util::io::ReaderStream;
use wiiiv_store::{Chain, Store};

/// Bytes that may wait for a slow reader.
const PIPE_BYTES: usize = 64 * 1024;

/// The first piece is awaited, so that an export that cannot begin is a problem and not half a
/// file. One that breaks off later breaks the response off; its header says how long it should be.
pub(crate) async fn export_stream(store: Store, chain: Chain) -> Result<Body, Problem> {
    let (mut writer, reader) = duplex(PIPE_BYTES);
    let writing = tokio::spawn(async move { store.export_audit(chain, &mut writer).await });
    let mut pieces = ReaderStream::new(reader);
    let Some(first) = pieces.next().await else {
        return match writing.await {
            Ok(Err(error)) => Err(error.into()),
            Ok(Ok(_)) | Err(_) => Err(ProblemCode::Internal.into()),
        };
    };
    let end = stream::once(async move {
        match writing.await {
            Ok(Ok(_)) => Ok(Bytes::new()),
            Ok(Err(error)) => Err(io::Error::other(error.to_string())),
            Err(_) => Err(io::Error::other("the export ended early")),
        }
    });
    Ok(Body::from_stream(stream::iter([first]).chain(pieces).chain(end)))
}
