//! A claim is attested once.
use wiiiv_gate::{AuditSeq, Claim, Registrar};

fn twice(registrar: &Registrar, claim: Claim) {
    let _ = registrar.attest(claim, AuditSeq::new(1));
    let _ = registrar.attest(claim, AuditSeq::new(2));
}

fn main() {}
