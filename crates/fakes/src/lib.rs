//! Fakes: the other parties of the product, over real HTTP on a loopback port. Each keeps a log of the
//! calls that reached it.
//!
//! - [`FakeModel`]: an OpenAI-compatible model server with one [`ModelMode`], scripted or hostile.
//! - [`Cassettes`]: a model server of recorded answers, one cassette a scenario; it can also pass
//!   requests on to a real provider and keep what came back ([`ProviderAnswer`]).
//! - [`FakeProvider`]: five provider interfaces that check every request as the real ones do, and
//!   answer by the [`Conduct`] that the address names. Also a program, `fake-provider`.
//! - [`DemoService`]: the services `skymall` and `skystock` ([`ServiceKind`]) with log-in, rows and
//!   faults on demand; [`TestSite`] is a web site of fixed pages.
//! - [`Shop`]: a small API with items and orders, for tests of steps and crashes.
//! - [`BaselineServer`]: only the upstream calls, for the benchmark of a turn.
//!
//! `ghost` plays scenarios against them, `wiiiv` runs the demo services, and tests of other crates use
//! them as dev-dependencies. Begin reading at `loopback.rs` (how a server is started and ends), then
//! `model/fake.rs`, the smallest fake.

mod baseline;
mod loopback;
mod model;
mod nesting;
mod provider;
mod services;
mod shared;
mod shop;

pub use baseline::BaselineServer;
pub use model::{
    Cassettes, FakeModel, ModelCall, ModelMode, Personas, ProviderAnswer, Recorded, findings,
    opinion, persona_mark,
};
pub use provider::{
    Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_READS, PROVIDER_SAYS, PROVIDER_USED,
    run_provider,
};
pub use services::{
    DemoService, Doors, Dropped, Fault, FaultError, LOG_IN_PATH, LogIn, ServiceCall, ServiceKind,
    TestSite, TokenState,
};
pub use shop::{Item, Shop, ShopCall, ShopMode};
