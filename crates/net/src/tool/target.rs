//! The guard: a URL and an egress list give the addresses that may be connected to.

use std::net::{IpAddr, SocketAddr};

use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use crate::origin::{Origin, OriginFormat, scheme_of};
use crate::tool::address::reach;
use crate::tool::error::{EgressError, UrlFault};
use crate::tool::resolver::Resolver;
use crate::tool::rule::EgressRule;

/// All addresses of a name are checked, this many are dialled.
const DIALLED_ADDRESSES_MAX: usize = 8;

/// A place that was checked.
///
/// INVARIANT: every address in it was allowed by a rule that names the host, and nothing else is
/// dialled: the name is not resolved again.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) addresses: Vec<SocketAddr>,
}

impl Target {
    pub(crate) async fn check(
        url: Url,
        allowed: &[EgressRule],
        resolver: &Resolver,
        deadline: Instant,
    ) -> Result<Self, EgressError> {
        let origin = readable(&url)?;
        let rules: Vec<_> = allowed.iter().filter(|rule| rule.names(&url)).collect();
        if rules.is_empty() {
            return Err(EgressError::HostNotAllowed { origin: origin.to_string() });
        }
        let found = addresses(&url, resolver, deadline).await?;
        if let Some(address) = found
            .iter()
            .copied()
            .find(|address| !rules.iter().any(|rule| rule.allows(reach(*address))))
        {
            let reach = reach(address);
            return Err(EgressError::ForbiddenAddress {
                origin: origin.to_string(),
                address,
                reach,
            });
        }
        let port = url.port_or_known_default().unwrap_or_default();
        let dialled = found.into_iter().take(DIALLED_ADDRESSES_MAX);
        let addresses = dialled.map(|address| SocketAddr::new(address, port)).collect();
        Ok(Self { url, addresses })
    }
}

/// Only URLs whose place every reader sees alike.
fn readable(url: &Url) -> Result<Origin, EgressError> {
    let refused = |reason| EgressError::UrlRefused { reason };
    if scheme_of(url).is_none() {
        return Err(refused(UrlFault::Scheme));
    }
    if url.host_str().is_some_and(|host| host.ends_with('.')) {
        return Err(refused(UrlFault::TrailingDot));
    }
    Origin::of(url).map_err(|error| {
        refused(match error {
            OriginFormat::UserInfo => UrlFault::UserInfo,
            OriginFormat::Scheme { .. } => UrlFault::Scheme,
            OriginFormat::NotAUrl | OriginFormat::NotBare => UrlFault::NoHost,
        })
    })
}

async fn addresses(
    url: &Url,
    resolver: &Resolver,
    deadline: Instant,
) -> Result<Vec<IpAddr>, EgressError> {
    let name = match url.host() {
        Some(Host::Ipv4(address)) => return Ok(vec![address.into()]),
        Some(Host::Ipv6(address)) => return Ok(vec![address.into()]),
        Some(Host::Domain(name)) => name,
        None => return Err(EgressError::UrlRefused { reason: UrlFault::NoHost }),
    };
    let port = url.port_or_known_default().unwrap_or_default();
    let unresolved = |reason| EgressError::Resolve { host: name.to_owned(), reason };
    let found = timeout_at(deadline, resolver.addresses(name, port))
        .await
        .map_err(|_| EgressError::Timeout { sent: false })?
        .map_err(unresolved)?;
    if found.is_empty() { Err(unresolved("it has no address".to_owned())) } else { Ok(found) }
}
