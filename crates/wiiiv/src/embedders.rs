//! Models of this machine that documents are embedded by. Each is opened when it is first asked: a start reads none.

use crate::{config::EmbedderChoice, start_error::StartError};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};
use wiiiv_embed::{Embedder, Kind, LocalModel, installed};
use wiiiv_governor::{EmbedKind, TextEmbedder};

/// A model that could not be opened is read again after so long, and not for each text.
const OPEN_AGAIN: Duration = Duration::from_secs(60);

/// The one that is chosen, then the others that are installed: what was embedded by one of them is found by it until the
/// chosen one knows all.
pub fn chosen(
    models: &Path,
    choice: EmbedderChoice,
) -> Result<Vec<Arc<dyn TextEmbedder>>, StartError> {
    let mut installed = installed(models);
    match choice {
        EmbedderChoice::None => installed.clear(),
        EmbedderChoice::Auto => {}
        EmbedderChoice::Local(model) if installed.contains(&model) => {
            installed.sort_by_key(|other| *other != model);
        }
        EmbedderChoice::Local(model) => return Err(StartError::Embedder(model)),
    }
    let lazily = |model: LocalModel| {
        let (name, models) = (model.to_string(), models.to_owned());
        let (opened, failed) = (OnceLock::new(), Mutex::default());
        Arc::new(Local { name, models, model, opened, failed }) as Arc<dyn TextEmbedder>
    };
    Ok(installed.into_iter().map(lazily).collect())
}

struct Local {
    name: String,
    models: PathBuf,
    model: LocalModel,
    opened: OnceLock<Embedder>,
    /// When it could not be opened, and why. Held while it is opened.
    failed: Mutex<Option<(Instant, String)>>,
}

impl Local {
    /// What could not be opened is tried again in a while: its files may be there again by then.
    fn opened(&self) -> Result<&Embedder, String> {
        if let Some(embedder) = self.opened.get() {
            return Ok(embedder);
        }
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, why)) = failed.as_ref().filter(|(at, _)| at.elapsed() < OPEN_AGAIN) {
            return Err(why.clone());
        }
        if self.opened.get().is_none() {
            match Embedder::open(&self.models, self.model) {
                Ok(embedder) => drop(self.opened.set(embedder)),
                Err(error) => {
                    let why = error.to_string();
                    *failed = Some((Instant::now(), why.clone()));
                    return Err(why);
                }
            }
        }
        *failed = None;
        self.opened.get().ok_or_else(|| "the model is being opened".to_owned())
    }
}

impl TextEmbedder for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String> {
        let embedder = self.opened()?;
        let kind = match kind {
            EmbedKind::Query => Kind::Query,
            EmbedKind::Passage => Kind::Passage,
        };
        embedder.embed(text, kind).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_has_to_be_installed() {
        let folder = tempfile::tempdir().unwrap();
        let of = |choice| chosen(folder.path(), choice).map(|found| found.len());
        assert_eq!(of(EmbedderChoice::Auto).ok(), Some(0));
        assert_eq!(of(EmbedderChoice::None).ok(), Some(0));
        let told = of(EmbedderChoice::Local(LocalModel::E5Small)).unwrap_err().to_string();
        assert!(told.contains("wiiiv models install local:e5-small"), "{told}");
    }
}
