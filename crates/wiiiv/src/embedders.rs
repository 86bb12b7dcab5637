//! Models of this machine that documents are embedded by. Each is opened when it is first asked: a start reads none.

use crate::{config::EmbedderChoice, start_error::StartError};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use wiiiv_embed::{Embedder, Kind, LocalModel, installed};
use wiiiv_governor::{EmbedKind, TextEmbedder};

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
        Arc::new(Local { name, models, model, opened: OnceLock::new() }) as Arc<dyn TextEmbedder>
    };
    Ok(installed.into_iter().map(lazily).collect())
}

struct Local {
    name: String,
    models: PathBuf,
    model: LocalModel,
    /// What was damaged stays so until the next start.
    opened: OnceLock<Result<Embedder, String>>,
}

impl TextEmbedder for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String> {
        let open = || Embedder::open(&self.models, self.model).map_err(|error| error.to_string());
        let opened = self.opened.get_or_init(open);
        let embedder = opened.as_ref().map_err(Clone::clone)?;
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
