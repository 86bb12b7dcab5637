//! What the elements of a page are: blocks, content that is not read, text that holds no tags.

use html5ever::tokenizer::{
    Tag, TokenSinkResult,
    states::RawKind::{Rawtext, Rcdata, ScriptData},
};

/// Elements that are never content.
const DROPPED: [&str; 16] = [
    "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "nav", "aside",
    "footer", "button", "select", "dialog", "menu", "textarea",
];
/// Elements that never have an end.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
const BLOCKS: [&str; 44] = [
    "address",
    "article",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Never content, or marked as hidden.
pub(super) fn is_dropped(tag: &Tag) -> bool {
    let name = &*tag.name;
    let hidden = tag.attrs.iter().any(|attribute| match &*attribute.name.local {
        "hidden" => true,
        "aria-hidden" => &*attribute.value == "true",
        "style" => attribute.value.replace(' ', "").contains("display:none"),
        _ => false,
    });
    !VOID.contains(&name) && !tag.self_closing && (hidden || DROPPED.contains(&name))
}

/// Whether a text ends where this element begins or ends.
pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.binary_search(&name).is_ok()
}

/// Elements whose end need not be written.
pub(super) fn may_omit_end(name: &str) -> bool {
    let rows = matches!(name, "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th");
    rows || matches!(name, "p" | "li" | "dt" | "dd" | "option")
}

/// Whether its end is always written, and is the end of what stands open in it.
pub(super) fn is_scope(name: &str) -> bool {
    let is_any = is_block(name) || DROPPED.contains(&name) || name == "datalist";
    is_any && !VOID.contains(&name) && !may_omit_end(name)
}

/// How the tokenizer reads on behind this tag.
pub(super) fn raw(name: &str) -> TokenSinkResult<()> {
    match name {
        "script" => TokenSinkResult::RawData(ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(Rcdata),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}
