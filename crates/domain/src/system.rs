//! A service that a project may call. It is registered, never guessed (execution.md 1a).
//!
//! A plan names the system; code adds the base address, the credential and tokens. No secret is
//! here: the store holds the credential sealed, bound to the system's origin.

mod request_match;

use crate::{
    effect::Risk,
    field::Field,
    http_method::HttpMethod,
    label::{LABEL_CHARS_MAX, LABELS_MAX, SystemError, bounded, label, labels, spoken},
    lang::Lang,
    policy::HostRule,
    request::{BODY_SCHEMA_BYTES_MAX, RequestBody},
    scheme::Scheme,
    system_name::SystemName,
};
pub use request_match::RequestTarget;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Registered systems of one project.
pub const SYSTEMS_MAX: usize = 64;
/// Operations of one system.
pub const OPERATIONS_MAX: usize = 256;
/// Fields of one operation's rows.
pub const FIELDS_MAX: usize = 64;
/// A path of an operation or a log-in, in bytes.
const PATH_BYTES_MAX: usize = 1024;
/// As DNS has it, in bytes.
const HOST_BYTES_MAX: usize = 253;
/// Segments of a base address.
const BASE_SEGMENTS_MAX: usize = 16;

/// Address of a system. Everything that is sent to it goes to this origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaseUrl {
    /// `http` or `https`.
    pub scheme: Scheme,
    /// Lower case.
    pub host: String,
    /// `None` means the scheme's default port.
    pub port: Option<u16>,
    /// Decoded segments that every operation's path stands under.
    #[serde(default)]
    pub segments: Vec<String>,
}

impl BaseUrl {
    /// `scheme://host:port` with the port always written; a credential is bound to it.
    #[must_use]
    pub fn origin(&self) -> String {
        let port = self.port.unwrap_or(self.scheme.default_port());
        format!("{}://{}:{port}", self.scheme.as_str(), self.host)
    }
    /// `host` or `host:port`, as an envelope names it.
    #[must_use]
    pub fn place(&self) -> String {
        self.port.map_or_else(|| self.host.clone(), |port| format!("{}:{port}", self.host))
    }
    /// Whether that address has this origin; a missing port is the scheme's default.
    #[must_use]
    pub fn is_at(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        let port_of = |port: Option<u16>| port.unwrap_or(scheme.default_port());
        self.scheme == scheme && self.host == host && port_of(self.port) == port_of(port)
    }
    fn check(&self) -> Result<(), SystemError> {
        let named =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
        let in_brackets = |host: &str| {
            let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            inner.is_some_and(|v6| v6.bytes().all(|b| b.is_ascii_hexdigit() || b":.".contains(&b)))
        };
        let sized = (1..=HOST_BYTES_MAX).contains(&self.host.len());
        if !sized || !(self.host.bytes().all(named) || in_brackets(&self.host)) {
            return Err(SystemError::BaseUrl(
                "a host is a name or an address in lower case, one of IPv6 in brackets",
            ));
        }
        if self.segments.len() > BASE_SEGMENTS_MAX {
            return Err(SystemError::BaseUrl("its path has too many segments"));
        }
        let odd = |segment: &String| {
            matches!(segment.as_str(), "" | "." | "..")
                || segment.len() > PATH_BYTES_MAX
                || segment.chars().any(|c| c.is_control() || matches!(c, '/' | '\\' | '{' | '}'))
        };
        if self.segments.iter().any(odd) {
            return Err(SystemError::BaseUrl(
                "its segments are neither empty, `.` nor `..`, and hold no `/`, `\\` or brace",
            ));
        }
        Ok(())
    }
}

/// Where an argument of an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterPlace {
    /// In braces in the path.
    Path,
    /// In the query.
    Query,
}

/// One argument of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameter {
    /// Its name in the path or the query.
    pub name: String,
    /// Where it goes.
    #[serde(rename = "in")]
    pub place: ParameterPlace,
    /// Whether a request without it is refused.
    #[serde(default)]
    pub required: bool,
}

/// One operation of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Operation {
    /// Unique in its system: 1 to 64 of `a-z A-Z 0-9 _ - .`.
    pub id: String,
    /// Its request method.
    pub method: HttpMethod,
    /// Under the base address, `/` first, parameters in braces: `/products/{id}`.
    pub path: String,
    /// Labels in any language: `상품 목록`, `products`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The administrator declares that it changes nothing, such as a POST that searches.
    #[serde(default)]
    pub reads: bool,
    /// The service promises that a repetition has no further effect.
    #[serde(default)]
    pub idempotent: bool,
    /// Its arguments.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// Known fields of a row of its answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// Its request body, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<RequestBody>,
}

