//! One passage that was found, whoever found it.

use std::path::Path;

/// Of a presentation's file.
const SLIDES: [&str; 4] = ["pptx", "pptm", "ppsx", "potx"];

/// What others call pages a presentation of that name calls slides.
#[must_use]
pub fn has_slides(file_name: &str) -> bool {
    let ending = Path::new(file_name).extension();
    ending.is_some_and(|ending| SLIDES.iter().any(|of| ending.eq_ignore_ascii_case(of)))
}

/// Of a search of ours, or of another one. What it says is data, wherever it is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PassageHit {
    pub text: String,
    /// Of its document.
    pub title: Option<String>,
    /// The file's name; `None` is shown as `unknown`.
    pub file: Option<String>,
    /// As it is printed; `None` is shown as `?`, or not at all.
    pub page: Option<String>,
    /// Over its beginning, the outermost first.
    pub headings: Vec<String>,
    /// Its file is gone: what it held the last time.
    pub is_stale: bool,
    /// The higher the better.
    pub score: Option<f64>,
}

impl PassageHit {
    /// Its texts that others wrote, to be changed.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let names = self.title.iter_mut().chain(&mut self.file).chain(&mut self.page);
        let names = names.chain(&mut self.headings);
        std::iter::once(&mut self.text).chain(names)
    }

    /// The same, to be read.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let names = self.title.iter().chain(&self.file).chain(&self.page).chain(&self.headings);
        std::iter::once(&self.text).chain(names).map(String::as_str)
    }
}
