//! Verifies a whole export in one pass.

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::checkpoint::{Anchor, Checkpoint};
use crate::fields::parse_canonical;
use crate::finding::{Fault, FaultPosition, Finding};
use crate::header::Header;
use crate::key::{PublicKey, level};
use crate::line::Lines;
use crate::merkle::{Hash, Tree};
use crate::record::Record;
use crate::report::Report;

const NO_RECORD: Hash = [0; 32];
const CHECKPOINT_START: &[u8] = br#"{"checkpoint":"#;

/// Reads an export of any length in constant memory and stops at the first fault.
///
/// Without a key the signatures are not checked, and the report says so. With an anchor the
/// export must reach to it and agree with it.
pub fn verify(
    reader: impl BufRead,
    key: Option<&PublicKey>,
    anchor: Option<&Anchor>,
) -> Result<Report, Finding> {
    let mut lines = Lines::new(reader);
    let header = read_header(&mut lines, key)?;
    let mut chain = Chain::new(&header, key, anchor)?;
    loop {
        match lines.next_line() {
            Ok(Some(line)) => chain.take(line)?,
            Ok(None) => break,
            Err(fault) => return Err(fault.at(chain.place_of(lines.current()))),
        }
    }
    chain.check_end()?;
    let found = lines.digest();
    Fault::unless_equal("sha256", &hex::encode(header.sha256), &hex::encode(found))
        .map_err(|fault| fault.at(FaultPosition::Header))?;
    Ok(chain.report())
}

fn read_header<R: BufRead>(
    lines: &mut Lines<R>,
    key: Option<&PublicKey>,
) -> Result<Header, Finding> {
    let line = lines.next_line().map_err(|fault| fault.at(FaultPosition::Header))?;
    let line = line.ok_or_else(|| Fault::Missing.at(FaultPosition::Header))?;
    let header = Header::read(line, key).map_err(|fault| fault.at(FaultPosition::Header))?;
    lines.restart_digest();
    Ok(header)
}

/// State of the chain after the lines read so far.
struct Chain<'a> {
    header: &'a Header,
    key: Option<&'a PublicKey>,
    anchor: Option<&'a Checkpoint>,
    records: u64,
    head: Hash,
    tree: Tree,
    checkpoints: u64,
    covered: u64,
}

impl<'a> Chain<'a> {
    fn new(
        header: &'a Header,
        key: Option<&'a PublicKey>,
        anchor: Option<&'a Anchor>,
    ) -> Result<Self, Finding> {
        let anchor = anchor.map(|anchor| anchor.of(&header.chain)).transpose();
        let anchor = anchor.map_err(|fault| fault.at(FaultPosition::Anchor))?;
        Ok(Self {
            header,
            key,
            anchor,
            records: 0,
            head: NO_RECORD,
            tree: Tree::default(),
            checkpoints: 0,
            covered: 0,
        })
    }

    fn next_record(&self) -> FaultPosition {
        FaultPosition::Record { seq: self.records + 1 }
    }

    fn place_of(&self, line: &[u8]) -> FaultPosition {
        if resembles_checkpoint(line) {
            FaultPosition::Checkpoint { after: self.records }
        } else {
            self.next_record()
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), Finding> {
        let place = self.place_of(line);
        let taken = parse_canonical(line).and_then(|object| {
            if resembles_checkpoint(line) {
                self.take_checkpoint(&object)
            } else {
                self.take_record(&object)
            }
        });
        taken.map_err(|fault| fault.at(place))
    }

    fn take_record(&mut self, object: &Map<String, Value>) -> Result<(), Fault> {
        let record = Record::read(object)?;
        record.follows(self.records + 1, &self.head, &self.header.chain)?;
        if self.records == self.header.records {
            return Err(Fault::NotCounted { records: self.records });
        }
        self.records += 1;
        self.head = record.hash;
        self.tree.push(&record.hash);
        self.check_anchor()
    }

    fn take_checkpoint(&mut self, object: &Map<String, Value>) -> Result<(), Fault> {
        let checkpoint = Checkpoint::read(object, self.key)?;
        let (expected, found) = (self.records.to_string(), checkpoint.size.to_string());
        Fault::unless_equal("size", &expected, &found)?;
        self.check_fit(&checkpoint)?;
        self.checkpoints += 1;
        self.covered = self.records;
        Ok(())
    }

    fn check_anchor(&self) -> Result<(), Fault> {
        match self.anchor {
            Some(anchor) if anchor.size == self.records => self.check_fit(anchor),
            Some(_) | None => Ok(()),
        }
    }

    fn check_fit(&self, checkpoint: &Checkpoint) -> Result<(), Fault> {
        let root = self.tree.root().ok_or(Fault::Missing)?;
        checkpoint.fits(&self.header.chain, &self.head, &root)
    }

    fn check_end(&self) -> Result<(), Finding> {
        let anchored = self.anchor.map_or(0, |anchor| anchor.size);
        if self.records < self.header.records.max(anchored) {
            return Err(Fault::Missing.at(self.next_record()));
        }
        Ok(())
    }

    fn report(self) -> Report {
        Report {
            chain: self.header.chain.clone(),
            key_id: self.header.key_id.clone(),
            records: self.records,
            checkpoints: self.checkpoints,
            unsigned_tail: self.records - self.covered,
            head: hex::encode(self.head),
            level: level(self.key),
        }
    }
}

/// Guesses the kind of a line by most of its first bytes, so that one changed byte does not turn a
/// checkpoint into a record, and the finding names the right line.
fn resembles_checkpoint(line: &[u8]) -> bool {
    let same = CHECKPOINT_START.iter().zip(line).filter(|(expected, byte)| expected == byte);
    2 * same.count() > CHECKPOINT_START.len()
}
