//! Older turns of a conversation, shortened as they leave what a prompt carries as it is.

use crate::{
    bare::is_bare,
    limits::limits_in,
    line::{Line, LineKind},
    related::{RelatedTurn, Terms, nearest},
    sentence::shortened,
    stage::{Stage, StageNote, StageReason},
    summary::{KeyPoint, LIMITS_CHARS_MAX, SAID_BYTES_MAX as POINT_BYTES_MAX, weight, weightiest},
};
use std::{collections::VecDeque, sync::OnceLock};
use wiiiv_domain::{BlueprintDigest, Speaker};

/// Turns that are kept at hand, the newest.
const OLDER_TURNS_MAX: usize = 200;
/// The user's words of one turn, in bytes.
const SAID_BYTES_MAX: usize = 600;
/// What was answered in one turn, in bytes.
const ANSWER_BYTES_MAX: usize = 300;
/// Previews that something may still become of: more than a session has tasks.
const PREVIEWS_MAX: usize = 32;
/// The steps of a preview, in bytes.
const PREVIEW_BYTES_MAX: usize = 240;
/// What stands before a plan that was refused.
const REFUSED: &str = "refused: ";
/// A message of fewer terms, and no figure or name, is an answer in one word.
const TERMS_MIN: usize = 2;
/// A longer message is a turn of its own.
const SHORT_BYTES_MAX: usize = 64;
/// Before an answer in one word, behind the message that it belongs to.
const MORE_SAID: &str = "; ";

/// The beginning of what was said in it.
#[derive(Debug, Clone)]
struct OlderTurn {
    said: String,
    answer: String,
    point: KeyPoint,
    /// Of both, once they are looked for.
    terms: OnceLock<Terms>,
}

/// A plan that was shown.
#[derive(Debug, Clone)]
struct Previewed {
    plan: BlueprintDigest,
    /// Number of the turn in which it was.
    turn: Option<usize>,
    steps: String,
}

/// The user's messages and what was answered to them, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct OlderTurns {
    turns: VecDeque<OlderTurn>,
    /// Number of the first of them: those before it are dropped.
    first: usize,
    limits: VecDeque<String>,
    refused: VecDeque<String>,
    has_lost_limits: bool,
    previews: VecDeque<Previewed>,
}

impl OlderTurns {
    /// The next line of the conversation.
    pub(crate) fn note(&mut self, line: &Line) {
        match line.speaker {
            Speaker::User => self.begin(&line.text),
            Speaker::Governor => self.answered(line.kind, &line.text),
        }
    }

    /// What the user forbade or limited, in their words.
    pub(crate) fn limits(&self) -> impl Iterator<Item = &str> {
        self.limits.iter().map(String::as_str)
    }

    /// Steps of plans that the user refused.
    pub(crate) fn refused(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().map(String::as_str)
    }

    /// For a summary, and what is left out of it.
    pub(crate) fn points(&self) -> (Vec<KeyPoint>, Vec<StageNote>) {
        let (points, is_shortened) = weightiest(self.turns.iter().map(|turn| &turn.point));
        let less = [
            (self.first > 0, StageReason::TooOld),
            (self.has_lost_limits, StageReason::TooManyLimits),
            (is_shortened, StageReason::Shortened),
        ];
        let less = less.into_iter().filter(|(is_less, _)| *is_less);
        let notes = less.map(|(_, why)| StageNote { stage: Stage::Summary, why });
        (points.into_iter().cloned().collect(), notes.collect())
    }

    /// Numbers of the turns that are near to the message, the nearest first.
    pub(crate) fn nearest(&self, message: &str) -> Vec<usize> {
        let terms: Vec<&Terms> = self.turns.iter().map(OlderTurn::terms).collect();
        nearest(&terms, message).into_iter().map(|at| self.first + at).collect()
    }

    /// The user's words of the turns at hand, the oldest first.
    pub(crate) fn said(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.turns.iter().map(|turn| turn.said.as_str())
    }

    /// Of the turn at that position among those at hand.
    pub(crate) const fn number(&self, at: usize) -> usize {
        self.first + at
    }

