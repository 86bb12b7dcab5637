//! The line before a chunk's text: where it stands.

use super::atom::Count;

/// Of one.
const HEAD_TOKENS_MAX: usize = 64;
/// Of a title or a heading in it, in Unicode scalar values.
const NAME_CHARS_MAX: usize = 80;
const BEHIND: &str = " › ";
const MORE: &str = "…";

/// `title › heading › heading`, without the outer headings where that is too long; empty of a text without a name.
pub(crate) fn head(title: &str, headings: &[String], count: Count<'_>) -> String {
    let title = one_line(title);
    // A document often begins with its title.
    let headings = match headings.split_first() {
        Some((first, rest)) if *first == title => rest,
        Some(_) | None => headings,
    };
    let mut names: Vec<String> =
        headings.iter().map(|name| shortened(name, NAME_CHARS_MAX)).collect();
    if !title.is_empty() {
        names.insert(0, shortened(&title, NAME_CHARS_MAX));
    }
    let mut chars = NAME_CHARS_MAX;
    loop {
        let line = names.join(BEHIND);
        if count(&line) <= HEAD_TOKENS_MAX || chars == 0 {
            return line;
        }
        if names.len() > 2 {
            names.remove(1);
        } else {
            chars /= 2;
            names = names.iter().map(|name| shortened(name, chars)).collect();
        }
    }
}

/// The title in the head of a chunk's text; shortened, where it was too long.
#[must_use]
pub fn head_title(chunk: &str) -> &str {
    let line = chunk.lines().next().unwrap_or_default();
    line.split(BEHIND).next().unwrap_or_default()
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(name: &str, chars: usize) -> String {
    match name.char_indices().nth(chars) {
        Some((end, _)) => format!("{}{MORE}", name.get(..end).unwrap_or_default().trim_end()),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outer_headings_give_way_first() {
        let chars = |text: &str| text.chars().count();
        let line = |title: &str, headings: &[&str]| {
            let headings: Vec<String> = headings.iter().map(|text| (*text).to_owned()).collect();
            head(title, &headings, &chars)
        };
        assert_eq!(line("휴가 정책", &["연차", "이월"]), "휴가 정책 › 연차 › 이월");
        assert_eq!(line("휴가\n정책", &["휴가 정책", "이월"]), "휴가 정책 › 이월");
        assert_eq!(line("", &[]), "");
        for title in ["휴가 정책", &"a".repeat(NAME_CHARS_MAX + 9)] {
            let once = line(title, &["이월"]);
            assert_eq!(line(head_title(&format!("{once}\na › b")), &["이월"]), once);
        }
        let [outer, inner] = ["b".repeat(40), "c".repeat(30)];
        assert_eq!(line("title", &[&outer, &inner]), format!("title › {inner}"));
        let long = line(&"a".repeat(500), &[&"b".repeat(200)]);
        assert!(chars(&long) <= HEAD_TOKENS_MAX && long.contains("… › b"), "{long}");
        assert_eq!(head("a", &[], &|_| 1_000), "…");
    }
}
