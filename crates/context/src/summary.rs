//! Older turns in short: key points that anything may have made, and facts of safety that nothing leaves out.

use crate::{
    related::RelatedTurn,
    sentence::{MORE, one_line, sentences, shortened},
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, VecDeque},
};

/// The user's words in one point, in bytes.
pub(crate) const SAID_BYTES_MAX: usize = 240;
/// What code said that it came to, in bytes, and all of it.
const REPORT_BYTES_MAX: usize = 120;
const REPORTS_BYTES_MAX: usize = 360;
/// Stands before what a request came to.
const CAME_TO: &str = " → ";
/// All that the user forbade, limited and refused, in Unicode scalar values: the newest.
pub(crate) const LIMITS_CHARS_MAX: usize = 2_000;
/// All points of a summary, in bytes.
const POINTS_BYTES_MAX: usize = 4_000;
/// Lines of a text that somebody made a summary in.
const LINES_MAX: usize = 200;
/// Sentences of one message that are looked at.
const SENTENCES_MAX: usize = 64;
/// What a point begins with, its `- ` and the sign before a report included, in bytes.
const POINT_FRAME_BYTES: usize = 8;
/// A name counts once, in words; a figure so often.
const FIGURE_WEIGHT: u32 = 3;
/// In words.
const MARK_WEIGHT: u32 = 4;
const WORDS_WEIGHT_MAX: u32 = 12;
const WEIGHT_MAX: u32 = 60;
/// A report says what became of a request.
const REPORT_WEIGHT: u32 = 10;

/// One line of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyPoint {
    /// Its number among the older turns; `None` of a line that speaks of no one turn.
    turn: Option<usize>,
    /// The user's words, shortened.
    said: String,
    /// What others wrote: what code said that it came to.
    report: String,
    weight: u32,
}

impl KeyPoint {
    pub(crate) fn of_turn(turn: usize, message: &str) -> Self {
        let (said, report) = (String::new(), String::new());
        let mut point = Self { turn: Some(turn), said, report, weight: 0 };
        point.say(message);
        point
    }

    /// The user's words, in place of those before.
    pub(crate) fn say(&mut self, message: &str) {
        self.said = key_sentences(message, SAID_BYTES_MAX);
        self.weigh();
    }

    /// Beside what it came to before.
    pub(crate) fn came_to(&mut self, report: &str) {
        let gap = if self.report.is_empty() { "" } else { CAME_TO };
        let left = REPORTS_BYTES_MAX.saturating_sub(self.report.len() + gap.len() + MORE.len());
        if left >= REPORT_BYTES_MAX {
            self.report.push_str(gap);
            self.report.push_str(&shortened(report, REPORT_BYTES_MAX));
        }
        self.weigh();
    }

    fn weigh(&mut self) {
        let came_to = if self.report.is_empty() { 0 } else { REPORT_WEIGHT };
        self.weight = weight(&self.said) + came_to;
    }

    fn made(line: &str) -> Self {
        let report = shortened(line, SAID_BYTES_MAX);
        Self { turn: None, said: String::new(), weight: weight(&report), report }
    }

    fn bytes(&self) -> usize {
        self.said.len() + self.report.len() + POINT_FRAME_BYTES
    }

    fn is_among(&self, turns: &[RelatedTurn]) -> bool {
        turns.iter().any(|related| self.turn == Some(related.turn))
    }

    fn line(&self) -> String {
        match (self.said.as_str(), self.report.as_str()) {
            (said, "") => format!("- {said}"),
            ("", report) => format!("- {report}"),
            (said, report) => format!("- {said}{CAME_TO}{report}"),
        }
    }
}

/// How much a text is likely to say: figures and names weigh more than words.
pub(crate) fn weight(text: &str) -> u32 {
    let of = |word: &str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = inner.contains(['.', '/', '_', '@', '-'])
            || inner.chars().skip(1).any(char::is_uppercase);
        if inner.contains(char::is_numeric) { FIGURE_WEIGHT } else { u32::from(is_name) }
    };
    let words = text.split_whitespace().take(SAID_BYTES_MAX);
    let (marks, words) =
        words.fold((0_u32, 0_u32), |(marks, words), word| (marks + of(word), words + 1));
    (marks * MARK_WEIGHT + words.min(WORDS_WEIGHT_MAX)).min(WEIGHT_MAX)
}

