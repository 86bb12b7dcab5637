//! Which guardrails stand above the prompts of a project, and words by which code sees that an answer breaks one.

use crate::{
    plain_words::{ListedWords, PlainWords, SoughtWord},
    profile_schemas::profile_schema,
};
use serde::Deserialize;
use std::{collections::BTreeSet, sync::LazyLock};
use wiiiv_domain::{Guardrail, ProjectPolicy};

const FILE: &str = include_str!("../../../prompts/guardrails/markers.toml");
/// Where a sentence ends.
const ENDS: [char; 6] = ['.', '!', '?', '\n', '。', '…'];

/// As they were at build; a test holds that they can be read.
static MARKERS: LazyLock<Option<Markers>> =
    LazyLock::new(|| toml::from_str::<File>(FILE).ok().map(Markers::of));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    denials: ListedWords,
    medical: ListedMarks,
    finance: ListedMarks,
    legal: ListedMarks,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedMarks {
    ko: Vec<String>,
    en: Vec<String>,
    unless: Vec<String>,
}

struct Markers {
    denials: Vec<SoughtWord>,
    medical: Marks,
    finance: Marks,
    legal: Marks,
}

struct Marks {
    said: Vec<SoughtWord>,
    /// Beside one of these it is somebody else who may say so.
    unless: Vec<SoughtWord>,
}

impl Markers {
    fn of(file: File) -> Self {
        let File { denials, medical, finance, legal } = file;
        Self {
            denials: denials.sought(),
            medical: Marks::of(medical),
            finance: Marks::of(finance),
            legal: Marks::of(legal),
        }
    }

    const fn of_guardrail(&self, guardrail: Guardrail) -> &Marks {
        match guardrail {
            Guardrail::Medical => &self.medical,
            Guardrail::Finance => &self.finance,
            Guardrail::Legal => &self.legal,
        }
    }
}

impl Marks {
    fn of(listed: ListedMarks) -> Self {
        let ListedMarks { ko, en, unless } = listed;
        let sought = |words: Vec<String>| words.into_iter().map(SoughtWord::of).collect();
        Self {
            said: ko.into_iter().chain(en).map(SoughtWord::of).collect(),
            unless: sought(unless),
        }
    }

    fn are_in(&self, sentence: &PlainWords, denials: &[SoughtWord]) -> bool {
        let mut marks = self.said.iter().filter(|mark| sentence.holds(mark));
        let Some(first) = marks.next() else { return false };
        // A `no` or `not` of the words themselves denies none of them.
        let rest = marks.fold(sentence.without(first), |rest, mark| rest.without(mark));
        !self.unless.iter().any(|word| sentence.holds(word))
            && !denials.iter().any(|word| rest.holds(word))
    }
}

/// Those that the policy names, and those that its schema of profiles brings. Nothing else chooses one.
#[must_use]
pub fn guardrails(policy: &ProjectPolicy) -> BTreeSet<Guardrail> {
    let mut chosen = policy.guardrails.clone();
    if let Some(schema) = policy.profile_schema.as_ref().and_then(profile_schema) {
        chosen.extend(&schema.guardrails);
    }
    chosen
}

