//! The valid keys: those of `config/default.toml`, and a few that files may not set.

use super::error::ConfigError;
use figment::value::Value;
use std::collections::BTreeMap;

pub const DEFAULTS: &str = include_str!("../../../../config/default.toml");
/// From the environment alone, and never shown.
const SECRETS: [&str; 3] = ["keys.master", "keys.next_master", "audit.export.secret"];
/// Known, and in no default file: secrets, and what ends the process on purpose.
const UNLISTED: [&str; 4] =
    ["keys.master", "keys.next_master", "audit.export.secret", "faults.abort_at"];
/// A name that resembles no key more than this is no slip of the pen.
const RESEMBLANCE_MIN: f64 = 0.8;

pub fn is_secret(key: &str) -> bool {
    SECRETS.contains(&key)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Whole,
    Flag,
    Texts,
}

impl Kind {
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Text => "a text in quotes",
            Self::Whole => "a whole number",
            Self::Flag => "`true` or `false`",
            Self::Texts => "a list of texts",
        }
    }
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(..) => Some(Self::Text),
            Value::Num(_, number) => number.to_i128().map(|_| Self::Whole),
            Value::Bool(..) => Some(Self::Flag),
            Value::Array(_, items) => {
                items.iter().all(|item| item.as_str().is_some()).then_some(Self::Texts)
            }
            Value::Char(..) | Value::Empty(..) | Value::Dict(..) => None,
        }
    }
}

pub struct Schema(BTreeMap<String, Kind>);

impl Schema {
    /// `defaults`: every key with its value.
    pub fn of(defaults: impl IntoIterator<Item = (String, Value)>) -> Self {
        let listed = defaults.into_iter();
        let mut keys: BTreeMap<String, Kind> =
            listed.filter_map(|(key, value)| Some((key, Kind::of(&value)?))).collect();
        keys.extend(UNLISTED.map(|key| (key.to_owned(), Kind::Text)));
        Self(keys)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn kind(&self, key: &str) -> Option<Kind> {
        self.0.get(key).copied()
    }

    pub fn unknown(&self, origin: String, key: String) -> ConfigError {
        let listed = self.keys().filter(|known| !UNLISTED.contains(known));
        let scored = listed.map(|known| (strsim::jaro_winkler(known, &key), known));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0));
        let closest = best.filter(|(score, _)| *score >= RESEMBLANCE_MIN);
        ConfigError::UnknownKey { origin, key, closest: closest.map(|(_, known)| known.to_owned()) }
    }
}