impl Operation {
    /// The first label in that language, if it differs from the id.
    #[must_use]
    pub fn label(&self, lang: Lang) -> Option<&str> {
        spoken(&self.labels, lang).filter(|label| *label != self.id)
    }
    /// Its line in the policy's list of READ operations: `POST /products/search`, with the base's
    /// segments and `{}` for each parameter.
    #[must_use]
    pub fn route(&self, base: &BaseUrl) -> String {
        let own = self.path.split('/').filter(|segment| !segment.is_empty());
        let plain = |segment: &str| match segment.strip_prefix('{') {
            Some(_) => "{}".to_owned(),
            None => segment.to_owned(),
        };
        let segments: Vec<_> = base.segments.iter().cloned().chain(own.map(plain)).collect();
        format!("{} /{}", self.method.as_str(), segments.join("/"))
    }
}

/// How code logs in to a system. The credential holds the secret parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
#[serde(deny_unknown_fields)]
pub enum Authentication {
    /// The system asks for no proof.
    None,
    /// `Authorization: Bearer SECRET`.
    Bearer,
    /// RFC 7617.
    Basic,
    /// The secret in a header of this name.
    ApiKey {
        /// Name of the header.
        header: String,
    },
    /// The credential is exchanged for a token: a JSON POST gives the token at a JSON pointer (RFC
    /// 6901), then `Authorization: Bearer TOKEN`.
    LogIn {
        /// Under the base address.
        path: String,
        /// Member of the request's JSON that takes the user name.
        username_field: String,
        /// Member of the request's JSON that takes the secret.
        password_field: String,
        /// Where the token is in the answer.
        token_pointer: String,
    },
}

impl Authentication {
    /// Whether a credential must be set before the system can be called.
    #[must_use]
    pub const fn needs_credential(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether both send a credential in the same way; the place of the token in an answer does not
    /// matter.
    #[must_use]
    pub fn uses_as(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::LogIn { path, username_field, password_field, token_pointer: _ },
                Self::LogIn { path: at, username_field: name, password_field: secret, .. },
            ) => path == at && username_field == name && password_field == secret,
            (
                Self::None | Self::Bearer | Self::Basic | Self::ApiKey { .. } | Self::LogIn { .. },
                _,
            ) => self == other,
        }
    }
}

/// A registered service of one project: its address, its operations and how code logs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct System {
    /// [`System::VERSION`] of the build that wrote it.
    pub version: u32,
    /// Its name, unique in the project.
    pub name: SystemName,
    /// Names in any language.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where it is.
    pub base_url: BaseUrl,
    /// What it can do.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// How code logs in to it.
    pub authentication: Authentication,
    /// The credential may go to any path below the base address, not to the registered operations
    /// alone. A registration from before this field keeps its bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_path: bool,
    /// How much harm its operations can do, as the administrator says.
    pub risk: Risk,
}

/// State of a registration that its document does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemStanding {
    /// Changes with the registration and its credential; a project never has one twice.
    pub revision: u64,
    /// Whether a credential is stored for it.
    pub has_credential: bool,
}

impl System {
    /// The first alias in that language.
    #[must_use]
    pub fn alias(&self, lang: Lang) -> Option<&str> {
        spoken(&self.aliases, lang)
    }
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// Checks every rule of a registration; gives the first error.
    pub fn check(&self) -> Result<(), SystemError> {
        bounded("aliases", self.aliases.len(), LABELS_MAX)?;
        bounded("operations", self.operations.len(), OPERATIONS_MAX)?;
        self.base_url.check()?;
        let mut words = BTreeSet::from([self.name.as_str().to_owned()]);
        for alias in &self.aliases {
            label("aliases", alias)?;
            if !words.insert(folded(alias)) {
                return Err(SystemError::Twice(alias.clone()));
            }
        }
        let mut ids = BTreeSet::new();
        for operation in &self.operations {
            operation.check()?;
            if !ids.insert(operation.id.as_str()) {
                return Err(operation.odd("its id is used twice"));
            }
        }
        self.authentication.check()
    }

    /// Its first operation that reads and needs no argument.
    #[must_use]
    pub fn listing(&self) -> Option<&Operation> {
        let open = |operation: &&Operation| {
            let reads = operation.reads || operation.method == HttpMethod::Get;
            let needs = operation.parameters.iter().any(|parameter| parameter.required);
            reads && !needs && !operation.path.contains('{')
        };
        self.operations.iter().find(open)
    }

