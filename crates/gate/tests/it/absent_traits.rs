//! What would let a permit be copied, conjured or read from a file.

use serde::de::DeserializeOwned;
use static_assertions::{assert_impl_all, assert_not_impl_any};
use wiiiv_domain::Blueprint;
use wiiiv_gate::{
    ApprovalGiven, Authorized, Claim, Cleared, Committed, DelegationGiven, Deliberation,
    ExecutionStarted, GateContext, GateKeeper, GrantGiven, ModelCall, PendingQuestion, Permission,
    PlanTrail, PolicySnapshot, PolicyVersion, Principal, Recorded, Registrar, Ruled, RunPermit,
    Step, Unrecorded, UserEvent, Verifier,
};

assert_not_impl_any!(Claim: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Committed: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Ruled<Blueprint>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Ruled<ModelCall>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Authorized<Blueprint>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Authorized<Step>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(RunPermit: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Registrar: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Recorded<ApprovalGiven>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Recorded<PolicyVersion>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(ApprovalGiven: Clone, Default, DeserializeOwned);
assert_not_impl_any!(GrantGiven: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Recorded<GrantGiven>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(DelegationGiven: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Recorded<DelegationGiven>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(PolicyVersion: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Deliberation: Clone, Default, DeserializeOwned);
assert_not_impl_any!(ExecutionStarted: Clone, Default, DeserializeOwned);
assert_not_impl_any!(UserEvent: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Principal: Default, DeserializeOwned);
assert_not_impl_any!(PendingQuestion: Default, DeserializeOwned);
assert_not_impl_any!(Unrecorded<ApprovalGiven>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Unrecorded<UserEvent>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(PolicySnapshot: Clone, Default, DeserializeOwned);
assert_not_impl_any!(GateContext<Blueprint>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Cleared<Permission>: Clone, Default, DeserializeOwned);
assert_not_impl_any!(PlanTrail: Clone, Default, DeserializeOwned);
assert_not_impl_any!(Step: Clone, Default, DeserializeOwned);
// Actors send them, so what they are made of must be sendable.
assert_impl_all!(Authorized<Step>: Send, Sync);
assert_impl_all!(RunPermit: Send, Sync);
assert_impl_all!(Recorded<ApprovalGiven>: Send, Sync);
assert_impl_all!(GateKeeper: Send, Sync, Clone);
assert_impl_all!(Verifier: Send, Sync, Clone);