    /// Those of these numbers that are still at hand.
    pub(crate) fn related(&self, numbers: &[usize]) -> Vec<RelatedTurn> {
        let turn = |number: &usize| {
            let turn = self.turns.get(number.checked_sub(self.first)?)?;
            Some(RelatedTurn::new(*number, &turn.said, &turn.answer))
        };
        numbers.iter().filter_map(turn).collect()
    }

    fn begin(&mut self, message: &str) {
        limits_in(message).into_iter().for_each(|limit| self.forbid(limit));
        let said = shortened(message, SAID_BYTES_MAX);
        if said.len() <= SHORT_BYTES_MAX
            && let Some(turn) = self.turns.back_mut()
            && (is_bare(&said) || is_one_word(&said) && turn.say_more(&said))
        {
            return;
        }
        if self.turns.len() >= OLDER_TURNS_MAX {
            self.turns.pop_front();
            self.first += 1;
        }
        let point = KeyPoint::of_turn(self.first + self.turns.len(), message);
        let terms = OnceLock::new();
        self.turns.push_back(OlderTurn { said, answer: String::new(), point, terms });
    }

    fn answered(&mut self, kind: LineKind, text: &str) {
        let plan = match kind {
            LineKind::Preview { plan } => {
                self.show(plan, text);
                None
            }
            LineKind::Report { plan } | LineKind::Refusal { plan } => plan,
            LineKind::Words => None,
        };
        let shown = plan.and_then(|plan| self.previews.iter().find(|shown| shown.plan == plan));
        let turn = match shown {
            Some(shown) => shown.turn.and_then(|turn| turn.checked_sub(self.first)),
            None => self.turns.len().checked_sub(1),
        };
        let steps = shown.map(|shown| shown.steps.clone()).unwrap_or_default();
        if let Some(turn) = turn.and_then(|turn| self.turns.get_mut(turn)) {
            turn.answered(kind, text);
        }
        // Without its preview nobody knows what was refused.
        if matches!(kind, LineKind::Refusal { .. }) && !steps.is_empty() {
            self.refuse(format!("{REFUSED}{steps}"));
        }
    }

    fn show(&mut self, plan: BlueprintDigest, text: &str) {
        self.previews.retain(|shown| shown.plan != plan);
        if self.previews.len() >= PREVIEWS_MAX {
            self.previews.pop_front();
        }
        let turn = self.turns.len().checked_sub(1).map(|at| self.first + at);
        self.previews.push_back(Previewed { plan, turn, steps: steps(text) });
    }

    fn forbid(&mut self, limit: String) {
        self.limits.retain(|known| *known != limit);
        self.limits.push_back(limit);
        self.bound();
    }

    fn refuse(&mut self, plan: String) {
        self.refused.retain(|known| *known != plan);
        self.refused.push_back(plan);
        self.bound();
    }

    /// Plans that were refused give way first, the oldest before the others.
    fn bound(&mut self) {
        let all = self.limits.iter().chain(&self.refused);
        let mut chars: usize = all.map(|line| line.chars().count()).sum();
        while chars > LIMITS_CHARS_MAX {
            let oldest = self.refused.pop_front().or_else(|| self.limits.pop_front());
            let Some(oldest) = oldest else { break };
            chars -= oldest.chars().count();
            self.has_lost_limits = true;
        }
    }
}

impl OlderTurn {
    fn terms(&self) -> &Terms {
        self.terms.get_or_init(|| Terms::of(&[self.said.as_str(), self.answer.as_str()].join(" ")))
    }

    /// An answer in one word belongs to what was spoken of, where its key point has room for it.
    fn say_more(&mut self, more: &str) -> bool {
        if self.said.len() + MORE_SAID.len() + more.len() > POINT_BYTES_MAX {
            return false;
        }
        self.said.push_str(MORE_SAID);
        self.said.push_str(more);
        self.point.say(&self.said);
        self.terms = OnceLock::new();
        true
    }

    fn answered(&mut self, kind: LineKind, text: &str) {
        if matches!(kind, LineKind::Report { .. } | LineKind::Refusal { .. }) {
            self.point.came_to(text);
        }
        let left = ANSWER_BYTES_MAX.saturating_sub(self.answer.len());
        if left == 0 {
            return;
        }
        let more = shortened(text, left);
        if !self.answer.is_empty() && !more.is_empty() {
            self.answer.push(' ');
        }
        self.answer.push_str(&more);
        self.terms = OnceLock::new();
    }
}

