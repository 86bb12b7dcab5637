//! What the crate cannot name: invariant 7, and that a state has no serde.

use static_assertions::assert_not_impl_any;
use std::path::{Path, PathBuf};
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

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Neither the order of a conversation nor a ruling can hang on what somebody told of themselves or keeps in
/// mind, nor on how answers are worded and looked at.
#[test]
fn flow_and_gate_name_no_profile_no_memory_and_no_answer() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&here.join("src"), &mut files);
    sources(&here.join("../gate/src"), &mut files);
    assert!(files.len() > 40, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in [
            "ProfileText",
            "ProfileDocument",
            "ProfileNote",
            "profile_schema",
            "MemoryText",
            "Guardrail",
            "AnswerPolicy",
        ] {
            assert!(!text.contains(name), "`{}` names `{name}`", file.display());
        }
    }
}
