//! A conversation of the set that prompts are measured on: what was said, what has to be known at which turn, and what
//! must never be lost.

use crate::failure::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use wiiiv_domain::Lang;

/// A longer file is no conversation of ours.
const FILE_BYTES_MAX: u64 = 1_048_576;
/// Conversations of one folder.
const FILES_MAX: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// The name of its file.
    #[serde(skip)]
    pub id: String,
    pub language: String,
    pub title: String,
    /// The user's message, and the answer to it.
    pub turns: Vec<[String; 2]>,
    pub questions: Vec<Question>,
    #[serde(default)]
    pub limits: Vec<Limit>,
}

/// A message that can be answered with what was said before alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// From 1.
    pub turn: usize,
    /// Each by one of its wordings.
    pub facts: Vec<Vec<String>>,
}

/// What the user forbade or limited, or told of safety.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// In which it was said, from 1.
    pub turn: usize,
    pub text: String,
}

impl Conversation {
    /// All of a folder, by their names.
    pub fn read_folder(folder: &Path) -> Result<Vec<Self>, Failure> {
        if !folder.is_dir() {
            return Err(Failure::NoConversationFolder { folder: folder.to_owned() });
        }
        let unreadable = Failure::unreadable(folder);
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(&unreadable)? {
            let path = entry.map_err(&unreadable)?.path();
            if path.extension().is_some_and(|of| of == "toml") {
                files.push(path);
            }
        }
        files.sort();
        let reason = match files.len() {
            0 => "there is no conversation in it (`*.toml`)",
            1..=FILES_MAX => return files.iter().map(|file| Self::read(file)).collect(),
            _ => "there are too many conversations in it",
        };
        Err(Failure::Document { path: folder.to_owned(), reason: reason.to_owned() })
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let unreadable = Failure::unreadable(file);
        let faulty = |reason: String| Failure::Document { path: file.to_owned(), reason };
        if std::fs::metadata(file).map_err(&unreadable)?.len() > FILE_BYTES_MAX {
            return Err(faulty(format!("it is longer than `{FILE_BYTES_MAX}` bytes")));
        }
        let text = std::fs::read_to_string(file).map_err(&unreadable)?;
        let mut read: Self = toml::from_str(&text).map_err(|error| faulty(error.to_string()))?;
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        read.id = name.unwrap_or_default();
        match read.useless().or_else(|| read.fault()) {
            Some(fault) => Err(faulty(fault)),
            None => Ok(read),
        }
    }

    /// What nothing can be measured by: an empty text is in every prompt.
    fn useless(&self) -> Option<String> {
        let is_blank = |text: &String| text.trim().is_empty();
        let is_fact =
            |wordings: &Vec<String>| !wordings.is_empty() && !wordings.iter().any(is_blank);
        let asks =
            |question: &Question| !question.facts.is_empty() && question.facts.iter().all(is_fact);
        if Lang::parse(&self.language).is_none() {
            let known = Lang::ALL.map(Lang::as_str).join("`, `");
            return Some(format!("`language`: `{}` is none of `{known}`", self.language));
        }
        if is_blank(&self.title) {
            return Some("`title` is empty".to_owned());
        }
        if self.questions.is_empty() {
            return Some("`questions` is empty".to_owned());
        }
        if let Some(at) = self.questions.iter().position(|question| !asks(question)) {
            return Some(format!(
                "`facts` of question `{}`: one is empty, or there is none",
                at + 1
            ));
        }
        let at = self.limits.iter().position(|limit| is_blank(&limit.text))?;
        Some(format!("`text` of limit `{}` is empty", at + 1))
    }

