//! One utterance in its situation: the order of what is done with it.

use crate::{
    character::is_hangul,
    clause,
    concept::Concept,
    dictation, format,
    found::Told,
    greeted,
    heard::Heard,
    lexicon::Lexicon,
    link,
    part::Part,
    reading::{Job, Lost, ReadSignal, Reading, Situation},
    signal::{self, Bare},
    signalled,
    source::Source,
    sure::likelihood,
    token::Token,
    tokenizer, told, undone,
    unwanted::{self, Unwanted},
    valued,
    wonder::{self, Left},
};
use wiiiv_domain::{Lang, MESSAGE_CHARS_MAX, SlotName, Slots, TaskType};

/// Stand before a value.
const COMPARES: [&str; 5] = ["=", "==", "!=", ">", "<"];
/// So many of them are an English sentence, whatever values stand in it.
const BINDING_MIN: usize = 2;
/// English words to each Korean one of such a sentence.
const LATIN_EACH_MIN: usize = 3;
/// A question about an act, which may have been meant as a wish.
const WONDERED: f32 = 0.5;

/// Nothing is asked for.
fn nothing(language: Lang, signal: ReadSignal, confidence: f32) -> Reading {
    Reading {
        language,
        speaks: true,
        signal,
        task_type: None,
        slots: Slots::default(),
        confidence,
        negated: false,
        later: Vec::new(),
        lost: None,
        left: Vec::new(),
        everything: false,
    }
}

/// An utterance that is nothing but a signal, or no answer to what was asked.
fn bare(lexicon: &Lexicon, text: &str, language: Lang, situation: &Situation) -> Option<Reading> {
    match signal::whole(lexicon, text, situation)? {
        // `undo that`, where nothing waits: of what was done, which cannot be brought back.
        Bare::Signal(ReadSignal::Cancel) if signal::brings_back(lexicon, text, situation) => None,
        // `취소된 것만` of orders that were just listed.
        Bare::Signal(ReadSignal::Cancel) if valued::is_of_shown(lexicon, text, situation) => None,
        // `ok no, keep it` of a delete that was put aside.
        Bare::Signal(ReadSignal::Deny) if unwanted::spares_aside(lexicon, text, situation) => {
            let left = nothing(language, ReadSignal::LeaveOut(1), 1.0);
            Some(Reading { negated: true, ..left })
        }
        Bare::Signal(signal) => {
            let everything =
                signal == ReadSignal::Cancel && signal::is_of_all(lexicon, text, situation);
            Some(Reading { everything, ..nothing(language, signal, 1.0) })
        }
        Bare::Greeting => {
            let greeting = nothing(language, ReadSignal::Say, 1.0);
            Some(Reading { task_type: Some(TaskType::Conversation), ..greeting })
        }
        Bare::Later => Some(Reading { negated: true, ..nothing(language, ReadSignal::Say, 1.0) }),
        bare if bare.answers_nothing(situation) => Some(nothing(language, ReadSignal::Say, 0.0)),
        Bare::Evasion | Bare::Filler => None,
    }
}

/// `no don't delete it, keep it`: a no, and behind it another of the same.
fn refused_twice(
    lexicon: &Lexicon,
    text: &str,
    language: Lang,
    situation: &Situation,
) -> Option<Reading> {
    let waits = situation.is_confirming() || !situation.aside.is_empty();
    let (first, second) = text.rsplit_once([',', '.', ';']).filter(|_| waits)?;
    let no = bare(lexicon, second, language, situation)?;
    let refused = |signal| matches!(signal, ReadSignal::Deny | ReadSignal::LeaveOut(_));
    if !refused(no.signal) {
        return None;
    }
    Some(heard(lexicon, first, situation)).filter(|first| refused(first.signal))
}

/// Reads the whole utterance or, past the message's bound, nothing of it.
#[must_use]
pub fn read(lexicon: &Lexicon, text: &str, situation: &Situation) -> Reading {
    let speaks = words(text).next().is_some();
    let whole = heard(lexicon, text, situation);
    let talks = whole.task_type.is_none_or(TaskType::is_talk) && whole.lost.is_none();
    let talks = talks && whole.signal == ReadSignal::Say && !whole.negated;
    let asked = if talks { beside_greeting(lexicon, text, situation) } else { None };
    Reading { speaks, ..asked.unwrap_or(whole) }
}

