//! A picture that is sent with a prompt.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::fmt;

const BYTES_MAX: usize = 1_048_576;
const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub(crate) base64: String,
}

impl Picture {
    /// What is held for one. At the lowest detail OPENAI counts up to 2,833 tokens (gpt-4o-mini; 85 for
    /// others), GOOGLE 258, ANTHROPIC 1,600 at most.
    pub const TOKENS_MAX: u64 = 4_096;
    pub(crate) const MEDIA_TYPE: &'static str = "image/png";

    /// `None`: it is no PNG, or longer than a MiB.
    #[must_use]
    pub fn png(bytes: &[u8]) -> Option<Self> {
        let fits = bytes.starts_with(&PNG) && bytes.len() <= BYTES_MAX;
        fits.then(|| Self { base64: STANDARD.encode(bytes) })
    }

    pub(crate) fn data_url(&self) -> String {
        format!("data:{};base64,{}", Self::MEDIA_TYPE, self.base64)
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Picture").field("base64_bytes", &self.base64.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_png_of_some_length_is_one() {
        let whole = [PNG.as_slice(), b"x"].concat();
        let picture = Picture::png(&whole).unwrap();
        assert_eq!(picture.data_url(), "data:image/png;base64,iVBORw0KGgp4");
        assert!(!format!("{picture:?}").contains("iVBOR"));
        let long = [PNG.as_slice(), &vec![0; BYTES_MAX]].concat();
        assert!(Picture::png(b"GIF89a").is_none() && Picture::png(&long).is_none());
    }
}
