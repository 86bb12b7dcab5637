//! `demo`: loopback only, one prepared user, a project and a shop to talk to. It logs its user in
//! by itself, and says so; nothing else here ever does.

mod furnish;
mod place;
mod shop;
mod tour;

pub use furnish::{Furnished, furnish};
pub use place::{Place, prepare};
pub use shop::open_shop;
pub use tour::welcome;

pub const USER: &str = "demo";
pub const PROJECT: &str = "demo";
pub const TOKEN_FILE: &str = "token";
