//! Lines of bounded length, hashed as they are read.

use std::io::{BufRead, Read as _};

use sha2::{Digest as _, Sha256};

use crate::finding::Fault;

/// The longest line, in bytes, without its newline.
pub const LINE_BYTES_MAX: usize = 1_048_576;

pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    digest: Sha256,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), digest: Sha256::new() }
    }

    /// The next line without its newline; `None` at the end of the file.
    pub(crate) fn next_line(&mut self) -> Result<Option<&[u8]>, Fault> {
        self.line.clear();
        (&mut self.reader)
            .take(LINE_BYTES_MAX as u64 + 1)
            .read_until(b'\n', &mut self.line)
            .map_err(|error| Fault::Unreadable { reason: error.to_string() })?;
        self.digest.update(&self.line);
        match self.line.split_last() {
            None => Ok(None),
            Some((b'\n', line)) => Ok(Some(line)),
            Some(_) if self.line.len() > LINE_BYTES_MAX => {
                Err(Fault::TooLong { max: LINE_BYTES_MAX })
            }
            Some(_) => Err(Fault::NoNewline),
        }
    }

    /// The last bytes read, also of a refused line.
    pub(crate) fn current(&self) -> &[u8] {
        &self.line
    }

    /// Bytes read from here on go into the digest.
    pub(crate) fn restart_digest(&mut self) {
        self.digest = Sha256::new();
    }

    pub(crate) fn digest(self) -> [u8; 32] {
        self.digest.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES_MAX, Lines};
    use crate::finding::Fault;

    #[test]
    fn the_longest_line_is_read_and_one_byte_more_is_not() {
        let mut text = vec![b'a'; LINE_BYTES_MAX];
        text.push(b'\n');
        let mut lines = Lines::new(text.as_slice());
        assert_eq!(lines.next_line().unwrap().unwrap().len(), LINE_BYTES_MAX);
        assert_eq!(lines.next_line(), Ok(None));

        text.insert(0, b'a');
        let too_long = Lines::new(text.as_slice()).next_line().unwrap_err();
        assert_eq!(too_long, Fault::TooLong { max: LINE_BYTES_MAX });
    }

    #[test]
    fn a_last_line_without_newline_is_refused() {
        let mut lines = Lines::new(b"one\ntwo".as_slice());
        assert_eq!(lines.next_line(), Ok(Some(b"one".as_slice())));
        assert_eq!(lines.next_line(), Err(Fault::NoNewline));
    }
}
