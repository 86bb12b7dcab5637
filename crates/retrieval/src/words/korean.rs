//! Particles: what is written behind a Korean noun without a space.

/// What has to stand before a particle.
#[derive(Clone, Copy)]
enum Before {
    Any,
    /// A syllable that ends in a consonant.
    Closed,
    /// A syllable that ends in a vowel.
    Open,
    /// A vowel, or ㄹ.
    OpenOrRieul,
}

use Before::{Any, Closed, Open, OpenOrRieul};

/// Longest first.
const PARTICLES: [(&str, Before); 75] = [
    ("에서부터", Any),
    ("으로부터", Closed),
    ("에게서는", Any),
    ("에서는", Any),
    ("에서도", Any),
    ("에서의", Any),
    ("에게는", Any),
    ("에게도", Any),
    ("에게서", Any),
    ("으로는", Closed),
    ("으로도", Closed),
    ("으로의", Closed),
    ("으로써", Closed),
    ("으로서", Closed),
    ("로부터", OpenOrRieul),
    ("까지는", Any),
    ("까지도", Any),
    ("까지의", Any),
    ("부터는", Any),
    ("이라는", Closed),
    ("이라고", Closed),
    ("이라면", Closed),
    ("한테서", Any),
    ("들에게", Any),
    ("들에서", Any),
    ("들에는", Any),
    ("에서", Any),
    ("에게", Any),
    ("에는", Any),
    ("에도", Any),
    ("에만", Any),
    ("으로", Closed),
    ("로는", OpenOrRieul),
    ("로도", OpenOrRieul),
    ("로의", OpenOrRieul),
    ("로써", OpenOrRieul),
    ("로서", OpenOrRieul),
    ("까지", Any),
    ("부터", Any),
    ("처럼", Any),
    ("보다", Any),
    ("마다", Any),
    ("밖에", Any),
    ("조차", Any),
    ("마저", Any),
    ("이나", Closed),
    ("이란", Closed),
    ("라는", Open),
    ("라고", Open),
    ("라면", Open),
    ("한테", Any),
    ("께서", Any),
    ("하고", Any),
    ("이며", Closed),
    ("과의", Closed),
    ("와의", Open),
    ("만을", Any),
    ("만이", Any),
    ("들을", Any),
    ("들이", Any),
    ("들은", Any),
    ("들의", Any),
    ("들과", Any),
    ("은", Closed),
    ("는", Open),
    ("이", Closed),
    ("가", Open),
    ("을", Closed),
    ("를", Open),
    ("의", Any),
    ("에", Any),
    ("로", OpenOrRieul),
    ("와", Open),
    ("과", Closed),
    ("도", Any),
];

/// One syllable that stands behind a noun of one syllable, too: `책을`. The others end too many nouns.
const BEHIND_ONE: [&str; 5] = ["은", "는", "을", "를", "의"];

/// Words that say nothing about what a question is about.
const FUNCTION_WORDS: [&str; 85] = [
    "가능한",
    "같은",
    "것",
    "것은",
    "것을",
    "것이",
    "경우",
    "관련",
    "그",
    "그것",
    "그래서",
    "그러면",
    "그런데",
    "그럼",
    "그리고",
    "근데",
    "까닭",
    "나는",
    "내",
    "누가",
    "누구",
    "대한",
    "대해",
    "대해서",
    "돼",
    "돼요",
    "되나",
    "되나요",
    "되는",
    "되면",
    "되죠",
    "등",
    "또는",
    "말해줘",
    "며칠",
    "몇",
    "무슨",
    "무엇",
    "무엇을",
    "무엇인가요",
    "뭐",
    "뭐야",
    "뭔가요",
    "및",
    "방법",
    "수",
    "싶어",
    "싶은데",
    "알려",
    "알려줘",
    "어느",
    "어디",
    "어떤",
    "어떻게",
    "언제",
    "얼마",
    "얼마까지",
    "얼마나",
    "얼마인가요",
    "없는",
    "왜",
    "이",
    "이유",
    "인가요",
    "인지",
    "있나",
    "있나요",
    "있는",
    "있어",
    "있어요",
    "있죠",
    "저",
    "좀",
    "주세요",
    "줘",
    "하나",
    "하나요",
    "하는",
    "하려면",
    "하면",
    "하죠",
    "해",
    "해도",
    "해요",
    "혹시",
];