/// `thanks, show order 5001`: rows that are asked for beside a greeting. What would change something is
/// not looked for there: `thanks for deleting a.txt`.
fn beside_greeting(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<Reading> {
    // Past the bound nothing of it is looked at.
    if text.chars().count() > MESSAGE_CHARS_MAX {
        return None;
    }
    let asked = heard(lexicon, greeted::beside(lexicon, text)?, situation);
    let reads = asked.task_type == Some(TaskType::ApiWorkflow);
    let sends = asked.slots.get(SlotName::BODY).is_some();
    (reads && !sends && asked.later.is_empty()).then_some(asked)
}

fn heard(lexicon: &Lexicon, text: &str, situation: &Situation) -> Reading {
    if text.chars().count() > MESSAGE_CHARS_MAX {
        return nothing(language(lexicon, text), ReadSignal::Say, 0.0);
    }
    let source = Source::new(text);
    let language = language(lexicon, &source.text);
    if !situation.asks_for(SlotName::CONTENT) && signalled::keeps_rest(lexicon, &source.text) {
        return nothing(language, ReadSignal::Remember, 1.0);
    }
    if let Some(bare) = bare(lexicon, &source.text, language, situation) {
        return bare;
    }
    if let Some(refused) = refused_twice(lexicon, &source.text, language, situation) {
        return refused;
    }
    let mut tokens = tokenizer::tokens(lexicon, &source.text);
    dictation::mark(lexicon, &source.text, &mut tokens, situation);
    link::dictate(lexicon, &mut tokens);
    clause::scarce(lexicon, &mut tokens);
    if !situation.is_asked() {
        clause::excuse(lexicon, &mut tokens);
    }
    match unwanted::unwanted(lexicon, language, &tokens, situation) {
        Some(Unwanted::One(at)) => {
            let active = at == 0 && situation.is_confirming();
            let signal = if active { ReadSignal::Deny } else { ReadSignal::LeaveOut(at) };
            return Reading { negated: true, ..nothing(language, signal, 1.0) };
        }
        Some(Unwanted::Several) => {
            let lost = Some(Lost::Half);
            return Reading { lost, ..nothing(language, ReadSignal::Say, 0.0) };
        }
        None => {}
    }
    let better = signal::thinks_better(lexicon, &source.text, &tokens, situation);
    clause::take_back(&mut tokens);
    if better || clause::put_off(lexicon, language, &mut tokens) {
        return Reading { negated: true, ..nothing(language, ReadSignal::Say, 1.0) };
    }
    let negated = clause::silence(lexicon, language, &mut tokens);
    let left = match situation.is_asked() {
        true => Some(Vec::new()),
        false => undone::leave_out(lexicon, language, &source.text, &mut tokens),
    };
    let told = told::leave_out(lexicon, language, &source.text, &mut tokens);
    let heard = Heard { lexicon, source: &source, language, situation, negated, reread: read };
    let mut found = heard.told(&tokens);
    if let Some(other) = formatted(&heard, &tokens, &found) {
        found = other;
    }
    if let Some(by) = wonder::matters(situation, &found.jobs, found.lost) {
        match wonder::leave_out(lexicon, language, &source.text, &mut tokens, by) {
            Left::All => {}
            Left::Some => found = heard.told(&tokens),
            Left::Nothing => {
                let question = nothing(language, ReadSignal::Say, WONDERED);
                return Reading { task_type: Some(TaskType::Information), ..question };
            }
        }
    }
    settled(found, situation, Aside { language, negated, told, left })
}

/// What was said beside the jobs.
struct Aside {
    language: Lang,
    negated: bool,
    told: bool,
    /// What nothing can do, as it was said; `None` where that is all.
    left: Option<Vec<String>>,
}

fn settled(found: Told, situation: &Situation, aside: Aside) -> Reading {
    let Aside { language, negated, told, left } = aside;
    let Told { signal, mut jobs, confidence, mut lost, left: undone } = found;
    // What is only told is no work, whatever it names.
    if told && !situation.is_asked() && signal != ReadSignal::Modify {
        jobs.retain(|job| job.task_type.is_talk());
        let nothing = jobs.is_empty() && matches!(signal, ReadSignal::Say | ReadSignal::FollowUp);
        lost = lost.or(nothing.then_some(Lost::Told));
    }
    let says = matches!(signal, ReadSignal::Say | ReadSignal::FollowUp);
    // What only takes the words of that for others.
    if left.is_none() && says {
        let guessed =
            |job: &Job| job.task_type.is_talk() || job.slots.get(SlotName::UNREAD).is_some();
        jobs.retain(|job| !guessed(job));
    }
    let confidence = if jobs.is_empty() { 0.0 } else { likelihood(confidence) };
    let mut jobs = jobs.into_iter();
    let Some(first) = jobs.next() else {
        let undone = left.is_none() && lost.is_none() && says && !negated;
        let lost = if undone { Some(Lost::Undone) } else { lost };
        return Reading { negated, lost, ..nothing(language, signal, confidence) };
    };
    let task_type = Some(first.task_type);
    Reading {
        task_type,
        slots: first.slots,
        later: jobs.collect(),
        left: left.into_iter().flatten().chain(undone).collect(),
        ..nothing(language, signal, confidence)
    }
}

/// Without the format that an answer is to be saved in; one that its file is not written in is left out.
fn formatted(heard: &Heard<'_>, tokens: &[Token<'_>], found: &Told) -> Option<Told> {
    let asked = format::asked(heard.lexicon, heard.language, tokens)?;
    let (first, last) = (tokens.get(asked.start)?, tokens.get(asked.end.checked_sub(1)?)?);
    let words = heard.source.text.get(first.start..last.end)?.to_owned();
    let rows = tokens.get(asked.clone())?.iter().any(|t| t.has(Concept::RowFormat));
    let mut rest = tokens.to_vec();
    rest.drain(asked);
    let mut other = heard.told(&rest);
    // `csv로 저장해줘` asks for nothing that can be done without it; `이름만 csv로 저장해줘` does.
    if found.jobs.is_empty()
        && !other.jobs.iter().any(format::is_chosen)
        && format::is_alone(heard.situation, tokens)
    {
        return Some(Told::none(ReadSignal::Say, Some(Lost::Undone)));
    }
    let written = rows && !other.jobs.iter().any(format::is_elsewhere);
    other.left.extend((!written).then_some(words));
    other.jobs.iter().any(format::is_answer).then_some(other)
}

