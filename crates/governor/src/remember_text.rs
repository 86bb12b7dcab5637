//! What a message asks to be kept in mind, and in whose memory. That it asks for it is read elsewhere; here
//! the asking words are taken off, and nothing is put in their place.

use wiiiv_domain::MemoryScope;

/// What is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberRequest {
    pub scope: MemoryScope,
    pub line: String,
}

/// `from now on` stays: without it the sentence would be about today.
const EN_ASKS: [&str; 10] = [
    "don't forget that",
    "make a mental note that",
    "make a mental note",
    "for future reference",
    "keep in mind",
    "bear in mind",
    "note that",
    "memorize",
    "memorise",
    "remember",
];
const KO_ASKS: [&str; 5] = ["메모리에", "기억", "외워", "외우", "잊지"];
/// Behind the asking word, before what is to be kept.
const EN_LEADS: [&str; 5] = ["that", "this", "it", "please", "the following"];
/// What is asked for politely at the end of a sentence, or leads to the asking word.
const EN_TAILS: [&str; 9] =
    ["please", "can you", "could you", "would you", "will you", "and", "so", "thanks", "thank you"];
/// Behind the stem of the asking word.
const KO_REQUESTS: [&str; 12] = [
    "해줘",
    "해",
    "줘",
    "줘요",
    "주세요",
    "주십시오",
    "둬",
    "둬라",
    "두세요",
    "놔",
    "놓아",
    "줄래",
];
/// What leads from a sentence to the asking word, and what is left of it.
const KO_ENDINGS: [(&str, &str); 22] = [
    ("하라고", "하기"),
    ("다는 것을", "다"),
    ("다는 것", "다"),
    ("다는 걸", "다"),
    ("다는 거", "다"),
    ("다는것", "다"),
    ("다는걸", "다"),
    ("다는거", "다"),
    ("다고", "다"),
    ("라는 것을", ""),
    ("라는 것", ""),
    ("라는 걸", ""),
    ("라는 거", ""),
    ("이라고", ""),
    ("라고", ""),
    ("다음을", ""),
    ("이것을", ""),
    ("이걸", ""),
    ("이거", ""),
    ("을", ""),
    ("를", ""),
    ("좀", ""),
];
const KO_ADVERBS: [&str; 3] = ["꼭", "잘", "반드시"];
/// Before the asking word: nothing is to be kept.
const EN_NEGATIONS: [&str; 9] =
    ["can't", "cannot", "can not", "don't", "do not", "didn't", "did not", "couldn't", "never"];
/// Where it is to be kept for everybody in the project, beside the asking word or at the beginning.
const PROJECT: [&str; 14] = [
    "for this project",
    "for the project",
    "for our project",
    "in the project memory",
    "in the project's memory",
    "to the project memory",
    "in project memory",
    "이 프로젝트 메모리에",
    "프로젝트 메모리에",
    "이 프로젝트용으로",
    "우리 프로젝트용으로",
    "이 프로젝트에",
    "우리 프로젝트에",
    "프로젝트에",
];
/// Before such words: it is another project.
const OTHER: [&str; 3] = ["다른", "저", "그"];

/// `None`: it asks to keep something in mind and does not say what.
pub fn request(message: &str) -> Option<RememberRequest> {
    let (scope, text) = scoped(message);
    let line = asked(&text)?;
    (line.chars().any(char::is_alphanumeric)).then_some(RememberRequest { scope, line })
}

/// The text without the words that name the project's memory. What stands elsewhere in a sentence is part of what
/// it says: others read that memory, so in doubt it is the person's own.
fn scoped(message: &str) -> (MemoryScope, String) {
    let lower = message.to_ascii_lowercase();
    for phrase in PROJECT {
        let Some(at) = word(&lower, phrase) else { continue };
        let before = message.get(..at).unwrap_or_default();
        let behind = message.get(at + phrase.len()..).unwrap_or_default();
        if names_memory(trimmed(before), trimmed(behind)) {
            return (MemoryScope::Project, [before.trim_end(), behind].join(" "));
        }
    }
    (MemoryScope::User, message.to_owned())
}

