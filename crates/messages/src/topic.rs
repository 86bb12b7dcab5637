//! What a message that asks for no work is about: the assistant itself, or the conversation.

use serde::Deserialize;
use wiiiv_domain::{Lang, MESSAGE_CHARS_MAX};

const TOPICS: &str = include_str!("../../../config/topics.toml");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Back to a task that was put aside.
    Back,
    FirstRequest,
    LastRequest,
    /// What it was to remember.
    Memory,
    /// What waits for an answer or for its turn.
    Waiting,
    /// How a yes is given.
    Approval,
    /// What the assistant is.
    Identity,
    /// What the assistant can do.
    Abilities,
    /// Which systems it may talk to.
    Systems,
    /// Which files there are.
    Files,
    ShowSaved,
    Why,
    Again,
    /// Whether something was done.
    Deeds,
    /// Which fields the rows of a system have.
    Fields,
    /// The end of a conversation, or thanks.
    Thanks,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    about: Topic,
    ko: Vec<Vec<String>>,
    en: Vec<Vec<String>>,
    none: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    topic: Vec<Line>,
}

/// How a word is heard, whichever way it is written.
type Sound = fn(&str) -> String;

/// The topics of `config/topics.toml`, as they were at build.
#[derive(Debug, Clone)]
pub struct Topics {
    lines: Vec<Line>,
    sound: Sound,
}

impl Topics {
    /// `sound` says what two spellings of a word have in common.
    pub fn embedded(sound: fn(&str) -> String) -> Result<Self, TopicsError> {
        let file: File = toml::from_str(TOPICS).map_err(|error| TopicsError(error.to_string()))?;
        let heard = |words: Vec<String>| words.iter().map(|word| sound(word)).collect();
        let groups = |groups: Vec<Vec<String>>| groups.into_iter().map(heard).collect();
        let line = |Line { about, ko, en, none }| {
            let [ko, en] = [ko, en].map(groups);
            Line { about, ko, en, none: heard(none) }
        };
        Ok(Self { lines: file.topic.into_iter().map(line).collect(), sound })
    }

