//! The file `weights.npz`: NumPy's arrays by name in a zip file.

use crate::{
    archive::Archive,
    bytes::{Bytes, floats},
    linear::Linear,
    norm::Norm,
};
use std::io::{self, ErrorKind, Read, Seek};

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// What is in front of an array's numbers.
const HEAD_BYTES_MAX: usize = 4_096;

/// Arrays by their name.
pub(super) struct Weights<R>(Archive<R>);

impl<R: Read + Seek> Weights<R> {
    pub(super) fn open(file: R) -> io::Result<Self> {
        Archive::open(file).map(Self)
    }

    /// The numbers of an array of that form and number of bytes. Its shape is not looked at: the hash of
    /// the file says what it is.
    pub(super) fn bytes(&mut self, name: &str, form: &str, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = self.0.read(&format!("{name}.npy"), count + HEAD_BYTES_MAX)?;
        let damaged = || io::Error::new(ErrorKind::InvalidData, format!("`{name}` is damaged"));
        let mut rest = Bytes(&bytes);
        let mut head = || {
            (rest.take(MAGIC.len()).ok()? == MAGIC).then_some(())?;
            let length = rest.u16().ok()?;
            let head = rest.take(length.into()).ok()?;
            let written = format!("'descr': '{form}'");
            let is_it = head.windows(written.len()).any(|window| window == written.as_bytes());
            is_it.then_some(())
        };
        head().ok_or_else(damaged)?;
        if rest.0.len() != count {
            return Err(damaged());
        }
        let from = bytes.len() - count;
        bytes.drain(..from);
        Ok(bytes)
    }

    pub(super) fn floats(&mut self, name: &str, count: usize) -> io::Result<Vec<f32>> {
        Ok(floats(&self.bytes(name, "<f4", 4 * count)?))
    }

    pub(super) fn norm(&mut self, names: &[[String; 2]], width: usize) -> io::Result<Norm> {
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for [weight, shift] in names {
            weights.extend(self.floats(weight, width)?);
            bias.extend(self.floats(shift, width)?);
        }
        let epsilon = self.bytes("eps", "<f8", 8)?;
        let epsilon = epsilon.first_chunk().map_or(0.0, |eight| f64::from_le_bytes(*eight));
        Norm::new(weights, bias, epsilon as f32).map_err(invalid)
    }

    /// A layer; its array has a column for each output. Without the name of a bias it has none.
    pub(super) fn linear(
        &mut self,
        (name, bias): (&str, Option<&str>),
        inputs: usize,
        outputs: usize,
    ) -> io::Result<Linear> {
        let columns = self.floats(name, inputs * outputs)?;
        let bias = match bias {
            Some(bias) => self.floats(bias, outputs)?,
            None => vec![0.0; outputs],
        };
        let layer = Linear::new(inputs, bias, |output, row| {
            let column = columns.iter().skip(output).step_by(outputs);
            row.iter_mut().zip(column).for_each(|(place, weight)| *place = *weight);
            Ok(())
        });
        layer.map_err(invalid)
    }
}

fn invalid(why: crate::bytes::Damaged) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::zipped;
    use std::io::Cursor;

    fn array(form: &str, numbers: &[u8]) -> Vec<u8> {
        let head = format!("{{'descr': '{form}', 'fortran_order': False, 'shape': (1,), }}\n");
        let length = u16::try_from(head.len()).unwrap().to_le_bytes();
        [MAGIC, &length, head.as_bytes(), numbers].concat()
    }

    #[test]
    fn arrays_are_read_by_form_and_length() {
        let two = [1f32.to_le_bytes(), (-2f32).to_le_bytes()].concat();
        let zip = zipped(&[
            ("a.npy", &array("<f4", &two)),
            ("b.npy", &array("|u1", &[1, 2, 3])),
            ("c.npy", b"\x93NUMPY\x02\x00 of another version"),
        ]);
        let mut weights = Weights::open(Cursor::new(zip)).unwrap();
        assert_eq!(weights.floats("a", 2).unwrap(), [1.0, -2.0]);
        assert_eq!(weights.bytes("b", "|u1", 3).unwrap(), [1, 2, 3]);
        assert!(weights.floats("a", 1).is_err() && weights.floats("a", 3).is_err());
        assert!(weights.bytes("b", "<f4", 3).is_err() && weights.bytes("c", "|u1", 3).is_err());
        assert!(weights.bytes("d", "|u1", 3).is_err());
    }
}
