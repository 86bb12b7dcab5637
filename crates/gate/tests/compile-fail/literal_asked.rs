//! A question is as its row has it.
use wiiiv_gate::{ApprovalRequest, Asked};

fn kinder(request: ApprovalRequest) -> Asked {
    Asked { request }
}

fn main() {}
