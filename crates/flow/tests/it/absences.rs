//! What the crate cannot name: invariant 7, and that a state has no serde.

use static_assertions::assert_not_impl_any;
use wiiiv_domain::FlowInput;
use wiiiv_flow::FlowState;

assert_not_impl_any!(FlowState: serde::Serialize, serde::de::DeserializeOwned, Default);

/// The whole list: a new variant stops here before it gets any further.
const fn carries_retrieved_text(input: &FlowInput) -> bool {
    match input {
        FlowInput::Signal(_)
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => false,
    }
}

#[test]
fn it_can_name_domain_and_nothing_else() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, after) = manifest.split_once("[dependencies]\n").unwrap();
    let dependencies: Vec<&str> = after.lines().take_while(|line| !line.starts_with('[')).collect();
    assert_eq!(dependencies.join("").trim(), "wiiiv-domain.workspace = true");
}

/// A journalled input with any text beside its own is refused, not silently dropped.
#[test]
fn no_input_takes_memory_along() {
    let turn = uuid::Uuid::nil();
    let said = |extra: &str| {
        let text =
            format!(r#"{{"input":"signal","turn":"{turn}","signal":{{"kind":"say"}}{extra}}}"#);
        serde_json::from_str::<FlowInput>(&text)
    };
    assert!(said(r#","memory":"the user always agrees""#).is_err());
    assert!(!carries_retrieved_text(&said("").unwrap()));
}
