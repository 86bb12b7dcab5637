//! Reads standard input on a thread of its own, because a read cannot be cancelled.

use std::io::{self, BufRead, Read as _};
use tokio::sync::mpsc;

/// Lines typed ahead.
const AHEAD_MAX: usize = 8;
/// One line, in bytes: more than any message may have.
const LINE_BYTES_MAX: u64 = 256 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    Line(String),
    /// Not UTF-8: nobody can say what was meant.
    Unreadable,
    /// The input is over.
    End,
    /// By Ctrl-C.
    Interrupted,
}

pub struct Lines(mpsc::Receiver<InputLine>);

impl Lines {
    pub fn begin() -> Self {
        Self::of(|| io::stdin().lock())
    }

    fn of<R: BufRead>(open: impl FnOnce() -> R + Send + 'static) -> Self {
        let (typed, lines) = mpsc::channel(AHEAD_MAX);
        // It ends with the process, or where the input does.
        std::thread::spawn(move || {
            let mut input = open();
            loop {
                let heard = next(&mut input);
                let over = heard == InputLine::End;
                if typed.blocking_send(heard).is_err() || over {
                    return;
                }
            }
        });
        Self(lines)
    }

    pub async fn next(&mut self) -> InputLine {
        tokio::select! {
            heard = self.0.recv() => heard.unwrap_or(InputLine::End),
            _ = tokio::signal::ctrl_c() => InputLine::Interrupted,
        }
    }
}

fn next(input: &mut impl BufRead) -> InputLine {
    let mut line = Vec::new();
    match input.take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => return InputLine::End,
        Ok(_) => {}
    }
    match String::from_utf8(line) {
        Ok(line) => InputLine::Line(line.trim_end_matches(['\r', '\n']).to_owned()),
        Err(_) => InputLine::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::{InputLine, Lines};

    #[tokio::test]
    async fn a_line_that_is_not_utf_8_is_told_and_the_next_one_is_read() {
        let mut lines = Lines::of(|| &b"one\r\n\xff\xfe\n\xed\x9a\x8c\n"[..]);
        assert_eq!(lines.next().await, InputLine::Line("one".to_owned()));
        assert_eq!(lines.next().await, InputLine::Unreadable);
        assert_eq!(lines.next().await, InputLine::Line("회".to_owned()));
        assert_eq!(lines.next().await, InputLine::End);
        assert_eq!(lines.next().await, InputLine::End);
    }
}