fn names_memory(before: &str, behind: &str) -> bool {
    let (before, behind) = (before.to_ascii_lowercase(), behind.to_ascii_lowercase());
    let rest = KO_ADVERBS.iter().find_map(|word| behind.strip_prefix(word)).unwrap_or(&behind);
    let asks = KO_ASKS.iter().any(|ask| rest.trim_start().starts_with(ask))
        || EN_ASKS.iter().any(|ask| behind.starts_with(ask) || before.ends_with(ask));
    let begins = without_tails(&before).is_empty() && behind.is_ascii();
    (asks || begins) && !OTHER.iter().any(|other| before.ends_with(other))
}

fn asked(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    // The first one; of several there, the longest.
    let places = EN_ASKS.iter().filter_map(|ask| Some((word(&lower, ask)?, ask.len())));
    let english = places.min_by_key(|(at, length)| (*at, usize::MAX - length));
    let korean = KO_ASKS.iter().filter_map(|ask| Some((text.rfind(ask)?, ask.len()))).max();
    match (korean, english) {
        (Some((at, length)), _) => korean_line(text, at, length),
        (None, Some((at, length))) => english_line(text, at, length),
        // `from now on` is part of what it says.
        (None, None) => said(text),
    }
}

/// Where this stands as words of their own.
fn word(text: &str, wanted: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(wanted).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default().chars().next_back();
        let behind = text.get(at + wanted.len()..).unwrap_or_default().chars().next();
        !before.is_some_and(is_letter) && !behind.is_some_and(is_letter)
    })
}

fn english_line(text: &str, at: usize, length: usize) -> Option<String> {
    let before = text.get(..at).unwrap_or_default();
    let lower = before.trim_end().to_ascii_lowercase();
    if EN_NEGATIONS.iter().any(|not| lower.ends_with(not)) {
        return None;
    }
    let mut behind = text.get(at + length..).unwrap_or_default();
    while let Some(rest) = EN_LEADS.iter().find_map(|lead| without_lead(behind, lead)) {
        behind = rest;
    }
    said(without_tails(behind)).or_else(|| said(without_tails(before)))
}

fn without_lead<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let text = trimmed(text);
    let rest = text.get(lead.len()..)?;
    let is_lead = text.get(..lead.len())?.eq_ignore_ascii_case(lead);
    (is_lead && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\'')).then_some(rest)
}

fn without_tails(text: &str) -> &str {
    let mut text = trimmed(text);
    let tail = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let ends = |tail: &&&str| {
            let Some(before) = lower.strip_suffix(**tail) else { return false };
            !before.ends_with(char::is_alphanumeric)
        };
        EN_TAILS.iter().find(ends).map(|tail| tail.len())
    };
    while let Some(length) = tail(text) {
        text = trimmed(text.get(..text.len() - length).unwrap_or_default());
    }
    text
}

fn korean_line(text: &str, at: usize, length: usize) -> Option<String> {
    let mut before = trimmed(text.get(..at).unwrap_or_default()).to_owned();
    loop {
        let adverb = KO_ADVERBS.iter().find_map(|word| before.strip_suffix(word));
        if let Some(rest) = adverb.filter(|rest| rest.is_empty() || rest.ends_with(' ')) {
            before = trimmed(rest).to_owned();
            continue;
        }
        let ending = KO_ENDINGS.iter().find_map(|(end, left)| {
            let stem = before.strip_suffix(end)?;
            // `좀` and the like are words; an ending stands on one.
            Some(format!("{}{left}", trimmed(stem)))
        });
        match ending {
            Some(shorter) if shorter != before => before = shorter,
            Some(_) | None => break,
        }
        if before.ends_with('다') || before.ends_with("하기") {
            break;
        }
    }
    said(&before).or_else(|| said(behind_request(text.get(at + length..).unwrap_or_default())))
}

/// `기억해줘: 주간회의는 화요일`
fn behind_request(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = KO_REQUESTS.iter().find_map(|word| {
        let rest = text.trim_start().strip_prefix(word)?;
        (!rest.starts_with(char::is_alphanumeric)
            || KO_REQUESTS.iter().any(|w| rest.starts_with(w)))
        .then_some(rest)
    }) {
        text = rest;
    }
    text
}

