//! The text of a page, without its marks.

/// Elements that are no part of what a page says.
const ASIDE: [&str; 6] = ["script", "style", "noscript", "header", "aside", "footer"];
/// An entity's name is no longer.
const ENTITY_CHARS_MAX: usize = 10;

/// What stands between two marks for the first time.
pub fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(start)?;
    behind.split_once(end).map(|(inner, _)| inner)
}

/// The text without all that stands between two marks, and without them.
pub fn without(text: &str, start: &str, end: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(start) {
        let Some((_, after)) = behind.split_once(end) else { break };
        kept.push_str(before);
        kept.push(' ');
        rest = after;
    }
    kept + rest
}

/// Words alone, with one blank between two.
pub fn plain(markup: &str) -> String {
    let mut text = markup.to_owned();
    for name in ASIDE {
        for end in [" ", ">"] {
            text = without(&text, &format!("<{name}{end}"), &format!("</{name}>"));
        }
    }
    text = without(&text, "<!--", "-->");
    text = unescaped(&without_tags(&text));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        let Some((tag, after)) = behind.split_once('>') else { break };
        kept.push_str(before);
        kept.push(' ');
        // Said to those who do not see the page alone: it doubles what is written.
        let is_hidden = tag.starts_with("span") && tag.contains("hidden=\"true\"");
        rest = match after.split_once("</span>") {
            Some((_, after)) if is_hidden => after,
            Some(_) | None => after,
        };
    }
    kept + rest
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        let named = behind.split_once(';').filter(|(name, _)| name.len() <= ENTITY_CHARS_MAX);
        let read = named.and_then(|(name, after)| Some((entity(name)?, after)));
        let (c, after) = read.unwrap_or(('&', behind));
        plain.push(c);
        rest = after;
    }
    plain + rest
}

fn entity(name: &str) -> Option<char> {
    let numbered = |digits: &str, radix| char::from_u32(u32::from_str_radix(digits, radix).ok()?);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => match name.strip_prefix('#')? {
            digits if digits.starts_with(['x', 'X']) => numbered(digits.get(1..)?, 16),
            digits => numbered(digits, 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_words_stay() {
        for (markup, due) in [
            ("<p>Turn <em>on</em>\n  bounce&#160;keys</p>", "Turn on bounce keys"),
            ("a<script type=\"x\">if (a < b) {}</script>b<!-- <p>c</p> -->d", "a b d"),
            ("<head>kept</head><header>gone</header>", "kept"),
            ("&lt;R&amp;D&gt; &#x41;&quot;&unknown; & co", "<R&D> A\"&unknown; & co"),
            ("<span aria-hidden=\"true\">twice</span>once <span>more</span>", "once more"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(plain(markup), due, "{markup}");
        }
    }

    #[test]
    fn a_piece_is_taken_out_or_left_out() {
        assert_eq!(between("a<desc>b</desc><desc>c</desc>", "<desc>", "</desc>"), Some("b"));
        assert_eq!(between("a<desc>b", "<desc>", "</desc>"), None);
        assert_eq!(without("a<i>b</i>c<i>d</i>e<i>", "<i>", "</i>"), "a c e<i>");
    }
}
