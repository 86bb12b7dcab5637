//! Where the sentences of a line begin, in Korean and English.

/// A word with a full stop that ends no sentence; of its letters alone, in lower case.
const ABBREVIATIONS: [&str; 26] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "e.g", "i.e", "cf", "al", "fig",
    "figs", "vol", "pp", "ed", "eds", "approx", "dept", "inc", "ltd", "co", "corp", "gen",
];
/// Of a Korean sentence without a full stop. `다` alone ends nouns and adverbs too.
const ENDINGS: [&str; 14] = [
    "니다", "니까", "세요", "어요", "아요", "해요", "예요", "에요", "네요", "군요", "까요", "지요",
    "시오", "습죠",
];
/// Bytes of a longer word say nothing.
const WORD_BYTES_MAX: usize = 16;

/// The byte offsets at which a sentence begins, but for the first; white space goes with the sentence before it.
pub(crate) fn sentence_starts(line: &str) -> impl Iterator<Item = usize> {
    let (mut from, mut before) = (0, ' ');
    line.char_indices().filter_map(move |(at, c)| {
        let last = std::mem::replace(&mut before, c);
        if c.is_whitespace() {
            return None;
        }
        if last.is_whitespace() {
            let word = line.get(from..at).unwrap_or_default();
            from = at;
            return ends(word, c).then_some(at);
        }
        // Signs of full width have no space behind them.
        let wide = matches!(last, '。' | '！' | '？');
        if wide && !closes(c) && !is_stop(c) {
            from = at;
            return Some(at);
        }
        None
    })
}

/// Whether a sentence ends with this word, if this stands next.
fn ends(word: &str, next: char) -> bool {
    let word = word.trim_end().trim_end_matches(closes);
    let goes_on = next.is_lowercase();
    match word.chars().next_back() {
        Some('。' | '！' | '？') => true,
        Some('!' | '?' | '…') => !goes_on,
        Some('.') => !goes_on && is_full_stop(word.trim_end_matches('.'), next),
        _ => ENDINGS.iter().any(|ending| word.ends_with(ending)),
    }
}

/// Not of an abbreviation, of somebody's initials, of a number in a list or of a date.
fn is_full_stop(word: &str, next: char) -> bool {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    if word.len() > WORD_BYTES_MAX {
        return true;
    }
    let mut letters = word.chars();
    let initial = matches!((letters.next(), letters.next()), (Some(c), None) if c.is_ascii());
    let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let lower = word.to_ascii_lowercase();
    let numbers = lower == "no" && next.is_ascii_digit();
    !initial && !is_number && !numbers && !ABBREVIATIONS.contains(&lower.as_str())
}

const fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

/// Closes what a sentence stands in, emphasis of Markdown among it.
const fn closes(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '》'
            | '〉'
            | '）'
            | '］'
            | '»'
            | '*'
            | '_'
            | '`'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(line: &str) -> Vec<&str> {
        let ends = sentence_starts(line).chain([line.len()]);
        let mut from = 0;
        ends.map(|end| &line[std::mem::replace(&mut from, end)..end]).collect()
    }

    #[test]
    fn sentences_end_in_both_languages() {
        for (line, due) in [
            ("One. Two! Three?  Four", vec!["One. ", "Two! ", "Three?  ", "Four"]),
            (
                "연차는 15일입니다. 2년차부터 16일이다. 끝",
                vec!["연차는 15일입니다. ", "2년차부터 16일이다. ", "끝"],
            ),
            ("저장했습니다 다음은 지우세요 끝", vec!["저장했습니다 ", "다음은 지우세요 ", "끝"]),
            ("그는 말했다. “좋아.” 그리고 갔다", vec!["그는 말했다. ", "“좋아.” ", "그리고 갔다"]),
            (
                "これは本です。「はい。」次は？そう",
                vec!["これは本です。", "「はい。」次は？", "そう"],
            ),
            ("It is *bold.* Next", vec!["It is *bold.* ", "Next"]),
            ("Wait... What? Yes", vec!["Wait... ", "What? ", "Yes"]),
        ] {
            assert_eq!(sentences(line), due);
        }
    }

    #[test]
    fn what_ends_no_sentence() {
        for line in [
            "Ask Dr. Kim, e.g. about No. 5 and J. K. Rowling vs. Mr. Lee",
            "version 1.5 of a.txt and U.S. soil",
            "2024. 3. 5. 부터",
            "1. 첫째",
            "모두 다 먹었다고 했다",
            "Yahoo! is no end",
            "",
        ] {
            assert_eq!(sentences(line).len(), 1, "{line}: {:?}", sentences(line));
        }
    }
}
