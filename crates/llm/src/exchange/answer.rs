//! Joins chunks to one answer, or takes the one document of a server that does not stream.

use super::fault::Fault;
use crate::{
    key_redaction::Screen,
    stream_filter::StreamFilter,
    wire::{
        Wire,
        piece::{NoPiece, Piece, Stop},
    },
};
use futures::{StreamExt as _, stream};
use std::time::Duration;
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};
use wiiiv_domain::{PROPOSAL_BYTES_MAX, Usage};
use wiiiv_net::{ByteStream, Bytes, Phase, ProviderError, Timeouts, sse_events};

/// The longest token, in bytes; an answer is cut where more came than so many could hold.
const TOKEN_BYTES_MAX: u64 = 32;
/// A document with an answer of `PROPOSAL_BYTES_MAX`, every character of it escaped.
const DOCUMENT_BYTES_MAX: usize = 8 * PROPOSAL_BYTES_MAX;
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

#[derive(Debug)]
pub(crate) struct Answer {
    pub(super) text: String,
    pub(super) usage: Usage,
    pub(super) names_twice: bool,
    pub(super) is_cut: bool,
    /// Another model than was asked.
    pub(super) another: Option<String>,
    /// As the provider told it, where that is more than was held.
    pub(super) beyond: Option<Usage>,
}

#[derive(Debug)]
pub(super) struct Read {
    pub(super) text: String,
    /// What came, in bytes, reasoning included.
    pub(super) bytes: u64,
    /// `None` where the provider did not say.
    pub(super) usage: Option<Usage>,
    pub(super) names_twice: bool,
    pub(super) stop: Stop,
    /// Who answered, as it calls itself.
    pub(super) model: Option<String>,
    pub(super) cuts_prompts: bool,
}

/// Where talk goes as it comes.
pub(super) struct DeltaSink<'a> {
    pub(super) deltas: Option<&'a mpsc::Sender<String>>,
    pub(super) screen: Screen,
}

/// By when something of an answer must be there: what keeps a line open is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    by: Instant,
    phase: Phase,
    between: Duration,
}

impl Pace {
    /// From before the request is sent.
    pub(super) fn starting_now(timeouts: &Timeouts) -> Self {
        let by = Instant::now() + timeouts.first_byte;
        Self { by, phase: Phase::FirstByte, between: timeouts.between_chunks }
    }
    fn goes_on(&mut self) {
        (self.by, self.phase) = (Instant::now() + self.between, Phase::BetweenChunks);
    }
    async fn next<T>(&self, next: impl Future<Output = T>) -> Result<T, Fault> {
        let late = |_| Fault::Provider(ProviderError::Timeout { phase: self.phase });
        timeout_at(self.by, next).await.map_err(late)
    }
}

/// INVARIANT: ends after so many bytes or tokens, however long the stream goes on.
pub(super) async fn read(
    wire: Wire,
    bytes: ByteStream<ProviderError>,
    max_output_tokens: u64,
    sink: DeltaSink<'_>,
    mut pace: Pace,
) -> Result<Read, Fault> {
    let mut reader = Reader::new(wire, max_output_tokens, sink);
    let (first, bytes) = pace.next(peeked(bytes)).await??;
    if first == Some(b'{') {
        let piece = wire
            .document(&document(bytes, DOCUMENT_BYTES_MAX).await?)
            .map_err(|none| reader.fault(none))?;
        if piece.text.is_none() {
            return Err(Fault::Stream);
        }
        reader.add(piece).await?;
        return Ok(reader.read().await);
    }
    let mut events = Box::pin(sse_events(bytes));
    let mut speaks = false;
    while let Some(event) = pace.next(events.next()).await? {
        let piece = wire.piece(event?.data.as_bytes()).map_err(|none| reader.fault(none))?;
        if piece.last {
            break;
        }
        let says_something = piece.says_something();
        reader.add(piece).await?;
        // From here on: a reader of ours that is slow is not the provider's fault.
        if says_something {
            pace.goes_on();
        }
        speaks = true;
    }
    match reader.sum.stop {
        // A page or a list is no answer, and no empty one either.
        None if !speaks => Err(Fault::Stream),
        None if wire.says_its_end() => Err(Fault::BrokenOff),
        None | Some(_) => Ok(reader.read().await),
    }
}

struct Reader<'a> {
    wire: Wire,
    max_output_tokens: u64,
    sink: DeltaSink<'a>,
    filter: StreamFilter,
    text: String,
    pieces: u64,
    bytes: u64,
    /// Work that is paid for was told of.
    begun: bool,
    /// What all events so far say of usage, end and model.
    sum: Piece,
}

