//! A permit has no constructor but `Ruled::seal`.
use wiiiv_domain::Blueprint;
use wiiiv_gate::Authorized;

fn anything<T>() -> T {
    loop {}
}

fn forge(subject: Blueprint) -> Authorized<Blueprint> {
    Authorized { seal: anything(), at: anything(), trail: anything(), subject }
}

fn main() {}
