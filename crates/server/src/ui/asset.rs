//! One embedded file, compressed at its first request.

use axum::http::HeaderValue;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};
use std::{fmt, io::Write as _, sync::OnceLock};

/// Shorter than this nothing is won, in bytes.
const COMPRESSED_BYTES_MIN: usize = 512;
const TAG_BYTES: usize = 16;

pub(crate) struct Asset {
    media_type: &'static str,
    bytes: &'static [u8],
    tag: HeaderValue,
    /// `None` where it would be no smaller.
    gzip: OnceLock<Option<Gzip>>,
}

struct Gzip {
    bytes: axum::body::Bytes,
    tag: HeaderValue,
}

/// What is sent, and the tag of that very form.
pub(crate) struct Form<'a> {
    pub(crate) bytes: axum::body::Bytes,
    pub(crate) tag: &'a HeaderValue,
    pub(crate) gzip: bool,
}

impl fmt::Debug for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asset").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl Asset {
    pub(crate) fn new(name: &str, bytes: &'static [u8]) -> Self {
        Self { media_type: media_type(name), bytes, tag: tag(bytes, ""), gzip: OnceLock::new() }
    }
    pub(crate) const fn media_type(&self) -> &'static str {
        self.media_type
    }
    pub(crate) fn form(&self, takes_gzip: bool) -> Form<'_> {
        match self.compressed().filter(|_| takes_gzip) {
            Some(gzip) => Form { bytes: gzip.bytes.clone(), tag: &gzip.tag, gzip: true },
            None => {
                let bytes = axum::body::Bytes::from_static(self.bytes);
                Form { bytes, tag: &self.tag, gzip: false }
            }
        }
    }
    fn compressed(&self) -> Option<&Gzip> {
        let made = self.gzip.get_or_init(|| {
            let bytes = gzip(self.bytes).filter(|bytes| bytes.len() < self.bytes.len())?;
            Some(Gzip { bytes: bytes.into(), tag: tag(self.bytes, "-gzip") })
        });
        made.as_ref()
    }
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < COMPRESSED_BYTES_MIN {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn tag(bytes: &[u8], form: &str) -> HeaderValue {
    let digest = Sha256::digest(bytes);
    let digest: String = digest.iter().take(TAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let text = format!("\"{digest}{form}\"");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("\"\""))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some(_) | None => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read as _;

    #[test]
    fn the_compressed_form_is_the_same_file_under_a_tag_of_its_own() {
        static LONG: [u8; 4096] = [b'a'; 4096];
        let asset = Asset::new("assets/a.js", &LONG);
        let (plain, small) = (asset.form(false), asset.form(true));
        assert!(small.gzip && small.bytes.len() < 100 && small.tag != plain.tag);
        let mut back = Vec::new();
        GzDecoder::new(small.bytes.as_ref()).read_to_end(&mut back).expect("gzip");
        assert_eq!(back, LONG);
        assert_eq!(small.bytes.as_ptr(), asset.form(true).bytes.as_ptr(), "made once");
        assert!(!Asset::new("b", b"short").form(true).gzip);
    }
}