/// The text, or those of its sentences that say most, in their order.
fn key_sentences(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return one_line(text);
    }
    let mut ranked: Vec<(usize, &str)> = sentences(text).take(SENTENCES_MAX).enumerate().collect();
    ranked.sort_by_cached_key(|(at, sentence)| (Reverse(weight(sentence)), *at));
    let first = ranked.first().map(|(_, sentence)| *sentence).unwrap_or_default();
    let mut left = bytes_max;
    ranked.retain(|(_, sentence)| match left.checked_sub(sentence.len() + 1) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    if ranked.is_empty() {
        return shortened(first, bytes_max);
    }
    ranked.sort_by_key(|(at, _)| *at);
    let chosen: Vec<&str> = ranked.into_iter().map(|(_, sentence)| sentence).collect();
    one_line(&chosen.join(" "))
}

/// Whose words a fact of safety is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactOf {
    /// A profile.
    Profile,
    /// The user's own words.
    Limit,
    /// Code's, with values that a model may have written.
    Refused,
}

/// Lines that every summary has: what the user forbade or limited, what they refused, and what they told of safety.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SafetyFacts(Vec<(FactOf, String)>);

impl SafetyFacts {
    /// What was told of safety. Each once, in one line.
    #[must_use]
    pub fn of<T: AsRef<str>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::default().with(FactOf::Profile, facts)
    }

    /// With what the user forbade or limited, in their own words.
    #[must_use]
    pub fn with_limits<T: AsRef<str>>(self, limits: impl IntoIterator<Item = T>) -> Self {
        self.with(FactOf::Limit, limits)
    }

    /// With the plans that the user refused.
    #[must_use]
    pub fn with_refused<T: AsRef<str>>(self, plans: impl IntoIterator<Item = T>) -> Self {
        self.with(FactOf::Refused, plans)
    }

    fn with<T: AsRef<str>>(mut self, of: FactOf, facts: impl IntoIterator<Item = T>) -> Self {
        for fact in facts {
            let line = one_line(fact.as_ref());
            if !line.is_empty() && !self.has(&line) {
                self.0.push((of, line));
            }
        }
        self
    }

    /// Newer limits, behind those that are there, and whether one of them was not known and one had to give way.
    fn forbid(&mut self, limits: &[String]) -> (bool, bool) {
        let (mut new, mut seen, mut left) = (VecDeque::new(), BTreeSet::new(), LIMITS_CHARS_MAX);
        let mut has_lost = false;
        for limit in limits.iter().rev() {
            if self.has(limit) || !seen.insert(limit.as_str()) {
                continue;
            }
            let Some(rest) = left.checked_sub(limit.chars().count()) else {
                has_lost = true;
                break;
            };
            left = rest;
            new.push_front((FactOf::Limit, limit.clone()));
        }
        let is_new = !new.is_empty();
        let refused = self.0.iter().position(|(of, _)| *of == FactOf::Refused);
        let at = refused.unwrap_or(self.0.len());
        drop(self.0.splice(at..at, new));
        (is_new, self.bound() || has_lost)
    }

    /// As of older turns: refused plans give way first, the oldest before the others. Whether one had to.
    fn bound(&mut self) -> bool {
        let bounded = self.0.iter().filter(|(of, _)| *of != FactOf::Profile);
        let mut chars: usize = bounded.map(|(_, line)| line.chars().count()).sum();
        let before = self.0.len();
        while chars > LIMITS_CHARS_MAX {
            let oldest = |of: FactOf| self.0.iter().position(|(by, _)| *by == of);
            let oldest = oldest(FactOf::Refused).or_else(|| oldest(FactOf::Limit));
            let Some(oldest) = oldest else { break };
            let (_, line) = self.0.remove(oldest);
            chars -= line.chars().count();
        }
        self.0.len() < before
    }

    /// One a line.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, line)| line.as_str())
    }

    fn only(&self, of: FactOf) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().filter(move |(by, _)| *by == of).map(|(_, line)| line.as_str())
    }

    fn has(&self, line: &str) -> bool {
        self.iter().any(|known| known == line)
    }

    fn are_repeated_by(&self, point: &KeyPoint) -> bool {
        point.report.is_empty() && self.has(&point.said)
    }
}

