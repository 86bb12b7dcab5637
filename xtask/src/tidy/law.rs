//! The ring table of ARCHITECTURE.md as data: allowed dependencies. A new arrow changes this file
//! and the page, and needs an ADR.

use Arrows::{Any, Only, UpTo, UpToAnd};

/// One crate of ours and the arrows that it may have.
pub struct Crate {
    pub name: &'static str,
    pub ring: Ring,
    pub arrows: Arrows,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ring {
    Core,
    Pure,
    Edge,
    Executors,
    Actors,
    Faces,
    Program,
    /// `verify`, `fakes`, `testkit` and `xtask`: outside the rings.
    Apart,
}

pub enum Arrows {
    Only(&'static [&'static str]),
    /// Every crate of this ring and of the rings below it.
    UpTo(Ring),
    /// The same, and one crate that stands apart.
    UpToAnd(Ring, &'static str),
    Any,
}

const fn krate(name: &'static str, ring: Ring, arrows: Arrows) -> Crate {
    Crate { name, ring, arrows }
}

#[rustfmt::skip]
pub const CRATES: [Crate; 23] = [
    krate("domain",     Ring::Core,      Only(&[])),
    krate("flow",       Ring::Pure,      Only(&["domain"])),
    krate("gate",       Ring::Pure,      Only(&["domain"])),
    krate("language",   Ring::Pure,      Only(&["domain"])),
    krate("messages",   Ring::Pure,      Only(&["domain"])),
    krate("context",    Ring::Pure,      Only(&["domain"])),
    krate("hlx",        Ring::Pure,      Only(&["domain"])),
    krate("retrieval",  Ring::Pure,      Only(&["domain"])),
    krate("vault",      Ring::Pure,      Only(&["domain"])),
    krate("net",        Ring::Edge,      Only(&["domain"])),
    krate("workspace",  Ring::Edge,      Only(&["domain", "gate"])),
    krate("migrations", Ring::Edge,      Only(&["domain"])),
    krate("store",      Ring::Edge,      Only(&["domain", "gate", "vault", "migrations"])),
    krate("embed",      Ring::Edge,      Only(&["domain"])),
    krate("llm",        Ring::Edge,      Only(&["domain", "gate", "language", "messages", "context", "vault", "net", "embed"])),
    krate("exec",       Ring::Executors, Only(&["domain", "gate", "context", "retrieval", "vault", "net", "workspace", "llm"])),
    krate("governor",   Ring::Actors,    UpTo(Ring::Executors)),
    krate("server",     Ring::Faces,     UpToAnd(Ring::Actors, "verify")),
    krate("ghost",      Ring::Faces,     Only(&["domain", "net", "verify", "fakes"])),
    krate("wiiiv",      Ring::Program,   Any),
    krate("verify",     Ring::Apart,     Only(&[])),
    krate("fakes",      Ring::Apart,     Only(&["domain", "net"])),
    krate(TESTKIT,      Ring::Apart,     UpToAnd(Ring::Actors, "fakes")),
];

/// Builders for integration tests: no crate depends on it but for its tests, and what is in it counts as
/// test code.
pub const TESTKIT: &str = "testkit";

/// The developer tasks: no crate of the product, and no arrow in either direction.
pub const XTASK: &str = "xtask";

impl Crate {
    pub fn find(name: &str) -> Option<&'static Self> {
        CRATES.iter().find(|krate| krate.name == name)
    }

    /// The crate of a package: `wiiiv-flow` is `flow`, the program is `wiiiv`.
    pub fn of_package(package: &str) -> Option<&'static Self> {
        Self::find(package.strip_prefix("wiiiv-").unwrap_or(package))
    }

    /// The folder of the crate below the root, without a slash at the end.
    pub fn folder(&self) -> String {
        match self.name {
            "migrations" => self.name.to_owned(),
            name => format!("crates/{name}"),
        }
    }

    pub fn may_depend_on(&self, other: &Self) -> bool {
        match self.arrows {
            Arrows::Only(names) => names.contains(&other.name),
            Arrows::UpTo(ring) => other.ring <= ring,
            Arrows::UpToAnd(ring, apart) => other.ring <= ring || other.name == apart,
            Arrows::Any => other.name != self.name && other.name != TESTKIT,
        }
    }

    /// Rings 0 and 1: no clock, no environment, no file system, no runtime.
    pub fn is_pure(&self) -> bool {
        self.ring <= Ring::Pure
    }

    pub fn may_draw_randomness(&self) -> bool {
        self.name == "vault"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_arrow_points_up_and_pure_rooms_know_only_the_domain() {
        for from in &CRATES {
            for to in CRATES.iter().filter(|to| from.may_depend_on(to)) {
                let down = to.ring <= from.ring || to.ring == Ring::Apart;
                assert!(down, "`{}` -> `{}` points up", from.name, to.name);
                if from.is_pure() {
                    assert_eq!(to.name, "domain", "`{}` is pure", from.name);
                }
            }
        }
    }

    #[test]
    fn the_governor_stops_below_the_server() {
        let may = |from: &str, to: &str| {
            Crate::find(from).zip(Crate::find(to)).is_some_and(|(from, to)| from.may_depend_on(to))
        };
        assert!(may("server", "governor") && may("governor", "exec") && may("wiiiv", "verify"));
        assert!(!may("governor", "server") && !may("server", "ghost"));
        assert!(may("server", "verify") && !may("store", "verify") && !may("verify", "store"));
        assert!(!may("governor", "governor"));
        assert!(may("ghost", "fakes") && may("wiiiv", "fakes"));
        assert!(may("testkit", "governor") && may("testkit", "fakes"));
        assert!(CRATES.iter().all(|from| !from.may_depend_on(&CRATES[CRATES.len() - 1])));
        assert!(!may("llm", "fakes") && !may("governor", "fakes") && !may("server", "fakes"));
    }
}
