//! What is asked: a prompt, how its answer is read, and how it is asked for once more.

use super::answer::Answer;
use crate::proposal::{Schema, Unreadable};
use std::collections::BTreeSet;
use wiiiv_context::{CheckPrompt, JudgementPrompt, PersonaPrompt, Prompt, Rendered, RepairPrompt};
use wiiiv_domain::{AnswerFinding, Opinion, ProfileNote, Proposal, Spent, Usage};

/// An answer that could be read.
pub(crate) struct Answered<T> {
    pub(crate) answer: T,
    pub(crate) spent: Spent,
    pub(crate) attempts: u32,
    pub(crate) another: Option<String>,
    pub(crate) beyond: Option<Usage>,
}

pub(crate) trait Question: Rendered {
    type Answer;
    fn read(&self, schema: &Schema, answer: &Answer) -> Result<Self::Answer, Unreadable>;
    fn repair(&self, answer: &str, fault: &str) -> RepairPrompt;
}

impl Question for Prompt {
    /// Apart: what is told of a person is no part of a proposal, which goes to the flow.
    type Answer = (Proposal, Vec<ProfileNote>);
    fn read(&self, schema: &Schema, answer: &Answer) -> Result<Self::Answer, Unreadable> {
        if answer.names_twice {
            return Err(Unreadable::Twice);
        }
        if self.parts().profile.is_some() {
            return schema.read_with_profile(&answer.text);
        }
        Ok((schema.read(&answer.text)?, Vec::new()))
    }
    fn repair(&self, answer: &str, fault: &str) -> RepairPrompt {
        RepairPrompt::new(self, answer, fault)
    }
}

impl Question for PersonaPrompt {
    type Answer = Opinion;
    fn read(&self, schema: &Schema, answer: &Answer) -> Result<Opinion, Unreadable> {
        schema.read_opinion(self.persona(), &answer.text)
    }
    fn repair(&self, answer: &str, fault: &str) -> RepairPrompt {
        RepairPrompt::of_persona(self, answer, fault)
    }
}

impl Question for CheckPrompt {
    type Answer = BTreeSet<AnswerFinding>;
    fn read(&self, schema: &Schema, answer: &Answer) -> Result<Self::Answer, Unreadable> {
        schema.read_check(&answer.text)
    }
    fn repair(&self, answer: &str, fault: &str) -> RepairPrompt {
        RepairPrompt::of_check(self, answer, fault)
    }
}

impl Question for JudgementPrompt {
    /// Relevance and faithfulness.
    type Answer = [f64; 2];
    fn read(&self, schema: &Schema, answer: &Answer) -> Result<[f64; 2], Unreadable> {
        schema.read_judgement(&answer.text)
    }
    fn repair(&self, answer: &str, fault: &str) -> RepairPrompt {
        RepairPrompt::of_judgement(self, answer, fault)
    }
}
