//! Schemes of URLs.

use serde::{Deserialize, Serialize};

named! {
    /// The scheme of an address that a step may call.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Scheme {
        /// Without TLS.
        Http = "http",
        /// With TLS.
        Https = "https",
    }
}

impl Scheme {
    /// 80 or 443.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}
