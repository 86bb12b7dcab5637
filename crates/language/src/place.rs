//! Paths, URLs and bare hosts as people write them, with the particles that stick to them.

use crate::{
    character::{is_closing, is_hangul, is_path, is_url},
    concept::Concept,
    lexicon::Lexicon,
    morph,
    token::TokenKind,
};

/// Longest run that is looked at, in bytes; more is no place that anybody typed.
const PLACE_BYTES_MAX: usize = 2_048;
const EXTENSION_CHARS_MAX: usize = 8;

pub(crate) struct Found {
    /// Bytes that were looked at.
    pub(crate) run: usize,
    /// With its length in bytes.
    pub(crate) place: Option<(TokenKind, usize)>,
}

/// What begins here.
pub(crate) fn find(lexicon: &Lexicon, text: &str) -> Found {
    if scheme(text).is_some() {
        let run = run(text, is_url);
        let length = without_tail(lexicon, text.get(..run).unwrap_or_default());
        return Found { run, place: Some((TokenKind::Url, length)) };
    }
    let dense = run(text, |c| is_path(c) || "?=&:".contains(c));
    let host = text.get(..dense).and_then(|run| host(lexicon, run));
    if let Some(length) = host {
        return Found { run: dense, place: Some((TokenKind::Url, length)) };
    }
    let run = run(text, is_path);
    let place = text.get(..run).and_then(|run| path(lexicon, run));
    Found { run: run.max(1), place }
}

/// Whether a whole quoted text is a file's path.
pub(crate) fn is_file(lexicon: &Lexicon, text: &str) -> bool {
    let plain = text.len() <= PLACE_BYTES_MAX && !text.contains(['\n', '\r']);
    let Some((_, extension)) = text.rsplit_once('.') else { return false };
    let known = lexicon.extensions.contains(&extension.to_lowercase());
    plain && known && !text.contains("://") && text.chars().all(|c| is_path(c) || c == ' ')
}

/// A URL that answers with data: by its host, its path, or where it stands.
pub(crate) fn is_api(url: &str) -> bool {
    let rest = scheme(url).and_then(|length| url.get(length..)).unwrap_or(url).to_lowercase();
    let (host, path) = rest.split_once('/').unwrap_or((rest.as_str(), ""));
    let name = host.split(':').next().unwrap_or_default();
    let version = |part: &str| part.strip_prefix('v').is_some_and(|n| n.parse::<u8>().is_ok());
    let part = |part: &str| matches!(part, "api" | "graphql" | "rest") || version(part);
    let plain = path.split(['?', '#']).next().unwrap_or_default();
    let data = [".json", ".csv", ".xml", ".ndjson"].iter().any(|ending| plain.ends_with(ending));
    data || name.split('.').any(part) || plain.split('/').any(part)
}

/// A URL that answers with a page, by its host or its path.
pub(crate) fn is_page(url: &str) -> bool {
    let rest = scheme(url).and_then(|length| url.get(length..)).unwrap_or(url).to_lowercase();
    let (host, path) = rest.split_once('/').unwrap_or((rest.as_str(), ""));
    let plain = path.split(['?', '#']).next().unwrap_or_default();
    let page = [".html", ".htm", ".xhtml", ".md"].iter().any(|ending| plain.ends_with(ending));
    !is_api(url) && (page || host.starts_with("www."))
}

/// Length of `http://` or `https://`.
pub(crate) fn scheme(text: &str) -> Option<usize> {
    let begins = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    ["http://", "https://"].into_iter().find(|scheme| begins(scheme)).map(|scheme| scheme.len())
}

/// INVARIANT: looks no further than the bound, so that many places in a row cost no square.
fn run(text: &str, keep: impl Fn(char) -> bool) -> usize {
    let near = text.get(..text.floor_char_boundary(PLACE_BYTES_MAX)).unwrap_or_default();
    near.find(|c: char| !keep(c)).unwrap_or(near.len())
}

