//! One line of a feed: a record, or a checkpoint.

use serde::Deserialize;
use wiiiv_store::FeedPosition;

#[derive(Debug, thiserror::Error)]
#[error(
    "line `{line}` of the feed is neither a record nor a checkpoint: is the server of another version?"
)]
pub struct NotALine {
    line: usize,
}

/// Its text is the very bytes of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedLine {
    pub text: String,
    pub chain: String,
    pub at: String,
    /// Of a record; `checkpoint` of one.
    pub kind: String,
    pub seq: u64,
    /// Of a record.
    hash: Option<[u8; 32]>,
}

#[derive(Deserialize)]
struct Record {
    at: String,
    chain: String,
    hash: String,
    kind: String,
    seq: String,
}

#[derive(Deserialize)]
struct Checkpoint {
    checkpoint: Signed,
}

#[derive(Deserialize)]
struct Signed {
    chain: String,
    signed_at: String,
    size: String,
}

const CHECKPOINT: &str = "checkpoint";
const CHECKPOINT_START: &str = r#"{"checkpoint":"#;

impl FeedLine {
    fn read(text: &str) -> Option<Self> {
        let own = text.to_owned();
        if text.starts_with(CHECKPOINT_START) {
            let Checkpoint { checkpoint: of } = serde_json::from_str(text).ok()?;
            let (kind, seq) = (CHECKPOINT.to_owned(), of.size.parse().ok()?);
            let (chain, at) = (of.chain, of.signed_at);
            return Some(Self { text: own, chain, at, kind, seq, hash: None });
        }
        let Record { at, chain, hash, kind, seq } = serde_json::from_str(text).ok()?;
        let hash = Some(bytes_of(&hash)?);
        Some(Self { text: own, chain, at, kind, seq: seq.parse().ok()?, hash })
    }

    /// Where whoever has it stands.
    pub fn behind(&self, from: FeedPosition) -> FeedPosition {
        match self.hash {
            Some(hash) => FeedPosition { seq: self.seq, hash, ..from },
            None => FeedPosition { signed: self.seq, ..from },
        }
    }
}

/// 64 hexadecimal digits.
pub fn bytes_of(hash: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hash.len() != 2 * bytes.len() || !hash.is_ascii() {
        return None;
    }
    for (nth, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hash.get(2 * nth..2 * nth + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Those of a page.
pub fn read_lines(text: &str) -> Result<Vec<FeedLine>, NotALine> {
    let read = |(at, line): (usize, &str)| FeedLine::read(line).ok_or(NotALine { line: at + 1 });
    text.lines().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::{FeedPosition, read_lines};

    #[test]
    fn a_page_says_where_its_reader_stands() {
        let hash = "ab".repeat(32);
        let record = format!(
            r#"{{"at":"2026-11-28T09:00:00.000Z","body":{{"seq":"9"}},"chain":"server","hash":"{hash}","kind":"turn.ended","prev":"{}","seq":"7"}}"#,
            "00".repeat(32)
        );
        let signed = format!(
            r#"{{"checkpoint":{{"chain":"server","head":"{hash}","key_id":"0","merkle_root":"{hash}","signed_at":"2026-11-28T09:01:00.000Z","size":"7"}},"signature":"x"}}"#
        );
        let lines = read_lines(&format!("{record}\n{signed}\n")).unwrap();
        assert_eq!((lines[0].kind.as_str(), lines[1].kind.as_str()), ("turn.ended", "checkpoint"));
        assert_eq!(lines[0].text, record);
        let at = lines.iter().fold(FeedPosition::START, |at, line| line.behind(at));
        assert_eq!(at, FeedPosition { seq: 7, hash: [0xab; 32], signed: 7 });
        let odd = read_lines(&format!("{record}\n{{}}\n")).unwrap_err();
        assert!(odd.to_string().contains("`2`"), "{odd}");
    }
}
