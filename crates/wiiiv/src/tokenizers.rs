//! The tokenizer files that the configuration names, read once at start.

use crate::start_error::StartError;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};
use wiiiv_llm::{TOKENIZER_BYTES_MAX, TokenizerFile};

/// By the beginning of `PROVIDER:model`.
pub fn read(
    named: &BTreeMap<String, PathBuf>,
) -> Result<BTreeMap<String, Arc<TokenizerFile>>, StartError> {
    let one = |(begin, path): (&String, &PathBuf)| Ok((begin.clone(), Arc::new(tokenizer(path)?)));
    named.iter().map(one).collect()
}

fn tokenizer(path: &Path) -> Result<TokenizerFile, StartError> {
    let refused =
        |reason: String| StartError::Tokenizer { path: path.display().to_string(), reason };
    let bytes = bytes(path).map_err(|error| refused(error.to_string()))?;
    TokenizerFile::parse(&bytes).map_err(|error| refused(error.to_string()))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(TOKENIZER_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > TOKENIZER_BYTES_MAX {
        let what = format!("it is longer than `{TOKENIZER_BYTES_MAX}` bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_counted_with_stops_the_start_and_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(
            at("unigram.json"),
            r#"{"model":{"type":"Unigram","vocab":{},"merges":[]}}"#,
        )
        .unwrap();
        for (file, told) in [("unigram.json", "model is `Unigram`"), ("none.json", "No such file")]
        {
            let named = BTreeMap::from([("CUSTOM:m".to_owned(), at(file))]);
            let told_is = read(&named).unwrap_err().to_string();
            assert!(told_is.contains(told) && told_is.contains(file), "{told_is}");
        }
        assert!(read(&BTreeMap::new()).unwrap().is_empty());
    }
}
