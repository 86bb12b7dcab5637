//! Prints events of a turn for a person: replies on standard output, progress on standard error.

use crate::{
    citation::cited,
    connection::{items, text, words},
    context::Context,
    failure::Failure,
    output::harmless,
    preview,
    texts::{ChatTexts, fill, named},
};
use serde_json::Value;
use std::{borrow::Cow, cell::Cell};
use wiiiv_context::bracketed_numbers;
use wiiiv_domain::Lang;

/// Enough of a digest for people.
const DIGEST_DIGITS: usize = 8;

/// Words of the answer that came as they were written.
struct Streamed {
    words: String,
    /// The line that they stand on has no end yet.
    is_open: bool,
}

impl Streamed {
    fn push(&mut self, words: &str) {
        self.words.push_str(words);
        self.is_open = !self.words.ends_with('\n');
    }

    /// Whether their line is to be ended before anything else is said. It is then.
    fn break_line(&mut self) -> bool {
        std::mem::take(&mut self.is_open)
    }

    /// Whether these words have been read already, however they are broken into lines and however numbers share brackets.
    fn has_said(&self, words: &str) -> bool {
        !self.words.trim().is_empty() && plain(&self.words) == plain(words)
    }

    /// A later answer begins anew. Whether there was one.
    fn forget(&mut self) -> bool {
        !std::mem::take(&mut self.words).trim().is_empty()
    }
}

