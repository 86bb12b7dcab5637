//! Every provider's client against the fake providers, which are a program of their own.

mod answers;
mod memory;
mod misbehaviour;
mod program;

use crate::world::World;
use program::Program;
use std::time::Duration;
use wiiiv_domain::{
    ProviderName::{self, Anthropic, Custom, Google, Ollama, OpenAi},
    Usage,
};
use wiiiv_ghost::{Conduct, Dialect, PROVIDER_KEY, PROVIDER_USED};
use wiiiv_net::Timeouts;

/// What does not come in these did not come because nobody sent it.
const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    first_byte: Duration::from_secs(20),
    between_chunks: Duration::from_secs(20),
    total: Duration::from_secs(25),
};
const DEADLINE: Duration = Duration::from_secs(30);

const PROVIDERS: [ProviderName; 5] = [OpenAi, Anthropic, Google, Ollama, Custom];
const USED: Usage =
    Usage { input_tokens: PROVIDER_USED.0, output_tokens: PROVIDER_USED.1, estimated: false };

fn dialect(provider: ProviderName) -> Dialect {
    match provider {
        OpenAi => Dialect::OpenAi,
        Anthropic => Dialect::Anthropic,
        Google => Dialect::Google,
        ProviderName::Offline | Ollama | Custom => Dialect::Local,
    }
}

/// What is a provider's own part of its base URL.
fn base(provider: ProviderName) -> &'static str {
    match provider {
        OpenAi | Ollama | Custom => "/v1",
        Google => "/v1beta",
        ProviderName::Offline | Anthropic => "",
    }
}

/// A provider that behaves so; its calls are kept under the key.
fn asking(program: &Program, provider: ProviderName, conduct: Conduct, key: &str) -> World {
    asking_within(program, provider, (conduct, key), PATIENT, DEADLINE)
}

fn asking_within(
    program: &Program,
    provider: ProviderName,
    (conduct, key): (Conduct, &str),
    timeouts: Timeouts,
    deadline: Duration,
) -> World {
    let name = dialect(provider).name();
    let url = format!("{}/{key}/{}/{name}{}", program.url(), conduct.name(), base(provider));
    let world = match provider {
        OpenAi | Anthropic | Google => World::keyed(provider, url, program.url(), PROVIDER_KEY),
        ProviderName::Offline | Ollama | Custom => World::keyless(provider, url, program.url()),
    };
    world.waiting(timeouts, deadline)
}

/// No two tests ask under the same one.
fn key(test: &str, provider: ProviderName, conduct: Conduct) -> String {
    format!("{test}-{provider}-{}", conduct.name())
}
