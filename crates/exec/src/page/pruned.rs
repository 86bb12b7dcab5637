//! Finds the content of a page by the meaning of its elements and by their share of links.

use html2text::{Comment, Document, Element, Handle, RcDom};
use std::rc::Rc;

/// Elements that are never content.
const DROPPED: [&str; 19] = [
    "script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "nav",
    "aside", "footer", "form", "button", "select", "input", "dialog", "menu", "head",
];
/// Blocks that are judged by their links.
const JUDGED: [&str; 5] = ["div", "ul", "ol", "section", "header"];
/// Links from which on a block may be a menu.
const LINKS_MIN: usize = 4;
/// An article shorter than this share of the page, in percent of its characters, is a teaser.
const ARTICLE_PERCENT_MIN: usize = 25;

pub(super) fn title(dom: &RcDom) -> String {
    let named = |name: &'static str| {
        let found = find(&dom.document, &|node| is(node, &[name]));
        found.iter().map(words).find(|text| !text.is_empty())
    };
    named("title").or_else(|| named("h1")).unwrap_or_default()
}

/// Leaves what is to be read.
pub(super) fn prune(dom: &RcDom) {
    each(&dom.document, &|node| {
        node.children.borrow_mut().retain(|child| !is(child, &DROPPED) && !is_hidden(child));
    });
    let all = chars(&dom.document).text;
    let parts = find(&dom.document, &|node| is(node, &["article", "main"]));
    let article = parts.into_iter().max_by_key(|part| chars(part).text);
    let article = article.filter(|part| chars(part).text * 100 >= all * ARTICLE_PERCENT_MIN);
    if let Some(article) = article {
        // A node takes all below it along when it is dropped, whoever else holds them.
        each(&dom.document, &|node| {
            node.children.borrow_mut().retain(|child| !Rc::ptr_eq(child, &article));
        });
        dom.document.children.replace(vec![article]);
    }
    each(&dom.document, &|node| node.children.borrow_mut().retain(|child| !is_menu(child)));
}

fn is(node: &Handle, names: &[&str]) -> bool {
    matches!(&node.data, Element { name, .. } if names.contains(&&*name.local))
}

fn is_hidden(node: &Handle) -> bool {
    let Element { attrs, .. } = &node.data else { return false };
    attrs.borrow().iter().any(|attr| match &*attr.name.local {
        "hidden" => true,
        "aria-hidden" => &*attr.value == "true",
        "style" => attr.value.replace(' ', "").contains("display:none"),
        _ => false,
    })
}

fn is_menu(node: &Handle) -> bool {
    if !is(node, &JUDGED) {
        return false;
    }
    let Chars { text, linked, links } = chars(node);
    links >= LINKS_MIN && linked * 2 > text
}

#[derive(Clone, Copy, Default)]
struct Chars {
    text: usize,
    /// Of them, inside links.
    linked: usize,
    links: usize,
}

fn chars(node: &Handle) -> Chars {
    let mut sum = Chars::default();
    let mut open = vec![(node.clone(), false)];
    while let Some((node, linked)) = open.pop() {
        if let Some(contents) = own_text(&node) {
            let count = contents.chars().filter(|c| !c.is_whitespace()).count();
            sum.text += count;
            sum.linked += if linked { count } else { 0 };
        }
        let opens = is(&node, &["a"]);
        sum.links += usize::from(opens);
        open.extend(node.children.borrow().iter().map(|child| (child.clone(), linked || opens)));
    }
    sum
}

/// Of a text node. What is no text is written with a bracket, which text is not.
fn own_text(node: &Handle) -> Option<String> {
    if matches!(&node.data, Element { .. } | Document | Comment { .. }) {
        return None;
    }
    let mut written = Vec::new();
    node.serialize(&mut written).ok()?;
    let written = String::from_utf8(written).ok().filter(|text| !text.starts_with('<'))?;
    let text = written.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    Some(text.replace("&amp;", "&"))
}

/// Its text, every run of blanks as one.
fn words(node: &Handle) -> String {
    let mut text = String::new();
    // The last child is pushed first: texts come out in the order of the page.
    let mut open = vec![node.clone()];
    while let Some(node) = open.pop() {
        text.push_str(&own_text(&node).unwrap_or_default());
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn find(root: &Handle, wanted: &dyn Fn(&Handle) -> bool) -> Vec<Handle> {
    let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(node) = open.pop() {
        if wanted(&node) {
            found.push(node.clone());
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    found
}

/// Parents before children, without recursion: a page may be nested as deeply as it likes.
fn each(root: &Handle, act: &dyn Fn(&Handle)) {
    let mut open = vec![root.clone()];
    while let Some(node) = open.pop() {
        act(&node);
        open.extend(node.children.borrow().iter().cloned());
    }
}
