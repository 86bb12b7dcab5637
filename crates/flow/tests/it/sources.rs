//! Where a task's values came from goes with them into the spec, and into the state's hash.

use crate::session::{Session, deliberated, proposal, write_a};
use uuid::Uuid;
use wiiiv_domain::{
    Action, Asks, DocumentId, ExecutionId, Proposal, RunOutcome, SlotName, SourceKind, Sources,
    StepId, TaskType, ValueSource, ValueSources,
};

fn sources(names: &[&str]) -> Sources {
    let source = ValueSource::Step {
        execution: ExecutionId::from_uuid(Uuid::from_u128(9)),
        step: StepId::parse("page").unwrap(),
        kind: SourceKind::Page,
    };
    let mut sources = Sources::default();
    for name in names {
        let from = ValueSources::from_iter([source.clone()]);
        sources.set(SlotName::parse(name).unwrap(), from);
    }
    sources
}

fn from_elsewhere(proposal: Proposal, names: &[&str]) -> Proposal {
    Proposal { sources: sources(names), ..proposal }
}

#[test]
fn a_spec_names_the_values_that_are_not_the_users() {
    let mut own = Session::new();
    own.say().model(write_a());
    assert!(deliberated(&own).sources.is_empty());
    let mut session = Session::new();
    session.say().model(from_elsewhere(write_a(), &[SlotName::TARGET_PATH]));
    assert_eq!(deliberated(&session).sources, sources(&[SlotName::TARGET_PATH]));
    assert_ne!(deliberated(&session).digest().unwrap(), deliberated(&own).digest().unwrap());
    assert_ne!(session.state.hash(), own.state.hash());
}

/// A state of before versions keeps its hash; with one it has another.
#[test]
fn the_version_of_a_document_is_in_the_hash() {
    let hash = |version| {
        let document = DocumentId::from_uuid(Uuid::from_u128(9));
        let passage = ValueSource::Document { document, passage: 2, version };
        let mut sources = Sources::default();
        let name = SlotName::parse(SlotName::CONTENT).unwrap();
        sources.set(name, ValueSources::from_iter([passage]));
        let mut session = Session::new();
        session.say().model(Proposal { sources, ..write_a() });
        session.state.hash()
    };
    assert_eq!(hash(Some(3)), hash(Some(3)));
    assert_ne!(hash(Some(3)), hash(Some(4)));
    assert_ne!(hash(Some(3)), hash(None));
}

#[test]
fn a_value_that_is_given_anew_is_the_users_and_the_others_stay() {
    let mut session = Session::new();
    let names = [SlotName::TARGET_PATH, SlotName::CONTENT];
    session.previewed(from_elsewhere(write_a(), &names), Asks::Requester);
    let other = [("targetPath", "mine.md")];
    session.say().model(proposal(Action::Execute, TaskType::FileWrite, &other));
    assert_eq!(deliberated(&session).sources, sources(&[SlotName::CONTENT]));
}

/// A task of another type has none of the former's values, and none of their sources.
#[test]
fn a_next_round_has_the_sources_of_its_own_values() {
    let mut session = Session::new();
    session.previewed(from_elsewhere(write_a(), &[SlotName::CONTENT]), Asks::Requester);
    session.yes().allowed().finished(RunOutcome::Succeeded);
    let read = proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "x.md")]);
    session.model(from_elsewhere(read, &[SlotName::TARGET_PATH]));
    assert_eq!(deliberated(&session).sources, sources(&[SlotName::TARGET_PATH]));
}

/// An editor's path is the editor's own; the value that they left is as foreign as it was.
#[test]
fn an_edit_takes_the_source_of_the_path_that_it_replaces() {
    let mut session = Session::new();
    let names = [SlotName::TARGET_PATH, SlotName::CONTENT];
    session.previewed(from_elsewhere(write_a(), &names), Asks::AnotherPerson);
    session.edited(&[(SlotName::TARGET_PATH, "mine.md")]);
    assert_eq!(deliberated(&session).sources, sources(&[SlotName::CONTENT]));
}
