//! A run that is wrong on purpose has to FAIL, and first at the fact that its twin names.

use crate::{
    scenario::{Twin, Violation},
    verdict::{Verdict, Violated},
};
use serde_json::json;

const TWIN: &str = "twin";

/// PASS if the wrong run failed at the named fact.
pub(super) fn twin_verdict(twin: &Twin, wrong: Verdict) -> Verdict {
    let Violation { turn, fact } = &twin.violates;
    let expected = json!({ "verdict": "FAIL", "turn": turn, "fact": fact });
    let missed = |seen| Verdict::Fail { first: Violated::new(TWIN, expected.clone(), seen) };
    match wrong {
        Verdict::Fail { first } if first.turn == *turn && first.fact == *fact => Verdict::Pass,
        Verdict::Fail { first } => {
            missed(json!({ "verdict": "FAIL", "turn": first.turn, "fact": first.fact,
                "why": first.to_string() }))
        }
        Verdict::Pass | Verdict::Partial { .. } => missed(json!({ "verdict": "PASS" })),
        Verdict::Error { why } => Verdict::Error { why },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twin(turn: Option<usize>, fact: &str) -> Twin {
        Twin {
            wrong: "x".to_owned(),
            turn: Some(1),
            act: None,
            model: None,
            meanwhile: None,
            omit: true,
            policy: serde_json::Map::new(),
            violates: Violation { turn, fact: fact.to_owned() },
        }
    }

    #[test]
    fn only_the_named_violation_counts() {
        let failed = |turn: Option<usize>, fact: &str| Verdict::Fail {
            first: Violated { turn, ..Violated::new(fact, 1, 2) },
        };
        let twin = twin(Some(2), "calls");
        assert_eq!(twin_verdict(&twin, failed(Some(2), "calls")), Verdict::Pass);
        for wrong in [failed(None, "calls"), failed(Some(2), "file"), Verdict::Pass] {
            assert_eq!(twin_verdict(&twin, wrong).name(), "FAIL");
        }
        let error = Verdict::Error { why: "x".to_owned() };
        assert_eq!(twin_verdict(&twin, error).name(), "ERROR");
    }
}
