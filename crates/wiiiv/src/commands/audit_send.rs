//! `audit export --to`: what is new of a chain, to a file, a syslog receiver or a webhook. It goes on where it
//! stopped, by a file that it keeps.

use super::audit::chain_of;
use crate::args::AuditExportArgs;
use crate::audit_feed::{
    DeliveryError, FeedLine, Receiver, WEBHOOK_SECRET_VARIABLE, bytes_of, read_lines,
};
use crate::connection::{Connection, path};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{json_file, secret};
use futures::StreamExt as _;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use wiiiv_domain::ContentDigest;
use wiiiv_net::ApiCall;
use wiiiv_store::FeedPosition;

const FILE: &str = "file";
const VERSION: u64 = 1;

/// Where lines go.
enum Target {
    /// Behind those that are in it.
    File {
        path: PathBuf,
        bytes: u64,
    },
    Receiver(Receiver),
}

/// Where it goes on: of one chain and one target.
struct State {
    path: Option<PathBuf>,
    chain: String,
    to: String,
    at: FeedPosition,
}

pub async fn send(context: &Context, args: &AuditExportArgs, to: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let chain = chain_of(&connection, args).await?;
    let (mut target, name) = target(args, to)?;
    let mut state = State::read(args.resume.as_deref(), &chain, &name, &mut target)?;
    let from = state.at;
    loop {
        let lines = next(&connection, &chain, state.at).await?;
        if lines.is_empty() {
            break;
        }
        target.take(&lines).await?;
        state.at = lines.iter().fold(state.at, |at, line| line.behind(at));
        state.keep(&target)?;
    }
    let records = state.at.seq.saturating_sub(from.seq);
    let answer =
        json!({ "chain": chain, "records": records, "seq": state.at.seq, "to": target.shown() });
    let values = [
        ("records", &*records.to_string()),
        ("seq", &*state.at.seq.to_string()),
        ("to", &*target.shown()),
    ];
    context.done(&answer, &context.texts.audit.sent, &values)
}

fn target(args: &AuditExportArgs, to: &str) -> Result<(Target, String), Failure> {
    if to == FILE {
        let path = args.output.clone().ok_or(Failure::NotGiven { flag: "--output" })?;
        let whole = std::path::absolute(&path).map_err(Failure::unwritable(&path))?;
        return Ok((Target::File { path, bytes: 0 }, whole.display().to_string()));
    }
    let receiver = Receiver::parse(to, secret_of(args)?.as_ref())?;
    let name = receiver.address();
    Ok((Target::Receiver(receiver), name))
}

fn secret_of(args: &AuditExportArgs) -> Result<Option<SecretString>, Failure> {
    match &args.secret_file {
        Some(file) => Ok(Some(secret::from_private_file(file)?)),
        None => Ok(std::env::var(WEBHOOK_SECRET_VARIABLE).ok().map(SecretString::from)),
    }
}

/// The next page.
async fn next(
    connection: &Connection,
    chain: &str,
    at: FeedPosition,
) -> Result<Vec<FeedLine>, Failure> {
    let hash: String = at.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let below = format!("/audit/{chain}/feed?after={}&hash={hash}&signed={}", at.seq, at.signed);
    let mut pieces = connection.client.download(ApiCall::get(path(&below))).await?;
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        bytes.extend_from_slice(&piece?);
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::Answer { field: "feed" })?;
    read_lines(&text).map_err(|error| Failure::Feed(error.to_string()))
}

impl Target {
    fn shown(&self) -> String {
        match self {
            Self::File { path, .. } => path.display().to_string(),
            Self::Receiver(receiver) => receiver.to_string(),
        }
    }

    async fn take(&mut self, lines: &[FeedLine]) -> Result<(), Failure> {
        match self {
            Self::File { path, bytes } => {
                *bytes = append(path, *bytes, lines).map_err(Failure::unwritable(path))?;
                Ok(())
            }
            Self::Receiver(receiver) => {
                let undelivered = |error: DeliveryError| Failure::Undelivered {
                    to: receiver.to_string(),
                    reason: error.to_string(),
                };
                receiver.deliver(lines).await.map_err(undelivered)
            }
        }
    }
}

