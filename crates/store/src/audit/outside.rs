//! Checkpoints in a file that the operator names, best on another disk: they reveal that an older
//! copy of the whole database was put in place.

use super::{
    Chain, Signer,
    signer::{Anchor, Reading},
    walk::Walk,
};
use crate::{
    database::{
        number::from_db,
        private,
        statement::{Reads, query_all},
    },
    error::StoreError,
};
use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};
use tokio::{sync::Mutex, task::spawn_blocking};

const OWNER_ONLY: u32 = 0o600;
const LINE_BYTES_MAX: u64 = 4096;

/// The newest checkpoint of each chain that lies outside.
#[derive(Debug, Default)]
pub(crate) struct Anchors(BTreeMap<Chain, Anchor>);

impl Anchors {
    pub(super) fn chains(&self) -> impl Iterator<Item = Chain> {
        self.0.keys().copied()
    }

    /// The chain as it was walked has reached the size of its anchor: it has to be the same then.
    pub(super) fn met(&self, chain: Chain, walk: &Walk) -> Result<(), StoreError> {
        match self.0.get(&chain) {
            Some(anchor) if anchor.size == walk.tree.size => {
                let same = walk.is_at(anchor.size, &anchor.head, &anchor.root);
                same.then_some(()).ok_or_else(|| differs(chain, anchor.size))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// A chain that ends before its anchor was rolled back.
    pub(super) fn reached(&self, chain: Chain, size: u64) -> Result<(), StoreError> {
        match self.0.get(&chain) {
            Some(anchor) if anchor.size > size => Err(StoreError::tampered(format!(
                "the chain `{chain}` has `{size}` records and once had `{}`, as the file of checkpoints shows: an older copy was put in place",
                anchor.size
            ))),
            Some(_) | None => Ok(()),
        }
    }
}

fn differs(chain: Chain, size: u64) -> StoreError {
    StoreError::tampered(format!(
        "the chain `{chain}` is another one than the file of checkpoints shows up to record `{size}`"
    ))
}

/// The operator's file, and how much of each chain is in it.
#[derive(Debug)]
pub(crate) struct Outside {
    path: PathBuf,
    kept: Mutex<BTreeMap<Chain, u64>>,
}

impl Outside {
    /// Before anything was written that it could hold.
    pub(super) fn begin(path: &Path) -> Result<(), StoreError> {
        append(path, "").map_err(|error| unwritten(path, &error))
    }

    /// With what it holds. Whoever took it away, or did not mount its disk, is told so: without it an
    /// older copy of the data would pass.
    pub(crate) fn read(path: PathBuf, signer: &Signer) -> Result<(Self, Anchors), StoreError> {
        let mut anchors = BTreeMap::<Chain, Anchor>::new();
        for (at, line) in lines(&path)?.into_iter().enumerate() {
            match signer.read(&line) {
                Reading::Ours(anchor) => {
                    let newest = anchors.entry(anchor.chain).or_insert(anchor);
                    if newest.size < anchor.size {
                        *newest = anchor;
                    }
                }
                // Cut off by a crash, and written again behind it.
                Reading::Broken if !line.ends_with('}') => {}
                Reading::Broken | Reading::Foreign => {
                    return Err(StoreError::tampered(format!(
                        "line `{}` of `{}` is no checkpoint that this server signed",
                        at + 1,
                        path.display()
                    )));
                }
            }
        }
        let kept = anchors.iter().map(|(chain, anchor)| (*chain, anchor.size)).collect();
        Ok((Self { path, kept: Mutex::new(kept) }, Anchors(anchors)))
    }

    /// Somebody else may have made it, and open to others: what cannot be closed is said.
    pub(super) fn close(&self) {
        if let Err(error) = private::close_file(&self.path) {
            tracing::warn!(%error, "the file of checkpoints is open to others");
        }
    }

    /// Appends the newest checkpoint of every chain that has a newer one, and waits for the disk.
    pub(crate) async fn push<C: Reads>(&self, db: &C) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().await;
        let sql = "SELECT signed.chain, signed.size, signed.line FROM audit_head head \
                   JOIN audit_checkpoint signed \
                   ON signed.chain = head.chain AND signed.size = head.checkpoint";
        let (mut text, mut newer) = (String::new(), Vec::new());
        for row in query_all(db, sql, Vec::new()).await? {
            let chain: String = row.get(0)?;
            let chain: Chain = chain.parse().map_err(|_| StoreError::corrupt("a chain's name"))?;
            let size = from_db(row.get(1)?);
            if kept.get(&chain).is_none_or(|known| *known < size) {
                text.push_str(&row.get::<String>(2)?);
                text.push('\n');
                newer.push((chain, size));
            }
        }
        if newer.is_empty() {
            return Ok(());
        }
        let path = self.path.clone();
        let appended = spawn_blocking(move || append(&path, &text)).await;
        let appended = appended.map_err(|_| StoreError::given_up())?;
        appended.map_err(|error| unwritten(&self.path, &error))?;
        kept.extend(newer);
        Ok(())
    }
}

fn unwritten(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unavailable { reason: format!("`{}`: {error}", path.display()) }
}

fn lines(path: &Path) -> Result<Vec<String>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(StoreError::NoCheckpoints { path: path.to_owned() });
        }
        Err(error) => return Err(unwritten(path, &error)),
    };
    let mut reader = BufReader::new(file);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        let read = reader.by_ref().take(LINE_BYTES_MAX).read_line(&mut line);
        if read.map_err(|error| unwritten(path, &error))? == 0 {
            return Ok(lines);
        }
        let line = line.trim_end_matches('\n');
        if !line.is_empty() {
            lines.push(line.to_owned());
        }
    }
}

/// On a line of its own, also where a crash cut the last one off.
fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file =
        OpenOptions::new().create(true).read(true).append(true).mode(OWNER_ONLY).open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last)?;
    }
    let cut = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{cut}{text}").as_bytes())?;
    file.sync_data()
}
