//! Vectors of chunks and queries, where an embedder is named; each text is embedded once.

use crate::{args::EmbedderArg, failure::Failure};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use wiiiv_embed::{EmbedError, Embedder, Kind};
use wiiiv_retrieval::{Chunk, ChunkHash, Vector};

pub struct Vectors {
    /// Where the model lies.
    models: PathBuf,
    embedder: Option<Embedder>,
    of_chunks: HashMap<ChunkHash, Arc<Vector>>,
    of_queries: HashMap<String, Arc<Vector>>,
}

impl Vectors {
    pub fn open(models: &Path, embedder: EmbedderArg) -> Result<Self, Failure> {
        let opened = match embedder {
            EmbedderArg::None => None,
            EmbedderArg::Local(model) => {
                Some(Embedder::open(models, model).map_err(|error| unopened(models, error))?)
            }
        };
        let (models, of_chunks, of_queries) = (models.to_owned(), HashMap::new(), HashMap::new());
        Ok(Self { models, embedder: opened, of_chunks, of_queries })
    }

    pub const fn are_made(&self) -> bool {
        self.embedder.is_some()
    }

    pub fn of_chunk(&mut self, chunk: &Chunk) -> Result<Option<Arc<Vector>>, Failure> {
        if let Some(known) = self.of_chunks.get(&chunk.hash) {
            return Ok(Some(Arc::clone(known)));
        }
        let made = self.made(&chunk.text, Kind::Passage)?;
        self.of_chunks.extend(made.iter().map(|made| (chunk.hash, Arc::clone(made))));
        Ok(made)
    }

    pub fn of_query(&mut self, text: &str) -> Result<Option<Arc<Vector>>, Failure> {
        if let Some(known) = self.of_queries.get(text) {
            return Ok(Some(Arc::clone(known)));
        }
        let made = self.made(text, Kind::Query)?;
        self.of_queries.extend(made.iter().map(|made| (text.to_owned(), Arc::clone(made))));
        Ok(made)
    }

    fn made(&self, text: &str, kind: Kind) -> Result<Option<Arc<Vector>>, Failure> {
        let Some(embedder) = &self.embedder else { return Ok(None) };
        let numbers = embedder.embed(text, kind).map_err(|error| refused(&self.models, &error))?;
        let vector = Vector::new(numbers).map_err(|error| refused(&self.models, &error))?;
        Ok(Some(Arc::new(vector)))
    }
}

fn unopened(models: &Path, error: EmbedError) -> Failure {
    match error {
        EmbedError::NotInstalled(model) => Failure::NotInstalled(model),
        EmbedError::Unreadable { path, reason } => Failure::Unopened { path, reason },
        EmbedError::Damaged { .. } => refused(models, &error),
    }
}

fn refused(models: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Document { path: models.to_owned(), reason: error.to_string() }
}
