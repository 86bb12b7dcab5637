//! Where a value came from, if not from the user's own words. Code finds it out; what a model says of
//! it counts for nothing. What is not named here came from the user's words.

use crate::{
    id::{DocumentId, ExecutionId, ProjectId},
    slots::{SlotName, Slots},
    step_id::StepId,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Sources that one value keeps; more of them say nothing more.
const SOURCES_MAX: usize = 32;

named! {
    /// What kind of content a step read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SourceKind {
        /// A file of the workspace.
        File = "file",
        /// A web page.
        Page = "page",
        /// A service's answer.
        Answer = "answer",
        /// Any other output of a step.
        Output = "output",
    }
}

/// What a value came from, whatever became of it since.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ValueSource {
    /// The output of a step.
    Step {
        /// The run that the step belongs to.
        execution: ExecutionId,
        /// The step that read it.
        step: StepId,
        /// What it read.
        kind: SourceKind,
    },
    /// A project's memory that somebody else has written in.
    Memory {
        /// The project.
        memory: ProjectId,
        /// Which of its versions, from 1.
        version: u64,
    },
    /// A passage of a document, whoever ingested that.
    Document {
        /// The document.
        document: DocumentId,
        /// Number of the passage in it.
        passage: u32,
        /// Which of the document's versions, from 1: another one may say something else there. `None` in older journals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<u64>,
    },
}

impl ValueSource {
    /// What somebody else keeps in the project's memory.
    #[must_use]
    pub const fn is_memory(&self) -> bool {
        matches!(self, Self::Memory { .. })
    }
}

/// Every source of one value; at most [`SOURCES_MAX`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ValueSources(BTreeSet<ValueSource>);

impl ValueSources {
    /// Whether the value came from the user's words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Sorted.
    pub fn iter(&self) -> impl Iterator<Item = &ValueSource> {
        self.0.iter()
    }
    /// The memories among them.
    #[must_use]
    pub fn memories(&self) -> Self {
        Self(self.iter().filter(|source| source.is_memory()).cloned().collect())
    }

    /// `false`: there is none, all are memories.
    fn drop_last_step(&mut self) -> bool {
        let step = self.0.iter().rev().find(|source| !source.is_memory()).cloned();
        step.is_some_and(|step| self.0.remove(&step))
    }
}

impl Extend<ValueSource> for ValueSources {
    // INVARIANT: a bound set is never empty, so a value that has a source keeps one. One that was ever given a
    // memory names a memory: a turn is tainted by it.
    fn extend<I: IntoIterator<Item = ValueSource>>(&mut self, sources: I) {
        for source in sources {
            let fits = self.0.len() < SOURCES_MAX || self.0.contains(&source);
            if fits || (source.is_memory() && self.drop_last_step()) {
                self.0.insert(source);
            }
        }
    }
}

impl<'a> Extend<&'a ValueSources> for ValueSources {
    fn extend<I: IntoIterator<Item = &'a ValueSources>>(&mut self, several: I) {
        for one in several {
            self.extend(one.0.iter().cloned());
        }
    }
}

impl<'a> FromIterator<&'a ValueSources> for ValueSources {
    fn from_iter<I: IntoIterator<Item = &'a ValueSources>>(several: I) -> Self {
        let mut all = Self::default();
        all.extend(several);
        all
    }
}

impl FromIterator<ValueSource> for ValueSources {
    fn from_iter<I: IntoIterator<Item = ValueSource>>(sources: I) -> Self {
        let mut all = Self::default();
        all.extend(sources);
        all
    }
}

/// The slots whose values did not come from the user's words, each with its sources.
// INVARIANT: without any, `None`. Most proposals and specs have none, and this keeps them small.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BySlot", into = "BySlot")]
pub struct Sources(Option<Box<BySlot>>);

type BySlot = BTreeMap<SlotName, ValueSources>;

impl From<BySlot> for Sources {
    fn from(mut by_slot: BySlot) -> Self {
        by_slot.retain(|_, sources| !sources.is_empty());
        Self((!by_slot.is_empty()).then(|| Box::new(by_slot)))
    }
}

impl From<Sources> for BySlot {
    fn from(sources: Sources) -> Self {
        sources.0.map(|by_slot| *by_slot).unwrap_or_default()
    }
}