    /// Whether the word is its name or an alias; letter case is ignored.
    #[must_use]
    pub fn is_called(&self, word: &str) -> bool {
        let word = folded(word);
        self.name.as_str() == word || self.aliases.iter().any(|alias| folded(alias) == word)
    }
    /// The operation of that id, else of that label; letter case of labels is ignored.
    #[must_use]
    pub fn operation(&self, word: &str) -> Option<&Operation> {
        let word = word.trim();
        let by_label = |o: &&Operation| o.labels.iter().any(|label| folded(label) == folded(word));
        let by_id = self.operations.iter().find(|operation| operation.id == word);
        by_id.or_else(|| self.operations.iter().find(by_label))
    }
    /// The egress line that a policy needs for this registration.
    #[must_use]
    pub fn proposed_rule(&self, private: bool) -> HostRule {
        let promised = |o: &&Operation| o.idempotent && !o.method.is_safe();
        let labelled = |o: &&Operation| o.reads && !o.method.is_safe();
        let routes = |of: &dyn Fn(&&Operation) -> bool| {
            self.operations.iter().filter(of).map(|o| o.route(&self.base_url)).collect()
        };
        HostRule {
            host: self.base_url.host.clone(),
            scheme: Some(self.base_url.scheme),
            port: self.base_url.port,
            private,
            // A declaration for one operation does not hold for others of its method.
            idempotent_methods: BTreeSet::new(),
            idempotent_operations: routes(&promised),
            read_operations: routes(&labelled),
        }
    }
}

impl Operation {
    fn odd(&self, why: &'static str) -> SystemError {
        SystemError::Operation { id: self.id.chars().take(LABEL_CHARS_MAX).collect(), why }
    }
    fn check(&self) -> Result<(), SystemError> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        if !(1..=LABEL_CHARS_MAX).contains(&self.id.len()) || !self.id.bytes().all(plain) {
            return Err(self.odd("an id is 1 to 64 of `a-z A-Z 0-9 _ - .`"));
        }
        labels(&self.labels)?;
        path(&self.path).map_err(|why| self.odd(why))?;
        let braced = |segment: &str| segment.contains(['{', '}']);
        let whole = |segment: &str| {
            let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            name.is_some_and(|name| !name.is_empty() && !braced(name))
        };
        if self.path.split('/').any(|segment| braced(segment) && !whole(segment)) {
            return Err(self.odd("a parameter in braces is a whole segment of the path"));
        }
        let in_braces = |name: &str| self.path.contains(&format!("{{{name}}}"));
        let stands = |p: &Parameter| p.place == ParameterPlace::Path && !in_braces(&p.name);
        if self.parameters.iter().any(stands) {
            return Err(self.odd("a path parameter stands in braces in the path"));
        }
        if self.reads && self.method == HttpMethod::Delete {
            return Err(self.odd("a DELETE never reads"));
        }
        self.parameters.iter().try_for_each(|p| label("parameters", &p.name))?;
        bounded("parameters", self.parameters.len(), LABEL_CHARS_MAX)?;
        bounded("fields", self.fields.len(), FIELDS_MAX)?;
        if let Some(body) = &self.body {
            if self.method.is_safe() {
                return Err(self.odd("a GET or HEAD takes no body"));
            }
            if body.schema.to_string().len() > BODY_SCHEMA_BYTES_MAX {
                return Err(self.odd("the schema of its body is longer than 16 KiB"));
            }
            label("mediaType", &body.media_type)?;
        }
        self.fields.iter().try_for_each(Field::check)
    }
}

impl Authentication {
    fn check(&self) -> Result<(), SystemError> {
        let fault =
            |holds: bool, why| if holds { Ok(()) } else { Err(SystemError::Authentication(why)) };
        match self {
            Self::None | Self::Bearer | Self::Basic => Ok(()),
            Self::ApiKey { header } => {
                let token = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
                let named = (1..=64).contains(&header.len()) && header.bytes().all(token);
                fault(named, "a header's name is letters, digits, `-` and `_`")?;
                let ours = ["host", "content-length", "content-type", "cookie", "connection"];
                let free = !ours.iter().any(|name| header.eq_ignore_ascii_case(name));
                fault(free, "that header is the client's own: name another")
            }
            Self::LogIn { path: login, username_field, password_field, token_pointer } => {
                path(login).map_err(SystemError::Authentication)?;
                fault(!login.contains(['{', '}']), "the log-in's path has no parameters")?;
                let named = |field: &str| (1..=LABEL_CHARS_MAX).contains(&field.chars().count());
                let both = named(username_field) && named(password_field);
                fault(both, "both fields of the log-in have names of up to 64 characters")?;
                let bounded = token_pointer.len() <= PATH_BYTES_MAX;
                fault(bounded && token_pointer.starts_with('/'), "a JSON pointer begins with `/`")
            }
        }
    }
}

/// Of an operation or a log-in, under the base address.
fn path(text: &str) -> Result<(), &'static str> {
    let ended = text.contains(['?', '#', '\\']) || text.chars().any(char::is_control);
    if !text.starts_with('/') || ended || text.len() > PATH_BYTES_MAX {
        return Err("a path begins with `/`, holds no `?`, `#` or `\\`, and is at most 1024 bytes");
    }
    if text.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Err("a path holds no `.` or `..`");
    }
    Ok(())
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}
