//! Texts by dotted key, the same keys and placeholders in every language.

use super::keys;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::Lang;

const KO: &str = include_str!("../../../../config/messages/ko.toml");
const EN: &str = include_str!("../../../../config/messages/en.toml");

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessagesError {
    #[error("`config/messages/{lang}.toml` cannot be read: {reason}")]
    Format { lang: Lang, reason: String },
    #[error("`{key}` has no text in `config/messages/{lang}.toml`: write one")]
    Missing { lang: Lang, key: String },
    #[error("`{key}` has other placeholders in one language than in the other")]
    Placeholders { key: String },
}

#[derive(Debug, Clone)]
pub(super) struct Texts {
    ko: BTreeMap<String, String>,
    en: BTreeMap<String, String>,
}

impl Texts {
    pub(super) fn embedded() -> Result<Self, MessagesError> {
        Self::parse(KO, EN)
    }

    pub(super) fn parse(ko: &str, en: &str) -> Result<Self, MessagesError> {
        let texts = Self { ko: flat(Lang::Ko, ko)?, en: flat(Lang::En, en)? };
        let required = keys::required();
        let named = texts.ko.keys().chain(texts.en.keys()).chain(&required);
        for key in named.collect::<BTreeSet<_>>() {
            for lang in Lang::ALL {
                if texts.find(lang, key).is_none_or(str::is_empty) {
                    return Err(MessagesError::Missing { lang, key: key.clone() });
                }
            }
            let [ko, en] = Lang::ALL.map(|lang| placeholders(texts.get(lang, key)));
            if ko != en {
                return Err(MessagesError::Placeholders { key: key.clone() });
            }
        }
        Ok(texts)
    }

    pub(super) fn find(&self, lang: Lang, key: &str) -> Option<&str> {
        let texts = match lang {
            Lang::Ko => &self.ko,
            Lang::En => &self.en,
        };
        texts.get(key).map(String::as_str)
    }
    // INVARIANT: `parse` has found every key that code asks for.
    pub(super) fn get(&self, lang: Lang, key: &str) -> &str {
        self.find(lang, key).unwrap_or_default()
    }
}

fn flat(lang: Lang, text: &str) -> Result<BTreeMap<String, String>, MessagesError> {
    let refused = |reason: String| MessagesError::Format { lang, reason };
    let table: toml::Table = toml::from_str(text).map_err(|e| refused(e.to_string()))?;
    let mut open: Vec<(String, toml::Value)> = table.into_iter().collect();
    let mut texts = BTreeMap::new();
    while let Some((key, value)) = open.pop() {
        match value {
            toml::Value::String(text) => {
                texts.insert(key, text.trim().to_owned());
            }
            toml::Value::Table(inner) => {
                open.extend(
                    inner.into_iter().map(|(name, value)| (format!("{key}.{name}"), value)),
                );
            }
            _ => return Err(refused(format!("`{key}` is no text"))),
        }
    }
    Ok(texts)
}

/// Names between braces.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|after| after.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

/// One pass: braces inside a value are not read again.
pub(super) fn fill(template: &str, arguments: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut parts = template.split('{');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let known = part.split_once('}').and_then(|(name, after)| {
            arguments.iter().find(|(n, _)| *n == name).map(|(_, value)| (value, after))
        });
        match known {
            Some((value, after)) => {
                text.push_str(value);
                text.push_str(after);
            }
            None => {
                text.push('{');
                text.push_str(part);
            }
        }
    }
    text
}
