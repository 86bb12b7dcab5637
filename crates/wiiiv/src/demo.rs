//! `demo`: a server on loopback with one prepared user, a project and two services. Opening the
//! printed link signs in that user, once; all other log-ins need a password.

mod demo_home;
mod furnish;
mod services;
mod tour;

pub use demo_home::{DemoHome, prepare};
pub use furnish::{Furnished, furnish};
pub use services::{fresh_credential, log_in};
pub use tour::welcome;

pub const USER: &str = "guest";
pub const PROJECT: &str = "demo";
pub const TOKEN_FILE: &str = "token";

/// In a part of the address that a browser sends nowhere.
pub fn link(url: &str, secret: &str) -> String {
    format!("{url}/#demo={secret}")
}
