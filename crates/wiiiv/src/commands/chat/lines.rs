//! Lines of standard input, read by a thread of their own: a read cannot be given up.

use std::io::{self, BufRead as _, Read as _};
use tokio::sync::mpsc;

/// Lines typed ahead.
const AHEAD_MAX: usize = 8;
/// One line, in bytes: more than any message may have.
const LINE_BYTES_MAX: u64 = 256 * 1024;

pub struct Lines(mpsc::Receiver<String>);

impl Lines {
    pub fn begin() -> Self {
        let (typed, lines) = mpsc::channel(AHEAD_MAX);
        // It ends with the process, or where the input does.
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = String::new();
                match input.by_ref().take(LINE_BYTES_MAX).read_line(&mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                if typed.blocking_send(line.trim_end_matches(['\r', '\n']).to_owned()).is_err() {
                    return;
                }
            }
        });
        Self(lines)
    }

    /// `None` at the end of the input.
    pub async fn next(&mut self) -> Option<String> {
        self.0.recv().await
    }
}
