//! An answer in words that was not given: it is looked at, or asked for once more with what was found.

use crate::fence::{Fence, Fenced, Label};
use std::collections::BTreeSet;
use wiiiv_domain::AnswerFinding;

/// Data below the rules, as a model's words are anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedAnswer {
    pub text: String,
    /// Empty where it is only looked at.
    pub findings: BTreeSet<AnswerFinding>,
}

impl CheckedAnswer {
    pub(crate) fn render(&self, fence: &Fence) -> String {
        let mut text = Fenced::new(fence, Label::Answer, &self.text).as_str().to_owned();
        if !self.findings.is_empty() {
            let line = |finding: &AnswerFinding| format!("{finding}: {}", meaning(*finding));
            let lines: Vec<String> = self.findings.iter().map(line).collect();
            let findings = Fenced::new(fence, Label::Findings, &lines.join("\n"));
            text.push_str(findings.as_str());
        }
        text
    }
}

/// In our own words: whoever found it hands on no text.
const fn meaning(finding: AnswerFinding) -> &'static str {
    match finding {
        AnswerFinding::Empty => "it says nothing",
        AnswerFinding::Repeats => "it gives the question back in place of an answer",
        AnswerFinding::Refuses => "it refuses and does not say why",
        AnswerFinding::Language => "it is not in the language that `SETTING` names",
        AnswerFinding::UnknownName => "it names a run or a file that no block shows",
        AnswerFinding::Guardrail => "it says what a guardrail above forbids",
        AnswerFinding::Unanswered => "it does not answer what `MESSAGE` asks for",
        AnswerFinding::Unfounded => {
            "it states something of the user, their files or runs that no block shows"
        }
        AnswerFinding::Unclear => "it contradicts itself or a block, or cannot be followed",
    }
}
