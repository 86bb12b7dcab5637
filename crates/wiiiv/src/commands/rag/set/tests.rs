//! The committed set, and sets that are refused.

use super::*;
use std::{collections::BTreeMap, fs, path::PathBuf};
use tempfile::TempDir;
use wiiiv_domain::Lang;

fn committed() -> EvalSet {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    EvalSet::read(&tree.join("rag-eval")).unwrap()
}

/// A set of two documents and one query, with a file of it as it is given.
fn with(file: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let query = "[[queries]]\ntext = \"leave\"\nlanguage = \"en\"\nkind = \"question\"\npart = \"scored\"\n\
                 answers = [{ document = \"en/leave.md\", under = \"Days\", grade = 3 }]\n";
    for (name, own) in [
        ("set.toml", "title = \"t\"\nsource = \"s\"\n"),
        ("documents/en/leave.md", "# Leave\n\n## Days\n\nFifteen.\n"),
        ("documents/ko/표.csv", "날짜,국\n월,된장국\n"),
        ("queries.toml", query),
        (file, text),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, own).unwrap();
    }
    let path = folder.path().to_owned();
    (folder, path)
}

#[test]
fn the_committed_set_has_documents_of_real_life_in_both_languages() {
    let EvalSet { documents, .. } = committed();
    for language in Lang::ALL {
        let of = documents.iter().filter(|document| document.language == language);
        assert_eq!(of.count(), 20, "{language}");
    }
    for document in &documents {
        let words = document.text().split_whitespace().count();
        let is_table = document.name.ends_with(".csv");
        assert!(is_table || (150..=500).contains(&words), "{}: {words} words", document.name);
    }
    for ending in ["md", "txt", "csv", "py", "ts"] {
        let has = documents.iter().any(|document| document.name.ends_with(ending));
        assert!(has, "{ending}");
    }
}

#[test]
fn the_committed_queries_are_of_every_kind_and_each_half_has_its_share() {
    let set = committed();
    let mut directions: BTreeMap<(Lang, Lang, &str), usize> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for part in [PartChoice::Tuning, PartChoice::Scored] {
        for query in set.queries_of(part) {
            *kinds.entry((query.kind.as_str(), part.as_str())).or_default() += 1;
            for language in Lang::ALL {
                let is_of = |answer: &&Answer| {
                    answer.is_one() && set.documents[answer.document].language == language
                };
                if query.answers.iter().any(|answer| is_of(&answer)) {
                    *directions.entry((query.language, language, part.as_str())).or_default() += 1;
                }
            }
        }
    }
    assert!(
        directions.len() == 8 && directions.values().all(|count| *count >= 15),
        "{directions:?}"
    );
    assert!(kinds.len() == 10 && kinds.values().all(|count| *count >= 5), "{kinds:?}");
    assert!(set.queries.len() >= 80);
    let halves = [PartChoice::Tuning, PartChoice::Scored];
    let [tuning, scored] = halves.map(|part| set.queries_of(part).count());
    assert!(tuning.abs_diff(scored) <= 10, "{tuning} and {scored}");
}

#[test]
fn a_set_is_read_with_its_tables_and_titles() {
    let (_folder, path) = with("documents/en/notes.txt", "Some notes.");
    let set = EvalSet::read(&path).unwrap();
    let names: Vec<(&str, &str)> =
        set.documents.iter().map(|own| (own.file_name(), own.title.as_str())).collect();
    assert_eq!(names, [("leave.md", "Leave"), ("notes.txt", "notes"), ("표.csv", "표")]);
    assert_eq!(set.documents[2].text(), "날짜 | 국\n월 | 된장국");
    assert_eq!(set.queries[0].answers[0].under.as_deref(), Some("Days"));
}

#[test]
fn what_is_not_as_it_has_to_be_is_refused_with_its_file() {
    for (file, text, told) in [
        ("set.toml", "title = \" \"\nsource = \"s\"", "`title` or `source` is empty"),
        ("set.toml", "title = \"t\"\nsource = \"s\"\ncolour = 1", "unknown field `colour`"),
        ("documents/fr/a.md", "a", "no folder of a language"),
        ("documents/en/a.pdf", "a", "none of `md`"),
        ("documents/en/a.md", " \n", "it has no text"),
        ("queries.toml", "queries = []", "1 to"),
    ] {
        let (_folder, path) = with(file, text);
        let error = EvalSet::read(&path).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(told), "{file}: {error}");
    }
    let nowhere = EvalSet::read(Path::new("nowhere")).err();
    assert!(matches!(nowhere, Some(Failure::NoSetFolder { .. })));
}

#[test]
fn a_query_that_cannot_be_measured_is_refused_with_its_text() {
    let one = |text: &str, rest: &str, answers: &str| {
        format!(
            "[[queries]]\ntext = \"{text}\"\n{rest}\npart = \"tuning\"\nanswers = [{answers}]\n"
        )
    };
    let (english, none) =
        ("language = \"en\"\nkind = \"question\"", "language = \"en\"\nkind = \"unanswered\"");
    let answer = |more: &str| format!("{{ document = \"en/leave.md\", {more} }}");
    let good = answer("under = \"Days\", grade = 3");
    for (text, told) in [
        (one(" ", english, &good), "`text` is empty"),
        (one("a", "language = \"fr\"\nkind = \"question\"", &good), "`language`: `fr`"),
        (one("a", "language = \"en\"\nkind = \"riddle\"", &good), "unknown variant `riddle`"),
        (one("a", english, ""), "is `unanswered`"),
        (one("a", english, &answer("grade = 1")), "is `unanswered`"),
        (one("a", none, &good), "is `unanswered`"),
        (one("a", english, &answer("grade = 4")), "`grade`: `4`"),
        (one("a", english, &answer("grade = 3, under = \"Hours\"")), "no heading `Hours`"),
        (one("a", english, &format!("{good}, {good}")), "twice under the same heading"),
        (one("a", english, "{ document = \"en/x.md\", grade = 3 }"), "no document `en/x.md`"),
        (one("a", english, &good).repeat(2), "it is there twice"),
    ] {
        let (_folder, path) = with("queries.toml", &text);
        let error = EvalSet::read(&path).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(told) && error.contains("queries.toml"), "{text}: {error}");
    }
    let (_folder, path) = with("queries.toml", &one("a", none, &answer("grade = 1")));
    assert!(EvalSet::read(&path).is_ok());
}
