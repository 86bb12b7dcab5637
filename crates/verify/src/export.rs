//! Verifies a whole export in one pass.

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::canonical::canonical_object;
use crate::checkpoint::{Anchor, Checkpoint};
use crate::fields::parse_canonical;
use crate::finding::{Fault, FaultPosition, Finding};
use crate::header::Header;
use crate::key::{PublicKey, level};
use crate::line::Lines;
use crate::merkle::{Hash, Tree};
use crate::record::Record;
use crate::report::{Level, Report};

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
    let mut chain = Chain::new(key, anchor);
    chain.counted = Some(header.records);
    chain.begin(&header.chain).map_err(|fault| fault.at(FaultPosition::Anchor))?;
    chain.take_all(&mut lines)?;
    chain.check_end()?;
    let found = lines.digest();
    Fault::unless_equal("sha256", &hex::encode(header.sha256), &hex::encode(found))
        .map_err(|fault| fault.at(FaultPosition::Header))?;
    Ok(chain.report(header.key_id))
}

/// Reads a feed: the lines of an export without its header, as a receiver that comes back for more has
/// them. Nothing vouches for its end but its checkpoints, so what is behind the newest one is only
/// chained; with an anchor the feed must reach to it and agree with it.
pub fn verify_feed(
    reader: impl BufRead,
    key: Option<&PublicKey>,
    anchor: Option<&Anchor>,
) -> Result<Report, Finding> {
    let mut lines = Lines::new(reader);
    let mut chain = Chain::new(key, anchor);
    chain.take_all(&mut lines)?;
    if chain.records == 0 {
        return Err(Fault::Missing.at(chain.next_record()));
    }
    chain.check_end()?;
    let vouched = chain.covered > 0;
    let report = chain.report(key.map(PublicKey::key_id).unwrap_or_default());
    let level = if vouched { report.level } else { Level::InternallyConsistent };
    Ok(Report { level, ..report })
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
    /// Empty before the first line.
    name: String,
    /// How many records the header counts; a feed has none.
    counted: Option<u64>,
    key: Option<&'a PublicKey>,
    anchors: Option<&'a Anchor>,
    anchor: Option<&'a Checkpoint>,
    records: u64,
    head: Hash,
    tree: Tree,
    checkpoints: u64,
    covered: u64,
    newest: Option<String>,
}

impl<'a> Chain<'a> {
    fn new(key: Option<&'a PublicKey>, anchors: Option<&'a Anchor>) -> Self {
        Self {
            name: String::new(),
            counted: None,
            key,
            anchors,
            anchor: None,
            records: 0,
            head: NO_RECORD,
            tree: Tree::default(),
            checkpoints: 0,
            covered: 0,
            newest: None,
        }
    }

    fn begin(&mut self, name: &str) -> Result<(), Fault> {
        name.clone_into(&mut self.name);
        self.anchor = self.anchors.map(|anchors| anchors.of(name)).transpose()?;
        Ok(())
    }

    fn take_all<R: BufRead>(&mut self, lines: &mut Lines<R>) -> Result<(), Finding> {
        loop {
            match lines.next_line() {
                Ok(Some(line)) => self.take(line)?,
                Ok(None) => return Ok(()),
                Err(fault) => return Err(fault.at(self.place_of(lines.current()))),
            }
        }
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
        if self.name.is_empty() {
            self.begin(record.chain)?;
        }
        record.follows(self.records + 1, &self.head, &self.name)?;
        if self.counted == Some(self.records) {
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
        self.newest = Some(canonical_object(object)?);
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
        checkpoint.fits(&self.name, &self.head, &root)
    }

    fn check_end(&self) -> Result<(), Finding> {
        let anchored = self.anchor.map_or(0, |anchor| anchor.size);
        if self.records < self.counted.unwrap_or(0).max(anchored) {
            return Err(Fault::Missing.at(self.next_record()));
        }
        Ok(())
    }

    fn report(self, key_id: String) -> Report {
        Report {
            chain: self.name,
            key_id,
            records: self.records,
            checkpoints: self.checkpoints,
            unsigned_tail: self.records - self.covered,
            head: hex::encode(self.head),
            newest_checkpoint: self.newest,
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
