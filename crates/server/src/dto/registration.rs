//! Wire forms of registered systems.

use crate::dto::auth::SecretField;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{
    Authentication, BaseUrl, HostRule, Operation, ProjectPolicy, Risk, System, SystemName,
};
use wiiiv_exec::ConnectionReport;
use wiiiv_store::SystemRow;

/// `https://host:8443/base`, or the same in its parts.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a URL as text, or an object of scheme, host, port, segments"
)]
pub(crate) enum BaseUrlInput {
    Text(String),
    Parts(BaseUrl),
}

/// An unknown member is refused for every kind: it may be a secret that does not belong there.
#[derive(Debug)]
pub(crate) struct AuthenticationInput(pub Authentication);

impl<'de> Deserialize<'de> for AuthenticationInput {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let given = Map::<String, Value>::deserialize(d)?;
        let names: Vec<String> = given.keys().cloned().collect();
        let read: Authentication =
            serde_json::from_value(Value::Object(given)).map_err(D::Error::custom)?;
        let known = serde_json::to_value(&read).map_err(D::Error::custom)?;
        match names.iter().find(|name| known.get(name).is_none()) {
            Some(name) => Err(D::Error::unknown_field(name, &[])),
            None => Ok(Self(read)),
        }
    }
}

/// A registration, whole.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PutSystem {
    /// If given, the one in the address.
    #[schema(value_type = Option<String>)]
    pub name: Option<SystemName>,
    /// Of this document's format: 1.
    pub version: Option<u32>,
    /// What people call it, in any language.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// `https://host:8443/base`, or an object of `scheme`, `host`, `port` and `segments`.
    #[schema(value_type = String)]
    pub base_url: BaseUrlInput,
    /// What it does: `id`, `method`, `path`, `labels`, `reads`, `idempotent`, `parameters`, `fields`, and
    /// `body` with `required` and a JSON `schema`.
    #[schema(value_type = Option<Vec<Object>>)]
    pub operations: Option<Vec<Operation>>,
    /// In place of `operations`: an OpenAPI 3 document, whose operations are taken over. Labels come
    /// from `x-labels`, else from the summary, bodies from `requestBody`.
    #[schema(value_type = Option<Object>)]
    pub openapi: Option<Value>,
    /// `{"kind": "none"}` (the default), `bearer`, `basic`, `api_key` with `header`, or `log_in`
    /// with `path`, `usernameField`, `passwordField` and `tokenPointer`.
    #[serde(default = "open")]
    #[schema(value_type = Option<Object>)]
    pub authentication: AuthenticationInput,
    /// The credential may go to any path below the base address. `false` by default: to the
    /// registered operations alone.
    #[serde(default)]
    pub any_path: bool,
    /// `MEDIUM` by default.
    #[serde(default = "medium")]
    #[schema(value_type = Option<String>)]
    pub risk: Risk,
}

const fn open() -> AuthenticationInput {
    AuthenticationInput(Authentication::None)
}

const fn medium() -> Risk {
    Risk::Medium
}

/// A registered system. Its credential is never shown.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SystemView {
    pub name: String,
    /// The `ETag` as well.
    pub revision: u64,
    /// A registration document.
    #[schema(value_type = Object)]
    pub system: System,
    /// What a credential is bound to.
    pub origin: String,
    pub has_credential: bool,
    pub updated_by: Uuid,
    pub updated_at: String,
    /// The line of the policy's `allowedHosts` that serves this registration.
    #[schema(value_type = Object)]
    pub proposed_rule: HostRule,
    /// The project's policy covers all that line says.
    pub allowed: bool,
}

impl SystemView {
    pub(crate) fn of(row: SystemRow, policy: &ProjectPolicy) -> Self {
        let base = &row.system.base_url;
        let proposed_rule = row.system.proposed_rule(crate::registration::is_private(&base.host));
        Self {
            name: row.system.name.to_string(),
            revision: row.revision,
            origin: base.origin(),
            has_credential: row.credential_revision.is_some(),
            updated_by: row.updated_by.uuid(),
            updated_at: row.updated_at.to_string(),
            allowed: crate::registration::allowed::is_allowed(base, &proposed_rule, policy),
            proposed_rule,
            system: row.system,
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutCredential {
    /// For `basic` and `log_in` alone.
    #[schema(value_type = Option<String>, format = Password)]
    pub username: Option<SecretField>,
    #[schema(value_type = String, format = Password)]
    pub secret: SecretField,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CredentialView {
    pub name: String,
    /// Of the system.
    pub revision: u64,
    /// Masked; `null` where the kind of authentication has none.
    pub username: Option<String>,
    /// Where it is sent, and nowhere else.
    pub origin: String,
}

/// What a try of the connection found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConnectionView {
    pub ok: bool,
    /// `OK`, or why not.
    pub code: String,
    /// Of the service's answer.
    pub status: Option<u16>,
    /// The other origin that a redirect pointed to; it was not asked.
    pub redirected_to: Option<String>,
    pub logged_in: bool,
}

impl From<ConnectionReport> for ConnectionView {
    fn from(report: ConnectionReport) -> Self {
        let ConnectionReport { ok, code, status, redirected_to, logged_in } = report;
        Self { ok, code, status, redirected_to, logged_in }
    }
}
