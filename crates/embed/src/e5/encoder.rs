//! The layers: each looks from every token at every other, then at each token alone.

use super::{
    attention::{HEAD, Heads},
    file::ModelFile,
};
use crate::{
    bytes::Damaged,
    linear::{Linear, Tokens},
    norm::Norm,
    numbers::{gelu, unit},
};

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    inner: Linear,
    outer: Linear,
    outer_norm: Norm,
}

#[derive(Debug)]
pub(super) struct Encoder {
    width: usize,
    inner: usize,
    /// What is added to the row of each place; the type of a text, which is always the same, is in it.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

/// Room that the layers of one text share.
#[derive(Default)]
struct Pass {
    tokens: Tokens,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    attended: Vec<f32>,
    inner: Vec<f32>,
    added: Vec<f32>,
    heads: Heads,
}

impl Encoder {
    pub(super) fn read(file: &ModelFile<'_>) -> Result<Self, Damaged> {
        let shape = file.shape;
        if shape.heads.checked_mul(HEAD) != Some(shape.width) {
            return Err(Damaged("its heads are of another width than can be computed"));
        }
        let kind = file.floats("emb.type", shape.width)?;
        let mut positions = file.floats("emb.pos", shape.positions * shape.width)?;
        positions.chunks_exact_mut(shape.width).for_each(|row| add(row, &kind));
        let layers = (0..shape.layers).map(|layer| Layer::read(file, layer));
        Ok(Self {
            width: shape.width,
            inner: shape.inner,
            positions,
            norm: file.norm("emb.ln")?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn positions(&self) -> usize {
        self.positions.len() / self.width
    }

    /// From the rows of a text's words to its vector.
    pub(super) fn encode(&self, mut rows: Vec<f32>) -> Result<Vec<f32>, Damaged> {
        add(&mut rows, &self.positions);
        self.norm.apply(&mut rows);
        let mut pass = Pass::default();
        for layer in &self.layers {
            layer.apply(&mut rows, (self.width, self.inner), &mut pass);
        }
        let mut sum = vec![0.0; self.width];
        rows.chunks_exact(self.width).for_each(|row| add(&mut sum, row));
        unit(sum).ok_or(Damaged("its weights are no numbers"))
    }
}

impl Layer {
    fn read(file: &ModelFile<'_>, layer: usize) -> Result<Self, Damaged> {
        let (width, inner) = (file.shape.width, file.shape.inner);
        let square = |name| file.linear(&format!("l{layer}.{name}"), width, width);
        Ok(Self {
            query: square("q")?,
            key: square("k")?,
            value: square("v")?,
            attended: square("ao")?,
            attended_norm: file.norm(&format!("l{layer}.aln"))?,
            inner: file.linear(&format!("l{layer}.fi"), width, inner)?,
            outer: file.linear(&format!("l{layer}.fo"), inner, width)?,
            outer_norm: file.norm(&format!("l{layer}.oln"))?,
        })
    }

    fn apply(&self, rows: &mut [f32], (width, inner): (usize, usize), pass: &mut Pass) {
        let Pass { tokens, query, key, value, attended, inner: between, added, heads } = pass;
        tokens.set(rows, width);
        self.query.apply(tokens, query);
        self.key.apply(tokens, key);
        self.value.apply(tokens, value);
        heads.attend((query, key, value), width, attended);
        self.attended.apply(tokens.set(attended, width), added);
        add(rows, added);
        self.attended_norm.apply(rows);
        self.inner.apply(tokens.set(rows, width), between);
        between.iter_mut().for_each(|number| *number = gelu(*number));
        self.outer.apply(tokens.set(between, inner), added);
        add(rows, added);
        self.outer_norm.apply(rows);
    }
}

/// As far as both go.
fn add(sum: &mut [f32], added: &[f32]) {
    for (sum, added) in sum.iter_mut().zip(added) {
        *sum += added;
    }
}
