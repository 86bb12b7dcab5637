//! Passages in the paragraphs that are nearest to the question. The search has gone from documents to passages, which headings
//! bound; this is the step below. By rule: no model is asked.

use super::{
    condensed::{pieces, scores_of, with_nearest},
    hit::PassageHit,
};

/// Of all passages together.
const PARAGRAPHS_MAX: usize = 5;

/// Each passage in those of its paragraphs that are among the nearest of all, or else in the nearest of its own.
pub(super) fn narrowed(hits: &[PassageHit], question: &str) -> Vec<PassageHit> {
    let paragraphs = pieces(hits, question, |text| text.split_inclusive("\n\n").collect());
    let mut near: Vec<f64> = scores_of(&paragraphs).filter(|score| *score > 0.0).collect();
    near.sort_by(|left, right| right.total_cmp(left));
    let least = near.get(PARAGRAPHS_MAX - 1).or(near.last()).copied().unwrap_or_default();
    with_nearest(hits, paragraphs, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(text: &str) -> PassageHit {
        PassageHit { text: text.to_owned(), page: Some("3".to_owned()), ..PassageHit::default() }
    }

    #[test]
    fn the_five_nearest_paragraphs_of_all_and_of_each_passage_its_nearest() {
        let near = "연차는 입사 1년차에 15일입니다.";
        let many = [near; 4].join("\n\nThe canteen.\n\n");
        let hits = [hit(&format!("Nothing.\n\n{many}")), hit("연차\n\nx"), hit("a\n\nb")];
        let [first, second, third] =
            <[_; 3]>::try_from(narrowed(&hits, "입사 1년차 연차는 15일?")).unwrap();
        assert_eq!((first.text.matches(near).count(), first.text.contains("canteen")), (4, false));
        assert_eq!((first.page.as_deref(), second.text.as_str()), (Some("3"), "연차 […]"));
        assert_eq!(third, hits[2], "it may answer in another language");
    }

    #[test]
    fn a_question_without_a_word_of_them_leaves_all_whole() {
        let hits = [hit("연차\n\n휴무"), hit("")];
        assert_eq!(narrowed(&hits, "annual leave"), hits);
        assert!(narrowed(&[], "x").is_empty());
    }
}
