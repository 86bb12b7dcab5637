//! The web interface: embedded files, and one page for every address.

pub(crate) mod asset;
pub(crate) mod serve;

use asset::Asset;
use axum::http::HeaderValue;
use std::{collections::BTreeMap, sync::Arc};

const PAGE: &str = "index.html";
/// Names below it carry a hash of their content.
const HASHED: &str = "assets/";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
const BUILT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/ui_files.rs"));

/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Ui {
    files: Arc<BTreeMap<&'static str, Asset>>,
}

impl Ui {
    /// `web/dist` as it was at build.
    #[must_use]
    pub fn embedded() -> Self {
        Self::of(BUILT)
    }

    /// Files by their path below the root, of which `index.html` is the page.
    #[must_use]
    pub fn of(files: &[(&'static str, &'static [u8])]) -> Self {
        let files = files.iter().map(|(name, bytes)| (*name, Asset::new(name, bytes)));
        Self { files: Arc::new(files.collect()) }
    }

    /// A file by its name, else the page: where in it one is, it reads from the address. What
    /// carries a hash in its name is there or is not.
    pub(crate) fn find(&self, path: &str) -> Option<(&Asset, HeaderValue)> {
        let name = path.trim_start_matches('/');
        let hashed = name.starts_with(HASHED);
        match self.files.get(name) {
            Some(asset) => Some((asset, if hashed { FOREVER } else { ASK_AGAIN })),
            None if hashed || name == "api" || name.starts_with("api/") => None,
            None => self.files.get(PAGE).map(|page| (page, ASK_AGAIN)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_the_page_but_those_of_assets_and_of_the_api() {
        let ui = Ui::of(&[("index.html", b"page"), ("assets/a-1.js", b"1"), ("icon.svg", b"i")]);
        let found = |path: &str| ui.find(path).map(|(_, cache)| cache);
        assert_eq!(found("/assets/a-1.js"), Some(FOREVER));
        for path in ["/", "/icon.svg", "/p/7/chat", "/sign-in", "/apiary", "/index.html"] {
            assert_eq!(found(path), Some(ASK_AGAIN), "{path}");
        }
        for path in ["/assets/a-2.js", "/assets/../index.html", "/api", "/api/v1/health"] {
            assert_eq!(found(path), None, "{path}");
        }
        assert!(Ui::default().find("/").is_none(), "without a page there is nothing");
    }
}
