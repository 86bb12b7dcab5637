//! Sends and receives every outgoing byte: HTTP by three clients for three kinds of destination, and syslog.
//!
//! - [`ProviderClient`]: origins of models that an administrator approved, at any address.
//! - [`ToolClient`]: addresses that a plan names and an [`EgressRule`] allows; a private address
//!   only if the rule says so.
//! - [`ApiClient`]: a wiiiv server.
//! - [`SyslogReceiver`]: a collector of the audit, named by an administrator.
//!
//! None uses a proxy, and none follows a redirect to another origin. [`install_tls_provider`] is
//! called once by the program.
//! Begin reading at `tool/target.rs` (the guard), then `tool/client.rs` and `provider/client.rs`.

mod api;
mod body;
mod connector;
mod header;
mod origin;
mod provider;
mod sse;
mod syslog;
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
pub use syslog::{SyslogError, SyslogReceiver, SyslogRefused};
pub use timeouts::{Phase, Timeouts};
pub use tool::address::Reach;
pub use tool::client::{REDIRECTS_MAX, ToolClient};
pub use tool::error::{EgressError, RedirectFault, UrlFault};
pub use tool::request::{TOOL_BYTES_MAX, TOOL_TIMEOUT_MS_MAX, ToolRequest, ToolResponse};
pub use tool::resolver::{Lookup, Resolver};
pub use tool::rule::{EgressRule, RuleFormat};
pub use url::Url;