fn trimmed(text: &str) -> &str {
    let mark =
        |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '.' | '!' | '?' | '~' | '-');
    text.trim_start_matches(mark).trim_end_matches(mark)
}

fn said(text: &str) -> Option<String> {
    let text = trimmed(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    (!text.is_empty()).then(|| lines.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::{MemoryScope, RememberRequest, request};

    #[test]
    fn the_asking_words_are_taken_off() {
        for (message, line) in [
            ("remember that I like tea", "I like tea"),
            (
                "please remember that our fiscal year starts in april",
                "our fiscal year starts in april",
            ),
            ("Remember: prices in KRW, please.", "prices in KRW"),
            ("My name is Kim, can you remember that?", "My name is Kim"),
            ("keep in mind that I use tabs", "I use tabs"),
            ("from now on answer in one sentence", "from now on answer in one sentence"),
            ("내 이름은 민수라고 기억해줘", "내 이름은 민수"),
            ("내 이름은 지훈이야 기억해둬", "내 이름은 지훈이야"),
            ("내 생일은 3월 14일이야, 꼭 기억해 줘.", "내 생일은 3월 14일이야"),
            (
                "앞으로 보고서는 항상 reports 폴더에 둔다는 거 기억해",
                "앞으로 보고서는 항상 reports 폴더에 둔다",
            ),
            ("나 매운거 못먹는다는거 기억해둬", "나 매운거 못먹는다"),
            ("한국어로 대답하라고 기억해 주세요", "한국어로 대답하기"),
            ("기억해줘: 주간회의는 화요일", "주간회의는 화요일"),
            ("기억해 주세요. 나는 탭을 쓴다", "나는 탭을 쓴다"),
            ("나는 채식주의자라는 걸 잊지 마", "나는 채식주의자"),
            ("remember that I do not note that", "I do not note that"),
            ("remember:\nshort answers\n\nand tabs", "short answers and tabs"),
        ] {
            let line = line.to_owned();
            assert_eq!(
                request(message),
                Some(RememberRequest { scope: MemoryScope::User, line }),
                "{message}"
            );
        }
    }

    #[test]
    fn the_project_is_named_in_so_many_words() {
        for (message, line) in [
            ("for this project, remember that we use Rust", "we use Rust"),
            ("Remember for this project: tabs, not spaces", "tabs, not spaces"),
            (
                "Please keep in mind for our project that we deploy on Fridays",
                "we deploy on Fridays",
            ),
            ("우리 프로젝트에 꼭 기억해줘: 배포는 금요일", "배포는 금요일"),
            ("이 프로젝트에 기억해줘: 배포는 금요일", "배포는 금요일"),
            ("배포는 금요일이라고 프로젝트 메모리에 기억해줘", "배포는 금요일"),
        ] {
            let line = line.to_owned();
            assert_eq!(
                request(message),
                Some(RememberRequest { scope: MemoryScope::Project, line }),
                "{message}"
            );
        }
        let scope = |message| request(message).map(|asked| asked.scope);
        for message in [
            "remember that this project uses Rust",
            "remember that my deadline for the project is Friday",
            "remember that we deploy on Fridays for our project",
            "이 프로젝트는 Rust를 쓴다고 기억해줘",
            "나는 다음 달에 다른 프로젝트에 합류한다고 기억해줘",
            "다른 프로젝트에 기억해줘: 배포는 금요일",
        ] {
            assert_eq!(scope(message), Some(MemoryScope::User), "{message}");
        }
        let kept =
            request("나는 다음 달에 다른 프로젝트에 합류한다고 기억해줘").map(|asked| asked.line);
        assert_eq!(kept.as_deref(), Some("나는 다음 달에 다른 프로젝트에 합류한다"));
    }

    #[test]
    fn without_anything_to_keep_there_is_none() {
        for message in [
            "remember this",
            "Please remember that.",
            "기억해줘",
            "이거 기억해줘",
            "꼭 기억해 주세요!",
            "I can't remember that, sorry",
            "I do not remember this",
        ] {
            assert_eq!(request(message), None, "{message}");
        }
    }
}
