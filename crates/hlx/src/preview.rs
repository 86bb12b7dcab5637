//! The preview that a person sees before a yes, rendered from the plan's own data.

mod credential;
mod credential_kind;
mod diff;
mod earlier;
mod mark;
mod neutral;
pub(crate) mod pre_image;
mod request;
mod text;

pub use crate::preview::credential_kind::{CredentialKind, PreviewCredential};
use crate::{
    bound_text::bound,
    language::{Lang, Localized},
    preview::pre_image::{PathContent, PreImages},
    sentence::{path_text, sentence},
};
pub use diff::{COMPARED_LINES_MAX, DIFF_LINES_MAX, DiffLine, FileChange, LineChange};
pub use earlier::{EarlierOutputs, earlier};
pub use mark::{DocumentName, DocumentNames, PreviewEdit, PreviewMark};
pub use neutral::neutralise;
pub(crate) use request::url_text;
use serde::Serialize;
pub use text::{TEXT_LINE_CHARS_MAX, TEXT_LINES_MAX};
use wiiiv_domain::{
    Arg, Blueprint, Effect, HttpMethod, Node, SlotName, StepId, StepParams, StepType, SystemName,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    pub version: u32,
    pub title: Localized,
    pub steps: Vec<PreviewStep>,
    /// Values that somebody else than the requester wrote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<PreviewEdit>,
}

impl Preview {
    /// Calls the documents that values came from by their names, as far as whoever shows the plan may tell them.
    #[must_use]
    pub fn with_document_names(mut self, blueprint: &Blueprint, names: &DocumentNames) -> Self {
        for step in &mut self.steps {
            let places = blueprint.sources.get(&step.id);
            step.marks = places.map(|places| mark::marks(places, names)).unwrap_or_default();
        }
        self
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewStep {
    /// From 1, in plan order.
    pub number: usize,
    pub id: StepId,
    #[serde(rename = "type")]
    pub step_type: StepType,
    pub effect: Effect,
    pub idempotent: bool,
    pub depends_on: Vec<StepId>,
    pub sentence: Localized,
    /// Workspace-relative, of a file step.
    pub path: Option<String>,
    /// Of an API step.
    pub request: Option<PreviewRequest>,
    /// Of a transform.
    pub expr: Option<String>,
    /// What is written, or the transform's input.
    pub value: Option<PreviewValue>,
    /// Further inputs of a transform: it works on the array of all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<PreviewValue>,
    /// It happens only where this holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Localized>,
    /// What becomes of the file, line by line, where its content is known.
    pub change: Option<FileChange>,
    /// What of it did not come from the user's words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<PreviewMark>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRequest {
    /// The registered system that is spoken to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemName>,
    /// `None` where no system is named: such a request never carries a credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credential: Option<PreviewCredential>,
    pub method: HttpMethod,
    pub url: String,
    pub content_type: Option<String>,
    pub body: Option<PreviewValue>,
}

/// A value as it stands in the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PreviewValue {
    Text {
        text: String,
    },
    Bound {
        from: Localized,
        /// Its beginning, where it is there already: the output of an earlier run.
        #[serde(skip_serializing_if = "Option::is_none")]
        holds: Option<String>,
    },
}

impl Preview {
    pub const VERSION: u32 = 1;

    /// Calls each changed value by what people call it: whoever shows a plan has the words of its slots.
    #[must_use]
    pub fn with_slot_names(mut self, name: impl Fn(Lang, &SlotName) -> String) -> Self {
        for edit in &mut self.edits {
            edit.text = mark::changed(|lang| name(lang, &edit.slot));
        }
        self
    }
}

/// Control, direction and escape characters are made visible in every text.
#[must_use]
pub fn preview(blueprint: &Blueprint, now: &PreImages) -> Preview {
    let nodes = &blueprint.nodes;
    let step = |(at, node): (usize, &Node)| of_node(at + 1, nodes, node, now);
    let shown = Preview {
        version: Preview::VERSION,
        title: Localized::of(|lang| title(blueprint, lang)),
        steps: nodes.iter().enumerate().map(step).collect(),
        edits: mark::edits(&blueprint.spec_snapshot.spec.edits),
    };
    shown.with_document_names(blueprint, &DocumentNames::new())
}

/// A plan in one line: its one step, or what its steps come to.
#[must_use]
pub fn headline(blueprint: &Blueprint) -> Localized {
    Localized::of(|lang| match blueprint.nodes.as_slice() {
        [only] => sentence(&blueprint.nodes, only, lang),
        _ => title(blueprint, lang),
    })
}

/// What a plan does, in a few words: its greatest effect, and how many steps it takes.
#[must_use]
pub fn scope(effect: Effect, steps: usize) -> Localized {
    Localized::of(|lang| match (lang, steps) {
        (_, 0 | 1) => effect_word(effect, lang).to_owned(),
        (Lang::Ko, _) => format!("{} 포함 {steps}단계", effect_word(effect, lang)),
        (Lang::En, _) => format!("{}, {steps} steps", effect_word(effect, lang)),
    })
}

pub(crate) fn title(blueprint: &Blueprint, lang: Lang) -> String {
    let (count, effect) = (blueprint.nodes.len(), effect_word(blueprint.effect(), lang));
    match lang {
        Lang::Ko => format!("{effect} 포함 {count}단계"),
        Lang::En => {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} step{plural}, including {effect}")
        }
    }
}

