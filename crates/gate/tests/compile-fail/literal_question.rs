//! A question is as its row has it.
use wiiiv_gate::{ApprovalRequest, PendingQuestion};

fn kinder(request: ApprovalRequest) -> PendingQuestion {
    PendingQuestion { request }
}

fn main() {}
