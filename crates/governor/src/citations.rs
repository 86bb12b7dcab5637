//! Numbers in an answer that name passages, such as `[2]`: each that its model was shown is a citation, and any other is
//! taken out, as it would pass for a proof that nobody has. What stands in backticks is no citation.

use std::fmt::Write as _;
use wiiiv_context::bracketed_numbers;
use wiiiv_domain::{Action, Citation, Proposal};

/// Of a number that a reader could take for a citation.
const DIGITS_MAX: usize = 3;

/// Takes unknown numbers out of the proposal's words, and says what the others cite, each once, in their order. Only an
/// answer in words cites: a question and a proposal to act are shown without any, because nothing opens them there.
pub fn settled(proposal: &mut Proposal, shown: &[Citation]) -> Vec<Citation> {
    let known: &[Citation] = if proposal.action == Action::Reply { shown } else { &[] };
    let (text, cited) = kept(&proposal.message, known);
    proposal.message = text;
    cited
}

fn kept(text: &str, known: &[Citation]) -> (String, Vec<Citation>) {
    let (mut kept, mut cited) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[']) {
        let (before, behind) = rest.split_at(at);
        kept.push_str(before);
        let (numbers, after) = match (code(behind), numbers(behind)) {
            (Some(code), _) => {
                kept.push_str(code);
                rest = behind.get(code.len()..).unwrap_or_default();
                continue;
            }
            (None, Some(found)) => found,
            (None, None) => {
                kept.push('[');
                rest = behind.get(1..).unwrap_or_default();
                continue;
            }
        };
        rest = after;
        let own = numbers.into_iter().filter_map(|n| known.iter().find(|one| one.number == n));
        let own: Vec<&Citation> = own.collect();
        for citation in &own {
            let _ = write!(kept, "[{}]", citation.number);
            if !cited.contains(*citation) {
                cited.push((*citation).clone());
            }
        }
        if own.is_empty() {
            close(&mut kept, rest);
        }
    }
    kept.push_str(rest);
    (kept, cited)
}

/// Where a number was taken out: no gap is left, and no bracket that what follows could close around another one.
fn close(kept: &mut String, rest: &str) {
    let mut next = rest.chars();
    let is_end = next.next().is_none_or(|c| c.is_whitespace() || ".,;:!?)。，".contains(c));
    if is_end && kept.ends_with(' ') {
        kept.pop();
    }
    let digits = kept.bytes().rev().take(DIGITS_MAX).take_while(u8::is_ascii_digit).count();
    let open = kept.get(..kept.len() - digits).and_then(|head| head.strip_suffix('['));
    if let Some(at) = open.map(str::len) {
        kept.remove(at);
    }
}

/// What stands between backticks, with them; of backticks that are not closed these alone.
fn code(text: &str) -> Option<&str> {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let (open, inner) = text.split_at(ticks);
    if open.is_empty() {
        return None;
    }
    let mut from = 0;
    while let Some(at) = inner.get(from..)?.find('`') {
        let run = inner.get(from + at..)?;
        let length = run.len() - run.trim_start_matches('`').len();
        from += at + length;
        if length == ticks {
            return text.get(..ticks + from);
        }
    }
    Some(open)
}

/// `[1]`, `[1, 3]` or `[1-3]` at the beginning of the text, and what stands behind it. A link's text is none.
fn numbers(text: &str) -> Option<(Vec<u32>, &str)> {
    bracketed_numbers(text).filter(|(_, behind)| !behind.starts_with(['(', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{DocumentId, Scope};

    fn citation(number: u32) -> Citation {
        Citation {
            number,
            document: DocumentId::from_uuid(uuid::Uuid::from_u128(u128::from(number))),
            passage: 0,
            version: Some(1),
            title: "휴가 정책".to_owned(),
            file_name: "leave.md".to_owned(),
            page: None,
            heading: None,
            stale: false,
            scope: Scope::Global,
        }
    }

    /// With three passages shown: what is left of the text, and the numbers that it cites.
    fn check(text: &str, due: &str, cited: &[u32]) {
        let known = [1, 2, 3].map(citation);
        let (left, found) = kept(text, &known);
        let found: Vec<u32> = found.iter().map(|one| one.number).collect();
        assert_eq!((left.as_str(), found.as_slice()), (due, cited), "{text}");
    }

    #[test]
    fn a_number_that_was_shown_cites_and_another_is_taken_out() {
        check("연차는 15일입니다[1].", "연차는 15일입니다[1].", &[1]);
        check("연차는 15일입니다 [2][1]. 또 [2]", "연차는 15일입니다 [2][1]. 또 [2]", &[2, 1]);
        check("It is 15 days [9].", "It is 15 days.", &[]);
        check("It is [9] 15 days [0] [1234]", "It is 15 days [1234]", &[]);
        check("Both [1, 9], all [1-3] and [7–9]", "Both [1], all [1][2][3] and", &[1, 2, 3]);
    }

    #[test]
    fn code_links_and_lists_are_no_citations() {
        for text in ["`a[9]` and ``b`[9]`` stay", "```\nx[9] = 1\n```\n", "[9](https://x.test)"] {
            check(text, text, &[]);
        }
        check("[ ] open, [x] done, [a, 1]", "[ ] open, [x] done, [a, 1]", &[]);
        check("an open ` tick [9] and [2]", "an open ` tick and [2]", &[2]);
    }

    #[test]
    fn whatever_is_said_only_what_was_shown_is_left_in_brackets() {
        for text in [
            "[[9]]",
            "[9][9][9]",
            "[1",
            "1]",
            "[999][000]",
            "[3-1]",
            "[1-999]",
            "[[9]4]",
            "[1[9]2]",
        ] {
            let (left, found) = kept(text, &[citation(2)]);
            assert!(found.iter().all(|one| one.number == 2), "{text}");
            for number in [0, 1, 3, 4, 9, 12, 999] {
                assert!(!left.contains(&format!("[{number}]")), "{text}: {left}");
            }
        }
    }
}