/// Older turns in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    facts: SafetyFacts,
    /// In the order in which they were made.
    points: Vec<KeyPoint>,
}

impl Summary {
    /// INVARIANT: whatever the points are and however few of them are shown, each fact is a line of its own. What only
    /// repeats one is left out.
    pub(crate) fn checked(points: Vec<KeyPoint>, facts: SafetyFacts) -> Self {
        let (chosen, _) = weightiest(points.iter().filter(|point| !facts.are_repeated_by(point)));
        let points = chosen.into_iter().cloned().collect();
        Self { facts, points }
    }

    /// Limits of messages that are left out, which are newer than its own. Whether one was not known, and whether one had to
    /// give way.
    pub(crate) fn forbid(&mut self, limits: &[String]) -> (bool, bool) {
        self.facts.forbid(limits)
    }

    /// For tests, which make the points that somebody hostile would: each line is a point, and none of it a fact. Nothing in
    /// the product makes points of a text.
    #[doc(hidden)]
    #[must_use]
    pub fn of_text(made: &str, facts: SafetyFacts) -> Self {
        let lines = made.lines().map(str::trim).filter(|line| !line.is_empty());
        Self::checked(lines.take(LINES_MAX).map(KeyPoint::made).collect(), facts)
    }

    /// Of how many points it is.
    #[must_use]
    pub const fn points(&self) -> usize {
        self.points.len()
    }

    /// The user's own words in it: limits that stand there whole, and its points, shortened.
    pub fn said(&self) -> impl DoubleEndedIterator<Item = &str> {
        let limits = self.facts.only(FactOf::Limit).filter(|limit| !limit.contains(MORE));
        let said = self.points.iter().map(|point| point.said.as_str());
        limits.chain(said.filter(|said| !said.is_empty()))
    }

    /// What others wrote in it than the user: plans that were refused, and reports.
    pub(crate) fn of_others(&self) -> impl Iterator<Item = &str> {
        self.facts.only(FactOf::Refused).chain(self.reports())
    }

    /// The same, to be changed.
    pub(crate) fn of_others_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let Self { facts: SafetyFacts(facts), points } = self;
        let refused = facts.iter_mut().filter(|(of, _)| *of == FactOf::Refused);
        refused.map(|(_, line)| line).chain(points.iter_mut().map(|point| &mut point.report))
    }

    /// What code said in its points that requests came to, shortened.
    pub fn reports(&self) -> impl DoubleEndedIterator<Item = &str> {
        let reports = self.points.iter().map(|point| point.report.as_str());
        reports.filter(|report| !report.is_empty())
    }

    /// With so many of its points, the weightiest, but for turns that are shown beside it.
    #[must_use]
    pub fn text(&self, points: usize, beside: &[RelatedTurn]) -> String {
        let facts = self.facts.iter().map(|fact| format!("! {fact}"));
        let points = self.first(points).into_iter().filter(|point| !point.is_among(beside));
        facts.chain(points.map(KeyPoint::line)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn bytes(&self) -> usize {
        let facts = self.facts.iter().map(str::len);
        facts.chain(self.points.iter().map(KeyPoint::bytes)).fold(0, usize::saturating_add)
    }

    /// Drops all but so many of its points.
    pub(crate) fn keep(&mut self, points: usize) {
        if points < self.points.len() {
            self.points = self.first(points).into_iter().cloned().collect();
        }
    }

    /// The weightiest, in their order.
    fn first(&self, count: usize) -> Vec<&KeyPoint> {
        if count >= self.points.len() {
            return self.points.iter().collect();
        }
        let mut ranked = ranked(self.points.iter());
        ranked.truncate(count);
        in_order(ranked)
    }
}

/// The weightiest first; of two that weigh the same, the newer one.
fn ranked<'p>(points: impl Iterator<Item = &'p KeyPoint>) -> Vec<(usize, &'p KeyPoint)> {
    let mut ranked: Vec<(usize, &KeyPoint)> = points.enumerate().collect();
    ranked.sort_by_key(|(at, point)| (Reverse(point.weight), Reverse(*at)));
    ranked
}

