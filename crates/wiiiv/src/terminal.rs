//! Questions on a terminal, answered by one line.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};

/// A longer line is no answer to a question.
const ANSWER_BYTES_MAX: u64 = 64;
/// A longer line is no name and no address.
const LINE_BYTES_MAX: u64 = 1024;

pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Asked on standard error; only a typed yes is one.
pub fn agrees(question: &str) -> io::Result<bool> {
    Ok(is_yes(&typed(question, ANSWER_BYTES_MAX)?))
}

/// One line of an answer, without the white space around it.
pub fn line(question: &str) -> io::Result<String> {
    Ok(typed(question, LINE_BYTES_MAX)?.trim().to_owned())
}

fn typed(question: &str, bytes_max: u64) -> io::Result<String> {
    let mut err = io::stderr().lock();
    write!(err, "{question} ")?;
    err.flush()?;
    let mut line = String::new();
    io::stdin().lock().take(bytes_max).read_line(&mut line)?;
    Ok(line)
}

pub fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "네" | "예" | "응")
}
