//! `cargo xtask rag-sets`: sets for `wiiiv rag eval`, of help pages that two Debian packages have in Korean and in
//! English. A query is a page's one-line summary, or its title; the page itself is what should be found.

mod collection;
mod markup;
mod packages;
mod pages;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::fault::Fault;
use collection::Collection;

/// Where they are written below the target folder.
const FOLDER: &str = "rag-sets";

/// Why this machine cannot have them.
pub fn missing() -> Option<String> {
    packages::missing()
}

/// Builds all of them anew, from packages that are downloaded once.
pub fn build(root: &Path, out: &mut impl Write) -> Result<bool, Fault> {
    let folder = folder(root);
    let unpacked = packages::unpacked(&folder.join("packages"))?;
    for (collection, pages) in [
        (Collection::GNOME, pages::gnome(&unpacked)?),
        (Collection::LIBREOFFICE, pages::libreoffice(&unpacked)?),
    ] {
        let pages = collection.write(pages, &folder)?;
        let own = folder.join(collection.name);
        writeln!(out, "{}: {pages} pages in both languages", own.display())?;
    }
    Ok(true)
}

/// Has a folder for each set.
pub fn folder(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root.join("target")).join(FOLDER)
}
