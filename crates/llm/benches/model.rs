//! What a governed model call costs beside the same request sent straight.
//!
//! `cargo xtask bench model` (add `--profile dev` for the dev build). One model server on loopback
//! that answers at once; each call is asked in turn, straight and through `Models::complete`, round
//! by round. Straight: the very bytes that `complete` sends, by the same HTTP client, the answer read
//! to its end and let go. Governed: the prompt rendered, the permit ruled and sealed, the answer put
//! together, held against the schema and read as a proposal. The store's commit is not part of it:
//! `cargo xtask bench turn` has that.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at what it cannot set up")]

#[expect(dead_code, reason = "the tests' own models, of which a part is needed")]
#[path = "../tests/it/test_models.rs"]
mod test_models;

use futures::StreamExt as _;
use std::{hint::black_box, time::Instant};
use test_models::{TestModels, parts, prompt, talk};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

const ROUNDS: usize = 400;
const WARM_UP: usize = 40;

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(bench());
}

async fn bench() {
    let answer = talk("안녕하세요. 무엇을 도와드릴까요?");
    let model = FakeModel::spawn(ModelMode::Script(vec![answer])).await.unwrap();
    let test = TestModels::asking(&model);
    let straight = Straight::of(&test, &model).await;
    let (mut bare, mut governed, mut local) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS + WARM_UP {
        let times = [straight.timed().await, asked(&test).await, ruled(&test)];
        if round >= WARM_UP {
            let [one, two, three] = times;
            bare.push(one);
            governed.push(two);
            local.push(three);
        }
    }
    let [bare, governed, local] = [bare, governed, local].map(median);
    println!(
        "{ROUNDS} calls of each, in turn, medians in µs; body of {} bytes",
        straight.body.len()
    );
    println!("straight {bare:.0}   governed {governed:.0}   ratio {:.2}", governed / bare);
    println!("of it, prompt rendered and permit ruled, without any call: {local:.0}");
}

/// From the message to the proposal.
async fn asked(test: &TestModels) -> f64 {
    let begun = Instant::now();
    black_box(test.ask("안녕").await.unwrap());
    micros(begun)
}

fn ruled(test: &TestModels) -> f64 {
    let begun = Instant::now();
    let _permit = black_box(test.permit(&prompt(parts("안녕"))));
    micros(begun)
}

struct Straight {
    client: ProviderClient,
    url: Url,
    body: Bytes,
}

impl Straight {
    async fn of(test: &TestModels, model: &FakeModel) -> Self {
        test.ask("안녕").await.unwrap();
        let sent = model.calls().pop().unwrap().body;
        let origin = Origin::parse(&model.origin()).unwrap();
        let url = Url::parse(&format!("{}/chat/completions", model.base_url())).unwrap();
        let client = ProviderClient::new([origin], Timeouts::default()).unwrap();
        Self { client, url, body: Bytes::from(sent.to_string()) }
    }

    async fn timed(&self) -> f64 {
        let begun = Instant::now();
        let request = ProviderRequest::new(self.url.clone(), None, self.body.clone());
        let mut stream = self.client.post_stream(request).await.unwrap();
        let mut bytes = 0;
        while let Some(chunk) = stream.next().await {
            bytes += chunk.unwrap().len();
        }
        black_box(bytes);
        micros(begun)
    }
}

fn micros(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
