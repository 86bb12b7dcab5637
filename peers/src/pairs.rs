//! Text with pairs of syllables in the place of Korean words, for those who cut at spaces.

/// Lower case, a space between any two.
pub fn pairs(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut out = String::with_capacity(text.len() * 2);
    for word in words {
        let chars: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        let is_korean = chars.iter().all(|c| matches!(c, '\u{ac00}'..='\u{d7a3}'));
        if is_korean && chars.len() > 1 {
            for pair in chars.windows(2) {
                out.extend(pair);
                out.push(' ');
            }
        } else {
            out.extend(chars);
            out.push(' ');
        }
    }
    out
}
