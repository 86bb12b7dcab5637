//! Unpacks the streams that are read, within a budget for all of them together.

use crate::document::{
    limits::Limits,
    refused::{Bound, DocumentRefused},
};
use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::{
    Filter,
    object::{Object, Stream},
};

/// Below it a stream may grow as it likes.
const GROWTH_FREE_BYTES: u64 = 1024 * 1024;
const STEP_BYTES: usize = 64 * 1024;

/// What may still be unpacked.
pub(super) struct Unpacking {
    left: u64,
    most: u64,
    growth_max: u64,
    /// For one step, used again and again.
    step: Vec<u8>,
}

impl Unpacking {
    pub(super) fn new(limits: &Limits) -> Self {
        let Limits { unpacked_bytes_max: most, growth_max, .. } = *limits;
        Self { left: most, most, growth_max, step: vec![0; STEP_BYTES] }
    }

    /// The bytes of a stream; what cannot be unpacked further is left out, as viewers do.
    pub(super) fn data(&mut self, stream: &Stream<'_>) -> Result<Vec<u8>, DocumentRefused> {
        let plain_flate = stream.filters().as_slice() == [Filter::FlateDecode]
            && stream.dict().get::<Object<'_>>("DecodeParms").is_none();
        if plain_flate {
            let raw = stream.raw_data();
            return self.inflated(&raw, true);
        }
        // What is packed twice may grow without any bound; no program packs text twice.
        if stream.filters().iter().filter(|filter| grows(**filter)).count() > 1 {
            return Err(DocumentRefused::Bomb);
        }
        // A rare kind of packing: how far it grows is bounded by the child's memory alone.
        let data = stream.decoded_data().map(std::borrow::Cow::into_owned).unwrap_or_default();
        self.take(data.len())?;
        Ok(data)
    }

    fn inflated(&mut self, raw: &[u8], header: bool) -> Result<Vec<u8>, DocumentRefused> {
        let most = (raw.len() as u64).saturating_mul(self.growth_max).max(GROWTH_FREE_BYTES);
        let mut unpacking = Decompress::new(header);
        let mut out = Vec::new();
        let mut rest = raw;
        loop {
            let (read, written) = (unpacking.total_in(), unpacking.total_out());
            let status = unpacking.decompress(rest, &mut self.step, FlushDecompress::None);
            let read = usize::try_from(unpacking.total_in() - read).unwrap_or(usize::MAX);
            let written = usize::try_from(unpacking.total_out() - written).unwrap_or(usize::MAX);
            rest = rest.get(read..).unwrap_or_default();
            out.extend_from_slice(self.step.get(..written).unwrap_or_default());
            self.take(written)?;
            if out.len() as u64 > most {
                return Err(DocumentRefused::Bomb);
            }
            match status {
                Ok(Status::Ok) if read > 0 || written > 0 => {}
                // Some programs leave the header out.
                Err(_) if header && out.is_empty() => return self.inflated(raw, false),
                Ok(Status::Ok | Status::BufError | Status::StreamEnd) | Err(_) => return Ok(out),
            }
        }
    }

    fn take(&mut self, bytes: usize) -> Result<(), DocumentRefused> {
        let most = self.most;
        let large = DocumentRefused::TooLarge { bound: Bound::UnpackedBytes, most };
        self.left = u64::try_from(bytes)
            .ok()
            .and_then(|bytes| self.left.checked_sub(bytes))
            .ok_or(large)?;
        Ok(())
    }
}

const fn grows(filter: Filter) -> bool {
    match filter {
        Filter::FlateDecode | Filter::LzwDecode | Filter::RunLengthDecode => true,
        Filter::AsciiHexDecode
        | Filter::Ascii85Decode
        | Filter::CcittFaxDecode
        | Filter::Jbig2Decode
        | Filter::DctDecode
        | Filter::JpxDecode
        | Filter::Crypt => false,
    }
}
