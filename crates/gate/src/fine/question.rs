//! What a step asks, in the words of the schema.

use super::vocabulary::Vocabulary;
use cedar_policy_core::{
    ast::{
        Context, Eid, Entity, EntityType, EntityUID, EntityUIDEntry, Literal, PartialValue,
        Request, Value, ValueKind,
    },
    entities::{Entities, NoEntitiesSchema, TCComputation},
    extensions::Extensions,
};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};
use wiiiv_domain::{Effect, HttpMethod, Scheme, StepType, Timestamp, UserId};

/// A file whose name is not known yet: no rule can name such an entity by hand.
const UNKNOWN_NAME: char = '\0';

/// The facts of one step that a rule can speak of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepRequest<'a> {
    pub requester: UserId,
    pub step_type: StepType,
    pub effect: Effect,
    pub reach: Reach<'a>,
    pub tainted: bool,
    pub risk_score: u32,
    /// `None` where a step of it is run.
    pub risky: Option<bool>,
    pub at: Timestamp,
}

/// Where the step's effect goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reach<'a> {
    Inside,
    File {
        folder: &'a [&'a str],
        /// `None` until it is known.
        name: Option<&'a str>,
    },
    Place {
        method: HttpMethod,
        scheme: Scheme,
        /// Lower case, without a dot at its end.
        host: &'a str,
        port: Option<u16>,
        /// As it is sent; `None` until it is known.
        path: Option<&'a str>,
    },
}

type Facts = BTreeMap<&'static str, Literal>;

/// One step as Cedar sees it, before anything of Cedar's is built.
pub(super) struct Question {
    pub(super) principal: Literal,
    pub(super) action: Literal,
    pub(super) resource: Literal,
    /// What the resource lies in.
    pub(super) above: Vec<EntityUID>,
    pub(super) attributes: Facts,
    pub(super) context: Facts,
    step_type: StepType,
}

impl Question {
    /// `None` for a kind of step that the schema does not have.
    pub(super) fn of(asked: &StepRequest<'_>, words: &Vocabulary) -> Option<Self> {
        let action = words.action(asked.step_type)?.uid().clone();
        let mut context = Facts::from([
            ("effect", entity(&words.effect, effect_name(asked.effect))),
            ("tainted", Literal::Bool(asked.tainted)),
            ("riskScore", Literal::Long(i64::from(asked.risk_score))),
            ("utcHour", Literal::Long(i64::from(asked.at.utc_hour()))),
            ("utcWeekday", Literal::Long(i64::from(asked.at.utc_weekday()))),
        ]);
        if let Some(risky) = asked.risky {
            context.insert("risky", Literal::Bool(risky));
        }
        let (resource, above, attributes) = match asked.reach {
            Reach::Inside => (entity(&words.inside, ""), Vec::new(), Facts::new()),
            Reach::File { folder, name } => file(words, folder, name),
            Reach::Place { method, scheme, host, port, path } => {
                context.insert("method", entity(&words.method, method.as_str()));
                place(words, scheme, (host, port), path)
            }
        };
        Some(Self {
            principal: entity(&words.user, asked.requester.to_string()),
            action: literal(action),
            resource,
            above,
            attributes,
            context,
            step_type: asked.step_type,
        })
    }

    /// `None` where Cedar refuses it, which no step of the schema's kinds is.
    pub(super) fn to_cedar(&self, words: &Vocabulary) -> Option<(Request, Entities)> {
        let entry = |literal: &Literal| match literal {
            Literal::EntityUID(euid) => {
                Some(EntityUIDEntry::Known { euid: Arc::clone(euid), loc: None })
            }
            Literal::Bool(_) | Literal::Long(_) | Literal::String(_) => None,
        };
        let context: BTreeMap<_, _> =
            self.context.iter().map(|(name, fact)| ((*name).into(), value(fact))).collect();
        let request = Request::new_unchecked(
            entry(&self.principal)?,
            entry(&self.action)?,
            entry(&self.resource)?,
            Some(Context::Value(Arc::new(context))),
        );
        let Literal::EntityUID(resource) = &self.resource else { return None };
        let facts = self.attributes.iter();
        let resource = Entity::new_with_attr_partial_value(
            resource.as_ref().clone(),
            facts.map(|(name, fact)| ((*name).into(), PartialValue::Value(value(fact)))),
            self.above.iter().cloned().collect(),
            HashSet::new(),
            std::iter::empty(),
        );
        let action = words.action(self.step_type)?.clone();
        let entities = Entities::from_entities(
            [action, resource],
            None::<&NoEntitiesSchema>,
            TCComputation::AssumeAlreadyComputed,
            Extensions::all_available(),
        );
        Some((request, entities.ok()?))
    }
}

fn file(
    words: &Vocabulary,
    folder: &[&str],
    name: Option<&str>,
) -> (Literal, Vec<EntityUID>, Facts) {
    let mut above = vec![uid(&words.folder, "")];
    let mut path = String::new();
    for part in folder {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
        above.push(uid(&words.folder, path.clone()));
    }
    if !path.is_empty() {
        path.push('/');
    }
    let Some(name) = name else {
        path.push(UNKNOWN_NAME);
        return (entity(&words.file, path), above, Facts::new());
    };
    path.push_str(name);
    let facts =
        [("path", Literal::String(path.as_str().into())), ("name", Literal::String(name.into()))];
    (entity(&words.file, path), above, Facts::from(facts))
}

fn place(
    words: &Vocabulary,
    scheme: Scheme,
    (host, port): (&str, Option<u16>),
    path: Option<&str>,
) -> (Literal, Vec<EntityUID>, Facts) {
    let port = port.filter(|port| *port != scheme.default_port());
    let name = match port {
        None => host.to_owned(),
        Some(port) => format!("{host}:{port}"),
    };
    let port = port.unwrap_or(scheme.default_port());
    let mut facts = Facts::from([
        ("scheme", entity(&words.scheme, scheme.as_str())),
        ("host", Literal::String(host.into())),
        ("port", Literal::Long(i64::from(port))),
    ]);
    if let Some(path) = path {
        facts.insert("path", Literal::String(path.into()));
    }
    (entity(&words.place, name), domains(words, host), facts)
}

/// The host itself, and what follows each of its dots; of an address only itself.
fn domains(words: &Vocabulary, host: &str) -> Vec<EntityUID> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let mut above = vec![uid(&words.domain, host)];
    if bare.parse::<std::net::IpAddr>().is_err() {
        let parents = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..));
        above.extend(parents.map(|parent| uid(&words.domain, parent)));
    }
    above
}

const fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Write => "write",
        Effect::Delete => "delete",
        Effect::Execute => "execute",
    }
}

fn uid(kind: &EntityType, name: impl AsRef<str>) -> EntityUID {
    EntityUID::from_components(kind.clone(), Eid::new(name.as_ref()), None)
}

fn literal(uid: EntityUID) -> Literal {
    Literal::EntityUID(Arc::new(uid))
}

fn entity(kind: &EntityType, name: impl AsRef<str>) -> Literal {
    literal(uid(kind, name))
}

fn value(literal: &Literal) -> Value {
    Value::new(ValueKind::Lit(literal.clone()), None)
}
