//! Words, three ways of looking at neighbours, and three layers behind the sum over all words.

use super::weights::Weights;
use crate::{
    bytes::Damaged,
    linear::{Linear, Tokens},
    norm::Norm,
    numbers::unit,
};
use std::io::{self, ErrorKind, Read, Seek};

/// Numbers of a word, and of a text.
pub(super) const WORD: usize = 512;
/// Numbers that a branch has of a word.
const BRANCH: usize = 256;
/// How many neighbours each branch looks at, and how many of them lie before the word.
const BRANCHES: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
/// A word and its branches.
const FEATURES: usize = WORD + BRANCHES.len() * BRANCH;
/// Between the last layers.
const NARROW: usize = 320;
/// The table of words is in so many parts, each with a scale of its own: the word `n` is row
/// `n / PARTS` of part `n % PARTS`.
const PARTS: usize = 17;
const PART_ROWS: usize = 7_530;

#[derive(Debug)]
struct Part {
    rows: Vec<u8>,
    scale: f32,
    least: f32,
}

#[derive(Debug)]
struct Branch {
    neighbours: usize,
    before: usize,
    layers: [Linear; 2],
}

#[derive(Debug)]
pub(super) struct Encoder {
    words: Vec<Part>,
    branched: Linear,
    branched_norm: Norm,
    branches: Vec<Branch>,
    norm: Norm,
    summed: Linear,
    summed_bias: Vec<f32>,
    last: Last,
}

/// Each layer takes what the one before gave and, past it, what that one took.
#[derive(Debug)]
struct Last {
    d0: Linear,
    d1: Linear,
    p1: Linear,
    d2: Linear,
    d3: Linear,
    p3: Linear,
}

impl Encoder {
    /// For a vocabulary of so many pieces.
    pub(super) fn read<R: Read + Seek>(from: &mut Weights<R>, pieces: usize) -> io::Result<Self> {
        if pieces > PARTS * PART_ROWS {
            let reason = "its vocabulary has more pieces than its table has words";
            return Err(io::Error::new(ErrorKind::InvalidData, reason));
        }
        let named = |name: &'static str| BRANCHES.map(|(n, _)| format!("{name}{n}"));
        let norms = BRANCHES.map(|(n, _)| [format!("ln_g{n}"), format!("ln_b{n}")]);
        Ok(Self {
            words: words(from)?,
            branched: branched(from, named("proj"), named("proj_b"))?,
            branched_norm: from.norm(&norms, BRANCH)?,
            branches: BRANCHES.iter().map(|of| branch(from, *of)).collect::<Result<_, _>>()?,
            norm: from.norm(&[["ln_g", "ln_b"].map(str::to_owned)], FEATURES)?,
            summed: from.linear(("cnn_W", None), FEATURES, WORD)?,
            summed_bias: from.floats("cnn_b", WORD)?,
            last: Last {
                d0: from.linear(("d0", None), WORD, NARROW)?,
                d1: from.linear(("d1", None), NARROW, NARROW)?,
                p1: from.linear(("p1", None), WORD, NARROW)?,
                d2: from.linear(("d2", None), NARROW, WORD)?,
                d3: from.linear(("d3", None), WORD, WORD)?,
                p3: from.linear(("p3", None), NARROW, WORD)?,
            },
        })
    }

    /// At least one id.
    pub(super) fn encode(&self, ids: &[u32]) -> Result<Vec<f32>, Damaged> {
        let mut tokens = Tokens::default();
        let words: Vec<f32> = ids.iter().flat_map(|id| self.word(*id)).collect();
        let mut branched = Vec::new();
        self.branched.apply(tokens.set(&words, WORD), &mut branched);
        self.branched_norm.apply(&mut branched);
        let mut features = vec![0.0; ids.len() * FEATURES];
        put(&mut features, 0, &words, WORD);
        for (nth, branch) in self.branches.iter().enumerate() {
            let seen = branch.seen(column(&branched, nth), &mut tokens);
            put(&mut features, WORD + nth * BRANCH, &seen, BRANCH);
        }
        self.norm.apply(&mut features);
        let mut sum = vec![0.0; FEATURES];
        for row in features.chunks_exact(FEATURES) {
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        let mut meant = Vec::new();
        self.summed.apply(tokens.set(&sum, FEATURES), &mut meant);
        let count = ids.len() as f32;
        for (number, bias) in meant.iter_mut().zip(&self.summed_bias) {
            *number = (*number + count * bias) / count.sqrt();
        }
        unit(self.last.apply(&meant, &mut tokens)).ok_or(Damaged("its weights are no numbers"))
    }

    fn word(&self, id: u32) -> impl Iterator<Item = f32> {
        let id = id as usize;
        let part = self.words.get(id % PARTS);
        let row = part.and_then(|part| part.rows.chunks_exact(WORD).nth(id / PARTS));
        let (scale, least) = part.map_or((0.0, 0.0), |part| (part.scale, part.least));
        row.unwrap_or_default().iter().map(move |byte| f32::from(*byte) * scale + least)
    }
}

impl Branch {
    /// Twice, each word with its neighbours; what comes of that is added to the word.
    fn seen(&self, mut words: Vec<f32>, tokens: &mut Tokens) -> Vec<f32> {
        let mut added = Vec::new();
        for layer in &self.layers {
            let around = self.around(&words);
            layer.apply(tokens.set(&around, self.neighbours * BRANCH), &mut added);
            for (number, added) in words.iter_mut().zip(&added) {
                *number += added.max(0.0);
            }
        }
        words
    }

