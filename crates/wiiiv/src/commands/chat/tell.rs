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
use wiiiv_domain::Lang;

/// Enough of a digest for people.
const DIGEST_DIGITS: usize = 8;

pub struct Teller<'a> {
    context: &'a Context,
    /// Words of the answer that came as they were written.
    streamed: String,
    /// Of what was said last: a question, its plan and how to answer are told in one.
    language: &'a Cell<Lang>,
    /// The turn has told what it came to.
    told: bool,
    /// The plan that the next preview is of.
    pub preview: Option<Value>,
}

impl<'a> Teller<'a> {
    pub const fn new(context: &'a Context, language: &'a Cell<Lang>) -> Self {
        Self { context, streamed: String::new(), language, told: false, preview: None }
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
                self.say(text(data, "text"))?;
                self.cite(items(data, "citations"))
            }
            "reply" | "ask" | "preview" => self.question(text(data, "text")),
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
        self.streamed.push_str(words);
        self.context.output.part(&harmless(words))
    }

    /// The final words count; those that were streamed are not said twice.
    fn say(&mut self, words: &str) -> Result<(), Failure> {
        self.told = true;
        let streamed = std::mem::take(&mut self.streamed);
        if streamed.is_empty() {
            return self.context.output.line(&harmless(words));
        }
        self.context.output.line("")?;
        if streamed.trim() == words.trim() {
            return Ok(());
        }
        self.context.output.line(&harmless(words))
    }

    /// What the answer rests on, a line each.
    fn cite(&self, citations: &[Value]) -> Result<(), Failure> {
        let texts = self.said_in();
        citations
            .iter()
            .try_for_each(|of| self.context.output.aside(&cited(&texts, &texts.citation, of)))
    }

    /// The plan line by line, then what is asked: the last paragraph of the words.
    fn question(&mut self, words: &str) -> Result<(), Failure> {
        let Some(plan) = self.preview.take() else { return self.say(words) };
        let lines = preview::lines(&plan, self.language.get(), &self.context.output);
        lines.iter().try_for_each(|line| self.context.output.line(line))?;
        self.say(words.rsplit("\n\n").next().unwrap_or(words).trim())
    }

    /// One line of the decision strip: what was judged, what it came to, and why.
    fn decision(&self, data: &Value) -> Result<(), Failure> {
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
    fn finished(&self, data: &Value) -> Result<(), Failure> {
        let texts = &self.context.texts;
        let values =
            [("step", text(data, "step")), ("code", named(&texts.list.stops, text(data, "code")))];
        self.context.output.aside(&harmless(&fill(&texts.chat.step_finished, &values)))
    }

    fn aside(&self, template: &str, data: &Value) -> Result<(), Failure> {
        let fields = data.as_object().into_iter().flatten();
        let fields = fields.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        let fields: Vec<(&str, &str)> = fields.collect();
        self.context.output.aside(&harmless(&fill(template, &fields)))
    }
}
