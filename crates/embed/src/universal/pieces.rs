//! The file `sp.model`, a protocol buffer: field 1 is each piece (1 its text, 2 its score), field 2 of
//! field 3 is how characters are spelled.

use super::charsmap::CharsMap;
use crate::{
    bytes::{Bytes, Damaged, floats},
    unigram::Unigram,
};

/// The id of what is no piece.
pub(super) const UNKNOWN: u32 = 0;

/// How a field is written: what is behind its key.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// The vocabulary with how many pieces it has, and how characters are spelled.
pub(super) fn read(bytes: &[u8]) -> Result<(Unigram, usize, CharsMap), Damaged> {
    let (mut pieces, mut spelling) = (Vec::new(), &[][..]);
    for field in Fields(Bytes(bytes)) {
        match field? {
            (1, piece) => pieces.extend(self::piece(piece)?),
            (3, spec) => {
                let found = last(spec, 2)?;
                spelling = found.unwrap_or(spelling);
            }
            _ => {}
        }
    }
    let count = pieces.len();
    Ok((Unigram::new(pieces.into_iter(), UNKNOWN)?, count, CharsMap::read(spelling)?))
}

fn piece(bytes: &[u8]) -> Result<Option<(&[u8], f32)>, Damaged> {
    let score = last(bytes, 2)?.and_then(|bytes| floats(bytes).first().copied());
    Ok(last(bytes, 1)?.map(|text| (text, score.unwrap_or_default())))
}

fn last(message: &[u8], number: u64) -> Result<Option<&[u8]>, Damaged> {
    let mut found = None;
    for field in Fields(Bytes(message)) {
        let (of, value) = field?;
        if of == number {
            found = Some(value);
        }
    }
    Ok(found)
}

/// Number and bytes of each field; of numbers there are none.
struct Fields<'a>(Bytes<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, &'a [u8]), Damaged>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = Bytes(&[]);
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Result<(u64, &'a [u8]), Damaged> {
        let key = varint(&mut self.0)?;
        let value = match key & 7 {
            VARINT => {
                varint(&mut self.0)?;
                &[]
            }
            EIGHT_BYTES => self.0.take(8)?,
            LENGTH => {
                let length = usize::try_from(varint(&mut self.0)?);
                self.0.take(length.map_err(|_| Damaged("a field of it is too long"))?)?
            }
            FOUR_BYTES => self.0.take(4)?,
            _ => return Err(Damaged("a field of it is written in another way than is known")),
        };
        Ok((key >> 3, value))
    }
}

fn varint(rest: &mut Bytes<'_>) -> Result<u64, Damaged> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = rest.u8()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Damaged("a number of it is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_and_what_is_damaged_is_refused() {
        let score = (-2.5f32).to_le_bytes();
        let piece = |text: &str| {
            let length = u8::try_from(text.len()).unwrap();
            let inner = [&[10, length], text.as_bytes(), &[21], &score, &[24, 1]].concat();
            [&[10, u8::try_from(inner.len()).unwrap()], &inner[..]].concat()
        };
        let whole = [piece("<unk>"), piece("▁가"), piece("나"), vec![26, 2, 18, 0]].concat();
        let (unigram, count, spelling) = read(&whole).unwrap();
        assert_eq!((count, spelling.spelled(" 가나 ")), (3, "▁가나".to_owned()));
        assert_eq!(unigram.cut("▁가나"), [1, 2]);
        for length in 0..whole.len() {
            let _refused_or_shorter = read(&whole[..length]);
        }
        assert!(read(&[]).is_err() && read(&[10, 200, 1]).is_err());
        assert!(read(&[0xff; 12]).is_err() && read(&[15]).is_err());
    }
}
