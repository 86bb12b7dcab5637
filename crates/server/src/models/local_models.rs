//! Looks for model servers at their usual ports on this machine.

use serde::{Deserialize, de::DeserializeOwned};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use wiiiv_domain::{HttpMethod, Scheme};
use wiiiv_net::{EgressRule, Resolver, ToolClient, ToolRequest, Url};

/// The whole probe, in milliseconds: nobody waits for what is not there.
const PROBE_MS_MAX: u64 = 1_000;
const PROBE_BYTES_MAX: usize = 1024 * 1024;
/// Of one place.
const MODELS_MAX: usize = 100;
const MODEL_CHARS_MAX: usize = 200;

/// Loopback addresses.
#[derive(Debug, Clone, Copy)]
pub struct LocalPlaces {
    pub ollama: SocketAddr,
    pub lm_studio: SocketAddr,
    pub vllm: SocketAddr,
}

/// A place of a kind that was looked at.
#[derive(Debug)]
pub(crate) struct Found {
    /// What a policy's `llmProvider` says, in lower case.
    pub id: &'static str,
    pub name: &'static str,
    /// By its number and as `localhost`: a policy may have either, and one is approved by itself.
    /// First the one to approve.
    pub origins: [String; 2],
    /// As it names them itself; `None`: nobody of that kind answers.
    pub models: Option<Vec<String>>,
}

impl LocalPlaces {
    /// As each of them has it unless it is told otherwise.
    pub const USUAL: Self =
        Self { ollama: here(11_434), lm_studio: here(1_234), vllm: here(8_000) };

    /// Ollama always, as it is what most people have; others where they answer.
    pub(crate) async fn found(self) -> Vec<Found> {
        let (tags, studio, vllm) = tokio::join!(
            asked::<Tags>(self.ollama, "/api/tags"),
            asked::<OpenAiList>(self.lm_studio, "/v1/models"),
            asked::<OpenAiList>(self.vllm, "/v1/models"),
        );
        let ollama = tags.map(|tags| plain(tags.models.into_iter().map(|tag| tag.name)));
        // Many servers stand at port 8000 and speak so: it says itself whose it is.
        let vllm = vllm.filter(|list| list.data.iter().any(|model| model.owned_by == "vllm"));
        let others = [("LM Studio", self.lm_studio, studio), ("vLLM", self.vllm, vllm)];
        let others = others.into_iter().filter_map(|(name, place, list)| {
            let models = Some(plain(list?.data.into_iter().map(|model| model.id)));
            Some(Found { id: "custom", name, origins: [origin(place), by_name(place)], models })
        });
        // A policy that names no base URL asks it by this name.
        let origins = [by_name(self.ollama), origin(self.ollama)];
        let ollama = Found { id: "ollama", name: "Ollama", origins, models: ollama };
        std::iter::once(ollama).chain(others).collect()
    }
}

const fn here(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

fn origin(place: SocketAddr) -> String {
    format!("http://{place}")
}

fn by_name(place: SocketAddr) -> String {
    format!("http://localhost:{}", place.port())
}

#[derive(Deserialize)]
struct Tags {
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
}

/// <https://platform.openai.com/docs/api-reference/models/list>
#[derive(Deserialize)]
struct OpenAiList {
    data: Vec<OpenAiModel>,
}

#[derive(Deserialize)]
struct OpenAiModel {
    id: String,
    #[serde(default)]
    owned_by: String,
}

/// `None` where nothing answers as that kind does.
async fn asked<T: DeserializeOwned>(place: SocketAddr, path: &str) -> Option<T> {
    let rule =
        EgressRule::new(Some(Scheme::Http), &place.ip().to_string(), Some(place.port()), true);
    let request = ToolRequest {
        method: HttpMethod::Get,
        url: Url::parse(&format!("{}{path}", origin(place))).ok()?,
        headers: Vec::new(),
        body: None,
        timeout_ms: PROBE_MS_MAX,
        max_bytes: PROBE_BYTES_MAX,
        idempotency_key: None,
    };
    let answer = ToolClient::new(Resolver::System).send(request, &[rule.ok()?]).await.ok()?;
    serde_json::from_slice(&answer.body).ok().filter(|_| answer.status == 200)
}

fn plain(names: impl Iterator<Item = String>) -> Vec<String> {
    names.filter(|name| is_model(name)).take(MODELS_MAX).collect()
}

/// What a policy may name, and a page may show.
fn is_model(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c);
    (1..=MODEL_CHARS_MAX).contains(&name.chars().count()) && name.chars().all(plain)
}
