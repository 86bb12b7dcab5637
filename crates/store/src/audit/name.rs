//! Names of chains: one for each project, and `server` for events of no project.

use crate::error::StoreError;
use std::{fmt, str::FromStr};
use wiiiv_domain::ProjectId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chain {
    Server,
    Project(ProjectId),
}

const SERVER: &str = "server";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a chain: `{0}`; expected `server` or a project's id")]
pub struct ParseChainError(String);

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str(SERVER),
            Self::Project(project) => project.fmt(f),
        }
    }
}

impl FromStr for Chain {
    type Err = ParseChainError;
    fn from_str(text: &str) -> Result<Self, ParseChainError> {
        if text == SERVER {
            return Ok(Self::Server);
        }
        let refuse = |_| ParseChainError(text.chars().take(64).collect());
        text.parse().map(Self::Project).map_err(refuse)
    }
}

/// Written as this server writes it: another spelling would be another chain to the database.
pub(super) fn named(name: &str) -> Result<Chain, StoreError> {
    let chain = name.parse::<Chain>().ok().filter(|chain| chain.to_string() == name);
    chain.ok_or_else(|| {
        let shown: String = name.chars().take(64).collect();
        StoreError::tampered(format!("a chain is called `{shown}`, and that is no chain's name"))
    })
}
