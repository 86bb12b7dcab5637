//! Vectors of the user's words in older turns, by their texts: in the memory of one session, for the turns that it has at
//! hand.

use crate::documents::{EmbedKind, TextEmbedder};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::task::{JoinHandle, spawn_blocking};
use wiiiv_domain::ContentDigest;
use wiiiv_retrieval::DIMENSIONS_MAX;

/// Texts of older turns that are embedded behind one turn, the newest.
const TEXTS_AT_ONCE: usize = 64;

/// By their texts: at most one for each older turn that is at hand.
#[derive(Default)]
struct KnownVectors {
    /// The model that made them.
    embedder: String,
    vectors: HashMap<ContentDigest, Arc<[f32]>>,
}

#[derive(Default)]
pub struct TurnVectorCache {
    known: Arc<Mutex<KnownVectors>>,
    /// What makes more of them.
    making: Option<JoinHandle<()>>,
    /// By the policy of the last prompt; `None`: nothing is compared.
    pub embedder: Option<Arc<dyn TextEmbedder>>,
}

impl TurnVectorCache {
    /// In their order.
    pub fn of<'t>(
        &self,
        embedder: &str,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<Option<Arc<[f32]>>> {
        let known = locked(&self.known);
        let is_of = known.embedder == embedder;
        let vector = |text: &str| known.vectors.get(&key(text)).filter(|_| is_of).cloned();
        texts.map(vector).collect()
    }

    /// What has none, where only these texts are needed any more. Those of another model are no use.
    fn missing<'t>(
        &self,
        embedder: &str,
        texts: impl DoubleEndedIterator<Item = &'t str>,
    ) -> Vec<String> {
        let mut known = locked(&self.known);
        if known.embedder != embedder {
            *known = KnownVectors { embedder: embedder.to_owned(), vectors: HashMap::new() };
        }
        let (mut needed, mut missing) = (HashSet::new(), Vec::new());
        for text in texts.rev() {
            let is_new = needed.insert(key(text)) && !known.vectors.contains_key(&key(text));
            if is_new && missing.len() < TEXTS_AT_ONCE {
                missing.push(text.to_owned());
            }
        }
        known.vectors.retain(|text, _| needed.contains(text));
        missing
    }

    /// Behind a turn, on a thread that may wait: what these texts lack, unless more is being made.
    pub fn make<'t>(&mut self, texts: impl DoubleEndedIterator<Item = &'t str>) {
        let Some(embedder) = self.embedder.clone().filter(|_| !self.is_making()) else { return };
        let missing = self.missing(embedder.name(), texts);
        if missing.is_empty() {
            return;
        }
        // Gone with the session.
        let known = Arc::downgrade(&self.known);
        self.making = Some(spawn_blocking(move || {
            for text in missing {
                let Some(known) = known.upgrade() else { return };
                make(&known, embedder.as_ref(), &text);
            }
        }));
    }

    fn is_making(&self) -> bool {
        self.making.as_ref().is_some_and(|making| !making.is_finished())
    }
}

/// What cannot be embedded is tried again behind the next turn.
fn make(known: &Mutex<KnownVectors>, embedder: &dyn TextEmbedder, text: &str) {
    match embedder.embed(text, EmbedKind::Passage) {
        Ok(numbers) if numbers.len() <= DIMENSIONS_MAX => {
            let mut known = locked(known);
            if known.embedder == embedder.name() {
                known.vectors.insert(key(text), numbers.into());
            }
        }
        Ok(_) => tracing::warn!("a vector of an older turn has too many dimensions"),
        Err(why) => tracing::warn!(%why, "an older turn cannot be embedded"),
    }
}

fn key(text: &str) -> ContentDigest {
    ContentDigest::of_bytes(text.as_bytes())
}

fn locked(known: &Mutex<KnownVectors>) -> MutexGuard<'_, KnownVectors> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_no_more_is_dropped_and_another_model_begins_anew() {
        let cache = TurnVectorCache::default();
        let texts = ["one", "two", "one"];
        assert_eq!(cache.missing("local:a", texts.into_iter()), ["one", "two"]);
        for text in texts {
            locked(&cache.known).vectors.insert(key(text), [1.0_f32].into());
        }
        assert!(cache.missing("local:a", texts.into_iter()).is_empty());
        let known = |name: &str| cache.of(name, texts.into_iter()).into_iter().flatten().count();
        assert_eq!((known("local:a"), known("local:b")), (3, 0));
        assert_eq!(cache.missing("local:a", ["two", "three"].into_iter()), ["three"]);
        assert_eq!(known("local:a"), 1);
        assert_eq!(cache.missing("local:b", ["two"].into_iter()), ["two"]);
        assert_eq!(known("local:b"), 0);
    }

    #[test]
    fn behind_one_turn_the_newest_are_made_first_and_no_more_than_a_bound() {
        let texts: Vec<String> = (0..200).map(|nth| nth.to_string()).collect();
        let missing =
            TurnVectorCache::default().missing("local:a", texts.iter().map(String::as_str));
        assert_eq!((missing.len(), missing[0].as_str()), (TEXTS_AT_ONCE, "199"));
    }
}
