//! The meaning of an error, by any status or name.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    WrongKey,
    Forbidden,
    /// The account is empty, or at a limit of its own.
    Unpaid,
    RateLimited,
    TooLong,
    /// For what it asks, not for how it is asked.
    Refused,
    /// As it stands, and nothing that is known here explains it: maybe for a field.
    UnknownField,
    /// No such model or path, or nothing that can be served.
    Unserved,
    /// The model is served, by the provider's other interface.
    Elsewhere,
    /// It took too long there.
    Late,
    Broken,
}

/// Words by which providers say that a prompt is too long.
const LONG: [&str; 7] = [
    "context_length",
    "context length",
    "context size",
    "maximum context",
    "context window",
    "prompt is too long",
    "maximum number of tokens allowed",
];

impl Meaning {
    /// Where nothing but the status is known.
    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            400 | 422 | 501 => Self::UnknownField,
            401 => Self::WrongKey,
            402 => Self::Unpaid,
            403 => Self::Forbidden,
            408 | 504 => Self::Late,
            413 => Self::TooLong,
            429 => Self::RateLimited,
            500.. => Self::Broken,
            _ => Self::Unserved,
        }
    }

    /// Nobody answers there as it should.
    pub(crate) const fn is_outage(self) -> bool {
        match self {
            Self::Late | Self::Broken => true,
            Self::WrongKey
            | Self::Forbidden
            | Self::Unpaid
            | Self::RateLimited
            | Self::TooLong
            | Self::Refused
            | Self::UnknownField
            | Self::Unserved
            | Self::Elsewhere => false,
        }
    }

    /// Another attempt may find it better.
    pub(crate) const fn may_pass(self) -> bool {
        match self {
            Self::RateLimited | Self::Late | Self::Broken => true,
            Self::WrongKey
            | Self::Forbidden
            | Self::Unpaid
            | Self::TooLong
            | Self::Refused
            | Self::UnknownField
            | Self::Unserved
            | Self::Elsewhere => false,
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongKey => "the key is not valid there",
            Self::Forbidden => "the key may not do this",
            Self::Unpaid => "the account is empty or at its limit",
            Self::RateLimited => "too many requests",
            Self::TooLong => "the prompt is too long",
            Self::Refused => "it declines what was asked",
            Self::UnknownField => "the request is refused as it stands",
            Self::Elsewhere => "the model is served by another interface",
            Self::Unserved => "what was asked for is not served there",
            Self::Late => "it took too long",
            Self::Broken => "a failure of its own",
        })
    }
}

/// In lower case.
pub(super) fn says_too_long(words: &str) -> bool {
    LONG.iter().any(|known| words.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_alone_is_told_for_what_it_is() {
        for (status, meaning) in [
            (302, Meaning::Unserved),
            (400, Meaning::UnknownField),
            (404, Meaning::Unserved),
            (408, Meaning::Late),
            (409, Meaning::Unserved),
            (422, Meaning::UnknownField),
            (429, Meaning::RateLimited),
            (500, Meaning::Broken),
            (501, Meaning::UnknownField),
            (504, Meaning::Late),
            (529, Meaning::Broken),
        ] {
            assert_eq!(Meaning::of_status(status), meaning, "{status}");
        }
    }
}
