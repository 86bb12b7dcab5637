//! How well documents were ranked.

use super::set::{Answer, EvalSet, SetQuery};
use std::collections::BTreeMap;
use wiiiv_domain::Lang;
use wiiiv_retrieval::measure::{ndcg_at, recall_at, reciprocal_rank};

/// What should be found for a query among the documents of some languages.
pub struct Judged {
    /// Each document once, by its best grade.
    gains: Vec<(usize, f64)>,
    /// Those of them that answer.
    answers: Vec<usize>,
}

impl Judged {
    /// `None`: none of these documents answers.
    pub fn of(set: &EvalSet, query: &SetQuery, languages: &[Lang]) -> Option<Self> {
        let is_among = |answer: &&Answer| {
            let document = set.documents.get(answer.document);
            document.is_some_and(|document| languages.contains(&document.language))
        };
        let mut grades: BTreeMap<usize, &Answer> = BTreeMap::new();
        for answer in query.answers.iter().filter(is_among) {
            let best = grades.entry(answer.document).or_insert(answer);
            if answer.grade > best.grade {
                *best = answer;
            }
        }
        let answers = grades.iter().filter(|(_, answer)| answer.is_one());
        let answers: Vec<usize> = answers.map(|(document, _)| *document).collect();
        let gains = grades.into_iter();
        let gains = gains.map(|(document, of)| (document, f64::from(of.grade).exp2() - 1.0));
        (!answers.is_empty()).then(|| Self { gains: gains.collect(), answers })
    }
}

/// Means over queries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Quality {
    queries: usize,
    sums: [f64; Self::NAMES.len()],
}

impl Quality {
    pub const NAMES: [&str; 4] = ["ndcg_10", "recall_5", "recall_10", "mrr"];

    /// `ranked`: documents, the best first.
    pub fn add(&mut self, ranked: &[usize], judged: &Judged) {
        let Judged { gains, answers } = judged;
        self.queries += 1;
        let own = [
            ndcg_at(ranked, gains, 10),
            recall_at(ranked, answers, 5),
            recall_at(ranked, answers, 10),
            reciprocal_rank(ranked, answers),
        ];
        self.sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }

    /// As `NAMES` has them, in four decimals.
    pub fn means(&self) -> [f64; Self::NAMES.len()] {
        self.sums.map(|sum| rounded(sum / (self.queries as f64).max(1.0)))
    }
}

/// To four decimals.
pub fn rounded(figure: f64) -> f64 {
    (figure * 10_000.0).round() / 10_000.0
}
