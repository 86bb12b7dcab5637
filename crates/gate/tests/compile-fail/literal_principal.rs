//! Whoever is somebody was authenticated.
use wiiiv_domain::UserId;
use wiiiv_gate::{Principal, Rights};

fn forge(user: UserId, rights: Rights) -> Principal {
    Principal { user, label: String::new(), project: None, rights }
}

fn main() {}
