//! A permit has no constructor but `Ruled::seal`.
use wiiiv_domain::Blueprint;
use wiiiv_gate::Authorized;

fn forge(subject: Blueprint) -> Authorized<Blueprint> {
    Authorized { subject }
}

fn main() {}
