//! The child's side: it limits itself, reads one request, does its work and answers.

use super::{
    DOCUMENT,
    barriers::{self, Barriers},
    limits,
    wire::{Answer, REQUEST_BYTES_MAX, Request, VERSION, Work},
};
use crate::{
    document::{self, Bound, Damaged, DocumentRefused, Format},
    jq::{JqFault, Values, evaluate},
    page,
};
use std::{
    io::{self, Read as _, Write as _},
    process::ExitCode,
    thread,
};

/// Expressions may recurse: what is more than this ends the child alone.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// What the hidden command does: `main` dispatches here before it starts anything else.
///
/// A child that exceeds a limit is ended by the system, without an answer.
#[must_use]
pub fn run_child() -> ExitCode {
    let is_document = std::env::args_os().nth(2).is_some_and(|work| work == DOCUMENT);
    let cpu_seconds_max =
        if is_document { limits::DOCUMENT_CPU_SECONDS_MAX } else { limits::CPU_SECONDS_MAX };
    // A set of rules of Landlock is a descriptor, and none can be had behind the limits.
    let raised = barriers::raise();
    let answer = match limits::apply(cpu_seconds_max) {
        Ok(()) => {
            read().map_or_else(|_| fault(JqFault::Sandbox), |request| answer(&request, raised))
        }
        Err(limits::NoLimits) => fault(JqFault::Sandbox),
    };
    let mut out = io::stdout().lock();
    match out.write_all(&answer).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn read() -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    io::stdin().lock().take(REQUEST_BYTES_MAX as u64).read_to_end(&mut request)?;
    Ok(request)
}

/// From request to answer, as bytes.
fn answer(request: &[u8], raised: Barriers) -> Vec<u8> {
    let end = request.iter().position(|byte| *byte == b'\n').unwrap_or(request.len());
    let (line, input) = request.split_at(end);
    let Ok(Request { version: VERSION, work, max_bytes }) = serde_json::from_slice(line) else {
        return fault(JqFault::Sandbox);
    };
    let input = input.get(1..).unwrap_or_default();
    let broken = match &work {
        Work::Document { .. } => refused(DocumentRefused::Damaged(Damaged::Other)),
        Work::Jq { .. } | Work::Page | Work::Barriers => fault(JqFault::Failed),
    };
    thread::scope(|scope| {
        let run = move || done(work, input, max_bytes, raised);
        match thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run) {
            Ok(running) => running.join().unwrap_or(broken),
            Err(_) => fault(JqFault::Sandbox),
        }
    })
}

fn done(work: Work, input: &[u8], max_bytes: usize, raised: Barriers) -> Vec<u8> {
    let values = match work {
        Work::Jq { expr } => evaluate(&expr, input, max_bytes),
        Work::Page => match std::str::from_utf8(input) {
            Ok(html) => page::read(html, max_bytes),
            Err(_) => Err(JqFault::Input),
        },
        Work::Barriers => told_of(barriers::tried(raised)),
        Work::Document { name, media_type, limits } => {
            let format = Format::of(&name, media_type.as_deref(), input);
            let source = format.and_then(|format| document::read(format, input, &limits));
            let large =
                DocumentRefused::TooLarge { bound: Bound::Characters, most: limits.chars_max };
            let json = source.and_then(|source| serde_json::to_vec(&source).map_err(|_| large));
            return match json {
                Ok(json) if json.len() <= max_bytes => line(Answer::Values { count: 1 }, &json),
                Ok(_) => refused(large),
                Err(why) => refused(why),
            };
        }
    };
    match values {
        Ok(Values { lines, count }) => line(Answer::Values { count }, &lines),
        Err(found) => fault(found),
    }
}

fn told_of(barriers: Barriers) -> Result<Values, JqFault> {
    let lines = serde_json::to_vec(&barriers).map_err(|_| JqFault::Sandbox)?;
    Ok(Values { lines, count: 1 })
}

fn fault(fault: JqFault) -> Vec<u8> {
    line(Answer::Fault { fault }, &[])
}

fn refused(refused: DocumentRefused) -> Vec<u8> {
    line(Answer::Refused { refused }, &[])
}

fn line(answer: Answer, values: &[u8]) -> Vec<u8> {
    // An answer of two plain fields is always JSON; were it not, the parent would find none.
    let mut bytes = serde_json::to_vec(&answer).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend_from_slice(values);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(version: u32, expr: &str, input: &str) -> String {
        told(version, Work::Jq { expr: expr.to_owned() }, input)
    }

    fn told(version: u32, work: Work, input: &str) -> String {
        let request = Request { version, work, max_bytes: 100 };
        let request = serde_json::to_string(&request).expect("JSON");
        let request = format!("{request}\n{input}");
        String::from_utf8(answer(request.as_bytes(), Barriers::default())).expect("UTF-8")
    }

    #[test]
    fn a_request_is_answered_by_a_line_and_the_values() {
        let values = asked(VERSION, ".[] | {a: .}", "[\"가\", 2]");
        assert_eq!(values, "{\"answer\":\"values\",\"count\":2}\n{\"a\":\"가\"}\n{\"a\":2}");
        let failed = asked(VERSION, ".a", "[]");
        assert_eq!(failed, "{\"answer\":\"fault\",\"fault\":\"failed\"}\n");
        let endless = asked(VERSION, "repeat(1)", "0");
        assert_eq!(endless, "{\"answer\":\"fault\",\"fault\":\"too_large\"}\n");
    }

    #[test]
    fn a_page_is_one_value() {
        let page = told(VERSION, Work::Page, "<title>t</title><p>Hello");
        let line = "{\"answer\":\"values\",\"count\":1}";
        let value = "{\"title\":\"t\",\"text\":\"Hello\",\"cut\":false}";
        assert_eq!(page, format!("{line}\n{value}"));
    }

    #[test]
    fn a_document_is_one_value_or_a_reason() {
        let read = |name: &str, input: &str| {
            let (name, limits) = (name.to_owned(), crate::document::Limits::default());
            told(VERSION, Work::Document { name, media_type: None, limits }, input)
        };
        let text = read("a.csv", "가,나");
        let (line, value) = text.split_once('\n').expect("two lines");
        assert_eq!(line, "{\"answer\":\"values\",\"count\":1}");
        assert!(value.contains("{\"kind\":\"row\",\"text\":\"가 | 나\",\"page\":null}"), "{value}");
        let empty = "{\"answer\":\"refused\",\"refused\":\"empty\"}\n";
        assert_eq!(read("a.csv", ""), empty);
        let large = read("a.csv", &"가,나\n".repeat(100));
        assert!(large.contains("\"too_large\":{\"bound\":\"characters\""), "{large}");
        let damaged = "{\"answer\":\"refused\",\"refused\":{\"damaged\":\"pdf\"}}\n";
        assert_eq!(read("a.pdf", "%PDF-1.7 hello"), damaged);
    }

    #[test]
    fn what_is_no_request_of_this_version_is_not_evaluated() {
        let refused = "{\"answer\":\"fault\",\"fault\":\"sandbox\"}\n";
        assert_eq!(asked(VERSION + 1, ".", "1"), refused);
        assert_eq!(answer(b"{}", Barriers::default()), refused.as_bytes());
        assert_eq!(answer(b"", Barriers::default()), refused.as_bytes());
    }
}