impl Sources {
    /// Whether every value came from the user's words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
    /// The sources of that slot; `None` for the user's words.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ValueSources> {
        self.iter().find(|(own, _)| own.as_str() == name).map(|(_, sources)| sources)
    }
    /// Sets the sources of one slot; none removes it.
    pub fn set(&mut self, name: SlotName, sources: ValueSources) {
        let mut by_slot = BySlot::from(std::mem::take(self));
        by_slot.insert(name, sources);
        *self = Self::from(by_slot);
    }
    /// Sorted by slot.
    pub fn iter(&self) -> impl Iterator<Item = (&SlotName, &ValueSources)> {
        self.0.iter().flat_map(|by_slot| by_slot.iter())
    }
    /// Of these slots together.
    #[must_use]
    pub fn of(&self, names: &[&str]) -> ValueSources {
        names.iter().filter_map(|name| self.get(name)).collect()
    }
    /// Of all slots together.
    #[must_use]
    pub fn all(&self) -> ValueSources {
        self.iter().map(|(_, sources)| sources).collect()
    }
    /// The sources of slots that `written` was merged into, which gave `whole`: a slot that was
    /// written has its new sources, and a slot without a value none.
    #[must_use]
    pub fn merged(&self, newer: &Self, written: &Slots, whole: &Slots) -> Self {
        let mut all = BySlot::from(self.clone());
        for (name, _) in written.iter() {
            all.insert(name.clone(), newer.get(name.as_str()).cloned().unwrap_or_default());
        }
        all.retain(|name, _| whole.get(name.as_str()).is_some());
        Self::from(all)
    }
}

named! {
    /// The part of a step that a value is used in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ArgPlace {
        /// The file.
        Path = "path",
        /// The host, its scheme and its port.
        Host = "host",
        /// What is done there: the method, or a registered operation.
        Operation = "operation",
        /// A segment of the path or a value of the query.
        Address = "address",
        /// A member of the body that names whom or what it is for.
        Recipient = "recipient",
        /// The body, apart from recipients.
        Body = "body",
        /// What is written to the file.
        Content = "content",
    }
}

impl ArgPlace {
    /// Whether it decides where an effect goes, and not only what it carries.
    #[must_use]
    pub const fn is_target(self) -> bool {
        match self {
            Self::Path | Self::Host | Self::Operation | Self::Address | Self::Recipient => true,
            Self::Body | Self::Content => false,
        }
    }

    /// The place of an argument, by its name in [`crate::StepParams::args`]; `None` for what is computed
    /// with.
    #[must_use]
    pub fn of_arg(name: &str) -> Option<Self> {
        match name {
            "name" => Some(Self::Path),
            "body" => Some(Self::Body),
            "content" => Some(Self::Content),
            _ if name.starts_with("segment.") || name.starts_with("query.") => Some(Self::Address),
            _ => None,
        }
    }
}

