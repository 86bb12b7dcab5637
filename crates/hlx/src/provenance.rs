//! Which written values of a plan did not come from the user's words, and where they came from. A
//! value that a model wrote has every source of its slot, unless it stands in the user's words.

mod words;

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Arg, ArgPlace, ArgSources, HttpMethod, Node, Operation, SlotName, Sources, Spec, StepId,
    StepParams, System, UrlTemplate, ValueSources, is_recipient,
};
pub use words::{Edge, UserWords};

/// Slots that name where a request goes, what it does, and with which values.
const HOST: [&str; 2] = [SlotName::URL, SlotName::DOMAIN];
const OPERATION: [&str; 2] = [SlotName::OPERATION, SlotName::METHOD];
const ADDRESS: [&str; 5] =
    [SlotName::URL, SlotName::DOMAIN, SlotName::OPERATION, SlotName::ARGUMENTS, SlotName::QUERY];
/// Slots that name a target, or what a plan is for, in words of their own; a method is one of a few.
const NAMES: [&str; 7] = [
    SlotName::INTENT,
    SlotName::TARGET_PATH,
    SlotName::URL,
    SlotName::DOMAIN,
    SlotName::OPERATION,
    SlotName::ARGUMENTS,
    SlotName::QUERY,
];

/// Of each step that has any.
#[must_use]
pub fn provenance(
    nodes: &[Node],
    spec: &Spec,
    words: &UserWords,
    systems: &[System],
) -> BTreeMap<StepId, ArgSources> {
    if spec.sources.is_empty() {
        return BTreeMap::new();
    }
    let plan = Plan { spec, words, systems };
    let of = |node: &Node| (node.id.clone(), plan.of_node(node));
    nodes.iter().map(of).filter(|(_, places)| !places.is_empty()).collect()
}

/// Whether a slot's value stands in the user's words, so that it has no other source. A registered
/// system and its operations are said by any of their names.
#[must_use]
pub fn is_said(name: &str, value: &str, words: &UserWords, systems: &[System]) -> bool {
    let mut each = value.split(',').map(str::trim);
    match name {
        SlotName::TARGET_PATH => words.hold(value.trim_start_matches('/'), Edge::Path),
        SlotName::URL => words.hold(value, Edge::Path),
        SlotName::DOMAIN => each.all(|place| {
            let mut called = systems.iter().filter(|system| system.is_called(place));
            words.hold(place, Edge::Host) || called.any(|system| is_named(system, words))
        }),
        SlotName::OPERATION => systems.iter().any(|system| says_operation(value, system, words)),
        SlotName::ARGUMENTS => match serde_json::from_str::<Value>(value) {
            Ok(arguments) => {
                leaves(&arguments, true).iter().all(|text| words.hold(text, Edge::Word))
            }
            Err(_) => words.hold(value, Edge::Word),
        },
        _ => words.hold(value, Edge::Word),
    }
}

/// The sources of slots whose texts previews and questions show, so later prompts hold them.
#[must_use]
pub fn of_names(sources: &Sources) -> ValueSources {
    sources.of(&NAMES)
}

fn is_named(system: &System, words: &UserWords) -> bool {
    let names = std::iter::once(system.name.as_str());
    let mut names = names.chain(system.aliases.iter().map(String::as_str));
    names.any(|name| words.hold(name, Edge::Host))
}

/// By its own text, its id or a label; of several, each.
fn says_operation(text: &str, system: &System, words: &UserWords) -> bool {
    let said = |word: &str| words.hold(word, Edge::Word);
    let known = |word: &str| {
        let by_route = |o: &&Operation| format!("{} {}", o.method.as_str(), o.path) == word;
        let by_route = || system.operations.iter().find(by_route);
        system.operation(word).or_else(by_route)
    };
    let named = |word: &str| {
        said(word) || known(word).is_some_and(|o| o.labels.iter().any(|label| said(label)))
    };
    named(text) || text.split(',').map(str::trim).all(named)
}

struct Plan<'a> {
    spec: &'a Spec,
    words: &'a UserWords,
    systems: &'a [System],
}

