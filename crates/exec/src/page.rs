//! The readable text of a page: a function of its HTML only.
//!
//! It leaves out menus, forms, scripts and blocks that are mostly links; if the page marks its
//! article, it takes that part. The caller bounds time and memory by a child process.

mod pruned;

use crate::jq::{JqFault, Values};
use html2text::{
    RcDom,
    config::{Config, plain_no_decorate},
    render::PlainDecorator,
};
use serde::{Deserialize, Serialize};

/// What is kept of the text, in bytes.
pub(crate) const TEXT_BYTES_MAX: usize = 512 * 1024;
/// What is kept of the title, in Unicode scalar values.
const TITLE_CHARS_MAX: usize = 300;
/// Lines are not wrapped: a paragraph is one line, as long as it is.
const WIDTH_COLUMNS: usize = 100_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The text was longer than is kept.
    pub(crate) cut: bool,
}

impl Page {
    /// The beginning of a text that is no HTML.
    pub(crate) fn plain(text: &str) -> Self {
        let end = text.floor_char_boundary(TEXT_BYTES_MAX);
        let kept = text.get(..end).unwrap_or_default().to_owned();
        Self { title: String::new(), cut: kept.len() < text.len(), text: kept }
    }
}

/// The page as one JSON value.
pub(crate) fn read(html: &str, max_bytes: usize) -> Result<Values, JqFault> {
    let reader = plain_no_decorate().raw_mode(true).no_link_wrapping();
    let dom = reader.parse_html(html.as_bytes()).map_err(|_| JqFault::Failed)?;
    let title = pruned::title(&dom);
    pruned::prune(&dom);
    let text = rendered(&reader, &dom)?;
    if title.is_empty() && text.is_empty() {
        return Err(JqFault::Failed);
    }
    let title = title.chars().take(TITLE_CHARS_MAX).collect();
    let page = Page { title, ..Page::plain(&text) };
    let lines = serde_json::to_vec(&page).map_err(|_| JqFault::Output)?;
    if lines.len() > max_bytes { Err(JqFault::TooLarge) } else { Ok(Values { lines, count: 1 }) }
}

/// Paragraphs with one empty line between them.
fn rendered(reader: &Config<PlainDecorator>, dom: &RcDom) -> Result<String, JqFault> {
    let tree = reader.dom_to_render_tree(dom).map_err(|_| JqFault::Failed)?;
    let whole = reader.render_to_string(tree, WIDTH_COLUMNS).map_err(|_| JqFault::Failed)?;
    let mut text = String::with_capacity(whole.len());
    let mut gap = false;
    for line in whole.lines().map(str::trim_end) {
        if line.trim().is_empty() {
            gap = !text.is_empty();
            continue;
        }
        text.push_str(if gap {
            "\n\n"
        } else if text.is_empty() {
            ""
        } else {
            "\n"
        });
        text.push_str(line);
        gap = false;
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
