//! Puts what is shown together into lines.

/// A text that is shown at once.
pub(super) struct Run {
    pub(super) text: String,
    /// Along the direction of writing.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Across it, upwards.
    pub(super) across: f64,
    /// That direction, in quarters of a turn.
    pub(super) quarter: u8,
    pub(super) size: f64,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) across: f64,
    pub(super) quarter: u8,
    /// Of its letters, on the average: a mark or a name in it may be of another one.
    pub(super) size: f64,
    letters: f64,
}

/// Of the size of letters: further apart is another line.
const LINE_SHARE: f64 = 0.45;
/// A gap that is wider is one between words.
const BLANK_SHARE: f64 = 0.18;
/// A step back that is wider begins anew, as the next column of a table that is drawn bottom up.
const BACK_SHARE: f64 = 1.5;
/// The same text drawn this near is drawn twice, to be bold.
const TWICE_SHARE: f64 = 0.2;

/// The lines of one page so far.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// Where the last text that is no blank began.
    last: Option<(String, f64)>,
}

impl Lines {
    pub(super) fn add(&mut self, run: Run) {
        if run.text.is_empty() || !(run.from + run.to + run.across).is_finite() {
            return;
        }
        let size = run.size.max(f64::MIN_POSITIVE);
        let twice = self.is_twice(&run, size);
        let Some(line) = self.lines.last_mut() else { return self.begin(run) };
        let near = (line.across - run.across).abs() <= LINE_SHARE * size.max(line.size);
        let back = line.to - run.from > BACK_SHARE * size && !twice;
        if line.quarter != run.quarter || !near || back {
            return self.begin(run);
        }
        if twice {
            return;
        }
        let gap = run.from - line.to > BLANK_SHARE * size;
        if gap
            && !line.text.ends_with(char::is_whitespace)
            && !run.text.starts_with(char::is_whitespace)
        {
            line.text.push(' ');
        }
        let letters = count(&run.text);
        line.size = (line.size * line.letters + run.size * letters) / (line.letters + letters);
        line.letters += letters;
        line.text.push_str(&run.text);
        line.to = line.to.max(run.to);
        self.last = Some((run.text, run.from));
    }

    fn is_twice(&self, run: &Run, size: f64) -> bool {
        let same = |(text, from): &(String, f64)| {
            *text == run.text && (from - run.from).abs() <= TWICE_SHARE * size
        };
        self.last.as_ref().is_some_and(same)
    }

    fn begin(&mut self, run: Run) {
        let Run { text, from, to, across, quarter, size } = run;
        self.last = Some((text.clone(), from));
        let letters = count(&text);
        self.lines.push(Line { text, from, to, across, quarter, size, letters });
    }

    /// Lines with a word in them.
    pub(super) fn finish(self) -> Vec<Line> {
        let mut lines = self.lines;
        lines.retain(|line| !line.text.trim().is_empty());
        lines
    }
}

/// At least one.
fn count(text: &str) -> f64 {
    u32::try_from(text.chars().count()).map_or(1.0, f64::from).max(1.0)
}
