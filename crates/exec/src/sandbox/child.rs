//! The child's side: it limits itself, reads one request, evaluates it and answers.

use super::{
    barriers::{self, Barriers},
    limits,
    wire::{Answer, REQUEST_BYTES_MAX, Request, VERSION, Work},
};
use crate::{
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
    // A set of rules of Landlock is a descriptor, and none can be had behind the limits.
    let raised = barriers::raise();
    let answer = match limits::apply() {
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
    let Ok(request) = serde_json::from_slice::<Request>(request) else {
        return fault(JqFault::Sandbox);
    };
    if request.version != VERSION {
        return fault(JqFault::Sandbox);
    }
    let Request { version: _, work, input, max_bytes } = request;
    let run = move || match work {
        Work::Jq { expr } => evaluate(&expr, input.as_bytes(), max_bytes),
        Work::Page => page::read(&input, max_bytes),
        Work::Barriers => told_of(barriers::tried(raised)),
    };
    let evaluated = match thread::Builder::new().stack_size(STACK_BYTES).spawn(run) {
        Ok(running) => running.join().unwrap_or(Err(JqFault::Failed)),
        Err(_) => Err(JqFault::Sandbox),
    };
    match evaluated {
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
        let request = Request { version, work, input: input.to_owned(), max_bytes: 100 };
        let request = serde_json::to_vec(&request).expect("JSON");
        String::from_utf8(answer(&request, Barriers::default())).expect("UTF-8")
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
    fn what_is_no_request_of_this_version_is_not_evaluated() {
        let refused = "{\"answer\":\"fault\",\"fault\":\"sandbox\"}\n";
        assert_eq!(asked(VERSION + 1, ".", "1"), refused);
        assert_eq!(answer(b"{}", Barriers::default()), refused.as_bytes());
        assert_eq!(answer(b"", Barriers::default()), refused.as_bytes());
    }
}
