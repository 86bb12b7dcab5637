//! Rewords the person's utterances as another person might say them: typing errors, particles, order,
//! politeness, fillers, spacing. Paths, URLs, names, quotations and numbers stay unchanged.

mod english;
mod korean;
mod slip;
mod word;

use crate::{
    scenario::{Act, Scenario, Speech},
    seeded_random::SeededRandom,
};
use word::{Change, Spoken};

/// Changes of one utterance.
const CHANGES_MAX: u64 = 3;

/// The scenario in the words of the `nth` other person. The same seed gives the same words.
pub(super) fn reworded(scenario: &Scenario, seed: u64, nth: u32) -> Scenario {
    let mut varied = scenario.clone();
    for (at, turn) in varied.turns.iter_mut().enumerate() {
        if let Act::Say(words) = &mut turn.act {
            let label = format!("wording {} {nth} {at}", scenario.id);
            let spoken = Spoken { language: scenario.language, data: &scenario.data };
            *words = reword(words, spoken, &mut SeededRandom::new(seed, &label));
        }
    }
    varied
}

/// The scenario's utterances, in order.
pub(super) fn utterances(scenario: &Scenario) -> Vec<String> {
    let words = scenario.turns.iter().filter_map(|turn| match &turn.act {
        Act::Say(words) => Some(words.clone()),
        Act::Press(_) | Act::Wait(_) => None,
    });
    words.collect()
}

fn reword(text: &str, spoken: Spoken<'_>, random: &mut SeededRandom) -> String {
    let mut changes: Vec<Change> = match spoken.language {
        Speech::Ko => korean::CHANGES.into(),
        Speech::En => english::CHANGES.into(),
    };
    let mut words = word::split(text, spoken);
    random.shuffle(&mut changes);
    let mut wanted = 1 + random.number() % CHANGES_MAX;
    for change in changes {
        if wanted > 0 && change(&mut words, random) {
            wanted -= 1;
        }
    }
    word::join(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str =
        "skymall 상품 중에 가격 3만원 이하인 것만 '싼 것' 이라고 /out/cheap.json 으로 저장해줘";

    fn many(text: &str, language: Speech) -> Vec<String> {
        let spoken = Spoken { language, data: &["전자제품".to_owned()] };
        (0..200).map(|nth| reword(text, spoken, &mut SeededRandom::new(nth, "test"))).collect()
    }

    #[test]
    fn what_has_to_stay_stays() {
        for words in many(REQUEST, Speech::Ko) {
            for part in ["skymall", "3만원", "'싼 것'", "/out/cheap.json"] {
                assert!(words.contains(part), "{part} is lost: {words}");
            }
        }
        let body = r#"POST {"a": 1, "b": "둘 셋"} 보내줘"#;
        let object = r#"{"a": 1, "b": "둘 셋"}"#;
        assert!(many(body, Speech::Ko).iter().all(|words| words.contains(object)));
        let value = "카테고리가 전자제품인 것만 저장해주세요";
        assert!(many(value, Speech::Ko).iter().all(|words| words.contains("전자제품")));
        let english = "please fetch the products from skymall into /a/b.json where price < 10000";
        for words in many(english, Speech::En) {
            for part in ["skymall", "/a/b.json", "10000"] {
                assert!(words.contains(part), "{part} is lost: {words}");
            }
        }
    }

    #[test]
    fn nearly_every_person_says_it_in_another_way_and_the_same_one_the_same() {
        let worded = many(REQUEST, Speech::Ko);
        let different: std::collections::BTreeSet<&String> = worded.iter().collect();
        assert!(different.len() > 100, "only {} wordings", different.len());
        assert!(worded.iter().filter(|words| *words == REQUEST).count() < 10);
        assert_eq!(worded, many(REQUEST, Speech::Ko));
    }
}