    /// What it says of itself and is not so.
    fn fault(&self) -> Option<String> {
        let named = self.questions.iter().map(|question| question.turn);
        let named = named.chain(self.limits.iter().map(|limit| limit.turn));
        let mut strange = named.filter(|turn| !(1..=self.turns.len()).contains(turn));
        if let Some(turn) = strange.next() {
            return Some(format!("it has no turn `{turn}`"));
        }
        let is_said = |limit: &&Limit| {
            let message = self.turns.get(limit.turn - 1).map(|[message, _]| message);
            message.is_some_and(|message| message.contains(&limit.text))
        };
        let unsaid = self.limits.iter().find(|limit| !is_said(limit));
        unsaid.map(|limit| format!("`{}` is not said in turn `{}`", limit.text, limit.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../context-eval");

    fn read(text: &str) -> Result<Conversation, Failure> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("one.toml"), text).unwrap();
        Conversation::read_folder(folder.path()).map(|mut all| all.remove(0))
    }

    #[test]
    fn the_committed_set_has_long_conversations_in_both_languages() {
        let all = Conversation::read_folder(Path::new(COMMITTED)).unwrap();
        for language in ["ko", "en"] {
            let of = all.iter().filter(|one| one.language == language);
            assert!(of.count() >= 6, "{language}");
        }
        for one in &all {
            assert_eq!(one.turns.len(), 40, "{}", one.id);
            assert!(one.questions.len() >= 8 && one.limits.len() >= 2, "{}", one.id);
            // What is asked is not told by the question itself.
            for question in &one.questions {
                let [message, _] = &one.turns[question.turn - 1];
                let tells = |wording: &String| message.contains(wording.as_str());
                assert!(!question.facts.iter().flatten().any(tells), "{}: {message}", one.id);
            }
        }
    }

    #[test]
    fn a_file_that_names_what_is_not_there_is_refused_with_the_reason() {
        let whole = "language = \"en\"\ntitle = \"t\"\nturns = [[\"never b.txt\", \"ok\"]]\n\
                     [[questions]]\nturn = 1\nfacts = [[\"b.txt\"]]\n";
        assert_eq!(read(whole).unwrap().id, "one");
        for (more, told) in [
            ("[[limits]]\nturn = 2\ntext = \"never\"\n", "no turn `2`"),
            ("[[limits]]\nturn = 0\ntext = \"never\"\n", "no turn `0`"),
            ("[[limits]]\nturn = 1\ntext = \"always\"\n", "`always` is not said in turn `1`"),
            ("colour = \"red\"\n", "unknown field `colour`"),
        ] {
            let error = read(&format!("{whole}{more}")).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        let empty = tempfile::tempdir().unwrap();
        assert!(Conversation::read_folder(empty.path()).is_err());
    }

    #[test]
    fn a_file_by_which_nothing_can_be_measured_is_refused_with_its_field() {
        let head = "language = \"en\"\ntitle = \"t\"\nturns = [[\"never b.txt\", \"ok\"]]\n";
        let asked = "[[questions]]\nturn = 1\nfacts = [[\"b.txt\"]]\n";
        let of_facts =
            |facts: &str| format!("{head}{asked}[[questions]]\nturn = 1\nfacts = {facts}\n");
        let limit = |text: &str| format!("{head}{asked}[[limits]]\nturn = 1\ntext = \"{text}\"\n");
        for (text, told) in [
            (format!("{head}questions = []\n"), "`questions` is empty"),
            (of_facts("[]"), "`facts` of question `2`"),
            (of_facts("[[]]"), "`facts` of question `2`"),
            (of_facts("[[\"\"]]"), "`facts` of question `2`"),
            (of_facts("[[\"b.txt\", \" \"]]"), "`facts` of question `2`"),
            (limit(""), "`text` of limit `1`"),
            (limit(" "), "`text` of limit `1`"),
            (format!("{head}{asked}").replace("\"t\"", "\" \""), "`title` is empty"),
            (format!("{head}{asked}").replace("\"en\"", "\"fr\""), "`language`: `fr`"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains("one.toml") && error.contains(told), "{text}: {error}");
        }
        assert!(read(&limit("never")).is_ok() && read(&of_facts("[[\"b\"]]")).is_ok());
    }
}
