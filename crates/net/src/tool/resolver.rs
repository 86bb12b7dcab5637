//! Resolves names to addresses, once for each hop.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::net::lookup_host;

/// The addresses of a name; none where it is not known.
pub type Lookup = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// Where addresses come from.
#[derive(Clone)]
pub enum Resolver {
    /// The operating system's.
    System,
    /// A table or function of the caller's: fixed addresses instead of a name service.
    Given(Arc<Lookup>),
}

impl Resolver {
    pub fn given(lookup: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self::Given(Arc::new(lookup))
    }

    pub(crate) async fn addresses(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, String> {
        match self {
            Self::System => {
                let found = lookup_host((host, port)).await.map_err(|error| error.to_string())?;
                Ok(found.map(|address| address.ip()).collect())
            }
            Self::Given(resolve) => Ok(resolve(host)),
        }
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Given(_) => "Given",
        })
    }
}