impl Plan<'_> {
    fn of_node(&self, node: &Node) -> ArgSources {
        let mut found = ArgSources::new();
        let mut note = |place, is_said: bool, slots: &[&str]| {
            let sources = self.spec.sources.of(slots);
            if !is_said && !sources.is_empty() {
                found.insert(place, sources);
            }
        };
        match &node.params {
            StepParams::FileRead { directory, name }
            | StepParams::FileDelete { directory, name } => {
                note(ArgPlace::Path, self.says_path(directory, name), &[SlotName::TARGET_PATH]);
            }
            StepParams::FileWrite { directory, name, content } => {
                note(ArgPlace::Path, self.says_path(directory, name), &[SlotName::TARGET_PATH]);
                note(ArgPlace::Content, self.says(content), &[SlotName::CONTENT]);
            }
            StepParams::ApiCall { method, url, body, .. } => {
                note(ArgPlace::Host, self.says_host(url), &HOST);
                note(ArgPlace::Operation, self.says_operation(*method, url), &OPERATION);
                note(ArgPlace::Address, self.says_address(url), &ADDRESS);
                if let Some(body) = body {
                    note(ArgPlace::Recipient, self.says_recipients(body), &[SlotName::BODY]);
                    note(ArgPlace::Body, self.says(body), &[SlotName::BODY]);
                }
            }
            StepParams::WebFetch { url } => {
                note(ArgPlace::Host, self.says_host(url), &HOST);
                note(ArgPlace::Address, self.says_address(url), &ADDRESS);
            }
            // It goes nowhere.
            StepParams::Transform { .. } => {}
        }
        found
    }

    /// A bound value speaks for itself.
    fn says(&self, value: &Arg) -> bool {
        match value {
            Arg::Literal(text) => self.words.hold(text, Edge::Word),
            Arg::Bound(_) => true,
        }
    }

    fn says_path(&self, directory: &str, name: &Arg) -> bool {
        let Arg::Literal(name) = name else { return true };
        let directory = directory.trim_matches('/');
        let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
        self.words.hold(&path, Edge::Path)
    }

    /// Of a registered system its name counts, whose address is the administrator's.
    fn says_host(&self, url: &UrlTemplate) -> bool {
        let port = url.port.map(|port| format!(":{port}")).unwrap_or_default();
        let by_name = self.system(url).is_some_and(|system| is_named(system, self.words));
        by_name || self.words.hold(&format!("{}{port}", url.host), Edge::Host)
    }

    fn system(&self, url: &UrlTemplate) -> Option<&System> {
        let name = url.system.as_ref()?;
        self.systems.iter().find(|system| system.name == *name)
    }

    /// What only reads is no statement of its own, and what is sent to an address that the user wrote
    /// is content; a deletion is neither. An operation of a registered system is said by its own text,
    /// its id or a label.
    fn says_operation(&self, method: HttpMethod, url: &UrlTemplate) -> bool {
        let Some(system) = self.system(url) else {
            return method != HttpMethod::Delete || self.words.hold("DELETE", Edge::Word);
        };
        let operation = self.spec.slots.get(SlotName::OPERATION).unwrap_or_default();
        method.is_safe() || says_operation(operation, system, self.words)
    }

    /// Segments that the registration has, and names of a query, are the administrator's.
    fn says_address(&self, url: &UrlTemplate) -> bool {
        let system = self.system(url);
        let registered = |text: &str| {
            system.is_some_and(|system| {
                let own = system.operations.iter().flat_map(|operation| operation.path.split('/'));
                own.chain(system.base_url.segments.iter().map(String::as_str)).any(|s| s == text)
            })
        };
        let said = |value: &Arg| match value {
            Arg::Literal(text) => registered(text) || self.words.hold(text, Edge::Word),
            Arg::Bound(_) => true,
        };
        let named = |name: &str| system.is_some() || self.words.hold(name, Edge::Word);
        url.segments.iter().all(said)
            && url.query.iter().all(|(name, value)| said(value) && named(name))
    }

    fn says_recipients(&self, body: &Arg) -> bool {
        let Arg::Literal(text) = body else { return true };
        let named = match serde_json::from_str::<Value>(text) {
            Ok(value) => leaves(&value, false),
            Err(_) => form_recipients(text),
        };
        named.iter().all(|text| self.words.hold(text, Edge::Word))
    }
}

/// The texts and numbers at any depth; `all`: also those of members that name no recipient.
fn leaves(value: &Value, all: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(value, all)];
    while let Some((value, counts)) = open.pop() {
        match value {
            Value::Object(members) => open.extend(named(members, counts)),
            Value::Array(items) => open.extend(items.iter().map(|item| (item, counts))),
            Value::String(text) if counts => found.push(text.clone()),
            Value::Number(number) if counts => found.push(number.to_string()),
            Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
    }
    found
}

/// Of a body that is no JSON: as a service reads a form.
fn form_recipients(body: &str) -> Vec<String> {
    let fields = url::form_urlencoded::parse(body.trim().as_bytes());
    let named = fields.filter(|(name, _)| is_recipient(name));
    named.map(|(_, value)| value.into_owned()).collect()
}

fn named(members: &Map<String, Value>, within: bool) -> impl Iterator<Item = (&Value, bool)> {
    members.iter().map(move |(name, value)| (value, within || is_recipient(name)))
}