/// Words without what two tellings of them may differ in: their lines, and `[1, 2]` for `[1][2]`.
fn plain(words: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(words.len()), words);
    while let Some(at) = rest.find('[') {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        match bracketed_numbers(behind) {
            Some((numbers, after)) => {
                plain.extend(numbers.iter().map(|number| format!("[{number}]")));
                rest = after;
            }
            None => {
                plain.push('[');
                rest = behind.get(1..).unwrap_or_default();
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a reply, and what of them a model wrote; code's stand behind those.
#[derive(Clone, Copy)]
struct ReplyWords<'a> {
    words: &'a str,
    by_model: &'a str,
}

impl<'a> ReplyWords<'a> {
    fn of(data: &'a Value) -> Self {
        Self { words: text(data, "text"), by_model: text(data, "message") }
    }
}

pub struct Teller<'a> {
    context: &'a Context,
    streamed: Streamed,
    /// Of what was said last: a question, its plan and how to answer are told in one.
    language: &'a Cell<Lang>,
    /// The turn has told what it came to.
    told: bool,
    /// The plan that the next preview is of.
    pub preview: Option<Value>,
}

impl<'a> Teller<'a> {
    pub const fn new(context: &'a Context, language: &'a Cell<Lang>) -> Self {
        let streamed = Streamed { words: String::new(), is_open: false };
        Self { context, streamed, language, told: false, preview: None }
    }

    pub fn tell(&mut self, name: &str, data: &Value) -> Result<(), Failure> {
        let texts = &self.context.texts.chat;
        match name {
            "accepted" => {
                let chosen = self.context.chosen_language;
                let said = chosen.or_else(|| Lang::parse(text(data, "language")));
                self.language.set(said.unwrap_or(self.language.get()));
                Ok(())
            }
            "delta" => self.stream(text(data, "text")),
            "reply" | "ask" if self.preview.is_none() => {
                self.say(ReplyWords::of(data))?;
                self.cite(items(data, "citations"))
            }
            "reply" | "ask" | "preview" => self.question(ReplyWords::of(data)),
            "flow" => self.decision(data),
            "step_started" => self.aside(&texts.step_started, data),
            "step_finished" => self.finished(data),
            "denied" => self.aside(&self.said_in().denied, data),
            "cancelled" if !self.told => self.aside(&self.said_in().cancelled, data),
            "error" => self.aside(&self.said_in().error, data),
            // What a later server may add says nothing to this one's people.
            _ => Ok(()),
        }
    }

    fn said_in(&self) -> Cow<'a, ChatTexts> {
        self.context.chat_in(self.language.get())
    }

    fn stream(&mut self, words: &str) -> Result<(), Failure> {
        self.streamed.push(words);
        self.context.output.part(&harmless(words))
    }

    /// The final words count; those that were streamed are not said twice. What code tells beside an answer that was
    /// streamed already is no other answer.
    fn say(&mut self, ReplyWords { words, by_model }: ReplyWords<'_>) -> Result<(), Failure> {
        self.told = true;
        self.break_line()?;
        let rest = [words, by_model].into_iter().find(|said| self.streamed.has_said(said));
        let rest = rest.map(|said| words.strip_prefix(said).unwrap_or_default().trim());
        if let Some(rest) = rest {
            self.streamed.forget();
            return if rest.is_empty() { Ok(()) } else { self.line(rest) };
        }
        // A number that names no passage was taken out: what counts is not taken for a second answer.
        if !by_model.trim().is_empty() && self.streamed.forget() {
            self.context.output.aside(&self.said_in().corrected)?;
        }
        self.line(words)
    }

    fn line(&self, words: &str) -> Result<(), Failure> {
        self.context.output.line(&harmless(words))
    }

    /// What is told beside an answer begins on a line of its own.
    fn break_line(&mut self) -> Result<(), Failure> {
        if self.streamed.break_line() { self.context.output.line("") } else { Ok(()) }
    }

    /// What the answer rests on, a line each.
    fn cite(&self, citations: &[Value]) -> Result<(), Failure> {
        let texts = self.said_in();
        citations
            .iter()
            .try_for_each(|of| self.context.output.aside(&cited(&texts, &texts.citation, of)))
    }

    /// The plan line by line, then what is asked: the last paragraph of the words.
    fn question(&mut self, said: ReplyWords<'_>) -> Result<(), Failure> {
        let Some(plan) = self.preview.take() else { return self.say(said) };
        self.break_line()?;
        let lines = preview::lines(&plan, self.language.get(), &self.context.output);
        lines.iter().try_for_each(|line| self.context.output.line(line))?;
        let words = said.words.rsplit("\n\n").next().unwrap_or(said.words).trim();
        self.say(ReplyWords { words, by_model: "" })
    }

    /// One line of the decision strip: what was judged, what it came to, and why.
    fn decision(&mut self, data: &Value) -> Result<(), Failure> {
        self.break_line()?;
        let codes = words(data, "codes").join(", ");
        let digest: String = text(data, "digest").chars().take(DIGEST_DIGITS).collect();
        let sure = data.get("confidence").and_then(Value::as_u64);
        let sure = sure.map(|percent| format!("{percent} %")).unwrap_or_default();
        let (outcome, task) = (text(data, "outcome"), text(data, "task_type"));
        let parts = [outcome, task, &sure, &codes, &digest];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let values = [("input", text(data, "input")), ("parts", &parts.join(" · "))];
        self.context.output.aside(&harmless(&fill(&self.context.texts.chat.decision, &values)))
    }

    /// A step that was stopped has who stopped it for a code.
    fn finished(&mut self, data: &Value) -> Result<(), Failure> {
        self.break_line()?;
        let texts = &self.context.texts;
        let values =
            [("step", text(data, "step")), ("code", named(&texts.list.stops, text(data, "code")))];
        self.context.output.aside(&harmless(&fill(&texts.chat.step_finished, &values)))
    }

    fn aside(&mut self, template: &str, data: &Value) -> Result<(), Failure> {
        self.break_line()?;
        let fields = data.as_object().into_iter().flatten();
        let fields = fields.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        let fields: Vec<(&str, &str)> = fields.collect();
        self.context.output.aside(&harmless(&fill(template, &fields)))
    }
}

#[cfg(test)]
mod tests {
    use super::Streamed;

    #[test]
    fn what_was_streamed_ends_its_line_once_and_is_not_said_again() {
        let mut streamed = Streamed { words: String::new(), is_open: false };
        assert!(!streamed.break_line() && !streamed.has_said(""), "nothing came");
        for words in ["15 days [1, 3].", " Ask", " early."] {
            streamed.push(words);
        }
        assert!(streamed.break_line(), "a line of the trace is not put behind it");
        assert!(!streamed.break_line(), "once");
        assert!(!streamed.has_said("This answer cites no document."), "told beside it");
        assert!(streamed.has_said("15 days [1][3].\nAsk early.\n"), "broken otherwise");
        assert!(streamed.forget() && !streamed.forget());
        assert!(!streamed.has_said("15 days [1][3]. Ask early."), "of another answer");
        streamed.push("15 days [9].");
        assert!(!streamed.has_said("15 days."), "a number that was cut is not left standing");
        streamed.push("a line\n");
        assert!(!streamed.break_line());
    }
}