/// Words that ask, in the forms that a question ends with or goes on behind: `며칠이야`, `며칠인가요`, `언제까지`.
const ASKING: [&str; 9] = ["누구", "며칠", "몇", "무엇", "뭐", "어디", "언제", "얼마", "왜"];
const BEHIND_ASKING: [&str; 22] = [
    "까지",
    "까지야",
    "까지예요",
    "까지인가요",
    "나",
    "동안",
    "부터",
    "야",
    "에요",
    "예요",
    "이나",
    "이냐",
    "이야",
    "이에요",
    "이죠",
    "인가",
    "인가요",
    "인지",
    "일까",
    "일까요",
    "죠",
    "쯤",
];

/// The word without its particle; `None` where it has none.
pub(super) fn without_particle(word: &str) -> Option<&str> {
    PARTICLES.iter().find_map(|(particle, before)| {
        let stem = word.strip_suffix(particle)?;
        let last = stem.chars().next_back()?;
        let one_behind_one = stem.len() == last.len_utf8() && particle.chars().count() == 1;
        let stands = before.allows(last) && (!one_behind_one || BEHIND_ONE.contains(particle));
        stands.then_some(stem)
    })
}

/// Whether the text is a particle and nothing else.
pub(super) fn is_particle(text: &str) -> bool {
    PARTICLES.iter().any(|(particle, _)| *particle == text)
}

/// Whether a word, with or without its particle, says nothing about what a question is about.
pub(crate) fn is_function_word(word: &str) -> bool {
    let asks =
        |base: &&str| word.strip_prefix(base).is_some_and(|end| BEHIND_ASKING.contains(&end));
    FUNCTION_WORDS.contains(&word) || ASKING.iter().any(asks)
}

impl Before {
    fn allows(self, last: char) -> bool {
        let Some(jongseong) = final_consonant(last) else { return true };
        match self {
            Any => true,
            Closed => jongseong != 0,
            Open => jongseong == 0,
            OpenOrRieul => jongseong == 0 || jongseong == 8,
        }
    }
}

/// The number of a syllable's final consonant, 0 for none; `None` where it is no syllable.
fn final_consonant(syllable: char) -> Option<u32> {
    let number = u32::from(syllable).checked_sub(0xac00)?;
    (number < 11_172).then_some(number % 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_particle_goes() {
        let stems = [
            ("서울에서", "서울"),
            ("서울에서는", "서울"),
            ("서울에서부터", "서울"),
            ("책을", "책"),
            ("집에서", "집"),
            ("설정으로", "설정"),
            ("파일로", "파일"),
            ("컴퓨터가", "컴퓨터"),
            ("파일들을", "파일"),
        ];
        for (word, stem) in stems {
            assert_eq!(without_particle(word), Some(stem), "{word}");
        }
    }

    #[test]
    fn a_noun_that_ends_like_one_stays() {
        for word in ["서울", "가을", "나이", "종이", "서로", "에서", "과도", "을"] {
            assert_eq!(without_particle(word), None, "{word}");
        }
    }

    #[test]
    fn the_list_is_longest_first_and_has_nothing_twice() {
        let lengths: Vec<usize> = PARTICLES.iter().map(|(text, _)| text.chars().count()).collect();
        assert!(lengths.is_sorted_by(|a, b| a >= b));
        let names: std::collections::BTreeSet<_> = PARTICLES.iter().map(|(text, _)| text).collect();
        assert_eq!(names.len(), PARTICLES.len());
    }
}
