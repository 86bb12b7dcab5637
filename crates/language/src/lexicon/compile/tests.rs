use super::*;
use crate::{interpret::read as read_text, reading::Situation};

const NO_RULES: &str = "extensions = []\ntop_level_domains = []\nrule = []";

#[test]
fn what_is_embedded_compiles() {
    let lexicon = Lexicon::embedded().unwrap();
    assert!(lexicon.form("저장").is_some_and(|c| c.contains(&Concept::Save)));
    assert!(lexicon.form("지웠").is_some_and(|c| c.contains(&Concept::Delete)));
    assert_eq!(lexicon.phrases("less").len(), 2);
}

#[test]
fn what_is_not_understood_is_refused() {
    let refused = compile([("ko.toml", "[words]\nraed = []")], NO_RULES);
    assert!(matches!(refused, Err(LexiconError::Format { file, .. }) if file == "ko.toml"));
    let rule = "\n[[rule]]\ntask = \"COMMAND\"\nall = [\"run|shout\"]\nconfidence = 1.0";
    let rules = NO_RULES.replace("\nrule = []", rule);
    let refused = compile([("ko.toml", "")], &rules);
    assert!(matches!(refused, Err(LexiconError::UnknownSign { sign, .. }) if sign == "shout"));
}

/// A third language is a file, and a small one will do.
#[test]
fn a_language_is_a_file() {
    use crate::reading::ReadSignal;
    let third =
        "[whole]\ngreeting = [\"hola\", \"buenos días\"]\ncancel = [\"cancela\", \"déjalo\"]";
    let languages = LANGUAGES.iter().copied().chain([("es.toml", third)]);
    let lexicon = compile(languages, TASKS).unwrap();
    let read = |text| read_text(&lexicon, text, &Situation::default());
    assert_eq!(read("¡Buenos días!").task_type, Some(wiiiv_domain::TaskType::Conversation));
    assert_eq!(read("cancela, please").signal, ReadSignal::Cancel);
    assert_eq!(read("취소해줘").signal, ReadSignal::Cancel);
}
