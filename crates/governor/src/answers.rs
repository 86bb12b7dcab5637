//! What code finds wrong with an answer in words, from the answer and from what its model was shown. It is meant for
//! what can be seen without understanding it: where it errs, an answer is looked at once more or marked, never withheld. The
//! words that it looks for are `config/answers.toml`.

use std::collections::BTreeSet;
use wiiiv_context::{Intent, Prompt, Rendered as _, answer_words, breaks_guardrail};
use wiiiv_domain::{AnswerFinding, ExecutionId, Lang};

/// Of an answer that refuses and gives no reason, in Unicode scalar values: a longer one says more.
const REFUSAL_CHARS_MAX: usize = 200;
/// A shorter question, such as a greeting, is given back by many an answer.
const QUESTION_CHARS_MIN: usize = 8;
/// Letters of another language that are more than a name.
const LETTERS_MIN: usize = 20;
/// Of an English sentence of that length, different ones of its words.
const ENGLISH_WORDS_MIN: usize = 2;
/// Of an id as records write it.
const ID_BYTES: usize = 36;

/// No line of prose has these.
const SIGNS_OF_CODE: &str = "={}<>$#|\\;";

/// `prompt`: what the model was shown that answered.
pub fn findings(prompt: &Prompt, answer: &str) -> BTreeSet<AnswerFinding> {
    let parts = prompt.parts();
    // Of a run code itself says what it came to, where the model says nothing.
    let reports = parts.facts.is_some();
    if answer.trim().is_empty() {
        return if reports { BTreeSet::new() } else { BTreeSet::from([AnswerFinding::Empty]) };
    }
    let asks_in_language = holds(&plain(&parts.message), &answer_words().languages);
    let all = [
        (AnswerFinding::Repeats, !reports && repeats(answer, &parts.message)),
        (AnswerFinding::Refuses, refuses(answer)),
        (AnswerFinding::Language, !asks_in_language && is_foreign(answer, parts.language)),
        (AnswerFinding::UnknownName, names_unknown(answer, prompt.user())),
        (AnswerFinding::Guardrail, breaks_guardrail(answer, &parts.guardrails)),
    ];
    all.into_iter().filter_map(|(finding, is_so)| is_so.then_some(finding)).collect()
}

/// With one kind of apostrophe.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

fn holds(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| text.contains(word.as_str()))
}

fn is_in(word: &str, words: &[String]) -> bool {
    words.iter().any(|known| known == word)
}

/// A greeting or a line to be said again is given back for good reason.
fn is_question(message: &str) -> bool {
    match Intent::of(message) {
        Some(Intent::Conversation) => false,
        Some(Intent::Comparison | Intent::Analysis | Intent::Facts) => true,
        None => message.trim_end().ends_with(['?', '？']),
    }
}

fn repeats(answer: &str, question: &str) -> bool {
    if !is_question(question) {
        return false;
    }
    let letters = |text: &str| -> String {
        text.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
    };
    let (answer, question) = (letters(answer), letters(question));
    let (said, asked) = (answer.chars().count(), question.chars().count());
    asked >= QUESTION_CHARS_MIN && said <= asked + asked / 2 && answer.contains(&question)
}

/// Whatever it says beside that it cannot is taken for its reason.
fn refuses(answer: &str) -> bool {
    let (said, words) = (plain(answer), answer_words());
    let is_short = said.chars().nth(REFUSAL_CHARS_MAX).is_none();
    let sentences = said.split(['.', '!', '?', '\n']).map(str::trim);
    let says = |sentence: &&str| !sentence.is_empty() && !is_in(sentence, &words.apologies);
    let others = sentences.filter(says).count();
    is_short && others < 2 && holds(&said, &words.refusals) && !holds(&said, &words.reasons)
}

