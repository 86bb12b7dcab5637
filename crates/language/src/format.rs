//! The format that an answer is to be saved in: `as csv`, `엑셀로 저장해줘`. The file's ending decides it.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::{Job, Situation},
    token::Token,
};
use std::ops::Range;
use wiiiv_domain::{Lang, SlotName, TaskType};

/// The words that say so.
pub(crate) fn asked(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> Option<Range<usize>> {
    let format = |token: &Token<'_>| token.has(Concept::Format) && token.is_word();
    let at = tokens.iter().position(format)?;
    let kind = |t: &Token<'_>| t.has(Concept::File) || t.has(Concept::Format);
    let particle = |t: &Token<'_>| t.attached && t.is_ending();
    let own = |t: &&Token<'_>| kind(t) || particle(t);
    let end = at + 1 + tokens.iter().skip(at + 1).take_while(own).count();
    match lang {
        Lang::Ko => {
            let last = tokens.get(end - 1)?;
            let only = lexicon.only.iter().find_map(|only| last.text.strip_suffix(only.as_str()));
            lexicon.parts.stem(Part::Toward, only.unwrap_or(last.text)).map(|_| at..end)
        }
        Lang::En => {
            let article = |t: &&Token<'_>| t.has(Concept::Vague) && !t.has(Concept::Dest);
            let before = tokens.get(..at)?;
            let articles = before.iter().rev().take_while(article).count();
            let to = at.checked_sub(articles + 1)?;
            tokens.get(to).filter(|to| to.has(Concept::Dest)).map(|_| to..end)
        }
    }
}

/// An answer is spoken of, and not a file of that kind.
pub(crate) fn is_answer(job: &Job) -> bool {
    let earlier = job.slots.get(SlotName::SOURCE_RUN).is_some();
    job.task_type == TaskType::ApiWorkflow || job.task_type == TaskType::FileWrite && earlier
}

/// Which rows of an answer are meant was said, or is asked.
pub(crate) fn is_chosen(job: &Job) -> bool {
    let said = |slot| job.slots.get(slot).is_some();
    is_answer(job) && (said(SlotName::SELECT) || said(SlotName::UNREAD) || said(SlotName::SAVE))
}

/// It is saved in a file of another format: `상품 목록을 p.json에 csv로 저장해줘`.
pub(crate) fn is_elsewhere(job: &Job) -> bool {
    let named = |path: &str| !path.to_lowercase().ends_with(".csv");
    job.slots.get(SlotName::TARGET_PATH).is_some_and(named)
}

/// Nothing is left beside it: what was shown, or what is to be, is meant.
pub(crate) fn is_alone(situation: &Situation, tokens: &[Token<'_>]) -> bool {
    let calls = |task: TaskType| task == TaskType::ApiWorkflow;
    let waits =
        situation.is_confirming() && situation.active.as_ref().is_some_and(|(t, _)| calls(*t));
    let known = waits || situation.active.is_none() && situation.earlier_run;
    known && !tokens.iter().any(Token::is_entity)
}