fn in_order(mut ranked: Vec<(usize, &KeyPoint)>) -> Vec<&KeyPoint> {
    ranked.sort_by_key(|(at, _)| *at);
    ranked.into_iter().map(|(_, point)| point).collect()
}

/// As many as a summary has, in their order, and whether some were left out.
pub(crate) fn weightiest<'p>(
    points: impl Iterator<Item = &'p KeyPoint>,
) -> (Vec<&'p KeyPoint>, bool) {
    let mut ranked = ranked(points);
    let (all, mut left) = (ranked.len(), POINTS_BYTES_MAX);
    ranked.retain(|(_, point)| match left.checked_sub(point.bytes()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    let is_shortened = ranked.len() < all;
    (in_order(ranked), is_shortened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_message_the_sentences_that_say_most_are_kept_in_their_order() {
        let words = "well that is how it goes with such things and so on. ";
        let long =
            format!("{}The order is 4471. {}Send it to a.txt by 3 pm.", words.repeat(9), words);
        let said = KeyPoint::of_turn(0, &long).said;
        assert!(said.contains("Send it to a.txt by 3 pm."), "{said}");
        assert!(said.len() <= SAID_BYTES_MAX, "{said}");
        let one = KeyPoint::of_turn(0, &"word ".repeat(200)).said;
        assert!(one.ends_with("word […]") && one.len() <= SAID_BYTES_MAX + 8, "{one}");
    }

    #[test]
    fn over_the_bound_the_least_of_the_points_are_left_out() {
        let message = |nth: usize| match nth % 2 {
            0 => format!("the order {nth} was paid with 4471.{nth} and sent to a{nth}.txt"),
            _ => {
                "well that is how it goes with such things and so on I would say to you".to_owned()
            }
        };
        let points: Vec<KeyPoint> =
            (0..100).map(|nth| KeyPoint::of_turn(nth, &message(nth))).collect();
        let summary = Summary::checked(points, SafetyFacts::default());
        assert!(summary.points() < 100);
        let orders = summary.said().filter(|said| said.starts_with("the order")).count();
        assert_eq!(orders, 50);
        assert!(summary.text(usize::MAX, &[]).len() <= POINTS_BYTES_MAX);
    }

    #[test]
    fn a_point_that_only_repeats_a_fact_is_left_out_and_so_is_a_turn_that_is_shown_beside_it() {
        let facts = SafetyFacts::of(["never touch b.txt", " never  touch b.txt", ""]);
        let mut told = KeyPoint::of_turn(1, "save it to a.txt");
        told.came_to("✓ save: a.txt (20 B)");
        let points =
            vec![KeyPoint::of_turn(0, "never touch b.txt"), told, KeyPoint::of_turn(2, "thanks")];
        let summary = Summary::checked(points, facts);
        let all = "! never touch b.txt\n- save it to a.txt → ✓ save: a.txt (20 B)\n- thanks";
        assert_eq!(summary.text(9, &[]), all);
        assert_eq!(
            summary.text(1, &[]),
            "! never touch b.txt\n- save it to a.txt → ✓ save: a.txt (20 B)"
        );
        assert_eq!(summary.text(0, &[]), "! never touch b.txt");
        let beside = RelatedTurn::new(1, "", "");
        assert_eq!(summary.text(9, &[beside]), "! never touch b.txt\n- thanks");
    }
}
