//! Describes a bound value in words: which part of which output.

use crate::{language::Lang, preview::neutralise};
use wiiiv_domain::{Binding, Node, Source, StepId, ValueKind};

pub(crate) const WHOLE: &str = ".";

/// "the output of step 2 (JSON, at most 1 MB)".
pub(crate) fn bound(nodes: &[Node], binding: &Binding, lang: Lang) -> String {
    let of = source(nodes, &binding.from, lang);
    let kind = kind(binding.kind, lang);
    let size = size(binding.max_bytes, lang);
    let part = neutralise(&binding.select);
    match (lang, binding.select.as_str()) {
        (Lang::Ko, WHOLE) => format!("{of}의 결과({kind}, 최대 {size})"),
        (Lang::Ko, _) => format!("{of}의 결과 중 `{part}` 값({kind}, 최대 {size})"),
        (Lang::En, WHOLE) => format!("the output of {of} ({kind}, at most {size})"),
        (Lang::En, _) => format!("`{part}` of the output of {of} ({kind}, at most {size})"),
    }
}

pub(crate) fn source(nodes: &[Node], source: &Source, lang: Lang) -> String {
    match (source, lang) {
        (Source::Step { step }, Lang::Ko) => format!("{}단계", number(nodes, step)),
        (Source::Step { step }, Lang::En) => format!("step {}", number(nodes, step)),
        (Source::Run { execution, step }, Lang::Ko) => {
            format!("이전 실행 {execution}의 `{step}` 단계")
        }
        (Source::Run { execution, step }, Lang::En) => {
            format!("step `{step}` of the earlier run {execution}")
        }
    }
}

/// The step's number; its id where the plan does not hold it.
pub(crate) fn number(nodes: &[Node], step: &StepId) -> String {
    let at = nodes.iter().position(|node| &node.id == step);
    at.map_or_else(|| format!("`{step}`"), |at| (at + 1).to_string())
}

const fn kind(kind: ValueKind, lang: Lang) -> &'static str {
    match (kind, lang) {
        (ValueKind::Json, _) => "JSON",
        (ValueKind::Csv, _) => "CSV",
        (ValueKind::JsonLines, _) => "JSON Lines",
        (ValueKind::Text, Lang::Ko) => "텍스트",
        (ValueKind::Text, Lang::En) => "text",
    }
}

const KB: u64 = 1024;

const MB: u64 = 1024 * 1024;

fn size(bytes: u64, lang: Lang) -> String {
    let (count, unit) = match bytes {
        0..KB => (bytes, "B"),
        KB..MB => (bytes.div_ceil(KB), "KB"),
        MB.. => (bytes.div_ceil(MB), "MB"),
    };
    match lang {
        Lang::Ko => format!("{count}{unit}"),
        Lang::En => format!("{count} {unit}"),
    }
}
