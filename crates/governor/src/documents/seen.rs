//! What is known of the folder's files since the start. One that has not changed is not read again, unless it failed for a
//! reason that may pass: then it is tried again, after a longer time with each failure.

use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{ContentDigest, IngestJobId};
use wiiiv_workspace::DocumentFile;

/// Looks until a file is tried again: 1, 2, 4 and so on, and never more than so many.
const LOOKS_MAX: u32 = 64;

/// By their path.
#[derive(Debug, Default)]
pub struct Seen(BTreeMap<String, SeenFile>);

#[derive(Debug)]
struct SeenFile {
    /// As it was then.
    file: DocumentFile,
    stage: Stage,
    /// In a row.
    failures: u32,
}

#[derive(Debug)]
enum Stage {
    /// Nothing more is done about it until it changes. `None`: it was not read.
    Done(Option<ContentDigest>),
    Ingesting(ContentDigest, IngestJobId),
    /// Behind so many looks.
    Again(u32),
}

impl Seen {
    /// Forgets what is there no more.
    pub fn retain(&mut self, paths: &BTreeSet<String>) {
        self.0.retain(|path, _| paths.contains(path));
    }

    /// To be asked once a look.
    pub fn is_due(&mut self, file: &DocumentFile) -> bool {
        let Some(seen) = self.0.get_mut(&file.path.to_string()) else { return true };
        if seen.file != *file {
            seen.failures = 0;
            return true;
        }
        match &mut seen.stage {
            Stage::Done(_) | Stage::Ingesting(..) => false,
            Stage::Again(looks) => {
                *looks = looks.saturating_sub(1);
                *looks == 0
            }
        }
    }

    /// Of what was read the last time, and needs not be ingested again.
    pub fn has(&self, path: &str, digest: ContentDigest) -> bool {
        self.0.get(path).is_some_and(|seen| match seen.stage {
            Stage::Done(last) => last == Some(digest),
            Stage::Ingesting(last, _) => last == digest,
            Stage::Again(_) => false,
        })
    }

    pub fn done(&mut self, file: DocumentFile, digest: Option<ContentDigest>) {
        self.set(file, |_| Stage::Done(digest));
    }

    pub fn ingesting(&mut self, file: DocumentFile, digest: ContentDigest, job: IngestJobId) {
        self.set(file, |_| Stage::Ingesting(digest, job));
    }

    /// For a reason that may pass.
    pub fn failed(&mut self, file: DocumentFile) {
        self.set(file, |failures| {
            *failures = failures.saturating_add(1);
            let looks = 1_u32.checked_shl(*failures - 1).unwrap_or(LOOKS_MAX);
            Stage::Again(looks.min(LOOKS_MAX))
        });
    }

    /// What is being ingested.
    pub fn open(&self) -> Vec<(DocumentFile, ContentDigest, IngestJobId)> {
        let open = |seen: &SeenFile| match seen.stage {
            Stage::Ingesting(digest, job) => Some((seen.file.clone(), digest, job)),
            Stage::Done(_) | Stage::Again(_) => None,
        };
        self.0.values().filter_map(open).collect()
    }

    fn set(&mut self, file: DocumentFile, stage: impl FnOnce(&mut u32) -> Stage) {
        let path = file.path.to_string();
        let mut failures = self.0.get(&path).map_or(0, |seen| seen.failures);
        let stage = stage(&mut failures);
        self.0.insert(path, SeenFile { file, stage, failures });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::WorkspacePath;

    fn file(bytes: u64) -> DocumentFile {
        let path = WorkspacePath::parse("a.md").unwrap();
        DocumentFile { path, bytes, modified: None }
    }

    #[test]
    fn what_failed_is_tried_again_after_a_longer_time_each() {
        let mut seen = Seen::default();
        assert!(seen.is_due(&file(1)));
        for failures in 0..10_u32 {
            seen.failed(file(1));
            let looks = (1..=100).find(|_| seen.is_due(&file(1)));
            assert_eq!(looks, Some(2_u32.pow(failures).min(LOOKS_MAX)), "{failures}");
        }
        assert!(seen.is_due(&file(2)), "it has changed");
        seen.failed(file(2));
        assert!(seen.is_due(&file(2)), "counted anew");
    }

    #[test]
    fn what_is_done_waits_for_a_change() {
        let (mut seen, digest) = (Seen::default(), ContentDigest::of_bytes(b"a"));
        seen.ingesting(file(1), digest, IngestJobId::from(uuid::Uuid::nil()));
        assert_eq!(seen.open().len(), 1);
        assert!(!seen.is_due(&file(1)) && seen.has("a.md", digest));
        seen.done(file(1), Some(digest));
        assert!(seen.open().is_empty() && !seen.is_due(&file(1)) && seen.has("a.md", digest));
        assert!(seen.is_due(&file(2)));
        seen.failed(file(1));
        assert!(!seen.has("a.md", digest));
        seen.retain(&BTreeSet::new());
        assert!(seen.is_due(&file(1)));
    }
}
