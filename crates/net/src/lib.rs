//! Every outgoing HTTP byte.
//!
//! Three clients, because three kinds of destination are trusted differently: `ProviderClient`
//! speaks to model origins that an administrator approved, wherever they are; `ToolClient` speaks
//! to what a plan names and a project allows, and never to a private address unless the rule says
//! so; `ApiClient` speaks to a server of our own. None follows a proxy, and none follows a
//! redirect to another origin.

mod api;
mod body;
mod connector;
mod header;
mod origin;
mod provider;
mod sse;
mod timeouts;
mod tool;

pub use api::call::ApiCall;
pub use api::client::{ApiClient, EventStream};
pub use api::error::ApiError;
pub use api::problem::Problem;
pub use api::reply::ApiReply;
pub use body::ByteStream;
pub use bytes::Bytes;
pub use connector::{ClientUnavailable, install_tls_provider};
pub use header::HeaderRefused;
pub use origin::models::ModelOriginRefused;
pub use origin::{Origin, OriginFormat};
pub use provider::client::ProviderClient;
pub use provider::credential::Credential;
pub use provider::error::{ErrorBody, ProviderError};
pub use provider::request::{ProviderRequest, ProviderResponse};
pub use sse::{EVENT_BYTES_MAX, SseEvent, SseFault, sse_events};
pub use timeouts::{Phase, Timeouts};
pub use tool::address::Reach;
pub use tool::client::{REDIRECTS_MAX, ToolClient};
pub use tool::error::{EgressError, RedirectFault, UrlFault};
pub use tool::request::{TOOL_BYTES_MAX, TOOL_TIMEOUT_MS_MAX, ToolRequest, ToolResponse};
pub use tool::resolver::{Lookup, Resolver};
pub use tool::rule::{EgressRule, RuleFormat};
pub use url::Url;