/// By the words around paths, URLs and values; where there are none, by all of the text.
fn language(lexicon: &Lexicon, text: &str) -> Lang {
    let korean = |text: &str| text.chars().any(is_hangul);
    let mut words = words(text).peekable();
    let silent = words.peek().is_none();
    if is_english(lexicon, text) {
        return Lang::En;
    }
    if words.any(korean) || (silent && korean(text)) { Lang::Ko } else { Lang::En }
}

/// `save the orders that are 배송중 to a.json`: an English sentence, and values of a system in it.
fn is_english(lexicon: &Lexicon, text: &str) -> bool {
    let (hangul, latin): (Vec<&str>, Vec<&str>) =
        words(text).partition(|word| word.chars().any(is_hangul));
    let binds = |word: &&&str| lexicon.parts.is(Part::Sentence, &word.to_lowercase());
    let bound = latin.iter().filter(binds).count() >= BINDING_MIN;
    bound && latin.len() >= hangul.len() * LATIN_EACH_MIN
}

/// Neither places nor what something is compared with: `status = 취소`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    text.split_whitespace().filter(move |word| {
        let value = COMPARES.contains(&std::mem::replace(&mut before, word));
        let place = word.contains(['/', '.', '\'', '"', '`']) || is_host(word);
        word.chars().any(char::is_alphabetic) && !place && !value
    })
}

/// `localhost:4000`
fn is_host(word: &str) -> bool {
    let port = |port: &str| !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    word.rsplit_once(':').is_some_and(|(name, behind)| name.is_ascii() && port(behind))
}
