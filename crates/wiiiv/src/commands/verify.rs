//! `audit verify` and `audit verify-receipt`: from files only, without server or configuration.

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Write as _};
use std::path::Path;
use wiiiv_verify::{
    Anchor, Finding, Level, PublicKey, RECEIPT_BYTES_MAX, ReceiptReport, Report, verify,
    verify_feed, verify_receipt,
};

/// A key is a line; a receipt may be as long as its own bound.
const BYTES_MAX: u64 = RECEIPT_BYTES_MAX as u64 + 1;

/// Whose signature counts.
#[derive(Debug, Clone, Copy)]
pub struct Trust<'a> {
    pub key: Option<&'a Path>,
    /// A file that is consistent in itself is enough.
    pub allow_unsigned: bool,
}

/// What the one who verifies knows from before.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// A file of checkpoints that was kept in a second place.
    pub checkpoint: Option<&'a Path>,
    /// The same, which each good look adds the newest checkpoint to; not there before the first.
    pub keep: Option<&'a Path>,
}

impl<'a> Known<'a> {
    fn file(self) -> Option<&'a Path> {
        self.checkpoint.or_else(|| self.keep.filter(|file| file.exists()))
    }
}

/// `feed`: the lines without a header, as a receiver has them.
pub fn export(
    context: &Context,
    (file, feed): (&Path, bool),
    trust: Trust<'_>,
    known: Known<'_>,
) -> Result<Exit, Failure> {
    let key = trust.key.map(public_key).transpose()?;
    let anchor = known.file().map(open).transpose()?;
    let anchor = anchor.map(|file| Anchor::read(BufReader::new(file), key.as_ref())).transpose();
    let export = BufReader::new(open(file)?);
    let verified = anchor.and_then(|anchor| match feed {
        true => verify_feed(export, key.as_ref(), anchor.as_ref()),
        false => verify(export, key.as_ref(), anchor.as_ref()),
    });
    match verified {
        Ok(report) => {
            whole(context, &report)?;
            let ended = ended(context, report.level, trust)?;
            if let (Exit::Done, Some(file)) = (ended, known.keep) {
                remember(context, file, &report)?;
            }
            Ok(ended)
        }
        Err(finding) => broken(context, &finding),
    }
}

/// The next look begins with it: an older copy that is given out then is found.
fn remember(context: &Context, file: &Path, report: &Report) -> Result<(), Failure> {
    let Some(line) = &report.newest_checkpoint else { return Ok(()) };
    let known = if file.exists() { read(file)? } else { Vec::new() };
    if String::from_utf8_lossy(&known).lines().any(|known| known == line) {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    let written = options.create(true).append(true).open(file).and_then(|mut file| {
        // Behind one that a crash cut off, on a line of its own.
        let cut = known.last().is_some_and(|byte| *byte != b'\n');
        let begin = if cut { "\n" } else { "" };
        file.write_all(format!("{begin}{line}\n").as_bytes())?;
        file.sync_all()
    });
    written.map_err(Failure::unwritable(file))?;
    let shown = file.display().to_string();
    context.say(&context.texts.audit.kept, &[("file", &shown)])
}

pub fn receipt(context: &Context, file: &Path, trust: Trust<'_>) -> Result<Exit, Failure> {
    let key = trust.key.map(public_key).transpose()?;
    match verify_receipt(&read(file)?, key.as_ref()) {
        Ok(report) => {
            whole_receipt(context, &report)?;
            ended(context, report.level, trust)
        }
        Err(finding) => broken(context, &finding),
    }
}

/// Whoever could rewrite the whole file could also make it consistent: that is no verification.
fn ended(context: &Context, level: Level, trust: Trust<'_>) -> Result<Exit, Failure> {
    match level {
        Level::Verified => Ok(Exit::Done),
        Level::InternallyConsistent if trust.allow_unsigned => Ok(Exit::Done),
        Level::InternallyConsistent => {
            context.output.aside(&context.texts.audit.no_key)?;
            Ok(Exit::CheckFailed)
        }
    }
}

fn whole(context: &Context, report: &Report) -> Result<(), Failure> {
    context.output.document(&json!({
        "level": word(report.level),
        "chain": report.chain,
        "key_id": report.key_id,
        "records": report.records,
        "checkpoints": report.checkpoints,
        "unsigned_tail": report.unsigned_tail,
        "head": report.head,
    }))?;
    let texts = &context.texts.audit;
    let (records, checkpoints) = (report.records.to_string(), report.checkpoints.to_string());
    let values = [
        ("chain", report.chain.as_str()),
        ("records", &records),
        ("checkpoints", &checkpoints),
        ("key_id", &report.key_id),
    ];
    say(context, report.level, (&texts.verified, &texts.consistent), &values)?;
    if report.unsigned_tail > 0 {
        context.warn(&texts.tail, &[("records", &report.unsigned_tail.to_string())])?;
    }
    Ok(())
}

fn whole_receipt(context: &Context, report: &ReceiptReport) -> Result<(), Failure> {
    context.output.document(&json!({
        "level": word(report.level),
        "chain": report.chain,
        "seq": report.seq,
        "kind": report.kind,
        "size": report.size,
    }))?;
    let texts = &context.texts.audit;
    let (seq, size) = (report.seq.to_string(), report.size.to_string());
    let values = [("chain", report.chain.as_str()), ("seq", &seq), ("size", &size)];
    say(context, report.level, (&texts.receipt_verified, &texts.receipt_consistent), &values)
}

fn say(
    context: &Context,
    level: Level,
    (verified, consistent): (&str, &str),
    values: &[(&str, &str)],
) -> Result<(), Failure> {
    let (tone, text) = match level {
        Level::Verified => (Tone::Good, verified),
        Level::InternallyConsistent => (Tone::Doubtful, consistent),
    };
    context.output.line(&context.output.toned(tone, &fill(text, values)))
}

fn broken(context: &Context, finding: &Finding) -> Result<Exit, Failure> {
    let (place, fault) = (finding.place.to_string(), finding.fault.to_string());
    context.output.document(&json!({ "level": "failed", "place": place, "fault": fault }))?;
    let values = [("place", place.as_str()), ("fault", fault.as_str())];
    let text = fill(&context.texts.audit.failed, &values);
    context.output.line(&context.output.toned(Tone::Bad, &text))?;
    Ok(Exit::Audit)
}

const fn word(level: Level) -> &'static str {
    match level {
        Level::Verified => "verified",
        Level::InternallyConsistent => "internally_consistent",
    }
}

fn public_key(path: &Path) -> Result<PublicKey, Failure> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    PublicKey::parse(&text)
        .map_err(|error| Failure::Document { path: path.to_owned(), reason: error.to_string() })
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(Failure::unreadable(path))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(Failure::unreadable(path))?;
    Ok(bytes)
}
