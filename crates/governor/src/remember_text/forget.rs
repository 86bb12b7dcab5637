//! `기억을 지워줘`, `내 생일은 잊어줘`, `forget my birthday`: a request to forget. Nothing here carries one out, and no model
//! may claim that it did. In doubt there is none: what else was asked would be lost.

use super::{
    english::{begins, without_courtesy, word},
    korean::{after_request, is_asked, names_a_speaker, without_thanks, without_word},
    wish::{is_in, trimmed, words},
};
use wiiiv_domain::{composed, unquoted};

/// What is to be forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgetting {
    /// What a memory keeps, in so many words.
    Memory,
    /// Something that was said. With a task at hand it may be the task that is meant.
    Said,
}

const FORGETS: [(&str, &str); 3] =
    [("잊", "어버리|어버려|어|으"), ("까먹", "어버리|어버려|어|으"), ("기억하지", "마|말")];
/// They take away what is named before them.
const REMOVES: [(&str, &str); 6] = [
    ("지", "워버려|워|우"),
    ("삭제", "해|하|부탁해|부탁드려|바랍니다"),
    ("비", "워|우"),
    ("없", "애버려|애"),
    ("빼", ""),
    ("초기화", "해|하|부탁해|부탁드려|바랍니다"),
];
/// Without a further verb they tell or ask as well as they request.
const PLAIN: &str = "어|어요|어버려|어버려요|어버리|으|워|워요|워버려|우|해|해요|하|애|애요|애버려";
/// Between the memory and the asking word they say nothing of their own.
const HOW_MUCH: &str = "다|전부|모두|모조리|싹|좀|제발|이제|그만|당장";
const KEPT: &str = "기억|기억을|기억도|기억은|메모리|메모리를|메모리도|메모리는|메모리 내용|메모리 내용을|\
                    기억한 거|기억한 걸|기억한 것|기억한 것을|기억한 내용|기억한 내용을|\
                    기억해둔 거|기억해둔 걸|기억해둔 것|기억해둔 것을|기억해둔 내용|기억해둔 내용을|\
                    기억하는 거|기억하는 걸|기억하는 것|기억하는 것을|기억하는 내용|기억하는 내용을|\
                    기억하고 있는 거|기억하고 있는 걸|기억하고 있는 것|기억하고 있는 것을|\
                    기억하고 있는 내용|기억하고 있는 내용을";
/// Whose memory it is, or of what.
const OF_WHOM: &str = "내|제|나의|저의|네|니|너의|우리|이 프로젝트|이 프로젝트의|프로젝트";
const ABOUT: &str = "에 대한|에 관한";
/// From where something is to be taken away.
const FROM: &str =
    "기억에서|메모리에서|네 기억에서|내 메모리에서|제 메모리에서|프로젝트 메모리에서";
const REMEMBERS: &str = "기억";
/// Last letters of another job before it.
const JOB_ENDS: &str = "주고|하고";

const FORGET: &str = "forget|don't remember|do not remember|stop remembering|no longer remember";
/// Of the author: `forget gates` and `forget the meeting` may be about anything.
const OWN: &str = "my|our|about my|about our|what i|what you know|everything i|all i|\
                   that i|that i'm|that my|that we|that our";
/// The author themselves.
const AUTHOR: &str = "me|about me|everything about me|all about me";
const REMOVE: &str = "delete|erase|clear|remove|wipe|forget";
const JOINS: &str = "and|but|then|instead";
const MEMORY: &str = "memory|memories";
const WHOSE: &str =
    "|my|your|our|the|all|all my|all your|all the|the project|this project's|the project's";
const OF_MEMORY: &str = "what you remember|everything you remember|all you remember|what you know about me|\
                         everything you know about me|all you know about me";

/// `None`: it asks for nothing to be forgotten, or for something else as well.
pub fn forgetting(message: &str) -> Option<Forgetting> {
    let message = composed(message);
    let text = trimmed(&message);
    let open = unquoted(text).to_ascii_lowercase();
    let is_one = !open.trim_end_matches(['.', '!', '?']).contains(['\n', '.', '!', '?', ';', ':']);
    korean(text, &open).or_else(|| is_one.then(|| english(&open)).flatten())
}

fn korean(text: &str, open: &str) -> Option<Forgetting> {
    // What stands before the request, and whether its form says no more.
    let requested = |(stem, forms): (&str, &str)| {
        let at = open.rfind(stem)?;
        let behind = open.get(at + stem.len()..)?;
        let (after, _) = after_request(behind, forms)?;
        let form = behind.get(..behind.len() - after.len())?.trim();
        let (before, is_plain) = (text.get(..at)?, is_in(PLAIN, form));
        let is_end = !after.starts_with('?') && without_thanks(after).is_empty();
        let is_asking = is_plain && is_asked(before);
        let is_alone = !before.contains(['.', '!', '?', ';', '\n']) && !names_a_speaker(before);
        let ends_job = |word: &str| words(JOB_ENDS).any(|end| word.ends_with(end));
        let has_job =
            before.split_whitespace().any(|word| ends_job(word) && !word.starts_with(REMEMBERS));
        (is_end && is_alone && !is_asking && !has_job).then_some((trimmed(before), is_plain))
    };
    let said = FORGETS.into_iter().filter_map(requested).any(|(_, is_plain)| !is_plain);
    let of_memory =
        || REMOVES.into_iter().filter_map(requested).any(|(before, _)| names_memory(before));
    if said { Some(Forgetting::Said) } else { of_memory().then_some(Forgetting::Memory) }
}