const fn effect_word(effect: Effect, lang: Lang) -> &'static str {
    match (effect, lang) {
        (Effect::Read, Lang::Ko) => "읽기",
        (Effect::Write, Lang::Ko) => "쓰기",
        (Effect::Delete, Lang::Ko) => "삭제",
        (Effect::Execute, Lang::Ko) => "실행",
        (Effect::Read, Lang::En) => "read",
        (Effect::Write, Lang::En) => "write",
        (Effect::Delete, Lang::En) => "delete",
        (Effect::Execute, Lang::En) => "execute",
    }
}

fn of_node(number: usize, nodes: &[Node], node: &Node, now: &PreImages) -> PreviewStep {
    let mut step = PreviewStep {
        number,
        id: node.id.clone(),
        step_type: node.params.step_type(),
        effect: node.effect,
        idempotent: node.idempotent,
        depends_on: node.depends_on.clone(),
        sentence: Localized::of(|lang| sentence(nodes, node, lang)),
        path: None,
        request: None,
        expr: None,
        value: None,
        beside: Vec::new(),
        when: node.when.as_ref().map(|when| Localized::of(|lang| bound(nodes, when, lang))),
        change: None,
        marks: Vec::new(),
    };
    match &node.params {
        StepParams::FileRead { directory, name } => {
            step.path = Some(path_text(nodes, directory, name, Lang::En));
        }
        StepParams::FileDelete { directory, name } => {
            step.path = Some(path_text(nodes, directory, name, Lang::En));
            step.change = held(now, directory, name).map(diff::removed);
        }
        StepParams::FileWrite { directory, name, content } => {
            step.path = Some(path_text(nodes, directory, name, Lang::En));
            step.value = Some(value(nodes, content));
            step.change = held(now, directory, name).and_then(|old| match content {
                Arg::Literal(text) => Some(diff::written(old, text)),
                Arg::Bound(_) => diff::overwritten(old),
            });
        }
        StepParams::ApiCall { method, url, content_type, body } => {
            step.request = Some(PreviewRequest {
                system: url.system.clone(),
                credential: None,
                method: *method,
                url: url_text(nodes, url, Lang::En),
                content_type: content_type.as_deref().map(neutralise),
                body: body.as_ref().map(|body| value(nodes, body)),
            });
        }
        StepParams::WebFetch { url } => {
            step.request = Some(PreviewRequest {
                system: None,
                credential: None,
                method: HttpMethod::Get,
                url: url_text(nodes, url, Lang::En),
                content_type: None,
                body: None,
            });
        }
        StepParams::Transform { input, beside, expr } => {
            step.expr = Some(neutralise(expr));
            step.value = Some(value(nodes, input));
            step.beside = beside.iter().map(|input| value(nodes, input)).collect();
        }
    }
    step
}

/// What is at that path; `None` where the name is bound or nobody looked.
fn held<'a>(now: &'a PreImages, directory: &str, name: &Arg) -> Option<&'a PathContent> {
    let Arg::Literal(name) = name else { return None };
    let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
    now.get(&path)
}

fn value(nodes: &[Node], value: &Arg) -> PreviewValue {
    match value {
        Arg::Literal(text) => PreviewValue::Text { text: neutral::lines(text) },
        Arg::Bound(binding) => {
            let from = Localized::of(|lang| bound(nodes, binding, lang));
            PreviewValue::Bound { from, holds: None }
        }
    }
}
