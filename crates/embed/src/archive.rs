//! Zip files, as far as Python packages and NumPy's archives need them: stored and deflated entries.

use crate::bytes::{Bytes, Damaged, at};
use flate2::read::DeflateDecoder;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// The record that ends a zip file, without its comment.
const END_BYTES: usize = 22;
const END: [u8; 4] = *b"PK\x05\x06";
const LISTED: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;
const COMMENT_BYTES_MAX: usize = 65_535;
/// Of all entries together.
const DIRECTORY_BYTES_MAX: usize = 4 * 1_048_576;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

#[derive(Debug)]
struct Entry {
    name: Box<[u8]>,
    method: u16,
    packed: u64,
    size: u64,
    offset: u64,
}

/// As a zip file begins, whole or not.
pub(crate) fn begins_as_zip(mut file: impl Read) -> bool {
    let mut head = [0; LOCAL.len()];
    file.read_exact(&mut head).is_ok_and(|()| head == LOCAL)
}

/// A zip file whose directory was read.
#[derive(Debug)]
pub(crate) struct Archive<R> {
    file: R,
    entries: Vec<Entry>,
}

impl<R: Read + Seek> Archive<R> {
    pub(crate) fn open(mut file: R) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        let tail = length.min((END_BYTES + COMMENT_BYTES_MAX) as u64);
        file.seek(SeekFrom::Start(length - tail))?;
        let mut bytes = Vec::new();
        file.by_ref().take(tail).read_to_end(&mut bytes)?;
        let (count, size, offset) = end(&bytes).map_err(damaged)?;
        if size > DIRECTORY_BYTES_MAX {
            return Err(damaged(Damaged("its directory is too long")));
        }
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; size];
        file.read_exact(&mut bytes)?;
        let mut rest = Bytes(&bytes);
        let entries = (0..count).map(|_| entry(&mut rest)).collect::<Result<_, _>>();
        Ok(Self { file, entries: entries.map_err(damaged)? })
    }

    /// What an entry holds, of exactly the size that the directory gives it, if it is whole.
    pub(crate) fn entry(&mut self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        let found = self.entries.iter().find(|entry| *entry.name == *name.as_bytes());
        let entry = found
            .ok_or_else(|| io::Error::new(ErrorKind::NotFound, format!("it has no `{name}`")))?;
        self.file.seek(SeekFrom::Start(entry.offset))?;
        let mut head = [0; LOCAL_BYTES];
        self.file.read_exact(&mut head)?;
        let skipped = local(&head).map_err(damaged)?;
        self.file.seek_relative(skipped)?;
        let packed = self.file.by_ref().take(entry.packed);
        match entry.method {
            STORED => Ok(Box::new(packed.take(entry.size))),
            DEFLATED => Ok(Box::new(DeflateDecoder::new(packed).take(entry.size))),
            _ => Err(damaged(Damaged("an entry of it is packed in another way than is known"))),
        }
    }

    /// The same, read to its end.
    pub(crate) fn read(&mut self, name: &str, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.entry(name)?.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn damaged(why: Damaged) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.to_string())
}

/// Entries, length and offset of the directory.
fn end(tail: &[u8]) -> Result<(usize, usize, u64), Damaged> {
    let begins = tail.windows(END.len()).rposition(|window| window == END);
    let begin = begins.ok_or(Damaged("it is no zip file"))?;
    let mut rest = Bytes(at(tail, begin, END_BYTES)?);
    let _disks = rest.take(8)?;
    let (_here, count) = (rest.u16()?, rest.u16()?);
    Ok((usize::from(count), rest.count()?, rest.u32()?.into()))
}

fn entry(rest: &mut Bytes<'_>) -> Result<Entry, Damaged> {
    if rest.take(4)? != LISTED {
        return Err(Damaged("its directory is damaged"));
    }
    let _versions_and_flags = rest.take(6)?;
    let method = rest.u16()?;
    let _time_and_checksum = rest.take(8)?;
    let (packed, size) = (rest.u32()?, rest.u32()?);
    let (name, extra, comment) = (rest.u16()?, rest.u16()?, rest.u16()?);
    let _disk_and_attributes = rest.take(8)?;
    let offset = rest.u32()?;
    let name = rest.take(name.into())?.into();
    let _rest = rest.take(usize::from(extra) + usize::from(comment))?;
    Ok(Entry { name, method, packed: packed.into(), size: size.into(), offset: offset.into() })
}

/// Bytes between the head of an entry and what it holds.
fn local(head: &[u8]) -> Result<i64, Damaged> {
    let mut rest = Bytes(head);
    if rest.take(4)? != LOCAL {
        return Err(Damaged("an entry of it is not where the directory says"));
    }
    let _sizes = rest.take(22)?;
    Ok(i64::from(rest.u16()?) + i64::from(rest.u16()?))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use flate2::{Compression, write::DeflateEncoder};
    use std::io::{Cursor, Write as _};

    /// A zip file; every second entry is deflated.
    pub(crate) fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut zip, mut directory) = (Vec::new(), Vec::new());
        for (nth, (name, held)) in entries.iter().enumerate() {
            let (method, packed) = if nth % 2 == 0 {
                (STORED, held.to_vec())
            } else {
                let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
                packer.write_all(held).unwrap();
                (DEFLATED, packer.finish().unwrap())
            };
            let four = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
            let two = |length: usize| u16::try_from(length).unwrap().to_le_bytes();
            let offset = zip.len();
            let sizes = [four(packed.len()), four(held.len())].concat();
            zip.extend([&LOCAL[..], &[0; 4], &two(method.into()), &[0; 8], &sizes].concat());
            zip.extend([&two(name.len())[..], &two(3), name.as_bytes(), b"ext"].concat());
            zip.extend(&packed);
            directory.extend([&LISTED[..], &[0; 6], &two(method.into()), &[0; 8], &sizes].concat());
            directory.extend([&two(name.len())[..], &[0; 12], &four(offset)].concat());
            directory.extend(name.as_bytes());
        }
        let sizes = [directory.len(), zip.len()].map(|n| u32::try_from(n).unwrap().to_le_bytes());
        let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
        zip.extend(&directory);
        zip.extend([&END[..], &[0; 4], &count, &count, &sizes.concat(), &[2, 0], b"hi"].concat());
        zip
    }

    #[test]
    fn what_was_packed_is_read() {
        let long = b"abc".repeat(1_000);
        let mut zip =
            Archive::open(Cursor::new(zipped(&[("a", b"stored"), ("b/c", &long)]))).unwrap();
        assert_eq!(zip.read("b/c", usize::MAX).unwrap(), long);
        assert_eq!(zip.read("a", 100).unwrap(), b"stored");
        assert_eq!(zip.read("a", 3).unwrap(), b"sto");
        assert_eq!(zip.read("c", 100).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_damaged_file_is_refused_and_nothing_breaks() {
        let whole = zipped(&[("a", b"stored"), ("b", &b"xyz".repeat(50))]);
        let read = |bytes: Vec<u8>| {
            let mut zip = Archive::open(Cursor::new(bytes))?;
            zip.read("a", 1_000)?;
            zip.read("b", 1_000)
        };
        assert!(read(whole.clone()).is_ok());
        for length in 0..whole.len() - 2 {
            assert!(read(whole[..length].to_vec()).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            let _whatever = read(changed);
        }
    }
}