/// Length without closing punctuation and without particles.
fn without_tail(lexicon: &Lexicon, run: &str) -> usize {
    let run = run.trim_end_matches(is_closing);
    let stem = run.trim_end_matches(is_hangul);
    let tail = run.get(stem.len()..).unwrap_or_default();
    if tail.is_empty() {
        return run.len();
    }
    if !stem.ends_with('/') && is_tail(lexicon, tail) {
        return stem.trim_end_matches(is_closing).len();
    }
    let particle = lexicon.particles.iter().find(|p| tail.len() > p.len() && tail.ends_with(*p));
    run.len() - particle.map_or(0, |particle| particle.len())
}

/// Particles, a word for what it is (`오늘.md파일을`), or what is done to it (`a.md로저장해줘`).
fn is_tail(lexicon: &Lexicon, tail: &str) -> bool {
    let concepts = morph::concepts(lexicon, tail);
    let does = |concept: &Concept| *concept == Concept::File || concept.is_verb();
    morph::is_endings(lexicon, tail)
        || concepts.iter().any(does)
        || morph::particle(lexicon, tail).is_some()
}

/// `host[:port][/path][?query]` without a scheme.
fn host(lexicon: &Lexicon, run: &str) -> Option<usize> {
    let length = without_tail(lexicon, run);
    let run = run.get(..length)?;
    let host_end = run.find(['/', ':', '?']).unwrap_or(run.len());
    let (host, rest) = run.split_at_checked(host_end)?;
    let named = host.eq_ignore_ascii_case("localhost") || is_ipv4(host) || is_domain(lexicon, host);
    let rest = match rest.strip_prefix(':') {
        Some(port) => {
            let digits = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len());
            if !(1..=5).contains(&digits) {
                return None;
            }
            port.get(digits..)?
        }
        None => rest,
    };
    let whole = rest.is_empty() || rest.starts_with(['/', '?']);
    (named && whole).then_some(length)
}

fn is_ipv4(host: &str) -> bool {
    host.parse::<std::net::Ipv4Addr>().is_ok()
}

fn is_domain(lexicon: &Lexicon, host: &str) -> bool {
    let Some((name, top)) = host.rsplit_once('.') else { return false };
    let label = |l: &str| !l.is_empty() && l.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    lexicon.top_level_domains.contains(&top.to_ascii_lowercase()) && name.split('.').all(label)
}

fn path(lexicon: &Lexicon, run: &str) -> Option<(TokenKind, usize)> {
    let trimmed = run.trim_end_matches(is_closing);
    let name_at = trimmed.rfind('/').map_or(0, |slash| slash + 1);
    let name = trimmed.get(name_at..)?;
    if let Some(length) = with_extension(lexicon, name, name_at > 0) {
        return Some((TokenKind::Path, name_at + length));
    }
    let length = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    let (known, tail) = name.split_at_checked(length)?;
    if lexicon.file_names.contains(known) && (tail.is_empty() || is_tail(lexicon, tail)) {
        return Some((TokenKind::Path, name_at + length));
    }
    let hidden = trimmed.strip_prefix('.').is_some_and(|n| n.starts_with(char::is_alphabetic));
    let named = name_at > 0 && trimmed.chars().any(char::is_alphabetic);
    (named || hidden).then(|| (TokenKind::LoosePath, without_tail(lexicon, trimmed)))
}

/// Length of `name.ext` where particles may follow the extension.
fn with_extension(lexicon: &Lexicon, name: &str, in_directory: bool) -> Option<usize> {
    let (stem, after) = name.rsplit_once('.')?;
    let length = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
    let (extension, tail) = after.split_at_checked(length)?;
    let named = extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.len() <= EXTENSION_CHARS_MAX
        && !stem.is_empty();
    let known = lexicon.extensions.contains(&extension.to_ascii_lowercase());
    let ends = tail.is_empty() || is_tail(lexicon, tail);
    (named && ends && (in_directory || known)).then_some(stem.len() + 1 + length)
}

/// The file is spoken of by its path, its name, or its name without the ending.
pub(crate) fn is_called(path: &str, name: &str) -> bool {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    [path, file, stem].contains(&name)
}
