//! Marks: which values of a step did not come from the user's words, and where they came from.

use super::neutralise;
use crate::language::{Lang, Localized};
use serde::Serialize;
use std::collections::BTreeMap;
use wiiiv_domain::{
    ArgPlace, ArgSources, DocumentId, Edits, SlotName, SourceKind, UserId, ValueSource,
    ValueSources,
};

/// Sources that a mark names; the rest is counted.
const SOURCES_SHOWN_MAX: usize = 3;
/// Of a document's title or file, in Unicode scalar values: none pushes another source out of the line.
const NAME_CHARS_MAX: usize = 60;

/// What documents are called. One that is not among them is shown by its id.
pub type DocumentNames = BTreeMap<DocumentId, DocumentName>;

/// As lists show it; both are what others wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentName {
    pub title: String,
    pub file: String,
}

/// One place of a step whose value did not come from the user's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewMark {
    pub place: ArgPlace,
    /// It decides where the effect goes, and not only what it carries.
    pub is_target: bool,
    pub text: Localized,
}

/// A value that holds what somebody else than the requester wrote, in place of an answer to an earlier plan: one for
/// each such person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewEdit {
    pub slot: SlotName,
    /// Whose words it holds.
    pub by: UserId,
    pub text: Localized,
}

pub(super) fn edits(edits: &Edits) -> Vec<PreviewEdit> {
    let pairs = edits.iter().flat_map(|(slot, people)| people.iter().map(move |by| (slot, *by)));
    let edit = |(slot, by): (&SlotName, UserId)| PreviewEdit {
        slot: slot.clone(),
        by,
        text: changed(|_| format!("`{slot}`")),
    };
    pairs.map(edit).collect()
}

pub(super) fn changed(name: impl Fn(Lang) -> String) -> Localized {
    Localized::of(|lang| match lang {
        Lang::Ko => format!("요청자가 아니라 승인하는 사람이 고친 값: {}", name(lang)),
        Lang::En => format!("Changed by an approver, not the requester's own: {}", name(lang)),
    })
}

impl PreviewEdit {
    pub(super) fn line(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ko => &self.text.ko,
            Lang::En => &self.text.en,
        };
        format!("± {text}")
    }
}

impl PreviewMark {
    pub(super) fn line(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ko => &self.text.ko,
            Lang::En => &self.text.en,
        };
        format!("{} {text}", if self.is_target { "!" } else { "·" })
    }
}

pub(super) fn marks(places: &ArgSources, names: &DocumentNames) -> Vec<PreviewMark> {
    let mark = |(place, sources): (&ArgPlace, &ValueSources)| PreviewMark {
        place: *place,
        is_target: place.is_target(),
        text: Localized::of(|lang| told(*place, (sources, names), lang)),
    };
    places.iter().map(mark).collect()
}

fn told(place: ArgPlace, (sources, names): (&ValueSources, &DocumentNames), lang: Lang) -> String {
    let mut all: Vec<String> = sources.iter().map(|of| source(of, names, lang)).collect();
    // Passages of one document are one source to a reader.
    all.dedup();
    let more = all.len().saturating_sub(SOURCES_SHOWN_MAX);
    all.truncate(SOURCES_SHOWN_MAX);
    let mut named = all.join(", ");
    if more > 0 {
        named.push_str(&match lang {
            Lang::Ko => format!(" 외 {more}곳"),
            Lang::En => format!(" and {more} more"),
        });
    }
    let place = place_word(place, lang);
    match lang {
        Lang::Ko => format!("{place} 직접 말씀하신 것이 아닙니다. 출처: {named}"),
        Lang::En => format!("{place} did not come from your words, but from {named}"),
    }
}

fn source(of: &ValueSource, names: &DocumentNames, lang: Lang) -> String {
    let (step, kind) = match of {
        ValueSource::Step { step, kind, .. } => (neutralise(&step.to_string()), *kind),
        ValueSource::Document { document, version, .. } => {
            return document_text((*document, *version), names.get(document), lang);
        }
        ValueSource::Memory { version, .. } => {
            return match lang {
                Lang::Ko => format!("다른 사람이 쓴 프로젝트 메모리(버전 {version})"),
                Lang::En => {
                    format!("the project's memory, which somebody else wrote (version {version})")
                }
            };
        }
    };
    match (kind, lang) {
        (SourceKind::File, Lang::Ko) => format!("이전 실행의 `{step}` 단계가 읽은 파일"),
        (SourceKind::Page, Lang::Ko) => format!("이전 실행의 `{step}` 단계가 읽은 웹 페이지"),
        (SourceKind::Answer, Lang::Ko) => format!("이전 실행의 `{step}` 단계가 받은 응답"),
        (SourceKind::Output, Lang::Ko) => format!("이전 실행의 `{step}` 단계의 결과"),
        (SourceKind::File, Lang::En) => {
            format!("the file that step `{step}` of an earlier run read")
        }
        (SourceKind::Page, Lang::En) => {
            format!("the web page that step `{step}` of an earlier run read")
        }
        (SourceKind::Answer, Lang::En) => {
            format!("the answer that step `{step}` of an earlier run got")
        }
        (SourceKind::Output, Lang::En) => {
            format!("the output of step `{step}` of an earlier run")
        }
    }
}

/// By its title, with its file and the version that was read.
fn document_text(
    (document, version): (DocumentId, Option<u64>),
    name: Option<&DocumentName>,
    lang: Lang,
) -> String {
    let shown = |text: &str| {
        let short: String = text.chars().take(NAME_CHARS_MAX).collect();
        neutralise(&short.replace('`', "'"))
    };
    let title = name.map(|name| format!(" `{}`", shown(&name.title))).unwrap_or_default();
    let file = name.map_or_else(|| document.to_string(), |name| shown(&name.file));
    match (lang, version) {
        (Lang::Ko, Some(version)) => format!("찾아본 문서{title}({file}, 버전 {version})"),
        (Lang::Ko, None) => format!("찾아본 문서{title}({file})"),
        (Lang::En, Some(version)) => format!("the document{title} ({file}, version {version})"),
        (Lang::En, None) => format!("the document{title} ({file})"),
    }
}

/// With its particle in Korean.
const fn place_word(place: ArgPlace, lang: Lang) -> &'static str {
    match (place, lang) {
        (ArgPlace::Path, Lang::Ko) => "파일 이름은",
        (ArgPlace::Host, Lang::Ko) => "호스트는",
        (ArgPlace::Operation, Lang::Ko) => "하려는 일은",
        (ArgPlace::Address, Lang::Ko) => "주소에 들어가는 값은",
        (ArgPlace::Recipient, Lang::Ko) => "받는 곳은",
        (ArgPlace::Body, Lang::Ko) => "본문은",
        (ArgPlace::Content, Lang::Ko) => "쓰이는 내용은",
        (ArgPlace::Path, Lang::En) => "The file name",
        (ArgPlace::Host, Lang::En) => "The host",
        (ArgPlace::Operation, Lang::En) => "What is done",
        (ArgPlace::Address, Lang::En) => "A value in the address",
        (ArgPlace::Recipient, Lang::En) => "The recipient",
        (ArgPlace::Body, Lang::En) => "The body",
        (ArgPlace::Content, Lang::En) => "What is written",
    }
}
