//! The whole of what is to be done, identified by its salted digest.

use crate::{
    digest::{ContentDigest, DigestError, SpecDigest},
    edit::{Edits, PlanEdit},
    envelope::Envelope,
    provenance::{Sources, ValueSources},
    slots::{SlotError, SlotName, Slots},
    task::TaskType,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A session's 128 random bits. They make digests unguessable, and keep them equal in one session.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Salt([u8; 16]);

impl Salt {
    /// From bytes drawn by the caller when the session began.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Digest of a text that nobody guesses from the digest alone: an export of the audit shows it.
    #[must_use]
    pub fn digest_of(&self, text: &str) -> ContentDigest {
        ContentDigest::of_bytes(&[&self.0[..], text.as_bytes()].concat())
    }
}
impl TryFrom<String> for Salt {
    type Error = hex::FromHexError;
    fn try_from(text: String) -> Result<Self, hex::FromHexError> {
        let mut bytes = [0; 16];
        hex::decode_to_slice(text, &mut bytes)?;
        Ok(Self(bytes))
    }
}
impl From<Salt> for String {
    fn from(salt: Salt) -> Self {
        hex::encode(salt.0)
    }
}
impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

/// What is to be done: task type, slots and envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Spec {
    /// [`Spec::VERSION`] of the build that wrote it.
    pub version: u32,
    /// The session's salt.
    pub salt: Salt,
    /// The kind of task.
    pub task_type: TaskType,
    /// Every value that is known.
    pub slots: Slots,
    /// The most that its plan may touch.
    pub envelope: Envelope,
    /// The values that did not come from the user's words.
    // A spec from before this field keeps its digest.
    #[serde(default, skip_serializing_if = "Sources::is_empty")]
    pub sources: Sources,
    /// The values that somebody else than the requester wrote.
    // Likewise.
    #[serde(default, skip_serializing_if = "Edits::is_empty")]
    pub edits: Edits,
}

impl Spec {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// The narrowest envelope for the slots, widened by what the proposal asks for.
    #[must_use]
    pub fn new(salt: Salt, task_type: TaskType, slots: Slots, wider: &Envelope) -> Self {
        let envelope = Envelope::narrowest(task_type, &slots).widened(wider);
        let (sources, edits) = (Sources::default(), Edits::default());
        Self { version: Self::VERSION, salt, task_type, slots, envelope, sources, edits }
    }

    /// The same, with the sources of its values.
    #[must_use]
    pub fn with_sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// The same, with who wrote values of it.
    #[must_use]
    pub fn with_edits(mut self, edits: Edits) -> Self {
        self.edits = edits;
        self
    }

    /// The same with other values. The envelope is as narrow as it was, apart from a path that is no
    /// longer named. A path is replaced as a whole; any other value keeps the sources that it had, because
    /// a part of it may have stayed.
    pub fn edited(&self, edit: &PlanEdit) -> Result<Self, SlotError> {
        let (mut slots, mut wider) = (self.slots.clone(), self.envelope.clone());
        let mut sources = self.sources.clone();
        for (name, value) in edit.slots.iter() {
            if name.as_str() == SlotName::TARGET_PATH {
                if let Some(old) = self.slots.get(SlotName::TARGET_PATH) {
                    wider.paths.remove(old.trim_start_matches('/'));
                }
                sources.set(name.clone(), ValueSources::default());
            }
            slots.set(name.as_str(), value)?;
        }
        let edits = self.edits.with(edit, &self.slots);
        let spec = Self::new(self.salt, self.task_type, slots, &wider);
        Ok(spec.with_sources(sources).with_edits(edits))
    }

    /// SHA-256 of the spec, salt included, as canonical JSON.
    pub fn digest(&self) -> Result<SpecDigest, DigestError> {
        SpecDigest::of(self)
    }

    /// Names of required slots that are empty. An earlier run fills the content and the service. A
    /// search replaces the address: a registered system answers it, or the user is told that none
    /// can. Words about rows that were not understood must be repeated, and saving needs a file.
    #[must_use]
    pub fn missing(task_type: TaskType, slots: &Slots) -> Vec<&'static str> {
        let referred = slots.get(SlotName::SOURCE_RUN).is_some();
        let names = task_type.required_slots().iter().copied();
        let searches = task_type == TaskType::WebFetch && slots.get(SlotName::QUERY).is_some();
        // Asks for the body of a request, or for the selection from an answer.
        let sent = slots.get(SlotName::BODY).is_some();
        let unclear = if sent { SlotName::BODY } else { SlotName::SELECT };
        let unread = slots.get(SlotName::UNREAD).is_some().then_some(unclear);
        let answers = matches!(task_type, TaskType::ApiWorkflow | TaskType::WebFetch);
        let saves = answers && slots.get(SlotName::SAVE) == Some("true");
        let nowhere = saves && slots.get(SlotName::TARGET_PATH).is_none();
        names
            .filter(|name| slots.get(name).is_none())
            .filter(|name| !(searches && *name == SlotName::URL))
            .filter(|name| !(referred && matches!(*name, SlotName::CONTENT | SlotName::DOMAIN)))
            .chain(nowhere.then_some(SlotName::TARGET_PATH))
            .chain(unread)
            .collect()
    }
}
