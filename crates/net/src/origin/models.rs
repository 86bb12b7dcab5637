//! Which origins may serve models and get keys: those with TLS, or on this machine or network.

use super::{Origin, OriginFormat};
use crate::tool::address::{Reach, reach};
use std::net::IpAddr;
use wiiiv_domain::Scheme;

/// Ends of names that no public server of names answers for.
const NEAR_NAMES: [&str; 5] = [".local", ".localhost", ".internal", ".lan", ".home.arpa"];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelOriginRefused {
    #[error(transparent)]
    Format(#[from] OriginFormat),
    #[error("`{host}` names no one host: write out the one that is meant")]
    Pattern { host: String },
    #[error(
        "over plain http everybody on the way reads the key and the prompts: write `{instead}`. \
         Plain http is for loopback, private and link-local addresses, for names without a dot, \
         and for names under `.local`, `.localhost`, `.internal`, `.lan` and `.home.arpa`"
    )]
    Plain { instead: Origin },
}

impl Origin {
    /// A bare origin that models are asked at: `https://api.openai.com`, `http://ollama:11434`,
    /// and neither `http://example.com` nor `https://*.example.com`.
    pub fn of_models(text: &str) -> Result<Self, ModelOriginRefused> {
        let origin = Self::parse(text)?;
        if origin.host.contains('*') {
            return Err(ModelOriginRefused::Pattern { host: origin.host });
        }
        match origin.scheme {
            Scheme::Http if !is_near(&origin.host) => {
                Err(ModelOriginRefused::Plain { instead: origin.over_tls() })
            }
            Scheme::Http | Scheme::Https => Ok(origin),
        }
    }

    fn over_tls(self) -> Self {
        let standard = self.port == Scheme::Http.default_port();
        let port = if standard { Scheme::Https.default_port() } else { self.port };
        Self { scheme: Scheme::Https, port, ..self }
    }
}

/// INVARIANT: by its spelling alone. What a name resolves to may be another address tomorrow.
pub(crate) fn is_near(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return reach(address) == Reach::Private;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    !name.contains('.') || NEAR_NAMES.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_stays_in_the_network() {
        for text in [
            "http://localhost:11434",
            "http://127.0.0.1:11434",
            "http://0x7f.1:11434",
            "http://[::1]:8000",
            "http://10.0.0.5:8000",
            "http://172.16.0.1",
            "http://192.168.1.20:1234",
            "http://100.64.0.1",
            "http://169.254.10.1",
            "http://[fe80::1]:8000",
            "http://[fd00::5]",
            "http://ollama:11434",
            "http://OLLAMA",
            "http://nas.local",
            "http://models.localhost:1",
            "http://host.docker.internal:11434",
            "http://gpu.lan",
            "http://gpu.home.arpa.",
            "https://api.openai.com",
            "https://8.8.8.8",
        ] {
            assert_eq!(Origin::of_models(text).ok(), Origin::parse(text).ok(), "{text}");
            assert!(Origin::of_models(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn every_other_origin_is_asked_by_tls() {
        for (text, expected) in [
            ("http://example.com", "https://example.com"),
            ("http://example.com:8080", "https://example.com:8080"),
            ("http://example.com.", "https://example.com."),
            ("http://8.8.8.8:80", "https://8.8.8.8"),
            ("http://172.32.0.1", "https://172.32.0.1"),
            ("http://0.0.0.0:11434", "https://0.0.0.0:11434"),
            ("http://169.254.169.254", "https://169.254.169.254"),
            ("http://[2606:4700::1111]:1", "https://[2606:4700::1111]:1"),
            ("http://[::ffff:8.8.8.8]", "https://[::ffff:808:808]"),
            ("http://local.example.com", "https://local.example.com"),
            ("http://evil-local.com", "https://evil-local.com"),
            ("http://home.arpa", "https://home.arpa"),
        ] {
            let refused = Origin::of_models(text).unwrap_err();
            let instead = Origin::parse(expected).unwrap();
            assert_eq!(refused, ModelOriginRefused::Plain { instead }, "{text}");
            assert!(refused.to_string().contains(&format!("write `{expected}`")), "{refused}");
        }
    }

    #[test]
    fn what_names_no_one_host_is_refused() {
        for text in ["https://*.example.com", "https://*", "http://*:11434", "http://a*b.local"] {
            let refused = Origin::of_models(text).unwrap_err();
            assert!(matches!(refused, ModelOriginRefused::Pattern { .. }), "{text}: {refused}");
        }
        for text in ["example.com", "https://a.test/v1", "https://u@a.test", "ftp://a.test"] {
            let refused = Origin::of_models(text).unwrap_err();
            assert!(matches!(refused, ModelOriginRefused::Format(_)), "{text}: {refused}");
        }
    }
}