/// Behind so many bytes; how many there are then.
fn append(path: &Path, behind: u64, lines: &[FeedLine]) -> io::Result<u64> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.set_len(behind)?;
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.text);
        text.push('\n');
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(behind + text.len() as u64)
}

impl State {
    /// One that is not there yet begins at the first record. One of something else is refused.
    fn read(
        file: Option<&Path>,
        chain: &str,
        to: &str,
        target: &mut Target,
    ) -> Result<Self, Failure> {
        // An address may hold a secret.
        let to = ContentDigest::of_bytes(to.as_bytes()).to_string();
        let fresh = Self {
            path: file.map(Path::to_owned),
            chain: chain.to_owned(),
            to,
            at: FeedPosition::START,
        };
        let Some(file) = file.filter(|file| file.exists()) else {
            return fresh.begun(target);
        };
        let kept = json_file::read(file)?;
        let odd =
            |reason: &str| Failure::Document { path: file.to_owned(), reason: reason.to_owned() };
        let text = |name: &str| kept.get(name).and_then(Value::as_str);
        let number = |name: &str| text(name).and_then(|text| text.parse::<u64>().ok());
        if kept.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(odd("it is no state of an export: name another file with `--resume`"));
        }
        if text("chain") != Some(chain) {
            return Err(odd("it is of another chain: each has a state of its own"));
        }
        if text("to") != Some(&*fresh.to) {
            return Err(odd("it is of another receiver: each has a state of its own"));
        }
        let read = || {
            let hash = bytes_of(text("hash")?)?;
            let at = FeedPosition { seq: number("seq")?, hash, signed: number("signed")? };
            Some((at, number("bytes")?))
        };
        let (at, length) =
            read().ok_or_else(|| odd("it is damaged: begin anew with another file"))?;
        if let Target::File { path, bytes } = target {
            let there = std::fs::metadata(&*path).map_or(0, |of| of.len());
            if there < length {
                return Err(odd("the file that it is of is shorter than it was"));
            }
            // What a crash left behind it is written again.
            if there > length {
                let file = OpenOptions::new().write(true).open(&*path);
                let cut = file.and_then(|file| file.set_len(length));
                cut.map_err(Failure::unwritable(path))?;
            }
            *bytes = length;
        }
        Ok(Self { at, ..fresh })
    }

    /// A file that is there already holds something else. The state is there before the file is: a crash in the first
    /// page leaves nothing that cannot be gone on with.
    fn begun(self, target: &Target) -> Result<Self, Failure> {
        if let Target::File { path, .. } = target {
            if path.exists() {
                return Err(Failure::Exists { path: path.clone() });
            }
            self.keep(target)?;
        }
        Ok(self)
    }

    /// As a whole, or not at all.
    fn keep(&self, target: &Target) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        let bytes = match target {
            Target::File { bytes, .. } => *bytes,
            Target::Receiver(_) => 0,
        };
        let hash: String = self.at.hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let state = json!({
            "version": VERSION, "chain": self.chain, "to": self.to, "hash": hash,
            "seq": self.at.seq.to_string(), "signed": self.at.signed.to_string(),
            "bytes": bytes.to_string(),
        });
        write_whole(path, &format!("{state}\n")).map_err(Failure::unwritable(path))
    }
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let fresh = PathBuf::from(name);
    let mut file = File::create(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&fresh, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_in_the_first_page_is_gone_on_from() {
        let folder = tempfile::tempdir().unwrap();
        let (file, state) = (folder.path().join("feed.jsonl"), folder.path().join("feed.state"));
        let mut target = Target::File { path: file.clone(), bytes: 0 };
        let name = file.display().to_string();
        let mut read = || State::read(Some(&state), "project", &name, &mut target);
        assert_eq!(read().ok().unwrap().at, FeedPosition::START);
        // It died before the page, and then behind it.
        assert_eq!(read().ok().unwrap().at, FeedPosition::START);
        std::fs::write(&file, "a page\n").unwrap();
        assert_eq!(read().ok().unwrap().at, FeedPosition::START);
        assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
        std::fs::remove_file(&state).unwrap();
        std::fs::write(&file, "what somebody else wrote\n").unwrap();
        assert!(matches!(read(), Err(Failure::Exists { .. })));
    }
}