fn names_memory(before: &str) -> bool {
    let mut what = before;
    while let Some(rest) = words(HOW_MUCH).find_map(|word| without_word(what, word)) {
        what = trimmed(rest);
    }
    let from = |place: &str| {
        let last = without_word(what, place).is_some();
        last || what.strip_prefix(place).is_some_and(|rest| rest.starts_with(' '))
    };
    let of_whom = |rest: &str| {
        let rest = trimmed(rest);
        rest.is_empty() || is_in(OF_WHOM, rest) || words(ABOUT).any(|end| rest.ends_with(end))
    };
    words(FROM).any(from) || words(KEPT).filter_map(|kept| without_word(what, kept)).any(of_whom)
}

fn english(open: &str) -> Option<Forgetting> {
    // Behind one of these something else is asked for: `forget my question and tell me a joke`.
    let is_one =
        |rest: &str| !rest.contains(',') && words(JOINS).all(|by| word(rest, by).is_none());
    let asked = |verb: &str| {
        let at = word(open, verb)?;
        begins(open.get(..at)?)?;
        Some(without_courtesy(open.get(at + verb.len()..)?)).filter(|rest| is_one(rest))
    };
    let of_memory = |rest: &str| {
        let (before, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let whose = |whose: &str| before == whose || before.ends_with(&format!("from {whose}"));
        is_in(MEMORY, last) && words(WHOSE).any(whose) || is_in(OF_MEMORY, rest)
    };
    let begins_with =
        |rest: &str, own: &str| rest.strip_prefix(own).is_some_and(|of| of.starts_with(' '));
    let of_author =
        |rest: &str| is_in(AUTHOR, rest) || words(OWN).any(|own| begins_with(rest, own));
    if words(REMOVE).filter_map(asked).any(of_memory) {
        return Some(Forgetting::Memory);
    }
    words(FORGET).filter_map(asked).any(of_author).then_some(Forgetting::Said)
}

#[cfg(test)]
mod tests {
    use super::{Forgetting, forgetting};

    #[track_caller]
    fn asks(wanted: Option<Forgetting>, messages: &[&str]) {
        for message in messages {
            assert_eq!(forgetting(message), wanted, "{message}");
        }
    }

    #[test]
    fn a_request_to_forget_is_known_in_both_languages() {
        asks(
            Some(Forgetting::Memory),
            &[
                "기억 지워줘",
                "기억을 전부 지워 주세요",
                "네 기억에서 내 생일을 지워줘",
                "메모리 비워줘",
                "내 메모리를 비워 주세요. 고마워요",
                "메모리에서 내 생일 삭제해줘",
                "내 생일에 대한 기억을 지워줘",
                "기억하고 있는 거 다 지워",
                "메모리 초기화해줘",
                "기억에서 차 마신다는 거 빼줘",
                "delete my memory",
                "forget the project memory",
                "wipe all memories",
                "please remove my name from your memory",
                "forget what you know about me",
                "Erase everything you know about me, please.",
            ],
        );
        asks(
            Some(Forgetting::Said),
            &[
                "내 생일은 잊어줘",
                "아까 말한 거 잊어버려줘",
                "이제 잊어 주세요. 고마워",
                "까먹어줘",
                "내 생일은 기억하지 마",
                "내 생일은 \u{110b}\u{1175}\u{11bd}\u{110b}\u{1165}\u{110c}\u{116f}",
                "forget my birthday",
                "please forget me",
                "don't remember my birthday",
                "stop remembering that I drink tea",
                "please forget that I like tea",
                "can you forget what I told you?",
                "Forget about my allergy, please.",
            ],
        );
    }

    #[test]
    fn another_job_a_story_and_a_question_are_none() {
        asks(
            None,
            &[
                "잊지 마",
                "내가 잊어버린 게 뭐야",
                "비밀번호를 잊어버렸어",
                "비밀번호를 자꾸 까먹어요",
                "왜 자꾸 잊어버려?",
                "재시작하면 메모리 초기화해?",
                "언제 메모리를 비워?",
                "김부장: 다 잊어줘",
                "'잊어줘'라는 말을 싫어해",
                "크롬 메모리 비워줘",
                "메모리 누수 코드 지워줘",
                "메모리.md 지워줘",
                "기억 파일 삭제해줘",
                "잊어줘. 그리고 a.txt에 'x'라고 써줘",
                "오늘 날씨 알려줘. 아까 건 잊어줘",
                "회의록 요약해주고 아까 건 잊어줘",
                "이 메일 요약해줘\n다 잊어줘\n김부장",
                "don't forget my birthday",
                "did you forget my name",
                "I forget things",
                "forget",
                "forget the meeting, what is the weather",
                "forget my question and tell me a joke",
                "forget it. Write 'x' to a.txt",
                "forget gates in LSTMs",
                "forget me not 꽃이 뭐야?",
                "I don't remember my password",
                "Delete the memory of order 5 from skymall",
                "사람은 왜 기억을 잊어버려?",
                "clear the cache memory",
                "remove the memory leak in main.rs",
                "delete memory.txt",
                "\"forget my name\" is what he said",
            ],
        );
    }
}
