//! `demo`: loopback only, one prepared user, a project and two services to call. It logs its user in
//! by itself, and says so; nothing else here ever does.

mod furnish;
mod place;
mod services;
mod tour;

pub use furnish::{Furnished, furnish};
pub use place::{Place, prepare};
pub use services::fresh_credential;
pub use tour::welcome;

pub const USER: &str = "guest";
pub const PROJECT: &str = "demo";
pub const TOKEN_FILE: &str = "token";