/// Not a word in the language that is spoken; names in another are no other language, and code is none.
fn is_foreign(answer: &str, spoken: Lang) -> bool {
    let is_korean =
        |c: char| matches!(c, '가'..='힣' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}');
    let letters = answer.chars().filter(|c| c.is_alphabetic());
    let [korean, latin, others] = letters.fold([0_usize; 3], |[korean, latin, others], c| {
        if is_korean(c) {
            [korean + 1, latin, others]
        } else if c.is_ascii() {
            [korean, latin + 1, others]
        } else {
            [korean, latin, others + 1]
        }
    });
    match spoken {
        Lang::Ko => {
            let is_long = latin + others >= LETTERS_MIN;
            korean == 0 && is_long && (others > latin || is_english(answer))
        }
        Lang::En => korean + others > latin && korean + others >= LETTERS_MIN / 2,
    }
}

/// A sentence, outside backticks and lines of code.
fn is_english(answer: &str) -> bool {
    let prose = answer.split('`').step_by(2).flat_map(str::lines);
    let prose = prose.filter(|line| !line.contains(|c: char| SIGNS_OF_CODE.contains(c)));
    let words: BTreeSet<String> = prose
        .flat_map(str::split_whitespace)
        .map(|word| plain(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .map(|word| word.split('\'').next().unwrap_or_default().to_owned())
        .filter(|word| is_in(word, &answer_words().english))
        .collect();
    words.len() >= ENGLISH_WORDS_MIN
}

/// A run, or a file that something was done with.
fn names_unknown(answer: &str, shown: &str) -> bool {
    let shown = shown.to_lowercase();
    plain(answer).lines().any(|line| {
        let acts = holds(line, &answer_words().claims);
        line.split(|c: char| c.is_whitespace() || MARKS.contains(c)).any(|word| {
            let run = run_id(word).is_some_and(|id| !shown.contains(id));
            let file = || file_name(word).is_some_and(|name| !shown.contains(name));
            run || (acts && file())
        })
    })
}

/// Around names.
const MARKS: &str = "\"'`“”‘’「」『』()[]{}<>,;:|*";

fn run_id(word: &str) -> Option<&str> {
    let id = word.get(..ID_BYTES)?;
    (id.contains('-') && id.parse::<ExecutionId>().is_ok()).then_some(id)
}

/// Korean puts endings right behind a name. An address is none, and `Node.js` is no file.
fn file_name(word: &str) -> Option<&str> {
    if word.starts_with("//") || word.starts_with("www.") {
        return None;
    }
    let name = word.match_indices('.').find_map(|(dot, _)| {
        let behind = word.get(dot + 1..)?;
        let end = behind.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(behind.len());
        let extension = behind.get(..end)?;
        let is_product = extension == "js" && !word.contains('/');
        let is_known = is_in(extension, &answer_words().extensions) && !is_product;
        if dot > 0 && is_known { word.get(..dot + 1 + end) } else { None }
    })?;
    Some(name.trim_start_matches("./"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_context::{MemoryBlocks, PROMPT_TOKENS_MAX, PromptParts, RuleBook, RunFacts};
    use wiiiv_domain::{Guardrail, Slots};

    fn parts(language: Lang, message: &str) -> PromptParts {
        PromptParts {
            fence: "0123456789abcdef0123456789abcdef".to_owned(),
            guardrails: BTreeSet::from([Guardrail::Medical]),
            memory: MemoryBlocks::default(),
            profile: None,
            language,
            task: None,
            suspended: Vec::new(),
            waiting: Vec::new(),
            revision: Vec::new(),
            facts: None,
            documents: None,
            checked: None,
            earlier_run: false,
            ran: Slots::default(),
            systems: std::sync::Arc::default(),
            unreached: BTreeSet::default(),
            long_term: None,
            history: Vec::new(),
            message: message.to_owned(),
        }
    }

    fn found(parts: PromptParts, answer: &str) -> Vec<AnswerFinding> {
        let bytes = |text: &str| text.len() as u64;
        let prompt = Prompt::new(&RuleBook::embedded(), parts, PROMPT_TOKENS_MAX, bytes).unwrap();
        findings(&prompt, answer).into_iter().collect()
    }

    /// A message, an answer with one fault, that fault, and an answer without it.
    type Twin<'a> = (Lang, &'a str, &'a str, AnswerFinding, &'a str);

    fn told_apart(twins: &[Twin<'_>]) {
        for (language, message, wrong, finding, fine) in twins {
            assert_eq!(found(parts(*language, message), wrong), [*finding], "{wrong}");
            assert_eq!(found(parts(*language, message), fine), [], "{fine}");
        }
    }

    #[test]
    fn each_fault_of_the_wording_is_found_and_its_benign_twin_is_not() {
        use AnswerFinding::{Guardrail, Language, Refuses, Repeats};
        use Lang::{En, Ko};
        let days = "휴가는 며칠인지 인사 규정에서 보시면 됩니다. 지금은 알 수 없습니다.";
        let refused = "I'm sorry, but I can’t help with that.";
        let reasoned = "I can't help with that because no file was read.";
        let english = "There are three plans to choose from.";
        told_apart(&[
            (Ko, "휴가는 며칠인가요?", "휴가는 며칠인가요", Repeats, days),
            (En, "How long is it?", "How long is it?", Repeats, "How long? Fifteen days."),
            (
                Ko,
                "도와줘",
                "죄송하지만 도와드릴 수 없습니다.",
                Refuses,
                "권한이 필요해 도와드릴 수 없습니다.",
            ),
            (En, "Tell me", refused, Refuses, reasoned),
            (Ko, "뭐가 있어?", english, Language, "Plan A, Plan B, Plan C가 있습니다."),
            (
                En,
                "What is there?",
                "요금제는 세 가지가 있습니다.",
                Language,
                "There are three: 알뜰, 기본, 최고.",
            ),
            (Ko, "머리가 아파", "편두통으로 진단합니다.", Guardrail, "의사의 진찰을 받으세요."),
        ]);
    }

    #[test]
    fn a_file_or_run_that_nobody_named_is_found_and_its_benign_twin_is_not() {
        use AnswerFinding::UnknownName;
        use Lang::{En, Ko};
        let run = "01890a5d-ac96-774b-bcce-b302099a8057";
        let another = "01890a5d-ac96-774b-bcce-000000000000 입니다.";
        let (shown, other) = (format!("그 실행은 {run}입니다."), format!("Run {run} is done."));
        let of_run = format!("{run} 결과가 뭐야?");
        let written = "보고.txt에 저장했습니다.";
        told_apart(&[
            (Ko, "적어 뒀어?", written, UnknownName, "적어 두지 않았습니다."),
            (Ko, "보고.txt 는?", "보고서.md 에 적었습니다.", UnknownName, written),
            (Ko, of_run.as_str(), another, UnknownName, shown.as_str()),
            (En, "And?", other.as_str(), UnknownName, "It is done."),
            (En, "Done?", "I have written zebra77.txt.", UnknownName, "I have written it down."),
        ]);
    }

    #[test]
    fn what_is_asked_for_in_another_language_or_named_as_an_example_is_no_fault() {
        let english = "The meeting is at three o'clock tomorrow.";
        assert_eq!(found(parts(Lang::Ko, "영어로 번역해 줘: 내일 세 시 회의"), english), []);
        let example = "Put it into Cargo.toml, then run the build.";
        assert_eq!(found(parts(Lang::En, "How do I add a dependency?"), example), []);
        let address = "https://example.com/a.html 에 있습니다.";
        assert_eq!(found(parts(Lang::Ko, "어디에 있어?"), address), []);
    }

    fn without_a_finding(of: &[(Lang, &str, &str)]) {
        for (language, message, answer) in of {
            assert_eq!(found(parts(*language, message), answer), [], "{message}: {answer}");
        }
    }

    #[test]
    fn what_is_asked_for_in_a_language_or_is_code_is_in_no_other_language() {
        let translated = "これは日本語で書かれた一つの短い文章の例です。";
        let sentence = "There are three plans that you can choose from.";
        without_a_finding(&[
            (Lang::Ko, "이 문장을 일본어로 써 줘: 이것은 짧은 글입니다", translated),
            (Lang::Ko, "이 글을 영어로 써 줘", sentence),
            (
                Lang::En,
                "Write this in Korean: there are three plans",
                "요금제는 세 가지가 있습니다.",
            ),
            (Lang::Ko, "명령어만 알려줘", "find /var/log -name \"*.log\" -mtime +7 -delete"),
            (Lang::Ko, "명령만", "docker compose up --build --detach --remove-orphans"),
            (Lang::Ko, "쿼리만", "SELECT id, total FROM orders WHERE it = 'this' AND you > 3;"),
            (
                Lang::Ko,
                "코드만",
                "```\n// this is where the total is made\nreturn total(orders)\n```",
            ),
            (Lang::Ko, "주소만 알려 줘", "https://example.com/this/is/the/longest-address"),
            (Lang::Ko, "제목만 말해 줘", "The Hitchhiker's Guide to the Galaxy"),
        ]);
        // What is written without a reason is found all the same.
        let language = [AnswerFinding::Language];
        assert_eq!(found(parts(Lang::Ko, "이것을 설명해 줘"), translated), language);
        assert_eq!(found(parts(Lang::Ko, "이것을 설명해 줘"), sentence), language);
    }

    #[test]
    fn a_product_and_what_is_known_of_files_in_general_are_no_unknown_name() {
        without_a_finding(&[
            (Lang::Ko, "서버는 뭐로 만들어?", "Node.js나 Spring이 널리 쓰이고 있습니다."),
            (Lang::Ko, "서버는 뭐로 만들었어?", "Node.js로 만들었습니다."),
            (Lang::Ko, "의존성은 어디에 있어?", "의존성은 Cargo.toml에 적혀 있습니다."),
            (
                Lang::En,
                "Where are they?",
                "Dependencies are in package.json, which contains names.",
            ),
        ]);
        let wrong = "scripts/app.js에 저장했습니다.";
        assert_eq!(found(parts(Lang::Ko, "저장했어?"), wrong), [AnswerFinding::UnknownName]);
    }

    #[test]
    fn a_greeting_or_a_line_to_be_said_again_is_no_question_given_back() {
        without_a_finding(&[
            (Lang::Ko, "좋은 하루 보내세요", "좋은 하루 보내세요!"),
            (Lang::En, "Good morning!", "Good morning!"),
            (Lang::En, "How are you?", "How are you?"),
            (Lang::En, "Nice to meet you all", "Nice to meet you all!"),
        ]);
        let asked = "두 요금제를 비교해 줘";
        assert_eq!(found(parts(Lang::Ko, asked), asked), [AnswerFinding::Repeats]);
    }

    #[test]
    fn whatever_a_refusal_says_beside_it_is_its_reason() {
        without_a_finding(&[
            (Lang::Ko, "급여를 알려 줘", "알려드릴 수 없습니다. 급여 자료가 등록되지 않았습니다."),
            (Lang::En, "Open it", "I can't do that. The file is locked by somebody."),
        ]);
        for bare in ["죄송합니다. 답변드릴 수 없습니다.", "도와드릴 수 없습니다!"]
        {
            assert_eq!(found(parts(Lang::Ko, "해 줘"), bare), [AnswerFinding::Refuses], "{bare}");
        }
    }

    #[test]
    fn an_answer_without_a_word_is_empty_unless_code_reports_on_a_run() {
        assert_eq!(found(parts(Lang::Ko, "안녕"), " \n"), [AnswerFinding::Empty]);
        let execution = ExecutionId::from_uuid(uuid::Uuid::nil());
        let facts = Some(RunFacts { execution, steps: Vec::new() });
        assert_eq!(found(PromptParts { facts, ..parts(Lang::Ko, "안녕") }, ""), []);
    }
}
