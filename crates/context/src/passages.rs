//! Retrieved passages as a prompt shows them: below the rules, few, in an order that a model heeds, and within their share.
//! What to do with them stands in the rules alone, so that either can be printed and compared by itself.

mod condensed;
mod format;
mod hit;
mod narrowed;
mod numbers;
mod open_search;

pub use format::PassageFormat;
pub use hit::{PassageHit, has_slides};
pub use numbers::bracketed_numbers;
pub use open_search::{OpenSearchFault, open_search_hits};

use condensed::{condensed, shortened};
use format::render;
use narrowed::narrowed;

/// Passages that are shown where nothing else is asked for.
pub const PASSAGES_DEFAULT: usize = 5;
/// More make answers worse.
pub const PASSAGES_SHOWN_MAX: usize = 7;
/// Of what a model reads at once: more makes answers worse, too.
pub(crate) const PASSAGES_WINDOW_PERCENT: u64 = 40;
/// The only passage in short, in Unicode scalar values, where not even it fits.
const SHORTER_CHARS: [usize; 3] = [500, 1_000, 2_000];
/// With none, and with a word that there are some.
const SHORT_STEPS: usize = SHORTER_CHARS.len() + 1;
/// All of them whole, in paragraphs, and in sentences.
const LONG_STEPS: usize = 3;
/// In place of passages.
const NOTHING: &str = "nothing relevant was found";
const NO_ROOM: &str = "passages were found, but there is no room for any of them";

/// How passages are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassageOptions {
    pub format: PassageFormat,
    /// At most; no more than [`PASSAGES_SHOWN_MAX`].
    pub count: usize,
    /// The best ones first and last, as what stands in the middle is overlooked.
    pub reorder: bool,
}

impl Default for PassageOptions {
    fn default() -> Self {
        Self { format: PassageFormat::default(), count: PASSAGES_DEFAULT, reorder: true }
    }
}

impl PassageOptions {
    /// The usual ones, in the format that the question asks for.
    #[must_use]
    pub fn of_question(question: &str) -> Self {
        Self { format: PassageFormat::of_question(question), ..Self::default() }
    }
}

/// What was found for a message; of nothing it is shown that nothing was.
#[derive(Debug, Clone, PartialEq)]
pub struct Passages {
    /// Best first.
    hits: Vec<PassageHit>,
    /// How many there were before they had to fit.
    found: usize,
    options: PassageOptions,
}

impl Passages {
    /// Of hits, best first; those without a text are none.
    #[must_use]
    pub fn new(mut hits: Vec<PassageHit>, options: PassageOptions) -> Self {
        hits.retain(|hit| !hit.text.trim().is_empty());
        hits.truncate(options.count.min(PASSAGES_SHOWN_MAX));
        Self { found: hits.len(), hits, options }
    }

    /// Best first.
    #[must_use]
    pub fn hits(&self) -> &[PassageHit] {
        &self.hits
    }

    /// The position in [`Passages::hits`] of the one that is shown as `[number]`.
    #[must_use]
    pub fn cited(&self, number: usize) -> Option<usize> {
        self.order().get(number.checked_sub(1)?).copied()
    }

    /// The passages alone: no instruction is in it, and nothing of it is one.
    #[must_use]
    pub fn text(&self) -> String {
        if self.hits.is_empty() {
            return if self.found == 0 { NOTHING } else { NO_ROOM }.to_owned();
        }
        let shown = self.order().into_iter().filter_map(|at| Some((at + 1, self.hits.get(at)?)));
        render(self.options.format, &shown.collect::<Vec<_>>())
    }

    /// Positions in the order in which they are shown: 1 3 5 4 2.
    fn order(&self) -> Vec<usize> {
        let all = 0..self.hits.len();
        match self.options.reorder {
            false => all.collect(),
            true => all.clone().step_by(2).chain(all.skip(1).step_by(2).rev()).collect(),
        }
    }

    /// With how much a layout begins.
    pub(crate) fn extent_max(&self) -> usize {
        match self.hits.len() {
            0 => 1,
            hits => SHORT_STEPS + hits + (LONG_STEPS - 1),
        }
    }

    /// Less of it with each step down: the paragraphs that are nearest to the question, the sentences that answer it, fewer
    /// passages of those, then the best in short, then a word that there are some.
    // INVARIANT: what is left is the beginning of the hits, each at its place, so that both are cited by one position.
    pub(crate) fn shown(&self, extent: usize, question: &str) -> Self {
        let Self { hits, found, options } = self;
        let in_short = extent.checked_sub(2).and_then(|step| SHORTER_CHARS.get(step));
        let hits = match (in_short, hits.first()) {
            (Some(chars), Some(best)) => {
                let text = shortened(&best.text, question, *chars);
                vec![PassageHit { text, ..best.clone() }]
            }
            (None, Some(_)) => self.long(extent.saturating_sub(SHORT_STEPS), question),
            (_, None) => Vec::new(),
        };
        Self { hits, found: *found, options: *options }
    }

    /// One step for each passage, and two above: all in paragraphs, and all whole.
    fn long(&self, step: usize, question: &str) -> Vec<PassageHit> {
        match step.checked_sub(self.hits.len()) {
            None | Some(0) => {
                let mut hits = condensed(&self.hits, question);
                hits.truncate(step);
                hits
            }
            Some(1) => narrowed(&self.hits, question),
            Some(_) => self.hits.clone(),
        }
    }

    /// How many are left out or cut short where only `shown` is.
    pub(crate) fn dropped(&self, shown: &Self) -> usize {
        let whole = self.hits.iter().zip(&shown.hits).filter(|(own, shown)| own.text == shown.text);
        self.hits.len() - whole.count()
    }

    /// What others wrote.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.hits.iter().flat_map(PassageHit::texts)
    }

    /// The same, to be changed.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.hits.iter_mut().flat_map(PassageHit::texts_mut)
    }
}
