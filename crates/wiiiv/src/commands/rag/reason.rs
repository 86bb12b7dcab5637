//! Why a file became no document, in the reader's language.

use crate::context::Context;
use crate::texts::named;
use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::Lang;

const KO: &str = include_str!("../../../../../config/messages/ko.toml");
const EN: &str = include_str!("../../../../../config/messages/en.toml");

/// Of the texts in which code answers these alone: why a file gave no text, by its code.
#[derive(Deserialize)]
struct Refusals {
    #[serde(default)]
    document_refused: BTreeMap<String, String>,
}

/// By its code; one of a later server comes as it is.
pub fn of(context: &Context, code: &str) -> String {
    known(context.language, code)
        .unwrap_or_else(|| named(&context.texts.rag.codes, code).to_owned())
}

fn known(language: Lang, code: &str) -> Option<String> {
    let texts = match language {
        Lang::Ko => KO,
        Lang::En => EN,
    };
    toml::from_str::<Refusals>(texts).ok()?.document_refused.remove(code)
}

#[cfg(test)]
mod tests {
    use super::known;
    use crate::texts::Texts;
    use wiiiv_domain::Lang;
    use wiiiv_exec::DocumentRefused;

    #[test]
    fn every_code_has_words_in_both_languages() {
        for language in Lang::ALL {
            for code in DocumentRefused::CODES {
                assert!(known(language, code).is_some(), "{language}: {code}");
            }
            let codes = Texts::of(language).unwrap().rag.codes;
            let failed = ["RIGHT_GONE", "TOO_MANY_CHUNKS", "DOCUMENTS_FULL", "SERVER_FULL"];
            let faults = ["INTERRUPTED", "SERVER_FAULT", "POLICY_UNREADABLE", "NOT_EMBEDDED"];
            let why = [
                "UNREACHABLE",
                "CANCELLED",
                "NO_RIGHT",
                "BUDGET",
                "UNPRICED",
                "KEY",
                "ORIGIN",
                "CREDIT",
                "HALTED",
                "REFUSED",
            ];
            let without = why.map(|why| format!("NOT_EMBEDDED_{why}"));
            for code in failed.into_iter().chain(faults).chain(without.iter().map(String::as_str)) {
                assert!(codes.contains_key(code), "{language}: {code}");
            }
        }
    }
}
