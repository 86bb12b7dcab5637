//! All searchable scopes.

use crate::{
    entry::{Entry, Prepared},
    found::{Counts, Found},
    query::{Meant, Query},
    row::Row,
    search::search,
    segment::Segment,
    vector::Vector,
    view::View,
};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, Ordering},
    },
};
use wiiiv_domain::{DocumentId, Scope};

/// A query reads at most so many scopes: everybody's, a person's, a project's.
pub const SCOPES_MAX: usize = 3;

type Shared = Arc<Locked>;

#[derive(Debug, Default)]
struct Locked {
    segment: RwLock<Segment>,
    /// Beside the lock: whoever only asks for this waits for no document that goes in or out.
    has_documents: AtomicBool,
}

/// All searchable scopes: one segment each, behind its own lock.
///
/// A search reads the segments of its scopes and no other; what they do not hold changes neither its hits
/// nor its scores. A document is there whole or not at all, from the return of `put` until that of `remove`.
/// A segment is locked while a document goes in or out, for as long as the document is large; words are
/// counted and vectors made small before.
///
/// Vectors of one scope are of one embedder. Where the embedder changes, fill a library of its own and put it
/// in the place of this one: vectors of other dimensions are passed over, others of the same are not told apart.
/// One scope of a search may be of another embedder than the others: see `search_with`.
#[derive(Debug, Default)]
pub struct Library {
    segments: RwLock<HashMap<Scope, Shared>>,
}

impl Library {
    /// Without any document.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document, in place of what it was before. Words of `title` that the chunks' terms lack find it
    /// too, so that a renamed document is found by its new name though nothing of it is read again.
    ///
    /// Answers `false`, and changes nothing, where the scope has 67 million passages.
    pub fn put(
        &self,
        scope: Scope,
        document: DocumentId,
        title: &str,
        entries: Vec<Entry>,
    ) -> bool {
        self.put_prepared(scope, document, Prepared::new(title, entries))
    }

    /// The same of one that was prepared before, as several can be side by side.
    pub fn put_prepared(&self, scope: Scope, document: DocumentId, new: Prepared) -> bool {
        self.made(scope).change(|segment| segment.put(document, new))
    }

    /// Takes a document out; no search that begins later finds it. Answers whether it was there.
    pub fn remove(&self, scope: Scope, document: DocumentId) -> bool {
        self.known(scope).is_some_and(|known| known.change(|segment| segment.remove(document)))
    }

    /// Gives a chunk its vector, in place of the one that it had. Answers whether the chunk is there: its
    /// document may have gone meanwhile.
    pub fn set_vector(
        &self,
        scope: Scope,
        document: DocumentId,
        chunk: u32,
        vector: Arc<Vector>,
    ) -> bool {
        let row = Row::new(vector);
        let known = self.known(scope);
        known.is_some_and(|known| known.change(|segment| segment.set_vector(document, chunk, row)))
    }

    /// Searches these scopes and no other; of more than `SCOPES_MAX` the first.
    #[must_use]
    pub fn search(&self, scopes: &[Scope], query: &Query<'_>) -> Found {
        self.search_with(scopes, query, None)
    }

    /// The same where one scope has vectors of an embedder of its own: there the text's embedding by that one
    /// counts, and `None` leaves the scope's words alone.
    #[must_use]
    pub fn search_with(
        &self,
        scopes: &[Scope],
        query: &Query<'_>,
        own: Option<(Scope, Option<&Vector>)>,
    ) -> Found {
        // In one order everywhere: two searches and two writers would else wait for each other in a circle.
        let scopes: BTreeSet<Scope> = scopes.iter().copied().take(SCOPES_MAX).collect();
        let segments: Vec<(Scope, Shared)> =
            scopes.into_iter().filter_map(|scope| Some((scope, self.known(scope)?))).collect();
        let guards: Vec<(Scope, RwLockReadGuard<'_, Segment>)> =
            segments.iter().map(|(scope, known)| (*scope, known.read())).collect();
        let view = View(guards.iter().map(|(scope, segment)| (*scope, &**segment)).collect());
        search(&view, query, Meant { most: query.vector, own })
    }

    /// What a scope has.
    #[must_use]
    pub fn counts(&self, scope: Scope) -> Counts {
        self.known(scope).map(|known| known.read().counts()).unwrap_or_default()
    }

    /// Whether a scope has a document. Waits for none that goes in or out.
    #[must_use]
    pub fn has_documents(&self, scope: Scope) -> bool {
        self.known(scope).is_some_and(|known| known.has_documents.load(Ordering::Acquire))
    }

    fn known(&self, scope: Scope) -> Option<Shared> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        segments.get(&scope).map(Arc::clone)
    }

    fn made(&self, scope: Scope) -> Shared {
        if let Some(segment) = self.known(scope) {
            return segment;
        }
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(segments.entry(scope).or_default())
    }
}

impl Locked {
    fn read(&self) -> RwLockReadGuard<'_, Segment> {
        self.segment.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Segment> {
        self.segment.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Segment) -> T) -> T {
        let mut segment = self.write();
        let changed = change(&mut segment);
        self.has_documents.store(segment.has_documents(), Ordering::Release);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc::channel, thread, time::Duration};
    use uuid::Uuid;

    #[test]
    fn whether_there_are_documents_is_told_while_one_goes_in() {
        let library = Arc::new(Library::new());
        let document = DocumentId::from(Uuid::nil());
        assert!(!library.has_documents(Scope::Global));
        library.put(Scope::Global, document, "", Vec::new());
        let known = library.known(Scope::Global).unwrap();
        let goes_in = known.write();
        let (told, (tell, tells)) = (Arc::clone(&library), channel());
        let asks = thread::spawn(move || tell.send(told.has_documents(Scope::Global)));
        assert_eq!(tells.recv_timeout(Duration::from_secs(5)), Ok(true));
        drop(goes_in);
        asks.join().unwrap().unwrap();
        library.remove(Scope::Global, document);
        assert!(!library.has_documents(Scope::Global));
    }
}
