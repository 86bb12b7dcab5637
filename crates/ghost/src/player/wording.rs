//! What the person says, said as another person might: slips of the finger, particles, order,
//! politeness, fillers, spacing. Paths, URLs, names, quoted texts and numbers stay as they are.

mod english;
mod korean;
mod slip;
mod word;

use super::seed::Draw;
use crate::scenario::{Act, Scenario, Speech};
use word::Words;

/// Changes of one utterance.
const CHANGES_MAX: u64 = 3;

/// One kind of change; `false`: there is nothing that it could change.
type Change = fn(&mut Words, &mut Draw) -> bool;

/// The scenario in the words of the `nth` other person, the same for the same seed.
pub(super) fn reworded(scenario: &Scenario, seed: u64, nth: u32) -> Scenario {
    let mut varied = scenario.clone();
    for (at, turn) in varied.turns.iter_mut().enumerate() {
        if let Act::Say(words) = &mut turn.act {
            let label = format!("wording {} {nth} {at}", scenario.id);
            let spoken = Spoken { language: scenario.language, data: &scenario.data };
            *words = said(words, spoken, &mut Draw::of(seed, &label));
        }
    }
    varied
}

/// What is said in it, in order.
pub(super) fn utterances(scenario: &Scenario) -> Vec<String> {
    let said = scenario.turns.iter().filter_map(|turn| match &turn.act {
        Act::Say(words) => Some(words.clone()),
        Act::Press(_) | Act::Wait(_) => None,
    });
    said.collect()
}

#[derive(Clone, Copy)]
struct Spoken<'a> {
    language: Speech,
    /// Words that stay as they are.
    data: &'a [String],
}

fn said(text: &str, spoken: Spoken<'_>, draw: &mut Draw) -> String {
    let mut changes: Vec<Change> = match spoken.language {
        Speech::Ko => korean::CHANGES.into(),
        Speech::En => english::CHANGES.into(),
    };
    let mut words = word::split(text, spoken);
    draw.shuffle(&mut changes);
    let mut wanted = 1 + draw.number() % CHANGES_MAX;
    for change in changes {
        if wanted > 0 && change(&mut words, draw) {
            wanted -= 1;
        }
    }
    word::join(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: &str =
        "skymall 상품 중에 가격 3만원 이하인 것만 '싼 것' 이라고 /out/cheap.json 으로 저장해줘";

    fn many(text: &str, language: Speech) -> Vec<String> {
        let spoken = Spoken { language, data: &["전자제품".to_owned()] };
        (0..200).map(|nth| said(text, spoken, &mut Draw::of(nth, "test"))).collect()
    }

    #[test]
    fn what_has_to_stay_stays() {
        for words in many(ASKED, Speech::Ko) {
            for kept in ["skymall", "3만원", "'싼 것'", "/out/cheap.json"] {
                assert!(words.contains(kept), "{kept} is lost: {words}");
            }
        }
        let body = r#"POST {"a": 1, "b": "둘 셋"} 보내줘"#;
        let kept = r#"{"a": 1, "b": "둘 셋"}"#;
        assert!(many(body, Speech::Ko).iter().all(|words| words.contains(kept)));
        let value = "카테고리가 전자제품인 것만 저장해주세요";
        assert!(many(value, Speech::Ko).iter().all(|words| words.contains("전자제품")));
        let english = "please fetch the products from skymall into /a/b.json where price < 10000";
        for words in many(english, Speech::En) {
            for kept in ["skymall", "/a/b.json", "10000"] {
                assert!(words.contains(kept), "{kept} is lost: {words}");
            }
        }
    }

    #[test]
    fn nearly_every_person_says_it_in_another_way_and_the_same_one_the_same() {
        let told = many(ASKED, Speech::Ko);
        let different: std::collections::BTreeSet<&String> = told.iter().collect();
        assert!(different.len() > 100, "only {} wordings", different.len());
        assert!(told.iter().filter(|words| *words == ASKED).count() < 10);
        assert_eq!(told, many(ASKED, Speech::Ko));
    }
}
