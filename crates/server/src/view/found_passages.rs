//! Passages as a model is shown them, for whoever wants to see what that is.

use crate::dto::document_search::PassageFormatName;
use wiiiv_context::{PassageHit, PassageOptions, Passages};
use wiiiv_governor::{FoundPassage, FoundPassages};

/// Best first, so that each number is that of its hit. Of a search that found nothing relevant it says so.
pub(crate) fn formatted(found: &FoundPassages, format: PassageFormatName) -> String {
    let hits: Vec<PassageHit> =
        if found.relevant { found.hits.iter().map(hit).collect() } else { Vec::new() };
    let options = PassageOptions { format: format.into(), count: hits.len(), reorder: false };
    Passages::new(hits, options).text()
}

fn hit(found: &FoundPassage) -> PassageHit {
    PassageHit {
        text: found.text.clone(),
        title: Some(found.title.clone()),
        file: Some(found.file_name.clone()),
        page: found.page.map(|page| page.to_string()),
        headings: found.headings.clone(),
        is_stale: found.stale,
        score: Some(found.score),
    }
}
