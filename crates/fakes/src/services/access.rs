//! Who may call a service: its one user, by a token from the log-in.

use super::call::TokenState;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use std::{
    collections::VecDeque,
    hash::{BuildHasher as _, RandomState},
};

/// Tokens that are kept; the oldest go first.
const TOKENS_MAX: usize = 1_000;

/// The one user of a service.
#[derive(Debug, Clone)]
pub struct LogIn {
    pub username: String,
    pub password: SecretString,
}

#[derive(Deserialize)]
pub struct LogInRequest {
    username: String,
    password: String,
}

struct Token {
    text: String,
    valid: bool,
}

pub struct Access {
    name: &'static str,
    user: LogIn,
    issued: VecDeque<Token>,
}

impl Access {
    pub const fn new(name: &'static str, user: LogIn) -> Self {
        Self { name, user, issued: VecDeque::new() }
    }
    /// A new token for the right name and password.
    pub fn log_in(&mut self, request: &LogInRequest) -> Option<String> {
        let right = request.username == self.user.username
            && request.password == self.user.password.expose_secret();
        if !right {
            return None;
        }
        if self.issued.len() >= TOKENS_MAX {
            self.issued.pop_front();
        }
        let text = format!("{}-{}", self.name, random_digits());
        self.issued.push_back(Token { text: text.clone(), valid: true });
        Some(text)
    }
    pub fn state_of(&self, token: &str) -> TokenState {
        match self.issued.iter().find(|issued| issued.text == token) {
            Some(issued) if issued.valid => TokenState::Valid,
            Some(_) => TokenState::Expired,
            None => TokenState::Invalid,
        }
    }
    pub fn expire(&mut self) {
        self.issued.iter_mut().for_each(|token| token.valid = false);
    }
    /// Every issued token, expired ones included: no other place may contain one.
    pub fn tokens(&self) -> Vec<String> {
        self.issued.iter().map(|token| token.text.clone()).collect()
    }
}

/// The standard library's hasher is seeded by the operating system, which is enough for a fake.
fn random_digits() -> String {
    let part = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", part(), part())
}
