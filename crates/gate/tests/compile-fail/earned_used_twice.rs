//! What was earned is one promotion's.
use wiiiv_gate::evidence::policy::promoted;
use wiiiv_gate::rollout::Earned;
use wiiiv_gate::{PolicyDocument, PolicyVersion, Recorded, UserEvent};

fn twice(event: &Recorded<UserEvent>, document: PolicyDocument, current: &Recorded<PolicyVersion>, earned: Earned) {
    let _ = promoted(event, document.clone(), current, earned);
    let _ = promoted(event, document, current, earned);
}

fn main() {}
