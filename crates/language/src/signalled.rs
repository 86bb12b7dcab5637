//! What is signalled beside words that say more: a change, a refusal, a cancel, a reference.

use crate::{
    answer, clause,
    concept::Concept,
    filled,
    found::Found,
    hangul::{Syllable, last},
    heard::Heard,
    jobs, keeping,
    lexicon::{Lexicon, Sign},
    morph,
    reading::{Job, ReadSignal},
    said::Said,
    sent,
    signal::{self, Whole},
    token::{Token, TokenKind},
    tokenizer, told, valued,
};
use wiiiv_domain::{SlotName, Spec};

/// Longer refusals say more than no.
const REFUSAL_WORDS_MAX: usize = 8;
/// No word that asks to remember is longer, its colon included.
const HEAD_CHARS_MAX: usize = 24;

impl Heard<'_> {
    pub(crate) fn signal(&self, said: &Said<'_, '_>, found: Option<&Found>) -> ReadSignal {
        let asks = said.tokens.last().is_some_and(|token| token.is_mark("?"));
        let situation = self.situation;
        // What is asked for as a text may be anything.
        let dictated = situation.asks_for(SlotName::CONTENT);
        if remembers(said.tokens) && !asks && !dictated {
            ReadSignal::Remember
        } else if self.ends_it(said) || self.calls_off(said) || self.takes_back(said) {
            ReadSignal::Cancel
        } else if self.negated && situation.is_confirming() && refuses(said) {
            let other = keeping::names_another(situation, said);
            if other { ReadSignal::Say } else { ReadSignal::Deny }
        } else if keeping::spares(situation, said) {
            let own = keeping::names_target(situation, said);
            if own { ReadSignal::Deny } else { ReadSignal::Say }
        } else if !self.negated && cancels(said.tokens) && !self.is_of_rows(said) {
            ReadSignal::Cancel
        } else if situation.active.is_some() && self.changes(said, found) {
            ReadSignal::Modify
        } else if said.signs.has(Sign::EarlierRun) || said.signs.has(Sign::KnownFile) {
            ReadSignal::FollowUp
        } else {
            ReadSignal::Say
        }
    }

    /// `취소된거 빼고`, and `cancelled` of orders that were just shown.
    fn is_of_rows(&self, said: &Said<'_, '_>) -> bool {
        signal::is_of_cancelled(self.lexicon, said.part())
            || valued::is_of_shown(self.lexicon, said.part(), self.situation)
    }

    /// `상품번호 118번, 아니다 취소` behind the question for what is sent.
    fn ends_it(&self, said: &Said<'_, '_>) -> bool {
        sent::waiting(self.situation).is_some()
            && signal::ends_in_cancel(self.lexicon, said.text, said.tokens, self.situation)
    }

    /// `a.txt 삭제 취소해줘` of what waits.
    fn takes_back(&self, said: &Said<'_, '_>) -> bool {
        let Some((task, _)) = self.situation.active.as_ref().filter(|_| self.negated) else {
            return false;
        };
        let act = |token: &Token<'_>| token.verb().is_none_or(|verb| jobs::fits(*task, verb));
        clause::is_called_off(self.language, said.tokens) && said.tokens.iter().all(act)
    }

    /// `cancel that, wrong ward`: what is behind it asks for nothing else.
    fn calls_off(&self, said: &Said<'_, '_>) -> bool {
        let marked = signal::called_off(self.lexicon, said.part(), self.situation);
        // `cancel it please i picked the wrong one`
        let tells = || told::tells(self.lexicon, self.language, said.tokens);
        let first = || signal::called_off_first(self.lexicon, said.part(), self.situation);
        let end = marked.or_else(|| if tells() { first() } else { None });
        let Some(end) = end else { return false };
        let start = said.tokens.first().map_or(0, |token| token.start);
        let reason = said.tokens.iter().position(|token| token.start >= start + end);
        let reason = reason.and_then(|at| said.tokens.get(at..)).unwrap_or_default();
        // `cancel order 5001` is none.
        if marked.is_none() && !told::tells(self.lexicon, self.language, reason) {
            return false;
        }
        let text = said.part().get(end..).unwrap_or_default();
        let other = [Concept::Correct, Concept::Change, Concept::Negate, Concept::NotThis];
        let asks = |t: &Token<'_>| {
            let leads = t.leads();
            leads || t.has_any(&other)
        };
        let told = told::is_told(self.lexicon, self.language, text, reason);
        reason.iter().all(|t| t.is_word() || t.kind == TokenKind::Mark)
            && !reason.last().is_some_and(|last| last.is_mark("?"))
            && (told || !reason.iter().any(asks))
    }

    /// A change is called one, or answers a preview with a part of what was previewed.
    fn changes(&self, said: &Said<'_, '_>, found: Option<&Found>) -> bool {
        let corrects = [Concept::Change, Concept::Correct, Concept::NotThis, Concept::Unlike];
        let talks = found.is_some_and(|found| found.job.task_type.is_talk());
        // `wait, what will happen to it?`
        let asks = talks && said.signs.has(Sign::Asks);
        if said.signs.says_any(&corrects) {
            return !asks;
        }
        if self.situation.is_confirming() && answer::edits_text(self.situation, said) {
            return true;
        }
        let whole = found.is_some_and(|found| is_whole(&found.job));
        let active = self.situation.active.as_ref();
        // `delete it` is no change of what is to be written.
        let fits = |verb| active.is_some_and(|(task, _)| jobs::fits(*task, verb));
        let sends = filled::corrects(self.lexicon, self.situation, said.tokens);
        // `delete user 5` is no change of what is to be sent.
        let looks = [Concept::Read, Concept::Get, Concept::Search, Concept::Delete];
        let other = |verb: Concept| verb.changes() && !fits(verb) || sends && looks.contains(&verb);
        if said.signs.verb.is_some_and(other) {
            return false;
        }
        if sends && !whole && !said.signs.has(Sign::Asks) {
            return answer::change(self.situation, said, None).is_some();
        }
        self.situation.is_confirming()
            && !said.signs.has(Sign::Asks)
            && !whole
            && answer::change(self.situation, said, None)
                .is_some_and(|changed| !keeping::mentions(self.situation, said, &changed))
    }
}

