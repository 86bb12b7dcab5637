//! Reads a person's lines one by one; a bare yes is bound to what was shown.

use super::{
    button,
    follow::{End, follow, sent},
    form::Form,
    question::{Question, pending, read as read_question, show},
};
use crate::{
    commands::chat::{
        answer::{Answer, answer},
        turn::Turn,
    },
    failure::Failure,
    start_error::StartError,
};
use wiiiv_domain::Lang;
use wiiiv_language::{Lexicon, ReadSignal, Situation, read};

pub struct Dialogue<'a> {
    pub turn: Turn<'a>,
    /// Somebody sits at a terminal and can be asked.
    may_ask: bool,
    /// The question that was put before the person in this very invocation.
    shown: Option<Question>,
    /// The server's own: both read a yes alike.
    lexicon: Lexicon,
}

impl<'a> Dialogue<'a> {
    pub fn new(turn: Turn<'a>, may_ask: bool) -> Result<Self, Failure> {
        let lexicon = Lexicon::embedded().map_err(StartError::built_in)?;
        Ok(Self { turn, may_ask, shown: None, lexicon })
    }

    /// Shows what waits from an earlier turn, where there is something and somebody to read it.
    pub async fn remind(&mut self) -> Result<bool, Failure> {
        if self.may_ask
            && let Some(question) = pending(&self.turn).await?
        {
            show(&self.turn, &question).await?;
            self.shown = Some(question);
        }
        Ok(self.shown.is_some())
    }

    pub async fn say(&mut self, line: &str) -> Result<End, Failure> {
        if let Some(control) = button::named(line) {
            let end = button::press(&self.turn, control).await?;
            self.asked(&end);
            return Ok(end);
        }
        let end = match (bare(&self.lexicon, line), self.shown.take()) {
            (Some(said), Some(question)) => answer(&self.turn, &question, (said, line)).await?,
            (Some(Answer::Yes), None) if self.turn.seen.get().is_none() => self.agree(line).await?,
            (None, Some(question)) => self.beside(question, line).await?,
            // The server knows whether it is about what was seen here.
            (Some(_) | None, None) => follow(&self.turn, line).await?,
        };
        self.asked(&end);
        Ok(end)
    }

    /// Values for the form that waits.
    pub async fn fill(&mut self, given: &[(String, String)]) -> Result<End, Failure> {
        let form = Form::of(&self.turn.state().await?).ok_or(Failure::NoForm)?;
        let end = sent(&self.turn, form.answer(given)?).await?;
        self.asked(&end);
        Ok(end)
    }

    /// What a yes would now mean.
    pub fn asked(&mut self, end: &End) {
        if let End::Pending(question) = end {
            self.shown.clone_from(question);
        }
    }

    pub const fn may_ask(&self) -> bool {
        self.may_ask
    }

    /// What is said beside a question, as `thanks`, may leave it open: what a yes would now mean is
    /// shown again, by the turn itself or here.
    async fn beside(&self, question: Question, line: &str) -> Result<End, Failure> {
        let end = follow(&self.turn, line).await?;
        let open = matches!(end, End::Done | End::Pending(None) | End::InDoubt);
        let stays = open && pending(&self.turn).await?.is_some_and(|waits| waits == question);
        if !stays {
            return Ok(end);
        }
        if !self.turn.shown_again.get() {
            show(&self.turn, &question).await?;
        }
        Ok(End::Pending(Some(question)))
    }

    /// Of the conversation, which need not be that of the program.
    pub const fn language(&self) -> Lang {
        self.turn.language.get()
    }

    /// How a question is answered, in the language that it is asked in. Whoever may not answer it
    /// is not asked to.
    pub fn decide(&self) -> Option<String> {
        let may = self.turn.may_answer.get();
        may.then(|| self.turn.context.chat_in(self.language()).decide.clone())
    }

    /// A yes to what nobody has seen here is none: it is shown first.
    async fn agree(&mut self, line: &str) -> Result<End, Failure> {
        let Some(question) = pending(&self.turn).await? else {
            return follow(&self.turn, line).await;
        };
        let Question { approval, digest } = question.clone();
        if !self.may_ask {
            // Whoever may not approve it is not told to.
            read_question(&self.turn, &question).await?;
            if !self.turn.may_answer.get() {
                return Err(Failure::ForAnother { approval });
            }
            return Err(Failure::Unseen { approval, digest });
        }
        show(&self.turn, &question).await?;
        Ok(End::Pending(Some(question)))
    }
}

/// A yes or a no and nothing else.
fn bare(lexicon: &Lexicon, line: &str) -> Option<Answer> {
    match read(lexicon, line, &Situation::default()).signal {
        ReadSignal::Affirm => Some(Answer::Yes),
        ReadSignal::Deny => Some(Answer::No),
        ReadSignal::Cancel
        | ReadSignal::Modify
        | ReadSignal::FollowUp
        | ReadSignal::Remember
        | ReadSignal::Reset
        | ReadSignal::LeaveOut(_)
        | ReadSignal::Say => None,
    }
}

/// A bare y or n where one is asked for; anything else goes as it was typed.
pub fn decided(language: Lang, line: &str) -> &str {
    match line.trim() {
        "y" | "Y" => word(language, Answer::Yes),
        "n" | "N" => word(language, Answer::No),
        _ => line,
    }
}

/// What a person would type: the server reads it as any other message.
const fn word(language: Lang, answer: Answer) -> &'static str {
    match (language, answer) {
        (Lang::Ko, Answer::Yes) => "네",
        (Lang::Ko, Answer::No) => "아니요",
        (Lang::En, Answer::Yes) => "yes",
        (Lang::En, Answer::No) => "no",
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, bare};
    use wiiiv_language::Lexicon;

    #[test]
    fn only_a_bare_word_answers() {
        let lexicon = Lexicon::embedded().unwrap();
        for yes in ["y", "yes", "ok", "네", "응"] {
            assert_eq!(bare(&lexicon, yes), Some(Answer::Yes), "{yes}");
        }
        assert_eq!(bare(&lexicon, "아니요"), Some(Answer::No));
        for more in ["yes, but to b.md", "cancel", "notes/a.md 읽어줘", ""] {
            assert_eq!(bare(&lexicon, more), None, "{more}");
        }
    }
}