    /// For each word one row of its neighbours; beyond the ends there is nothing.
    fn around(&self, words: &[f32]) -> Vec<f32> {
        let nothing = |count: usize| std::iter::repeat_n(0.0, count * BRANCH);
        let after = self.neighbours - 1 - self.before;
        let padded: Vec<f32> =
            nothing(self.before).chain(words.iter().copied()).chain(nothing(after)).collect();
        let rows = padded.windows(self.neighbours * BRANCH).step_by(BRANCH);
        rows.flatten().copied().collect()
    }
}

impl Last {
    fn apply(&self, meant: &[f32], tokens: &mut Tokens) -> Vec<f32> {
        let mut of = |layer: &Linear, row: &[f32]| {
            let mut output = Vec::new();
            layer.apply(tokens.set(row, row.len()), &mut output);
            output
        };
        let both = |one: Vec<f32>, other: Vec<f32>| one.into_iter().zip(other).map(|(a, b)| a + b);
        let positive = |number: f32| number.max(0.0);
        let y0: Vec<f32> = of(&self.d0, meant).into_iter().map(positive).collect();
        let y1: Vec<f32> = both(of(&self.p1, meant), of(&self.d1, &y0)).map(positive).collect();
        let y2: Vec<f32> = of(&self.d2, &y1).into_iter().map(positive).collect();
        both(of(&self.p3, &y1), of(&self.d3, &y2)).map(f32::tanh).collect()
    }
}

fn words<R: Read + Seek>(from: &mut Weights<R>) -> io::Result<Vec<Part>> {
    let (scales, least) = (from.floats("scale", PARTS)?, from.floats("lo", PARTS)?);
    let parts = (1..).zip(scales.into_iter().zip(least));
    let part = |(nth, (scale, least))| {
        let rows = from.bytes(&format!("q{nth}"), "|u1", PART_ROWS * WORD)?;
        Ok(Part { rows, scale, least })
    };
    parts.map(part).collect()
}

/// One layer of three, whose outputs lie side by side.
fn branched<R: Read + Seek>(
    from: &mut Weights<R>,
    names: [String; 3],
    biases: [String; 3],
) -> io::Result<Linear> {
    let (mut columns, mut bias) = (Vec::new(), Vec::new());
    for (name, of) in names.iter().zip(&biases) {
        columns.push(from.floats(name, WORD * BRANCH)?);
        bias.extend(from.floats(of, BRANCH)?);
    }
    let layer = Linear::new(WORD, bias, |output, row| {
        let columns = columns.get(output / BRANCH).ok_or(Damaged("a branch of it is missing"))?;
        let column = columns.iter().skip(output % BRANCH).step_by(BRANCH);
        row.iter_mut().zip(column).for_each(|(place, weight)| *place = *weight);
        Ok(())
    });
    layer.map_err(|why| io::Error::new(ErrorKind::InvalidData, why.to_string()))
}

fn branch<R: Read + Seek>(
    from: &mut Weights<R>,
    (neighbours, before): (usize, usize),
) -> io::Result<Branch> {
    let mut layer = |nth: usize| {
        let (name, bias) = (format!("w{nth}_{neighbours}"), format!("b{nth}_{neighbours}"));
        from.linear((&name, Some(&bias)), neighbours * BRANCH, BRANCH)
    };
    Ok(Branch { neighbours, before, layers: [layer(1)?, layer(2)?] })
}

/// What one branch has of every word.
fn column(branched: &[f32], branch: usize) -> Vec<f32> {
    let rows = branched.chunks_exact(BRANCHES.len() * BRANCH);
    rows.flat_map(|row| row.chunks_exact(BRANCH).nth(branch).unwrap_or_default()).copied().collect()
}

/// Rows of `width` numbers, into the features of each word from one place on.
fn put(features: &mut [f32], from: usize, rows: &[f32], width: usize) {
    let places = features.chunks_exact_mut(FEATURES).zip(rows.chunks_exact(width));
    for (features, row) in places {
        features.iter_mut().skip(from).zip(row).for_each(|(place, number)| *place = *number);
    }
}