/// The places of a step that did not come from the user's words, each with its sources.
pub type ArgSources = BTreeMap<ArgPlace, ValueSources>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slots::SlotError;
    use serde_json::{Value, json};

    fn source(step: &str) -> ValueSource {
        ValueSource::Step {
            execution: ExecutionId::from_uuid(uuid::Uuid::nil()),
            step: StepId::parse(step).unwrap(),
            kind: SourceKind::Page,
        }
    }

    fn marked(names: &[&str]) -> Sources {
        let mut sources = Sources::default();
        for name in names {
            let from = ValueSources::from_iter([source("page")]);
            sources.set(SlotName::parse(name).unwrap(), from);
        }
        sources
    }

    #[test]
    fn a_value_that_is_written_anew_has_its_new_sources_and_no_older_one() -> Result<(), SlotError>
    {
        let mut written = Slots::default();
        written.set(SlotName::TARGET_PATH, "b.txt")?;
        let mut whole = written.clone();
        whole.set(SlotName::CONTENT, "x")?;
        let known = marked(&[SlotName::TARGET_PATH, SlotName::CONTENT, SlotName::URL]);
        let merged = known.merged(&Sources::default(), &written, &whole);
        // The path is the user's now, the content is as it was, and the address is gone.
        assert_eq!(merged, marked(&[SlotName::CONTENT]));
        let newer = marked(&[SlotName::TARGET_PATH]);
        let merged = Sources::default().merged(&newer, &written, &whole);
        assert_eq!(merged, newer);
        Ok(())
    }

    /// Plans that are older than memory have it in this form, and their digests are of it.
    #[test]
    fn a_source_has_the_form_of_one_kind_and_no_other_member() {
        let id = uuid::Uuid::nil();
        let step = json!({"execution": id, "step": "page", "kind": "page"});
        assert_eq!(serde_json::to_value(source("page")).unwrap(), step);
        let memory = ValueSource::Memory { memory: ProjectId::from_uuid(id), version: 3 };
        let shown = json!({"memory": id, "version": 3});
        assert_eq!(serde_json::to_value(&memory).unwrap(), shown);
        let read = |value: &Value| serde_json::from_value::<ValueSource>(value.clone()).ok();
        assert_eq!((read(&step), read(&shown)), (Some(source("page")), Some(memory.clone())));
        assert!(memory.is_memory() && !source("page").is_memory());
        for (version, shown) in [
            (None, json!({"document": id, "passage": 0})),
            (Some(2), json!({"document": id, "passage": 0, "version": 2})),
        ] {
            let document = DocumentId::from_uuid(id);
            let passage = ValueSource::Document { document, passage: 0, version };
            assert_eq!(serde_json::to_value(&passage).unwrap(), shown);
            assert_eq!(read(&shown), Some(passage));
        }
        for stray in [
            json!({"document": id}),
            json!({"document": id, "version": 1}),
            json!({"document": id, "passage": 0, "version": "1"}),
            json!({"document": id, "passage": 0, "by": id}),
            json!({"document": id, "passage": -1}),
            json!({"execution": id, "step": "page", "kind": "page", "version": 3}),
            json!({"execution": id, "step": "page", "kind": "page", "memory": id, "version": 3}),
            json!({"memory": id, "version": 3, "by": id}),
            json!({"memory": id}),
            json!({"memory": id, "version": -1}),
            json!({"memory": id, "version": "3"}),
            json!({"execution": id, "step": "page"}),
            json!({"execution": id, "step": "page", "kind": "memory"}),
            json!({"execution": "mine", "step": "page", "kind": "page"}),
            json!({"execution": id, "step": "", "kind": "page"}),
            json!({}),
            json!("page"),
        ] {
            assert_eq!(read(&stray), None, "{stray}");
        }
    }

    #[test]
    fn a_set_that_is_full_still_names_a_source() {
        let all: ValueSources = (0..100).map(|at| source(&format!("s{at}"))).collect();
        assert_eq!(all.iter().count(), SOURCES_MAX);
        let more = ValueSources::from_iter([&all, &ValueSources::from_iter([source("z")])]);
        assert_eq!(more, all);
    }

    /// Whatever else a prompt has shown, a turn beside somebody else's memory is tainted.
    #[test]
    fn a_set_that_is_full_keeps_a_memory() {
        let project = ProjectId::from_uuid(uuid::Uuid::nil());
        let memory = |version| ValueSource::Memory { memory: project, version };
        let steps: ValueSources = (0..100).map(|at| source(&format!("s{at}"))).collect();
        let one = ValueSources::from_iter([memory(1)]);
        assert!(steps.memories().is_empty());
        for all in [[&steps, &one], [&one, &steps]] {
            let all = ValueSources::from_iter(all);
            assert_eq!((all.iter().count(), all.memories()), (SOURCES_MAX, one.clone()));
            // Given once more it takes no other place.
            assert_eq!(ValueSources::from_iter([&all, &one]), all);
        }
        let mut all = steps;
        all.extend((1..=100).map(memory));
        assert_eq!((all.iter().count(), all.memories()), (SOURCES_MAX, all.clone()));
        let before = all.clone();
        all.extend([source("z")]);
        assert_eq!(all, before);
    }

    #[test]
    fn what_decides_where_an_effect_goes_is_a_target() {
        for place in ArgPlace::ALL {
            let carried = matches!(place, ArgPlace::Body | ArgPlace::Content);
            assert_eq!(place.is_target(), !carried, "{place}");
        }
        assert_eq!(ArgPlace::of_arg("query.3"), Some(ArgPlace::Address));
        assert_eq!(ArgPlace::of_arg("beside.0"), None);
    }
}
