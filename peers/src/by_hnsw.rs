//! hnsw_rs: a graph of neighbours. Vectors have length 1, so that the nearest is the most alike.

use hnsw_rs::prelude::{DistL2, Hnsw};

const NEIGHBOURS: usize = 16;
const LAYERS: usize = 16;
const WIDTH_OF_BUILDING: usize = 200;

pub struct Graph(Hnsw<'static, f32, DistL2>);

impl Graph {
    pub fn new(vectors: &[Vec<f32>]) -> Self {
        let graph = Hnsw::new(NEIGHBOURS, vectors.len(), LAYERS, WIDTH_OF_BUILDING, DistL2 {});
        for (vector, number) in vectors.iter().zip(0..) {
            graph.insert((vector.as_slice(), number));
        }
        Self(graph)
    }

    pub fn search(&self, query: &[f32], found: usize, width: usize) -> Vec<usize> {
        self.0.search(query, found, width).into_iter().map(|near| near.d_id).collect()
    }
}
