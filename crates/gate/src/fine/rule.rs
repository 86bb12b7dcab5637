//! One rule of a project.

use cedar_policy_core::ast::Policy;
use std::fmt;
use wiiiv_domain::{FineRuleName, Lang};

/// A rule that forbids.
#[derive(Clone, PartialEq, Eq)]
pub struct FineRule {
    name: FineRuleName,
    /// In no particular language, in Korean, in English.
    advice: [Option<String>; 3],
    policy: Policy,
}

impl FineRule {
    pub(super) const fn new(
        name: FineRuleName,
        advice: [Option<String>; 3],
        policy: Policy,
    ) -> Self {
        Self { name, advice, policy }
    }
    /// Its `@id`.
    #[must_use]
    pub const fn name(&self) -> &FineRuleName {
        &self.name
    }
    /// What its author tells whoever it stops: `@advice_ko` or `@advice_en`, else `@advice`.
    #[must_use]
    pub fn advice(&self, lang: Lang) -> Option<&str> {
        let [any, ko, en] = &self.advice;
        let own = match lang {
            Lang::Ko => ko,
            Lang::En => en,
        };
        own.as_deref().or(any.as_deref())
    }
    pub(super) const fn policy(&self) -> &Policy {
        &self.policy
    }
}

/// Its condition is the project's own text.
impl fmt::Debug for FineRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FineRule").field("name", &self.name).finish_non_exhaustive()
    }
}
