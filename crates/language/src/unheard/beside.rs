//! What stands beside the file and the text of a job, and is in none of them.

use super::room::{Room, greets, is_settled, is_unknown, states, word};
use crate::{
    concept::Concept,
    morph,
    part::Part,
    reading::Job,
    token::{Token, TokenKind},
};
use wiiiv_domain::{Lang, TaskType};

/// What is done to a file knows nothing of it.
const STRANGE: [Concept; 7] = [
    Concept::Undone,
    Concept::Computed,
    Concept::Letter,
    Concept::Count,
    Concept::Format,
    Concept::Every,
    Concept::Part,
];
const OURS: usize = 3;

impl Room<'_, '_> {
    /// `write hi to a.txt and 'bye' too`: what goes there is said twice, and only one of it is read.
    pub(super) fn is_another_text(&self, clause: &[Token<'_>]) -> bool {
        let writes = [Concept::Write, Concept::Save, Concept::Add];
        let writes = |t: &Token<'_>| t.text.is_ascii() && t.has_any(&writes);
        let said = clause.iter().skip_while(|token| !writes(token)).skip(1);
        let said: Vec<&Token<'_>> = said.take_while(|t| !t.has(Concept::Dest)).collect();
        let placed = clause.iter().skip_while(|t| !t.has(Concept::Dest)).any(Token::is_path);
        let text = |t: &&Token<'_>| t.is_word() && (t.concepts.is_empty() || greets(t));
        let quoted = |t: &Token<'_>| t.kind == TokenKind::Quoted && !t.dictated;
        let mut behind = self.tokens.iter().skip_while(|token| !token.is_path());
        let plain = said.iter().all(|t| t.is_word() && !self.is_held(t));
        placed
            && plain
            && behind.any(quoted)
            && self.jobs.iter().all(is_settled)
            && said.into_iter().any(|t| text(&t))
    }

    /// `노래 틀고 a.txt 읽어줘`, `청소하고 a.txt 읽어줘`: what nothing reads, and then the file; not `참고
    /// 자료.txt`.
    pub(super) fn goes_on_before(&self, clause: &[Token<'_>]) -> bool {
        let entity = clause.iter().position(Token::is_entity).unwrap_or_default();
        let before = clause.get(..entity).unwrap_or_default();
        let unknown = |t: &Token<'_>| morph::concepts(self.heard.lexicon, t.text).is_empty();
        let done = |t: &Token<'_>| t.ends(Part::Doing) && !t.is(Part::Doing);
        let joins = |(at, t): (usize, &Token<'_>)| {
            let object = at.checked_sub(1).and_then(|at| before.get(at));
            let object = || object.is_some_and(|t| self.says(t));
            t.ends(Part::GoesOn) && (done(t) || object())
        };
        let own = |t: &Token<'_>| t.is_word() && !t.attached && !self.is_held(t) && unknown(t);
        before.iter().enumerate().any(|(at, t)| own(t) && joins((at, t)))
    }

    /// `a.txt 복구해서 보여줘`: what is gone is not brought back; `복구 절차.txt` is called so.
    pub(super) fn restores(&self, clause: &[Token<'_>]) -> bool {
        let named = |at: usize| clause.get(at + 1).is_some_and(Token::is_path);
        let mut places = clause.iter().enumerate().filter(|(_, t)| t.has(Concept::Restore));
        places.any(|(at, t)| !self.is_held(t) && !named(at))
    }

    /// Behind the file and the text stands more: `three times`, `with today's date`.
    pub(super) fn runs_over(&self, clause: &[Token<'_>]) -> bool {
        let changes = |job: &Job| job.task_type != TaskType::FileRead && is_settled(job);
        if !self.jobs.iter().all(changes) {
            return false;
        }
        let known = |t: &Token<'_>| t.is_entity() || t.is_word() && self.is_held(t);
        let strange = |t: &Token<'_>| t.has_any(&STRANGE);
        if self.heard.language == Lang::Ko {
            let first = clause.iter().position(Token::is_entity).unwrap_or(clause.len());
            let rest = clause.get(first..).unwrap_or_default();
            let computed = |t: &Token<'_>| t.has(Concept::Computed) && !self.is_held(t);
            return rest.iter().any(computed) || rest.windows(2).any(|pair| self.is_repeated(pair));
        }
        let last = clause.iter().rposition(known).map_or(0, |at| at + 1);
        let lexicon = self.heard.lexicon;
        let explains = |t: &Token<'_>| lexicon.explaining.contains(&word(t)) || states(lexicon, t);
        // `from my computer`
        let ours = |at: usize| {
            clause.get(at).is_some_and(|t| t.is(Part::From))
                && clause.get(at + 1).is_some_and(|t| t.has(Concept::Mine))
        };
        let own = (last..clause.len()).find(|at| ours(*at)).map(|at| at..at + OURS);
        let rest = clause.iter().enumerate().skip(last).take_while(|(_, t)| !explains(t));
        let rest = rest.filter(|(at, _)| !own.as_ref().is_some_and(|own| own.contains(at)));
        let how = |t: &Token<'_>| t.ends(Part::Manner);
        let mut rest = rest.map(|(_, t)| t).filter(|t| self.says(t) || strange(t));
        rest.any(|t| (is_unknown(t) || strange(t)) && !how(t))
    }

    /// `세 번`, `3번`
    pub(super) fn is_repeated(&self, pair: &[Token<'_>]) -> bool {
        let [number, unit] = pair else { return false };
        let spelt = || self.heard.lexicon.numbers.get(number.text).copied();
        let count = number.text.parse::<u64>().ok().or_else(spelt);
        let once = number.has(Concept::Vague) || count == Some(1);
        count.is_some() && !once && unit.is(Part::Numbered) && !self.is_held(number)
    }
}
