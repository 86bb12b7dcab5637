//! Writes to memory, up to a bound.

use std::io::{self, Write};

/// Refuses to grow past its bound.
pub(crate) struct Bounded {
    pub(crate) bytes: Vec<u8>,
    max_bytes: u64,
}

impl Bounded {
    pub(crate) const fn new(max_bytes: u64) -> Self {
        Self { bytes: Vec::new(), max_bytes }
    }
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(more.len()) as u64 > self.max_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
