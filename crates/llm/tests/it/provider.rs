//! Every provider's client against the fake providers, which are a program of their own.

mod answers;
mod lists;
mod memory;
mod misbehaviour;
mod program;

use crate::{
    party::Party::{self, Anthropic, Custom, Google, Ollama, OpenAi, Responses},
    test_models::TestModels,
};
pub use program::Program;
use std::time::Duration;
use wiiiv_domain::Usage;
use wiiiv_fakes::{Conduct, PROVIDER_KEY, PROVIDER_USED};
use wiiiv_net::Timeouts;

/// What does not come in these did not come because nobody sent it.
pub const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    first_byte: Duration::from_secs(20),
    between_chunks: Duration::from_secs(20),
    total: Duration::from_secs(25),
};
pub const DEADLINE: Duration = Duration::from_secs(30);

const USED: Usage =
    Usage { input_tokens: PROVIDER_USED.0, output_tokens: PROVIDER_USED.1, estimated: false };

/// What is a provider's own part of its base URL.
fn base(party: Party) -> &'static str {
    match party {
        OpenAi | Responses | Ollama | Custom => "/v1",
        Google => "/v1beta",
        Anthropic => "",
    }
}

/// A provider that behaves so; its calls are kept under the key.
pub fn asking(program: &Program, party: Party, conduct: Conduct, key: &str) -> TestModels {
    asking_within(program, party, (conduct, key), PATIENT, DEADLINE)
}

pub fn asking_within(
    program: &Program,
    party: Party,
    (conduct, key): (Conduct, &str),
    timeouts: Timeouts,
    deadline: Duration,
) -> TestModels {
    let name = party.dialect().name();
    let url = format!("{}/{key}/{}/{name}{}", program.url(), conduct.name(), base(party));
    let test = party.test(url, program.url(), PROVIDER_KEY);
    test.waiting(timeouts, deadline)
}

/// No two tests ask under the same one.
pub fn key(test: &str, party: Party, conduct: Conduct) -> String {
    format!("{test}-{party}-{}", conduct.name())
}
