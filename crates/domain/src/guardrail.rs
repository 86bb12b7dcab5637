//! Guardrails: blocks of rules of one field that stand above everything a model reads.

use serde::{Deserialize, Serialize};

named! {
    /// One block of rules, by the name of its file in `prompts/guardrails/`. A policy or a schema of profiles chooses
    /// it; no model, message or memory does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Guardrail {
        /// Health: no definitive diagnosis, emergencies to a hospital, no guessing.
        Medical = "medical",
        /// Money: no promised returns, no decision in the person's place.
        Finance = "finance",
        /// Law: no promised outcome, deadlines to a lawyer.
        Legal = "legal",
    }
}