    /// The first that fits, in whichever language it is said.
    #[must_use]
    pub fn of(&self, text: &str) -> Option<Topic> {
        let letters = text.chars().take(MESSAGE_CHARS_MAX).filter(|c| !c.is_whitespace());
        let said: String = letters.flat_map(char::to_lowercase).collect();
        let heard = (self.sound)(&format!("^{said}$"));
        let holds = |words: &Vec<String>| words.iter().any(|word| heard.contains(word.as_str()));
        let fits = |line: &&Line| {
            let groups = Lang::ALL.map(|lang| match lang {
                Lang::Ko => &line.ko,
                Lang::En => &line.en,
            });
            let any = groups.iter().any(|groups| groups.iter().all(holds));
            any && !holds(&line.none)
        };
        self.lines.iter().find(fits).map(|line| line.about)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`config/topics.toml` cannot be read: {0}")]
pub struct TopicsError(String);

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &[(&str, Option<Topic>)] = &[
        ("넌 뭘 할 수 있어?", Some(Topic::Abilities)),
        ("What can you do?", Some(Topic::Abilities)),
        ("승인은 어떻게 해?", Some(Topic::Approval)),
        ("how do I approve this?", Some(Topic::Approval)),
        ("지금 뭐 기다리고 있어?", Some(Topic::Waiting)),
        ("아직 내가 허락 안 한 일 있어?", Some(Topic::Waiting)),
        ("승인해야 할 게 뭐가 남았지?", Some(Topic::Waiting)),
        ("is there anything I haven't approved?", Some(Topic::Waiting)),
        ("what needs my approval right now?", Some(Topic::Waiting)),
        ("who has to approve it?", Some(Topic::Approval)),
        ("안 물어보고 막 바꾸기도 하니?", Some(Topic::Approval)),
        ("너 혼자서 파일 지우고 그래?", Some(Topic::Approval)),
        ("너가 알아서 저장해줘", None),
        ("would you change my files without asking?", Some(Topic::Approval)),
        ("do you run anything by yourself?", Some(Topic::Approval)),
        ("I live on my own", None),
        ("뭐 물어봤었지?", Some(Topic::Waiting)),
        ("나한테 뭐라고 물어봤어?", Some(Topic::Waiting)),
        ("내가 뭐 외워두라고 했지?", Some(Topic::Memory)),
        ("what did I tell you to remember?", Some(Topic::Memory)),
        ("아까 내가 뭐 물어봤지?", Some(Topic::LastRequest)),
        ("what did you ask me?", Some(Topic::Waiting)),
        ("what was your question again?", Some(Topic::Waiting)),
        ("what do you need from me?", Some(Topic::Waiting)),
        ("what did I ask you?", Some(Topic::LastRequest)),
        ("아까 그거 그냥 해줘", Some(Topic::Back)),
        ("아까 그거 저장해줘", None),
        ("just do the one from before", Some(Topic::Back)),
        ("is anything still pending?", Some(Topic::Waiting)),
        ("제가 맨 처음에 뭐 조회해달라고 했었죠?", Some(Topic::FirstRequest)),
        ("제가 맨 처음에 뭐 조회해달라고 햇었죠?ㅋㅋ", Some(Topic::FirstRequest)),
        ("what did I ask first?", Some(Topic::FirstRequest)),
        ("what did I ask you for?", Some(Topic::LastRequest)),
        ("오케이 됐고 아까 하던 주문 저장 마저 합시다", Some(Topic::Back)),
        ("아까 하던 주문 저장은 취소합시다", None),
        ("let's go back to the task from before", Some(Topic::Back)),
        ("go back to the report", Some(Topic::Back)),
        ("아까 그거로 돌아가자", Some(Topic::Back)),
        ("뭐 남았어?", Some(Topic::Waiting)),
        ("그래서 정확히 뭐가 바뀌는 건데?", Some(Topic::Waiting)),
        ("what are you going to change exactly?", Some(Topic::Waiting)),
        ("what exactly will you write?", Some(Topic::Waiting)),
        ("what can you change?", Some(Topic::Abilities)),
        ("계절은 왜 바뀌는 거야?", None),
        ("what's left?", Some(Topic::Waiting)),
        ("내가 처음에 물어본 게 뭐야?", Some(Topic::FirstRequest)),
        ("아까 내가 뭐 하라고 했지?", Some(Topic::LastRequest)),
        ("remind me what I asked for", Some(Topic::LastRequest)),
        ("넌 누구야?", Some(Topic::Identity)),
        ("너 챗GPT야?", Some(Topic::Identity)),
        ("are you a real person?", Some(Topic::Identity)),
        ("너 진짜 사람이야?", Some(Topic::Identity)),
        ("네 이름이 뭐야?", Some(Topic::Identity)),
        ("내 이름이 뭐라고 했지?", None),
        ("what did I say my name was?", None),
        ("can you delete files?", Some(Topic::Abilities)),
        ("파일도 지울 수 있어?", Some(Topic::Abilities)),
        ("help", Some(Topic::Abilities)),
        ("어떤 시스템에 연결돼 있어?", Some(Topic::Systems)),
        ("which systems do you know?", Some(Topic::Systems)),
        ("무슨 파일 있어?", Some(Topic::Files)),
        ("what files are there?", Some(Topic::Files)),
        ("did you delete cheap.json?", Some(Topic::Deeds)),
        ("아까 그거 저장했어?", Some(Topic::Deeds)),
        ("너 뭐야?", Some(Topic::Identity)),
        ("당신은 뭐예요", Some(Topic::Identity)),
        ("누가 만들었나요?", Some(Topic::Identity)),
        ("who built you?", Some(Topic::Identity)),
        ("보고서.md 누가 만들었어?", Some(Topic::Deeds)),
        ("너는 뭐 할 수 있어?", Some(Topic::Abilities)),
        ("what can u help with", Some(Topic::Abilities)),
        ("파일 쓰는 것도 가능한가요?", Some(Topic::Abilities)),
        ("logs폴더에 뭐가 있어?", Some(Topic::Files)),
        ("이 폴더에 무슨 파일들이 있는지 알려주실 수 있어요?", Some(Topic::Files)),
        ("drafts 폴더 안에 있는 파일 리스트", Some(Topic::Files)),
        ("show me the files in the drafts folder", Some(Topic::Files)),
        ("list everything in this workspace", Some(Topic::Files)),
        ("drafts 폴더에 목록.md 만들어줘", None),
        ("what was the first president called?", None),
        ("프랑스의 수도는 어디야?", None),
        ("what is the capital of France?", None),
    ];

    #[test]
    fn questions_about_itself_are_told_apart() -> Result<(), TopicsError> {
        let topics = Topics::embedded(wiiiv_language::sound)?;
        for (text, topic) in TOLD {
            assert_eq!(topics.of(text), *topic, "{text}");
        }
        Ok(())
    }
}
