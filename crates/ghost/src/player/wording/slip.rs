//! Slips of Korean fingers: letters that sound alike or lie side by side on the keyboard.

use crate::seeded_random::SeededRandom;

const FIRST: u32 = '가' as u32;
const VOWELS: u32 = 21;
const FINALS: u32 = 28;

/// Vowels that are taken for one another, by their place in a syllable.
const VOWELS_ALIKE: [(u32, u32); 6] = [(1, 5), (5, 1), (10, 11), (11, 10), (19, 20), (3, 7)];
/// Final consonants that lose a stroke: ㅆ, ㄲ, ㅄ, ㄶ.
const FINALS_ALIKE: [(u32, u32); 4] = [(20, 19), (2, 1), (18, 17), (6, 4)];
/// Initial consonants that lose a stroke: ㄲ, ㄸ, ㅆ, ㅉ.
const INITIALS_ALIKE: [(u32, u32); 4] = [(1, 0), (4, 3), (10, 9), (13, 12)];

/// The word with one slip in it; `None` where no syllable of it invites one.
pub(super) fn slipped(word: &str, random: &mut SeededRandom) -> Option<String> {
    let syllables: Vec<char> = word.chars().collect();
    let mut slips = Vec::new();
    for (at, syllable) in syllables.iter().enumerate() {
        slips.extend(alike(*syllable).into_iter().map(|slip| (at, slip)));
    }
    let (at, slip) = random.pick(&slips)?;
    let changed = syllables.into_iter().enumerate();
    Some(changed.map(|(own, syllable)| if own == at { slip } else { syllable }).collect())
}

fn alike(syllable: char) -> Vec<char> {
    let Some(code) = u32::from(syllable).checked_sub(FIRST).filter(|code| *code < 11_172) else {
        return Vec::new();
    };
    let (initial, vowel, last) = (code / (VOWELS * FINALS), code / FINALS % VOWELS, code % FINALS);
    let of = |pairs: &[(u32, u32)], part: u32| {
        let fits = pairs.iter().filter(move |(from, _)| *from == part);
        fits.map(|(_, to)| *to).collect::<Vec<u32>>()
    };
    let made =
        |initial, vowel, last| char::from_u32(FIRST + (initial * VOWELS + vowel) * FINALS + last);
    let vowels = of(&VOWELS_ALIKE, vowel).into_iter().filter_map(|v| made(initial, v, last));
    let finals = of(&FINALS_ALIKE, last).into_iter().filter_map(|l| made(initial, vowel, l));
    let initials = of(&INITIALS_ALIKE, initial).into_iter().filter_map(|i| made(i, vowel, last));
    vowels.chain(finals).chain(initials).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_sound_alike_are_taken_for_one_another() {
        assert_eq!(alike('있'), ['잇']);
        assert_eq!(alike('재'), ['제']);
        assert_eq!(alike('꺼'), ['거']);
        assert!(alike('a').is_empty() && alike('안').is_empty());
        let slip = slipped("카테고리", &mut SeededRandom::new(1, "slip"));
        assert_eq!(slip.as_deref(), Some("카태고리"));
    }
}
