//! A plan of one step: write a file.

use crate::test_store::{TestStore, new_id, now};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Amount, Arg, Blueprint, ContentDigest, Effect, Envelope, Node, NodeKind, Retry, Slots, Spec,
    SpecSnapshot, StepId, StepOutcome, StepOutput, StepParams, TaskType,
};

pub fn step() -> StepId {
    StepId::parse("write").unwrap()
}

pub async fn write_plan(test: &TestStore, path: &str) -> Blueprint {
    let salt = test.store.session(test.session).await.unwrap().unwrap().salt;
    let mut slots = Slots::default();
    slots.set("targetPath", path).unwrap();
    slots.set("content", "회의 3시").unwrap();
    let spec = Spec::new(salt, TaskType::FileWrite, slots, &Envelope::default());
    let policy = test.snapshot().await;
    let standing = test.store.standing(test.session).await.unwrap();
    let deliberation = test.keeper.deliberate(&spec, &policy, &standing);
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let params = StepParams::FileWrite {
        directory: directory.into(),
        name: Arg::Literal(name.into()),
        content: Arg::Literal("회의 3시".into()),
    };
    let node = Node {
        id: step(),
        kind: NodeKind::Act,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect: Effect::Write,
        idempotent: true,
    };
    Blueprint {
        version: Blueprint::VERSION,
        id: new_id(),
        project: test.project,
        session: test.session,
        task: new_id(),
        policy: policy.version(),
        spec_snapshot: SpecSnapshot { spec, deliberation, requester: test.user, at: now() },
        nodes: vec![node],
        contracts: test.keeper.contracts(),
        pre_images: BTreeMap::new(),
        systems: BTreeMap::new(),
        sources: BTreeMap::new(),
        estimate: Amount::ZERO,
    }
}

/// A success that hands these bytes on.
pub fn success(bytes: &[u8]) -> StepOutcome {
    let output = StepOutput {
        digest: ContentDigest::of_bytes(bytes),
        size_bytes: bytes.len() as u64,
        media_type: "text/plain; charset=utf-8".into(),
        foreign: false,
        status: None,
    };
    StepOutcome::Success { output }
}
