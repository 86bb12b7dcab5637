//! Reads numbers out of a file's bytes, and never past their end.

/// A file that is not what it has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Damaged(pub(crate) &'static str);

const SHORT: Damaged = Damaged("it ends too early");

/// What is left to read, little-endian throughout.
#[derive(Debug, Clone)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Damaged> {
        self.array().map(u8::from_le_bytes)
    }
    pub(crate) fn u16(&mut self) -> Result<u16, Damaged> {
        self.array().map(u16::from_le_bytes)
    }
    pub(crate) fn u32(&mut self) -> Result<u32, Damaged> {
        self.array().map(u32::from_le_bytes)
    }
    pub(crate) fn f32(&mut self) -> Result<f32, Damaged> {
        self.array().map(f32::from_le_bytes)
    }
    /// A length or a count, of four bytes.
    pub(crate) fn count(&mut self) -> Result<usize, Damaged> {
        usize::try_from(self.u32()?).map_err(|_| SHORT)
    }
    /// A length or an offset, of eight bytes.
    pub(crate) fn offset(&mut self) -> Result<usize, Damaged> {
        usize::try_from(self.array().map(u64::from_le_bytes)?).map_err(|_| SHORT)
    }
}

/// As many bytes from that offset on.
pub(crate) fn at(bytes: &[u8], offset: usize, count: usize) -> Result<&[u8], Damaged> {
    let end = offset.checked_add(count).ok_or(SHORT)?;
    bytes.get(offset..end).ok_or(SHORT)
}

/// Four bytes a number; what is left over is none.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_past_the_end() {
        let mut bytes = Bytes(&[1, 0, 0, 0, 2, 0, 3]);
        assert_eq!((bytes.count(), bytes.u16(), bytes.u32()), (Ok(1), Ok(2), Err(SHORT)));
        assert_eq!((bytes.take(2), bytes.u8(), bytes.u8()), (Err(SHORT), Ok(3), Err(SHORT)));
        assert_eq!(at(&[1, 2, 3], 1, 2), Ok(&[2, 3][..]));
        assert!(at(&[1, 2, 3], 2, 2).is_err() && at(&[1], usize::MAX, 1).is_err());
        assert_eq!(floats(&[0, 0, 128, 63, 9]), [1.0]);
    }
}
