//! A scenario file with what a model said in it, written into the text that a person wrote.

use super::{ScenarioError, read_text};
use std::path::Path;

/// Columns of a turn's dash and of its keys, as every scenario is laid out.
const TURN: usize = 2;
const KEY: usize = 4;

/// `answers`: of each turn. Everything else stays as it is, comments and twins among it; a text that
/// is laid out otherwise, so that it would not say what it is to say, is refused.
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
    for (turn, said) in blocks(turns).into_iter().zip(answers.iter().map(Some).chain([None])) {
        written.extend(turn_with(turn, said.map_or(&[], Vec::as_slice)));
    }
    written.extend(after.iter().map(|line| (*line).to_owned()));
    let written = written.join("\n") + "\n";
    let read = read_text(path, &written)?;
    let said = read.turns.iter().map(|turn| turn.model.iter().filter_map(|one| one.text().ok()));
    let as_said = said.map(Iterator::collect::<Vec<String>>).eq(answers.iter().cloned());
    as_said.then_some(written).ok_or_else(|| refused("its turns are not laid out as usual"))
}

/// `None`: an empty line.
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

/// Behind what the person does, in place of what stood there.
fn turn_with(lines: Vec<&str>, said: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let (mut in_model, mut at) = (false, None);
    for (nth, line) in lines.into_iter().enumerate() {
        let is_key =
            nth > 0 && indent(line) == Some(KEY) && !line.trim_start().starts_with(['#', '-']);
        if is_key {
            in_model = line.trim_start().starts_with("model:");
        }
        if is_key && (in_model || line.trim_start().starts_with("expect:")) {
            at.get_or_insert(kept.len());
        }
        if !in_model {
            kept.push(line.to_owned());
        }
    }
    let at = at.unwrap_or(kept.len());
    let mut model: Vec<String> = Vec::new();
    if !said.is_empty() {
        model.push(format!("{:KEY$}model:", ""));
        let quoted = |text: &String| format!("{:KEY$}  - {}", "", serde_json::json!(text));
        model.extend(said.iter().map(quoted));
    }
    kept.splice(at..at, model);
    kept
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
    fn what_was_said_stands_where_it_was_said_and_nothing_else_has_changed() {
        let path = Path::new("Z90-note.yaml");
        let said =
            [vec!["{\"a\": \"한\\n'\"}".to_owned()], vec!["둘: - #".to_owned(), "셋".to_owned()]];
        let written = with_answers(path, TEXT, &said).unwrap();
        let read = read_text(path, &written).unwrap();
        let texts = |nth: usize| -> Vec<String> {
            read.turns[nth].model.iter().map(|one| one.text().unwrap()).collect()
        };
        assert_eq!([texts(0), texts(1)], said);
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
        let said = [vec!["x".to_owned()], vec!["y".to_owned()]];
        assert!(with_answers(path, &flow, &said).is_err());
        let elsewhere = TEXT.replace("turns:\n", "turns: # here\n");
        assert!(with_answers(path, &elsewhere, &said).is_err());
    }
}
