//! Embeddings: one vector for each text. ANTHROPIC has none.

use super::Wire;
use crate::{embeddings::TEXTS_MAX, wire::request::under};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, SeqAccess, Visitor},
};
use serde_json::{Value, json};
use std::{fmt, marker::PhantomData};
use wiiiv_net::Url;

/// Of one vector.
pub(crate) const DIMENSIONS_MAX: usize = 8_192;

/// What came back, in the order of the texts.
#[derive(Debug, PartialEq)]
pub(crate) struct Embedded {
    pub(crate) vectors: Vec<Vec<f32>>,
    /// `None` where the provider does not say.
    pub(crate) input_tokens: Option<u64>,
}

/// One more is an error before it is held.
struct AtMost<T, const N: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for AtMost<T, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Counted(PhantomData))
    }
}

struct Counted<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Counted<T, N> {
    type Value = AtMost<T, N>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {N} of them")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut held = Vec::new();
        while let Some(one) = from.next_element()? {
            if held.len() == N {
                return Err(A::Error::invalid_length(N + 1, &self));
            }
            held.push(one);
        }
        Ok(AtMost(held))
    }
}

type Vector = AtMost<f32, DIMENSIONS_MAX>;

/// OPENAI and those like it.
#[derive(Deserialize)]
struct Listed {
    data: AtMost<Indexed, TEXTS_MAX>,
    usage: Option<EmbeddingUsage>,
}

#[derive(Deserialize)]
struct Indexed {
    index: usize,
    embedding: Vector,
}

#[derive(Deserialize)]
struct EmbeddingUsage {
    prompt_tokens: Option<u64>,
}

/// GOOGLE.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Batch {
    embeddings: AtMost<Values, TEXTS_MAX>,
    usage_metadata: Option<GoogleTold>,
}

#[derive(Deserialize)]
struct Values {
    values: Vector,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GoogleTold {
    prompt_token_count: Option<u64>,
}

impl Wire {
    /// `None`: it has none, or no path can be put behind this base.
    pub(crate) fn embeddings(self, base: &Url, model: &str) -> Option<Url> {
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama => {
                under(base, "embeddings")
            }
            Self::Google => {
                let mut url = under(base, "models")?;
                let call = format!("{}:batchEmbedContents", bare(model));
                url.path_segments_mut().ok()?.push(&call);
                Some(url)
            }
            Self::Anthropic => None,
        }
    }

    pub(crate) fn embedding_body(self, model: &str, texts: &[String]) -> Vec<u8> {
        let body = match self {
            Self::Google => {
                let model = format!("models/{}", bare(model));
                let one = |text| json!({"model": model, "content": {"parts": [{"text": text}]}});
                json!({"requests": texts.iter().map(one).collect::<Vec<Value>>()})
            }
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama | Self::Anthropic => {
                json!({"model": model, "input": texts, "encoding_format": "float"})
            }
        };
        body.to_string().into_bytes()
    }

    /// `None`: not one vector for each text, all of one length and of finite numbers.
    pub(crate) fn embedded(self, data: &[u8], texts: usize) -> Option<Embedded> {
        let embedded = match self {
            Self::Google => {
                let Batch { embeddings, usage_metadata } = serde_json::from_slice(data).ok()?;
                Embedded {
                    vectors: embeddings.0.into_iter().map(|one| one.values.0).collect(),
                    input_tokens: usage_metadata.and_then(|told| told.prompt_token_count),
                }
            }
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama | Self::Anthropic => {
                let Listed { data: AtMost(mut data), usage } = serde_json::from_slice(data).ok()?;
                data.sort_by_key(|one| one.index);
                let is_each = data.iter().enumerate().all(|(nth, one)| one.index == nth);
                is_each.then(|| Embedded {
                    vectors: data.into_iter().map(|one| one.embedding.0).collect(),
                    input_tokens: usage.and_then(|told| told.prompt_tokens),
                })?
            }
        };
        is_whole(&embedded.vectors, texts).then_some(embedded)
    }
}

fn bare(model: &str) -> &str {
    model.strip_prefix("models/").unwrap_or(model)
}

fn is_whole(vectors: &[Vec<f32>], texts: usize) -> bool {
    let length = vectors.first().map_or(0, Vec::len);
    let fits = |vector: &Vec<f32>| vector.len() == length && vector.iter().all(|n| n.is_finite());
    vectors.len() == texts && (1..=DIMENSIONS_MAX).contains(&length) && vectors.iter().all(fits)
}
