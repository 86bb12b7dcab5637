//! What was earned is one promotion's.
use wiiiv_domain::PolicyDocument;
use wiiiv_gate::rollout::Earned;
use wiiiv_gate::{PolicyVersion, Recorded, UserEvent, policy};

type Current<'a> = &'a Recorded<PolicyVersion>;

fn twice(said: &Recorded<UserEvent>, next: PolicyDocument, now: Current<'_>, earned: Earned) {
    let _ = policy::promoted(said, next.clone(), now, earned);
    let _ = policy::promoted(said, next, now, earned);
}

fn main() {}