impl<'a> Reader<'a> {
    fn new(wire: Wire, max_output_tokens: u64, sink: DeltaSink<'a>) -> Self {
        let (filter, text, sum) = (StreamFilter::default(), String::new(), Piece::default());
        let (pieces, bytes, begun) = (0, 0, false);
        Self { wire, max_output_tokens, sink, filter, text, pieces, bytes, begun, sum }
    }

    fn fault(&self, none: NoPiece) -> Fault {
        match none {
            NoPiece::Unreadable => Fault::Stream,
            NoPiece::Told(meaning) => {
                let charged = self.begun || self.wire.may_charge_for(meaning);
                Fault::DeltaSink { meaning, charged }
            }
        }
    }

    async fn add(&mut self, piece: Piece) -> Result<(), Fault> {
        self.begun |= piece.is_work();
        // Counts are of all so far; an event that leaves out a part of one takes nothing back.
        let sum = &mut self.sum;
        sum.input_tokens = sum.input_tokens.max(piece.input_tokens);
        sum.output_tokens = sum.output_tokens.max(piece.output_tokens);
        sum.stop = sum.stop.max(piece.stop);
        sum.model = sum.model.take().or(piece.model);
        sum.cuts_prompts |= piece.cuts_prompts;
        let words = piece.text.unwrap_or_default();
        let length = u64::try_from(words.len()).unwrap_or(u64::MAX);
        let came = length.saturating_add(piece.hidden_bytes);
        self.bytes = self.bytes.saturating_add(came);
        self.pieces = self.pieces.saturating_add(u64::from(came > 0));
        self.text.push_str(&words);
        let bytes_max = self.max_output_tokens.saturating_mul(TOKEN_BYTES_MAX);
        let too_long = self.text.len() > PROPOSAL_BYTES_MAX || self.bytes > bytes_max;
        if too_long || self.pieces > self.max_output_tokens {
            return Err(Fault::Cut);
        }
        let talk = self.sink.screen.push(self.filter.push(&words));
        tell(self.sink.deltas, talk).await;
        Ok(())
    }

    async fn read(mut self) -> Read {
        tell(self.sink.deltas, self.sink.screen.rest()).await;
        let Piece { input_tokens, output_tokens, stop, model, cuts_prompts, .. } = self.sum;
        let sink =
            |(input_tokens, output_tokens)| Usage { input_tokens, output_tokens, estimated: false };
        Read {
            names_twice: self.filter.names_twice(),
            text: self.text,
            bytes: self.bytes,
            usage: input_tokens.zip(output_tokens).map(sink),
            stop: stop.unwrap_or(Stop::Ended),
            model,
            cuts_prompts,
        }
    }
}

/// The first byte that says something, and the stream as it was.
async fn peeked(
    bytes: ByteStream<ProviderError>,
) -> Result<(Option<u8>, ByteStream<ProviderError>), Fault> {
    // It is asked again after its end where all of it was looked at.
    let mut bytes = bytes.fuse();
    let (mut lead, mut first) = (Vec::new(), None);
    while first.is_none() {
        let Some(chunk) = bytes.next().await else { break };
        let chunk = chunk?;
        let plain = |byte: &&u8| !byte.is_ascii_whitespace() && !BYTE_ORDER_MARK.contains(byte);
        first = chunk.iter().find(plain).copied();
        lead.push(chunk);
    }
    let whole = stream::iter(lead.into_iter().map(Ok)).chain(bytes);
    Ok((first, whole.boxed()))
}

pub(super) async fn document(
    mut bytes: ByteStream<ProviderError>,
    bytes_max: usize,
) -> Result<Vec<u8>, Fault> {
    let mut whole: Vec<u8> = Vec::new();
    while let Some(chunk) = bytes.next().await {
        let chunk: Bytes = chunk?;
        if whole.len().saturating_add(chunk.len()) > bytes_max {
            return Err(Fault::Cut);
        }
        whole.extend_from_slice(&chunk);
    }
    if let Some(rest) = whole.strip_prefix(&BYTE_ORDER_MARK) {
        return Ok(rest.to_vec());
    }
    Ok(whole)
}

/// A reader that has gone away misses nothing: the proposal carries the whole message.
async fn tell(deltas: Option<&mpsc::Sender<String>>, talk: String) {
    if let (Some(deltas), false) = (deltas, talk.is_empty()) {
        let _ = deltas.send(talk).await;
    }
}
