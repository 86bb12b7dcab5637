//! An opened model.

use crate::{
    bytes::Damaged,
    e5::{E5, Failed},
    kind::Kind,
    local_model::{DataFile, E5_WEIGHTS, LocalModel, USE_PIECES, USE_WEIGHTS},
    universal::Universal,
};
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::{self, BufReader, ErrorKind, Read as _, Seek as _},
    path::{Path, PathBuf},
};

/// Of a text: far more than a model reads at once, and what is behind it is not looked at.
const TEXT_BYTES_MAX: usize = 65_536;
/// Of a file, read at once.
const CHUNK_BYTES: usize = 65_536;

/// Why a model or a text gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// Its files are not in the folder.
    #[error("`{0}` is not installed: run `wiiiv models install {0}`")]
    NotInstalled(LocalModel),
    /// A file of it cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file of it is not what was installed.
    #[error("`{path}` is damaged ({reason}): run `wiiiv models install {model}`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// Whose it is.
        model: LocalModel,
    },
}

/// A model in memory. `&self` everywhere: as many threads as there are may ask it.
#[derive(Debug)]
pub struct Embedder {
    folder: PathBuf,
    model: Model,
}

#[derive(Debug)]
enum Model {
    E5(Box<E5>),
    Universal(Box<Universal>),
}

impl Embedder {
    /// Reads a model that was installed below that folder. Takes up to a second.
    pub fn open(models: &Path, model: LocalModel) -> Result<Self, EmbedError> {
        let folder = model.folder(models);
        let model = match model {
            LocalModel::E5Small => {
                let (bytes, file) = whole(&folder, (model, E5_WEIGHTS))?;
                let opened = E5::open(&bytes, file);
                Model::E5(Box::new(
                    opened.map_err(|why| damaged(&folder, (model, E5_WEIGHTS), why.to_string()))?,
                ))
            }
            LocalModel::UseMultilingual => {
                let (pieces, _) = whole(&folder, (model, USE_PIECES))?;
                let weights = hashed(&folder, (model, USE_WEIGHTS))?;
                let opened = Universal::open(&pieces, BufReader::new(weights));
                Model::Universal(Box::new(
                    opened.map_err(|why| failed(&folder, (model, USE_WEIGHTS), why))?,
                ))
            }
        };
        Ok(Self { folder, model })
    }

    /// Which one it is.
    #[must_use]
    pub const fn model(&self) -> LocalModel {
        match self.model {
            Model::E5(_) => LocalModel::E5Small,
            Model::Universal(_) => LocalModel::UseMultilingual,
        }
    }

    /// The length of its vectors.
    #[must_use]
    pub const fn dimensions(&self) -> usize {
        match self.model {
            Model::E5(_) => E5::DIMENSIONS,
            Model::Universal(_) => Universal::DIMENSIONS,
        }
    }

    /// A vector of length 1. What is longer than the model reads at once, 512 tokens, is cut off. Work of
    /// one thread, for milliseconds.
    pub fn embed(&self, text: &str, kind: Kind) -> Result<Vec<f32>, EmbedError> {
        let text = text.get(..text.floor_char_boundary(TEXT_BYTES_MAX)).unwrap_or(text);
        let broken =
            |file, why: Damaged| damaged(&self.folder, (self.model(), file), why.to_string());
        match &self.model {
            Model::E5(model) => model.embed(text, kind).map_err(|failure| match failure {
                Failed::Read(reason) => failed(&self.folder, (self.model(), E5_WEIGHTS), reason),
                Failed::Damaged(why) => broken(E5_WEIGHTS, why),
            }),
            Model::Universal(model) => model.embed(text).map_err(|why| broken(USE_WEIGHTS, why)),
        }
    }

    /// Of the text alone, without what the model puts around it.
    #[must_use]
    pub fn count_tokens(&self, text: &str) -> usize {
        match &self.model {
            Model::E5(model) => model.pieces_of(text).len(),
            Model::Universal(model) => model.pieces_of(text).len(),
        }
    }
}

fn opened(folder: &Path, (model, data): (LocalModel, DataFile)) -> Result<File, EmbedError> {
    let file = File::open(folder.join(data.name)).map_err(|reason| match reason.kind() {
        ErrorKind::NotFound => EmbedError::NotInstalled(model),
        _ => failed(folder, (model, data), reason),
    })?;
    let length = file.metadata().map_err(|reason| failed(folder, (model, data), reason))?.len();
    if length == data.bytes {
        Ok(file)
    } else {
        Err(damaged(folder, (model, data), format!("{length} bytes instead of {}", data.bytes)))
    }
}

/// The file at its beginning, once it was read through: a damaged one gives vectors that mean nothing.
fn hashed(folder: &Path, of: (LocalModel, DataFile)) -> Result<File, EmbedError> {
    let unreadable = |reason| failed(folder, of, reason);
    let mut file = opened(folder, of)?;
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; CHUNK_BYTES]);
    loop {
        let read = file.read(&mut chunk).map_err(unreadable)?;
        let Some(read) = chunk.get(..read).filter(|read| !read.is_empty()) else { break };
        hash.update(read);
    }
    is_known(folder, of, hash)?;
    file.rewind().map_err(unreadable)?;
    Ok(file)
}

fn is_known(folder: &Path, of: (LocalModel, DataFile), hash: Sha256) -> Result<(), EmbedError> {
    let found = hex::encode(hash.finalize());
    if found == of.1.sha256 {
        Ok(())
    } else {
        Err(damaged(folder, of, format!("its SHA-256 is {found}")))
    }
}

/// All bytes of a file, and the file.
fn whole(folder: &Path, of: (LocalModel, DataFile)) -> Result<(Vec<u8>, File), EmbedError> {
    let mut file = opened(folder, of)?;
    let mut bytes = Vec::with_capacity(usize::try_from(of.1.bytes).unwrap_or_default());
    let read = file.by_ref().take(of.1.bytes).read_to_end(&mut bytes);
    read.map_err(|reason| failed(folder, of, reason))?;
    is_known(folder, of, Sha256::new_with_prefix(&bytes))?;
    Ok((bytes, file))
}

fn failed(folder: &Path, of: (LocalModel, DataFile), reason: io::Error) -> EmbedError {
    match reason.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::NotFound => {
            damaged(folder, of, reason.to_string())
        }
        _ => EmbedError::Unreadable { path: folder.join(of.1.name), reason },
    }
}

fn damaged(folder: &Path, (model, data): (LocalModel, DataFile), reason: String) -> EmbedError {
    EmbedError::Damaged { path: folder.join(data.name), reason, model }
}
