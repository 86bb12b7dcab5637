//! The file `e5-small-q4.bin`: a head, the vocabulary, how characters are spelled, and tensors by name.

use super::{four_bit, spelling::Spelling};
use crate::{
    bytes::{Bytes, Damaged, at, floats},
    linear::Linear,
    norm::Norm,
    unigram::{PIECES_MAX, Unigram},
};
use std::collections::BTreeMap;

const MAGIC: &[u8] = b"E5S1";
/// Layers, positions, numbers of a row: more is no such model, and is not allocated.
const LAYERS_MAX: usize = 64;
const POSITIONS_MAX: usize = 4_096;
const WIDTH_MAX: usize = 2_048;
const TENSORS_MAX: usize = 4_096;

#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) width: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// Between the two halves of a layer.
    pub(super) inner: usize,
    pub(super) positions: usize,
    pub(super) epsilon: f32,
}

/// The ids that stand around a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) begin: u32,
    pub(super) end: u32,
}

/// A file whose head was read.
pub(super) struct ModelFile<'a> {
    bytes: &'a [u8],
    pub(super) shape: Shape,
    pub(super) ends: Ends,
    pieces: usize,
    /// Where each begins.
    tensors: BTreeMap<&'a [u8], usize>,
}

impl<'a> ModelFile<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<(Self, Unigram, Spelling), Damaged> {
        let mut rest = Bytes(bytes);
        if rest.take(MAGIC.len())? != MAGIC {
            return Err(Damaged("it does not begin as such a file does"));
        }
        let _version = rest.u32()?;
        let shape = shape(&mut rest)?;
        let pieces = rest.count()?;
        let ends = Ends { begin: rest.u32()?, end: rest.u32()? };
        let _padding = rest.u32()?;
        let unknown = rest.u32()?;
        let ids_exist = [ends.begin, ends.end, unknown].iter().all(|id| (*id as usize) < pieces);
        if pieces > PIECES_MAX || !ids_exist {
            return Err(Damaged("its vocabulary is not one"));
        }
        let unigram = vocabulary(&mut rest, pieces, unknown)?;
        let spelling = Spelling::read(&mut rest)?;
        let tensors = tensors(&mut rest)?;
        Ok((Self { bytes, shape, ends, pieces, tensors }, unigram, spelling))
    }

    fn tensor(&self, name: &str, length: usize) -> Result<&'a [u8], Damaged> {
        let offset = self.tensors.get(name.as_bytes());
        at(self.bytes, *offset.ok_or(Damaged("a tensor of it is missing"))?, length)
    }

    pub(super) fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, Damaged> {
        Ok(floats(self.tensor(name, 4 * count)?))
    }

    pub(super) fn norm(&self, name: &str) -> Result<Norm, Damaged> {
        let of = |part| self.floats(&format!("{name}.{part}"), self.shape.width);
        Norm::new(of("w")?, of("b")?, self.shape.epsilon)
    }

    /// A layer that takes `inputs` numbers and gives `outputs`.
    pub(super) fn linear(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Linear, Damaged> {
        let length = four_bit::row_bytes(inputs);
        let rows = self.tensor(&format!("{name}.w"), outputs * length)?;
        let bias = self.floats(&format!("{name}.b"), outputs)?;
        Linear::new(inputs, bias, |output, row| {
            four_bit::expand(at(rows, output * length, length)?, row);
            Ok(())
        })
    }

    /// Where the row of the first word begins; those of all others follow it.
    pub(super) fn words(&self) -> Result<u64, Damaged> {
        let name = "emb.word";
        let _rows = self.tensor(name, self.pieces * four_bit::row_bytes(self.shape.width))?;
        let offset = self.tensors.get(name.as_bytes()).copied().unwrap_or_default();
        u64::try_from(offset).map_err(|_| Damaged("its words lie nowhere"))
    }
}

fn shape(rest: &mut Bytes<'_>) -> Result<Shape, Damaged> {
    let (width, layers, heads, inner) =
        (rest.count()?, rest.count()?, rest.count()?, rest.count()?);
    let (_vocabulary, positions, _types) = (rest.count()?, rest.count()?, rest.count()?);
    let epsilon = rest.f32()?;
    let block = rest.count()?;
    let fits = (1..=LAYERS_MAX).contains(&layers)
        && (2..=POSITIONS_MAX).contains(&positions)
        && [width, inner].iter().all(|width| (1..=WIDTH_MAX).contains(width))
        && [width, inner].iter().all(|width| width.is_multiple_of(four_bit::BLOCK))
        && block == four_bit::BLOCK;
    if !fits {
        return Err(Damaged("its sizes are those of another model"));
    }
    Ok(Shape { width, layers, heads, inner, positions, epsilon })
}

fn vocabulary(rest: &mut Bytes<'_>, pieces: usize, unknown: u32) -> Result<Unigram, Damaged> {
    let length = rest.offset()?;
    let offsets = rest.take(4 * (pieces + 1))?;
    let scores = floats(rest.take(4 * pieces)?);
    let spelled = rest.take(length)?;
    let ends: Vec<usize> =
        offsets.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four) as usize).collect();
    let pieces = ends.windows(2).map(|ends| match ends {
        [start, end] => spelled.get(*start..*end).unwrap_or_default(),
        _ => &[],
    });
    Unigram::new(pieces.zip(scores), unknown)
}

fn tensors<'a>(rest: &mut Bytes<'a>) -> Result<BTreeMap<&'a [u8], usize>, Damaged> {
    let count = rest.count()?;
    if count > TENSORS_MAX {
        return Err(Damaged("it names too many tensors"));
    }
    let one = |_| {
        let length = usize::from(rest.u16()?);
        let name = rest.take(length)?;
        let (_form, _numbers) = (rest.u8()?, rest.u32()?);
        let (offset, _length) = (rest.offset()?, rest.offset()?);
        Ok((name, offset))
    };
    (0..count).map(one).collect()
}
