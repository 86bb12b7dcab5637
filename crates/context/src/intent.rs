//! How a question wants to be answered, by the words of the message: rules in `config/intents.toml` alone, the same for
//! the same words. Where they say nothing a model's own task type decides, by the rules above the boundary.

use crate::plain_words::{ListedWords, PlainWords, SoughtWord};
use serde::Deserialize;
use std::sync::LazyLock;

const FILE: &str = include_str!("../../../config/intents.toml");
/// Of a message, in Unicode scalar values: a question stands at its beginning.
const LOOKED_AT_CHARS_MAX: usize = 1_000;

/// As they were at build; a test holds that they can be read.
static WORDS: LazyLock<Option<Words>> =
    LazyLock::new(|| toml::from_str::<File>(FILE).ok().map(Words::of));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    conversation: ListedWords,
    comparison: ListedWords,
    analysis: ListedWords,
    facts: ListedWords,
}

struct Words {
    conversation: Vec<SoughtWord>,
    comparison: Vec<SoughtWord>,
    analysis: Vec<SoughtWord>,
    facts: Vec<SoughtWord>,
}

impl Words {
    fn of(file: File) -> Self {
        let File { conversation, comparison, analysis, facts } = file;
        Self {
            conversation: conversation.sought(),
            comparison: comparison.sought(),
            analysis: analysis.sought(),
            facts: facts.sought(),
        }
    }
}

/// What a question is after. Declaration order is the order in which they are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Intent {
    /// A greeting, thanks: a short answer.
    Conversation,
    /// Things beside each other: a table.
    Comparison,
    /// Reasons and what follows: in detail.
    Analysis,
    /// What, when, where, who, how many: a list.
    Facts,
}

impl Intent {
    pub const ALL: [Self; 4] = [Self::Conversation, Self::Comparison, Self::Analysis, Self::Facts];

    /// As prompts name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Comparison => "comparison",
            Self::Analysis => "analysis",
            Self::Facts => "facts",
        }
    }

    /// By the words of a message, those within quotation marks aside. `None`: they do not say.
    #[must_use]
    pub fn of(message: &str) -> Option<Self> {
        let words = WORDS.as_ref()?;
        let message = PlainWords::of(&unquoted(message));
        let has = |list: &[SoughtWord]| list.iter().any(|word| message.holds(word));
        Self::ALL.into_iter().find(|intent| match intent {
            Self::Conversation => words.conversation.iter().any(|word| message.is(word)),
            Self::Comparison => has(&words.comparison),
            Self::Analysis => has(&words.analysis),
            Self::Facts => has(&words.facts),
        })
    }
}

/// The beginning, without what is quoted; a mark that is never closed hides the rest.
fn unquoted(message: &str) -> String {
    let mut own = String::new();
    let mut until = None;
    for c in message.chars().take(LOOKED_AT_CHARS_MAX) {
        match until {
            Some(close) if c == close => until = None,
            Some(_) => {}
            None => {
                until = closing(c);
                own.push(if until.is_some() { ' ' } else { c });
            }
        }
    }
    own
}

const fn closing(open: char) -> Option<char> {
    match open {
        '"' | '`' => Some(open),
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '『' => Some('』'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read_and_written_as_they_are_compared() {
        let words = WORDS.as_ref().unwrap();
        let lists = [&words.conversation, &words.comparison, &words.analysis, &words.facts];
        for word in lists.into_iter().flatten() {
            let SoughtWord(text) = word;
            assert!(PlainWords::of(text).is(word), "`{text}` is never found as it is written");
        }
    }

    #[test]
    fn words_say_how_a_question_wants_to_be_answered() {
        use Intent::{Analysis, Comparison, Conversation, Facts};
        for (message, due) in [
            ("안녕하세요!", Some(Conversation)),
            ("고마워요", Some(Conversation)),
            ("Thank you very much.", Some(Conversation)),
            ("두 요금제를 비교해 줘", Some(Comparison)),
            ("A랑 B의 차이가 뭐예요?", Some(Comparison)),
            ("Compare plan A and plan B", Some(Comparison)),
            ("tea vs coffee?", Some(Comparison)),
            ("왜 하늘은 파란가요?", Some(Analysis)),
            ("매출이 줄어든 원인을 분석해줘", Some(Analysis)),
            ("Explain how the budget works", Some(Analysis)),
            ("휴가는 며칠이고 언제 쓸 수 있어?", Some(Facts)),
            ("우리 팀에는 누가 있어?", Some(Facts)),
            ("Which cities have an office?", Some(Facts)),
            ("how many people work here", Some(Facts)),
            ("메모.txt 에 '오늘은 쉬기' 라고 써줘", None),
            ("notes/today.md 를 지워 줘", None),
            ("Write the report to report.md", None),
            ("", None),
        ] {
            assert_eq!(Intent::of(message), due, "{message}");
        }
    }

    #[test]
    fn what_is_quoted_or_part_of_a_word_says_nothing() {
        for message in
            ["Write \"compare, why and what\" to a.txt", "“비교, 왜, 언제” 라고 써줘", "reviewers"]
        {
            assert_eq!(Intent::of(message), None, "{message}");
        }
        // Whatever is said, in time that its length does not decide.
        assert_eq!(Intent::of(&"\"".repeat(200_000)), None);
        let late = format!("{}compare", " ".repeat(LOOKED_AT_CHARS_MAX));
        assert_eq!(Intent::of(&late), None);
    }
}
