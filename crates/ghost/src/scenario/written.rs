//! Writes a model's answers into the text of a scenario file.

use super::{ScenarioError, read_text};
use std::path::Path;

/// The columns of a turn's dash and of its keys in every scenario file.
const TURN: usize = 2;
const KEY: usize = 4;

/// `answers`: those of each turn. Everything else stays unchanged, comments and twins included. A text
/// with another layout, whose result would not hold these answers, is refused.
pub fn with_answers(
    path: &Path,
    text: &str,
    answers: &[Vec<String>],
) -> Result<String, ScenarioError> {
    let refused = |what: &str| ScenarioError::of(path, what);
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.trim_end() == "turns:");
    let head = head.ok_or_else(|| refused("`turns:` stands on no line of its own"))?;
    let is_top = |line: &&str| indent(line) == Some(0) && !line.starts_with('#');
    let length = lines.iter().skip(head + 1).take_while(|line| !is_top(line)).count();
    let (before, rest) = lines.split_at(head + 1);
    let (turns, after) = rest.split_at(length);
    let first = turns.iter().position(|line| begins_turn(line)).unwrap_or(turns.len());
    let (above, turns) = turns.split_at(first);
    let mut written: Vec<String> =
        before.iter().chain(above).map(|line| (*line).to_owned()).collect();
    for (turn, answers) in blocks(turns).into_iter().zip(answers.iter().map(Some).chain([None])) {
        written.extend(turn_with(turn, answers.map_or(&[], Vec::as_slice)));
    }
    written.extend(after.iter().map(|line| (*line).to_owned()));
    let written = written.join("\n") + "\n";
    let read = read_text(path, &written)?;
    let texts = read.turns.iter().map(|turn| turn.model.iter().filter_map(|one| one.text().ok()));
    let is_same = texts.map(Iterator::collect::<Vec<String>>).eq(answers.iter().cloned());
    is_same.then_some(written).ok_or_else(|| refused("its turns are not laid out as usual"))
}

/// `None` for an empty line.
fn indent(line: &str) -> Option<usize> {
    line.find(|c: char| c != ' ')
}

fn begins_turn(line: &str) -> bool {
    indent(line) == Some(TURN) && line.trim_start().starts_with('-')
}

/// The lines of each turn.
fn blocks<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for &line in lines {
        match blocks.last_mut() {
            Some(block) if !begins_turn(line) => block.push(line),
            Some(_) | None => blocks.push(vec![line]),
        }
    }
    blocks
}

/// Puts the answers behind the person's act, in place of those that the turn had.
fn turn_with(lines: Vec<&str>, answers: &[String]) -> Vec<String> {
    let mut written: Vec<String> = Vec::new();
    let (mut in_model, mut at) = (false, None);
    for (nth, line) in lines.into_iter().enumerate() {
        let is_key =
            nth > 0 && indent(line) == Some(KEY) && !line.trim_start().starts_with(['#', '-']);
        if is_key {
            in_model = line.trim_start().starts_with("model:");
        }
        if is_key && (in_model || line.trim_start().starts_with("expect:")) {
            at.get_or_insert(written.len());
        }
        if !in_model {
            written.push(line.to_owned());
        }
    }
    let at = at.unwrap_or(written.len());
    let mut model: Vec<String> = Vec::new();
    if !answers.is_empty() {
        model.push(format!("{:KEY$}model:", ""));
        let quoted = |text: &String| format!("{:KEY$}  - {}", "", serde_json::json!(text));
        model.extend(answers.iter().map(quoted));
    }
    written.splice(at..at, model);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "id: Z90
title: { ko: 메모, en: A note }
language: ko
persona: someone
goal: a note
max_turns: 2
turns:
  # The first one.
  - say: a.txt 파일에 써줘
    model:
      - action: EXECUTE
        taskType: FILE_WRITE
        slots: { targetPath: a.txt }
      - again
    expect:
      - outcome: pending
  - press: approve
expect:
  - files: [a.txt] # only this
";

    #[test]
    fn answers_are_written_in_place_and_nothing_else_changes() {
        let path = Path::new("Z90-note.yaml");
        let answers =
            [vec!["{\"a\": \"한\\n'\"}".to_owned()], vec!["둘: - #".to_owned(), "셋".to_owned()]];
        let written = with_answers(path, TEXT, &answers).unwrap();
        let read = read_text(path, &written).unwrap();
        let texts = |nth: usize| -> Vec<String> {
            read.turns[nth].model.iter().map(|one| one.text().unwrap()).collect()
        };
        assert_eq!([texts(0), texts(1)], answers);
        let bare = |text: &str| {
            let none = [Vec::new(), Vec::new()];
            with_answers(path, text, &none).unwrap()
        };
        assert_eq!(bare(&written), bare(TEXT), "only the model's lines differ");
        assert!(written.contains("# The first one.") && written.contains("# only this"));
    }

    #[test]
    fn another_layout_is_refused_and_never_half_written() {
        let path = Path::new("Z90-note.yaml");
        let flow = TEXT.replace("  - press: approve", "  - { press: approve }");
        let answers = [vec!["x".to_owned()], vec!["y".to_owned()]];
        assert!(with_answers(path, &flow, &answers).is_err());
        let elsewhere = TEXT.replace("turns:\n", "turns: # here\n");
        assert!(with_answers(path, &elsewhere, &answers).is_err());
    }
}
