//! One layer: a file with each key's position, a variable or a flag.

use super::error::ConfigError;
use super::schema::{Kind, Schema, is_secret};
use super::source_position::SourcePosition;
use figment::value::{Dict, Map, Value};
use figment::{Error, Metadata, Profile, Provider};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Sections within sections; deeper ones are no keys of ours.
const DEPTH_MAX: usize = 4;

#[derive(Debug, Clone)]
pub struct Layer {
    name: String,
    values: BTreeMap<String, Value>,
    places: BTreeMap<String, SourcePosition>,
}

impl Layer {
    /// Any TOML text; its keys are not compared with anything yet.
    pub fn parse(name: &str, text: &str) -> Result<Self, ConfigError> {
        let table = DeTable::parse(text).map_err(|error| {
            let place = SourcePosition::of(text, error.span().map_or(0, |span| span.start));
            let reason = error.message().to_owned();
            ConfigError::Syntax { origin: format!("{name}:{place}"), reason }
        })?;
        let (values, places) = (BTreeMap::new(), BTreeMap::new());
        let mut layer = Self { name: name.to_owned(), values, places };
        layer.take(text, "", table.get_ref(), DEPTH_MAX);
        Ok(layer)
    }

    /// A file: every key must be known and of its kind.
    pub fn file(name: &str, text: &str, schema: &Schema) -> Result<Self, ConfigError> {
        let layer = Self::parse(name, text)?;
        for (key, value) in &layer.values {
            let origin = layer.origin(key);
            let kind = schema.kind(key);
            let kind = kind.ok_or_else(|| schema.unknown(origin.clone(), key.clone()))?;
            if is_secret(key) {
                return Err(ConfigError::EnvironmentOnly { origin, key: key.clone() });
            }
            if Kind::of(value) != Some(kind) {
                let (key, expected) = (key.clone(), kind.expected());
                return Err(ConfigError::WrongKind { origin, key, expected });
            }
        }
        Ok(layer)
    }

    /// One value as text, from a variable or a flag; lists are separated by commas.
    pub fn single(name: &str, key: &str, text: &str, schema: &Schema) -> Result<Self, ConfigError> {
        let origin = || name.to_owned();
        let kind = schema.kind(key).ok_or_else(|| schema.unknown(origin(), key.to_owned()))?;
        let wrong = || {
            let (key, expected) = (key.to_owned(), kind.expected());
            ConfigError::WrongKind { origin: origin(), key, expected }
        };
        let value = match kind {
            Kind::Text => Value::from(text),
            Kind::Whole => Value::from(text.trim().parse::<i64>().map_err(|_| wrong())?),
            Kind::Flag => Value::from(text.trim().parse::<bool>().map_err(|_| wrong())?),
            Kind::Texts => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Value::from(items.map(Value::from).collect::<Vec<Value>>())
            }
        };
        let values = BTreeMap::from([(key.to_owned(), value)]);
        Ok(Self { name: origin(), values, places: BTreeMap::new() })
    }

    /// Where places mean nothing to the reader: the built-in text.
    pub fn without_places(self) -> Self {
        Self { places: BTreeMap::new(), ..self }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn values(&self) -> BTreeMap<String, Value> {
        self.values.clone()
    }

    /// `file:line:column`, or the name alone.
    pub fn origin(&self, key: &str) -> String {
        match self.places.get(key) {
            Some(place) => format!("{}:{place}", self.name),
            None => self.name.clone(),
        }
    }

    fn take(&mut self, text: &str, prefix: &str, table: &DeTable<'_>, depth: usize) {
        for (name, value) in table {
            let key = if prefix.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{prefix}.{}", name.get_ref())
            };
            match value.get_ref() {
                DeValue::Table(inner) if depth > 0 => self.take(text, &key, inner, depth - 1),
                other => {
                    self.places.insert(key.clone(), SourcePosition::of(text, name.span().start));
                    self.values.insert(key, read(other));
                }
            }
        }
    }
}

/// What no key of ours can hold becomes a table, which is of no kind.
fn read(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::from(Dict::new()), Value::from),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Array(items) => {
            Value::from(items.iter().map(|item| read(item.get_ref())).collect::<Vec<Value>>())
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => Value::from(Dict::new()),
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let mut root = Dict::new();
        for (key, value) in &self.values {
            let nested = figment::util::nest(key, value.clone());
            let Value::Dict(_, nested) = nested else { continue };
            join(&mut root, nested);
        }
        Ok(Map::from([(Profile::Default, root)]))
    }
}

/// Sections of one name are one section, at every depth.
fn join(into: &mut Dict, other: Dict) {
    for (name, value) in other {
        match (into.get_mut(&name), value) {
            (Some(Value::Dict(_, old)), Value::Dict(_, new)) => join(old, new),
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}