/// `기억해 줘: archive/는 절대 지우지 마`: what stands behind the colon is kept, whatever else it may ask for.
pub(crate) fn keeps_rest(lexicon: &Lexicon, text: &str) -> bool {
    let head: String = text.chars().filter(|c| *c != ' ').take(HEAD_CHARS_MAX).collect();
    let tokens = head.split_once(':').map(|(head, _)| tokenizer::tokens(lexicon, head));
    tokens.is_some_and(|tokens| matches!(&*tokens, [one] if !one.mended) && remembers(&tokens))
}

/// Asks to keep something in mind; a story in which somebody did so asks for nothing.
fn remembers(tokens: &[Token<'_>]) -> bool {
    let past = |c: char| Syllable::of(c).is_some_and(|syllable| syllable.last == last::SS);
    let asked = tokens.iter().rposition(|token| token.has(Concept::Remember));
    let Some((token, rest)) = asked.and_then(|at| tokens.get(at..)?.split_first()) else {
        return false;
    };
    let korean = token.is_korean();
    !(korean && (token.text.chars().any(past) || rest.iter().any(Token::leads)))
}

/// Says no and nothing else: neither a question nor a way out.
fn refuses(said: &Said<'_, '_>) -> bool {
    let words = said.tokens.iter().filter(|token| token.is_word()).count();
    let other = [Concept::Cancel, Concept::Question, Concept::Talk, Concept::Result];
    words <= REFUSAL_WORDS_MAX && !said.signs.says_any(&other) && !says_instead(said)
}

/// `휴지 말고 물티슈`: what is to be there instead is more than a no, also where nothing reads it.
fn says_instead(said: &Said<'_, '_>) -> bool {
    let not = |t: &Token<'_>| {
        let own = || morph::concepts(said.lexicon, t.text);
        t.has(Concept::Negate) && t.is_korean() && own().contains(&Concept::NotThis)
    };
    let Some(at) = said.tokens.iter().rposition(not) else { return false };
    let closed = |t: &Token<'_>| said.lexicon.bare.closed.contains_key(&Whole::key(t.text));
    let mut behind = said.tokens.iter().skip(at + 1).filter(|t| t.is_word() && !closed(t));
    behind.next().is_some_and(Token::is_nameless)
}

fn is_whole(job: &Job) -> bool {
    !job.task_type.is_talk() && Spec::missing(job.task_type, &job.slots).is_empty()
}

/// Calls it off in a sentence that names nothing else: not an order, a file or a workflow.
fn cancels(tokens: &[Token<'_>]) -> bool {
    let aside = |token: &Token<'_>| {
        let named =
            [Concept::Thing, Concept::Workflow, Concept::File, Concept::Schedule, Concept::Content];
        let own = token.is_word() && !token.is_nameless() && !token.has_any(&named);
        own || token.is_mark(",") || token.is_mark(".") || token.is_mark("!")
    };
    tokens.iter().any(|token| token.has(Concept::Cancel)) && tokens.iter().all(aside)
}
