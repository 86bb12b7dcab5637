//! Folders without a model, and with files that are none.

use std::{fs, fs::File, path::Path};
use wiiiv_embed::{EmbedError, Embedder, LocalModel, installed};

const FILES: [(LocalModel, &[(&str, u64)]); 2] = [
    (LocalModel::E5Small, &[("e5-small-q4.bin", 71_622_400)]),
    (LocalModel::UseMultilingual, &[("weights.npz", 30_377_056), ("sp.model", 2_527_207)]),
];

fn sized(path: &Path, bytes: u64) {
    File::create(path).unwrap().set_len(bytes).unwrap();
}

#[test]
fn what_is_not_installed_is_told_with_its_command() {
    let folder = tempfile::tempdir().unwrap();
    for (model, files) in FILES {
        let told = Embedder::open(folder.path(), model).unwrap_err();
        assert!(matches!(told, EmbedError::NotInstalled(of) if of == model), "{told}");
        assert!(told.to_string().contains(&format!("wiiiv models install {model}")), "{told}");
        let own = folder.path().join(model.name());
        fs::create_dir(&own).unwrap();
        assert!(Embedder::open(folder.path(), model).is_err());
        for (name, bytes) in files {
            sized(&own.join(name), bytes - 1);
        }
        let told = Embedder::open(folder.path(), model).unwrap_err();
        assert!(matches!(told, EmbedError::Damaged { .. }), "{told}");
        assert_eq!(installed(folder.path()), []);
    }
}

#[test]
fn files_of_zeros_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    for (model, files) in FILES {
        let own = folder.path().join(model.name());
        fs::create_dir(&own).unwrap();
        for (name, bytes) in files {
            sized(&own.join(name), *bytes);
        }
        let told = Embedder::open(folder.path(), model).unwrap_err();
        assert!(matches!(told, EmbedError::Damaged { .. }), "{told}");
        let told = told.to_string();
        assert!(told.contains("wiiiv models install") && told.contains("SHA-256"), "{told}");
    }
}
