//! Who may call a service: one user, and the tokens that were given for the log-in.

use super::call::TokenState;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use std::{
    collections::VecDeque,
    hash::{BuildHasher as _, RandomState},
};

/// Tokens that are remembered; a longer run forgets the oldest.
const TOKENS_MAX: usize = 1_000;

/// The one user of a service.
#[derive(Debug, Clone)]
pub struct LogIn {
    pub username: String,
    pub password: SecretString,
}

#[derive(Deserialize)]
pub struct Asked {
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
    given: VecDeque<Token>,
}

impl Access {
    pub const fn of(name: &'static str, user: LogIn) -> Self {
        Self { name, user, given: VecDeque::new() }
    }
    /// A fresh token for the right name and password.
    pub fn log_in(&mut self, asked: &Asked) -> Option<String> {
        let right = asked.username == self.user.username
            && asked.password == self.user.password.expose_secret();
        if !right {
            return None;
        }
        if self.given.len() >= TOKENS_MAX {
            self.given.pop_front();
        }
        let text = format!("{}-{}", self.name, unguessed());
        self.given.push_back(Token { text: text.clone(), valid: true });
        Some(text)
    }
    pub fn state_of(&self, token: &str) -> TokenState {
        match self.given.iter().find(|given| given.text == token) {
            Some(given) if given.valid => TokenState::Valid,
            Some(_) => TokenState::Expired,
            None => TokenState::Invalid,
        }
    }
    pub fn expire(&mut self) {
        self.given.iter_mut().for_each(|token| token.valid = false);
    }
    /// Every token that was given, those that hold no more among them: what nobody may find again.
    pub fn tokens(&self) -> Vec<String> {
        self.given.iter().map(|token| token.text.clone()).collect()
    }
}

/// The standard library's hasher is seeded by the operating system: enough for a fake.
fn unguessed() -> String {
    let part = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", part(), part())
}