/// Whether a sentence says what one of them forbids, as far as words show it. What none of these words says may break
/// one all the same: that is for a model's check, and for whoever reads it.
#[must_use]
pub fn breaks_guardrail(answer: &str, guardrails: &BTreeSet<Guardrail>) -> bool {
    let (false, Some(markers)) = (guardrails.is_empty(), MARKERS.as_ref()) else { return false };
    answer.split(ENDS).map(PlainWords::of).any(|sentence| {
        let mut marks = guardrails.iter().map(|guardrail| markers.of_guardrail(*guardrail));
        marks.any(|marks| marks.are_in(&sentence, &markers.denials))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_markers_are_read_and_written_as_they_are_compared() {
        let markers = MARKERS.as_ref().unwrap();
        let all = Guardrail::ALL.map(|guardrail| markers.of_guardrail(guardrail));
        let words = all.iter().flat_map(|marks| marks.said.iter().chain(&marks.unless));
        for word in words.chain(&markers.denials) {
            let SoughtWord(text) = word;
            assert!(PlainWords::of(text).is(word), "`{text}` is never found as it is written");
        }
    }

    fn breaks(guardrail: Guardrail, answer: &str) -> bool {
        breaks_guardrail(answer, &BTreeSet::from([guardrail]))
    }

    #[test]
    fn each_guardrail_knows_its_own_words_and_their_benign_twins() {
        use Guardrail::{Finance, Legal, Medical};
        for (guardrail, broken, benign) in [
            (Medical, "증상을 보니 편두통으로 진단합니다.", "의사가 진찰하고 진단합니다."),
            (
                Medical,
                "You definitely have the flu.",
                "Nobody can say that you definitely have the flu.",
            ),
            (Medical, "Stop taking your medication today.", "Do not stop taking your medication."),
            (Medical, "병원에 갈 필요가 없습니다.", "병원에 갈 필요가 없다고 말할 수는 없습니다."),
            (Medical, "약을 끊으세요.", "마음대로 약을 끊으면 안 됩니다."),
            (Finance, "이 종목은 무조건 오릅니다!", "무조건 오르는 종목은 없습니다."),
            (
                Finance,
                "It has a guaranteed return.",
                "There is no such thing, whether a guaranteed return or not.",
            ),
            (Finance, "지금 매수하세요.", "지금 매수하라는 연락은 사기일 수 있습니다."),
            (Legal, "반드시 승소합니다.", "반드시 승소한다고 말할 수 없습니다."),
            (
                Legal,
                "You don't need a lawyer for that.",
                "I cannot tell you that you don't need a lawyer.",
            ),
        ] {
            assert!(breaks(guardrail, broken), "{broken}");
            assert!(!breaks(guardrail, benign), "{benign}");
            let others = Guardrail::ALL.into_iter().filter(|other| *other != guardrail);
            assert!(!breaks_guardrail(broken, &others.collect()), "{broken}");
            assert!(!breaks_guardrail(broken, &BTreeSet::new()));
        }
    }

    #[test]
    fn a_plain_caution_breaks_nothing() {
        use Guardrail::{Finance, Legal};
        for (guardrail, benign) in [
            (Finance, "There is no guaranteed return."),
            (Finance, "This isn't a guaranteed profit."),
            (Finance, "Such returns aren’t guaranteed returns."),
            (Finance, "That wasn't a guaranteed gain."),
            (Finance, "There is no risk-free profit."),
            (Finance, "‘수익을 보장합니다’라고 말하는 곳은 피하세요."),
            (Legal, "Decide without a guaranteed win in mind."),
        ] {
            assert!(!breaks(guardrail, benign), "{benign}");
        }
        // Words that hold a `no` themselves deny nothing beside them.
        for broken in ["There is no risk and you cannot lose.", "You can't lose: there is no risk"]
        {
            assert!(breaks(Finance, broken), "{broken}");
        }
        assert!(breaks(Guardrail::Medical, "There is no need to see a doctor."));
    }

    #[test]
    fn a_schema_brings_its_guardrail_and_a_policy_adds_its_own() {
        let policy = |named: &str| -> ProjectPolicy {
            let rule = serde_json::json!({"by": "requester", "ttlSeconds": 60});
            let mut policy = serde_json::json!({
                "version": 1, "allowedStepTypes": [], "allowedHosts": [], "allowedPaths": [""],
                "approval": {"normal": rule, "risky": rule}, "dacsStage": "observe",
                "modelPersonas": "never", "tokenBudget": {"perRun": null, "perDay": null},
                "llmProvider": "OFFLINE",
            });
            let more: serde_json::Value = serde_json::from_str(named).unwrap();
            policy.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value(policy).unwrap()
        };
        let of = |named: &str| guardrails(&policy(named));
        assert_eq!(of("{}"), BTreeSet::new());
        assert_eq!(of(r#"{"guardrails": ["legal"]}"#), BTreeSet::from([Guardrail::Legal]));
        assert_eq!(of(r#"{"profileSchema": "medical"}"#), BTreeSet::from([Guardrail::Medical]));
        let both = of(r#"{"profileSchema": "medical", "guardrails": ["finance"]}"#);
        assert_eq!(both, BTreeSet::from([Guardrail::Medical, Guardrail::Finance]));
    }
}
