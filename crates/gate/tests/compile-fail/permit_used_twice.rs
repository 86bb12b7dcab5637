//! A permit is redeemed by value.
use wiiiv_gate::{Authorized, Step, Verifier};

fn twice(verifier: &Verifier, permit: Authorized<Step>) {
    let _ = verifier.redeem(permit);
    let _ = verifier.redeem(permit);
}

fn main() {}