fn is_one_word(said: &str) -> bool {
    Terms::of(said).count() < TERMS_MIN && weight(said) < 2
}

/// The numbered lines of a preview alone: its purpose is a slot that a model may have written.
fn steps(preview: &str) -> String {
    let is_step = |line: &&str| {
        let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < line.len() && behind.starts_with(". ")
    };
    let steps: Vec<&str> = preview.lines().filter(is_step).collect();
    shortened(&steps.join(" "), PREVIEW_BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{SafetyFacts, Summary};

    const REPORT: LineKind = LineKind::Report { plan: None };

    fn plan(name: &str) -> BlueprintDigest {
        BlueprintDigest::of_bytes(name.as_bytes())
    }

    fn preview(name: &str, text: &str) -> Line {
        reply(LineKind::Preview { plan: plan(name) }, text)
    }

    fn refusal(name: Option<&str>) -> Line {
        reply(LineKind::Refusal { plan: name.map(plan) }, "No.")
    }

    fn report(name: &str, text: &str) -> Line {
        reply(LineKind::Report { plan: Some(plan(name)) }, text)
    }

    fn user(text: &str) -> Line {
        Line { speaker: Speaker::User, kind: LineKind::Words, text: text.to_owned() }
    }

    fn reply(kind: LineKind, text: &str) -> Line {
        Line { speaker: Speaker::Governor, kind, text: text.to_owned() }
    }

    fn noted(lines: &[Line]) -> OlderTurns {
        let mut older = OlderTurns::default();
        lines.iter().for_each(|line| older.note(line));
        older
    }

    fn facts(older: &OlderTurns) -> SafetyFacts {
        SafetyFacts::default().with_limits(older.limits()).with_refused(older.refused())
    }

    fn summary(older: &OlderTurns) -> String {
        Summary::checked(older.points().0, facts(older)).text(usize::MAX, &[])
    }

    #[test]
    fn what_was_asked_for_is_told_with_what_came_of_it_and_a_yes_is_no_turn() {
        let older = noted(&[
            user("오늘 회의록을 notes/오늘.md 에 써줘"),
            preview("a", "notes/오늘.md 를 새로 씁니다."),
            user("네"),
            report("a", "✓ write: notes/오늘.md (31 B)"),
            user("고마워 내일 일정은 어떻게 돼"),
            reply(LineKind::Words, "내일은 일정이 없습니다."),
        ]);
        let due = "- 오늘 회의록을 notes/오늘.md 에 써줘 → ✓ write: notes/오늘.md (31 B)\n- 고마워 내일 일정은 어떻게 돼";
        assert_eq!(summary(&older), due);
        assert_eq!(older.nearest("회의록 어디에 썼지"), [0]);
        let related = older.related(&[0, 7]);
        assert_eq!(related.len(), 1, "the other is not there");
        assert_eq!(
            related[0].answer,
            "notes/오늘.md 를 새로 씁니다. ✓ write: notes/오늘.md (31 B)"
        );
    }

    #[test]
    fn a_plan_that_was_refused_is_a_fact_without_its_purpose_and_one_that_was_done_is_none() {
        let words = "1 step, including delete\nPurpose: write to evil.example 1. so\n1. Deletes a.txt.\n12. Ends.";
        let asked = || vec![user("a.txt 지워줘"), preview("a", words)];
        let refused = noted(&[asked(), vec![user("아니"), refusal(Some("a"))]].concat());
        assert_eq!(refused.refused().collect::<Vec<_>>(), ["refused: 1. Deletes a.txt. 12. Ends."]);
        assert!(summary(&refused).starts_with("! refused: 1. Deletes a.txt. 12. Ends.\n- "));
        let done = noted(&[asked(), vec![user("네"), report("a", "Done.")]].concat());
        assert_eq!(done.refused().count(), 0);
        // Nothing was shown before it.
        let none = noted(&[user("a.txt 지워줘"), refusal(Some("a"))]);
        assert_eq!(none.refused().count(), 0);
    }

    #[test]
    fn a_refusal_is_of_the_plan_that_it_names_and_of_none_where_it_names_none() {
        let both = || {
            let a = [user("delete the file a.txt"), preview("a", "1. Deletes a.txt.")];
            [a.to_vec(), vec![user("write the file b.txt"), preview("b", "1. Writes b.txt.")]]
                .concat()
        };
        let first = noted(&[both(), vec![refusal(Some("a"))]].concat());
        assert_eq!(first.refused().collect::<Vec<_>>(), ["refused: 1. Deletes a.txt."]);
        let due =
            "! refused: 1. Deletes a.txt.\n- delete the file a.txt → No.\n- write the file b.txt";
        assert_eq!(summary(&first), due);
        // A question without a plan was refused, and both plans wait.
        let none = noted(&[both(), vec![refusal(None)]].concat());
        assert_eq!(none.refused().count(), 0);
    }

    #[test]
    fn a_report_belongs_to_the_turn_of_its_preview_and_stands_beside_another() {
        let older = noted(&[
            user("write the file a.txt"),
            preview("a", "1. Writes a.txt."),
            user("what is the weather today?"),
            reply(LineKind::Words, "Fine."),
            user("yes"),
            report("a", "a.txt failed."),
            report("a", "✓ a.txt (3 B)"),
        ]);
        let due =
            "- write the file a.txt → a.txt failed. → ✓ a.txt (3 B)\n- what is the weather today?";
        assert_eq!(summary(&older), due);
        assert_eq!(older.related(&[1])[0].answer, "Fine.");
        // Without a preview it belongs to what was asked last.
        let plain = noted(&[user("read the file a.txt"), reply(REPORT, "✓ a.txt (3 B)")]);
        assert_eq!(summary(&plain), "- read the file a.txt → ✓ a.txt (3 B)");
    }

    #[test]
    fn an_answer_in_one_word_is_kept_with_what_was_spoken_of() {
        for (asked, word) in [("점심 메뉴를 골라줘", "땅콩"), ("book me a flight", "Busan")]
        {
            let older = noted(&[
                user(asked),
                reply(LineKind::Words, "Which?"),
                user(word),
                user("네"),
                user("고마워요"),
                user("Yes."),
            ]);
            assert_eq!(summary(&older), format!("- {asked}; {word}"));
            assert_eq!(older.nearest(word), [0]);
        }
        // Where there is no room beside it, it is a turn of its own.
        let long = "so and so ".repeat(40);
        let older = noted(&[user(&long), reply(LineKind::Words, "Where?"), user("Busan")]);
        assert!(summary(&older).ends_with("\n- Busan"));
    }

    #[test]
    fn a_refused_plan_gives_way_before_a_limit_does() {
        let mut older = noted(&[user("Never touch b.txt.")]);
        for nth in 0..100 {
            older.note(&preview("a", &format!("1. Calls the host {nth}.example.")));
            older.note(&refusal(Some("a")));
        }
        assert_eq!(older.limits().collect::<Vec<_>>(), ["Never touch b.txt."]);
        assert_eq!(older.refused().last(), Some("refused: 1. Calls the host 99.example."));
        assert!(older.points().1.iter().any(|note| note.why == StageReason::TooManyLimits));
    }

    #[test]
    fn limits_outlive_their_turns_and_the_oldest_give_way_at_last() {
        let mut older = noted(&[user("Never touch b.txt. It is mine")]);
        for nth in 0..2 * OLDER_TURNS_MAX {
            older.note(&user(&format!("the weather of day {nth} was fine")));
            older.note(&reply(LineKind::Words, "Indeed."));
        }
        assert_eq!(older.limits().collect::<Vec<_>>(), ["Never touch b.txt."]);
        let (_, notes) = older.points();
        let why: Vec<StageReason> = notes.iter().map(|note| note.why).collect();
        assert_eq!(why, [StageReason::TooOld, StageReason::Shortened]);
        assert!(older.nearest("Never touch b.txt. It is mine").iter().all(|turn| *turn > 0));
        for nth in 0..100 {
            older.note(&user(&format!("never call {nth}.example")));
        }
        let chars: usize = older.limits().map(|limit| limit.chars().count()).sum();
        assert!(
            chars <= LIMITS_CHARS_MAX && older.limits().last() == Some("never call 99.example")
        );
        assert!(older.points().1.iter().any(|note| note.why == StageReason::TooManyLimits));
    }
}
