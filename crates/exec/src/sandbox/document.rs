//! Reads documents in a child, and believes nothing that it answers.

use super::{
    parent::{Broken, Sandbox, divided},
    wire::{Answer, Work},
};
use crate::document::{self, Bound, Damaged, DocumentRefused, Format, Limits};
use serde::{
    Deserialize, Deserializer as _,
    de::{SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{fmt, process::ExitStatus};
use wiiiv_retrieval::{Part, SourceText};

/// Of the JSON of one part, its text left out.
const PART_BYTES_MAX: u64 = 80;
/// Of one character of a text in JSON.
const CHAR_BYTES_MAX: u64 = 6;
/// Of the JSON of the whole, parts left out.
const WHOLE_BYTES_MAX: u64 = 4096;
/// What ends a child that used up its time.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

/// The text of a file, read in a child that its memory, its time and the limits bound; dropping this ends the
/// child. What takes no more than its own size to read, as text and source code, is read without one.
pub async fn read_document(
    sandbox: &Sandbox,
    name: &str,
    media_type: Option<&str>,
    bytes: Vec<u8>,
    limits: &Limits,
) -> Result<SourceText, DocumentRefused> {
    limits.check_file(bytes.len())?;
    let format = Format::of(name, media_type, &bytes)?;
    if format.is_plain() {
        let limits = *limits;
        let reading = tokio::task::spawn_blocking(move || document::read(format, &bytes, &limits));
        return reading.await.unwrap_or(Err(DocumentRefused::Damaged(Damaged::Other)));
    }
    let (name, media_type) = (name.to_owned(), media_type.map(str::to_owned));
    let work = Work::Document { name, media_type, limits: *limits };
    let max_bytes = answer_bytes_max(limits);
    let answer =
        sandbox.ask(work, &bytes, max_bytes).await.map_err(|broken| why(broken, limits))?;
    let limits = *limits;
    let reading = tokio::task::spawn_blocking(move || read(&answer, &limits));
    reading.await.unwrap_or(Err(DocumentRefused::Sandbox))
}

fn answer_bytes_max(limits: &Limits) -> usize {
    let Limits { chars_max, parts_max, .. } = *limits;
    let parts = parts_max.saturating_mul(PART_BYTES_MAX).saturating_add(WHOLE_BYTES_MAX);
    let most = chars_max.saturating_mul(CHAR_BYTES_MAX).saturating_add(parts);
    // Twice as far as any limits of ours go.
    usize::try_from(most.min(256 * 1024 * 1024)).unwrap_or(usize::MAX)
}

fn why(broken: Broken, limits: &Limits) -> DocumentRefused {
    match broken {
        Broken::TooLong => {
            DocumentRefused::TooLarge { bound: Bound::FileBytes, most: limits.file_bytes_max }
        }
        Broken::NotStarted | Broken::Ended(None) => DocumentRefused::Sandbox,
        Broken::TimedOut => DocumentRefused::TimedOut,
        Broken::Ended(Some(status)) => match signal(status) {
            Some(SIGKILL | SIGXCPU) => DocumentRefused::TimedOut,
            // It aborts where it gets no memory, for its stack neither.
            Some(_) => DocumentRefused::OutOfMemory,
            None => DocumentRefused::Sandbox,
        },
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// A stranger's file may have taken the child over: its answer is held to the same limits here.
fn read(answer: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let (answer, value) = divided(answer).ok_or(DocumentRefused::Sandbox)?;
    match answer {
        Answer::Refused { refused } => Err(refused),
        Answer::Values { count: 1 } => source(value, limits),
        Answer::Values { .. } | Answer::Fault { .. } => Err(DocumentRefused::Sandbox),
    }
}

/// A [`SourceText`] whose parts are not read yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unread<'a> {
    version: u32,
    title: Option<String>,
    #[serde(borrow)]
    parts: &'a RawValue,
}

/// Of many small parts each takes more memory than its JSON: those past the limit are not read.
fn source(value: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let broken = |_| DocumentRefused::Sandbox;
    let unread: Unread<'_> = serde_json::from_slice(value).map_err(broken)?;
    if unread.version != SourceText::VERSION {
        return Err(DocumentRefused::Sandbox);
    }
    let mut parts = Vec::new();
    let reader = Parts { most: limits.parts_max, parts: &mut parts };
    let read = serde_json::Deserializer::from_str(unread.parts.get()).deserialize_seq(reader);
    let source = SourceText { version: unread.version, title: unread.title, parts };
    limits.check_source(&source)?;
    read.map(|()| source).map_err(broken)
}

/// Reads one part more than the most, by which they are too many.
struct Parts<'p> {
    most: u64,
    parts: &'p mut Vec<Part>,
}

impl<'de> Visitor<'de> for Parts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<(), A::Error> {
        for _ in 0..=self.most {
            let Some(part) = given.next_element()? else { break };
            self.parts.push(part);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::SandboxProgram;

    #[test]
    fn an_answer_is_held_to_the_limits() {
        let limits = Limits { chars_max: 3, parts_max: 1, ..Limits::default() };
        let answer = |source: &SourceText| {
            let json = serde_json::to_string(source).expect("JSON");
            format!("{{\"answer\":\"values\",\"count\":1}}\n{json}")
        };
        let given = |text: &str| {
            let source = SourceText::plain(text);
            read(answer(&source).as_bytes(), &limits).map(|read| read == source)
        };
        assert_eq!(given("가나다"), Ok(true));
        let large = |bound, most| Err(DocumentRefused::TooLarge { bound, most });
        assert_eq!(given("가나다라"), large(Bound::Characters, 3));
        assert_eq!(given("a\n\nb"), large(Bound::Parts, 1));
        let part = "{\"kind\":\"paragraph\",\"text\":\"a\",\"page\":null}";
        let unread = format!(
            "{{\"answer\":\"values\",\"count\":1}}\n{{\"version\":{},\"title\":null,\"parts\":[{part},{part},7]}}",
            SourceText::VERSION
        );
        assert_eq!(
            read(unread.as_bytes(), &limits),
            Err(DocumentRefused::TooLarge { bound: Bound::Parts, most: 1 })
        );
        let newer = SourceText { version: SourceText::VERSION + 1, ..SourceText::plain("a") };
        let refused = Err(DocumentRefused::Sandbox);
        let odd = [
            &b"{\"answer\":\"values\",\"count\":1}\n[]"[..],
            b"",
            b"{\"answer\":\"fault\",\"fault\":\"failed\"}\n",
        ];
        assert_eq!(read(answer(&newer).as_bytes(), &limits), refused);
        odd.into_iter().for_each(|answer| assert_eq!(read(answer, &limits), refused));
        let named = b"{\"answer\":\"refused\",\"refused\":\"encrypted\"}\n";
        assert_eq!(read(named, &limits), Err(DocumentRefused::Encrypted));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn how_a_child_ended_says_why() {
        use std::os::unix::process::ExitStatusExt as _;
        let limits = Limits::default();
        let ended = |raw: i32| why(Broken::Ended(Some(ExitStatus::from_raw(raw))), &limits);
        assert_eq!(ended(SIGKILL), DocumentRefused::TimedOut);
        assert_eq!(ended(SIGXCPU), DocumentRefused::TimedOut);
        assert_eq!(ended(6), DocumentRefused::OutOfMemory);
        assert_eq!(ended(11), DocumentRefused::OutOfMemory);
        assert_eq!(ended(1 << 8), DocumentRefused::Sandbox);
        assert_eq!(why(Broken::TimedOut, &limits), DocumentRefused::TimedOut);
    }

    #[tokio::test]
    async fn text_needs_no_child_and_everything_else_does() {
        let none = Sandbox::new(SandboxProgram { path: "/nowhere/wiiiv".into() });
        let limits = Limits::default();
        let given = async |name: &str, bytes: &[u8]| {
            read_document(&none, name, None, bytes.to_vec(), &limits)
                .await
                .map(|text| text.parts.len())
        };
        assert_eq!(given("a.md", "# 가\n\n나".as_bytes()).await, Ok(2));
        assert_eq!(given("a.csv", b"a,b").await, Err(DocumentRefused::Sandbox));
        assert_eq!(given("a.exe", b"MZ").await, Err(DocumentRefused::UnknownName));
        let large =
            DocumentRefused::TooLarge { bound: Bound::FileBytes, most: limits.file_bytes_max };
        let long = vec![b'a'; usize::try_from(limits.file_bytes_max).expect("bytes") + 1];
        assert_eq!(given("a.txt", &long).await, Err(large));
    }
}
