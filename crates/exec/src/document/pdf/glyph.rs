//! The letters of a font whose codes are bytes: by its encoding, and by the names of its glyphs.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use hayro_syntax::object::{Array, Dict, Name, Object};

const CODES: usize = 256;

/// Names of glyphs that are no letters of their own name.
const NAMES: [(&str, &str); 74] = [
    ("space", " "),
    ("exclam", "!"),
    ("quotedbl", "\""),
    ("numbersign", "#"),
    ("dollar", "$"),
    ("percent", "%"),
    ("ampersand", "&"),
    ("quotesingle", "'"),
    ("parenleft", "("),
    ("parenright", ")"),
    ("asterisk", "*"),
    ("plus", "+"),
    ("comma", ","),
    ("hyphen", "-"),
    ("minus", "-"),
    ("period", "."),
    ("slash", "/"),
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("colon", ":"),
    ("semicolon", ";"),
    ("less", "<"),
    ("equal", "="),
    ("greater", ">"),
    ("question", "?"),
    ("at", "@"),
    ("bracketleft", "["),
    ("backslash", "\\"),
    ("bracketright", "]"),
    ("asciicircum", "^"),
    ("underscore", "_"),
    ("grave", "`"),
    ("braceleft", "{"),
    ("bar", "|"),
    ("braceright", "}"),
    ("asciitilde", "~"),
    ("ff", "ff"),
    ("fi", "fi"),
    ("fl", "fl"),
    ("ffi", "ffi"),
    ("ffl", "ffl"),
    ("endash", "\u{2013}"),
    ("emdash", "\u{2014}"),
    ("bullet", "\u{2022}"),
    ("ellipsis", "\u{2026}"),
    ("quoteleft", "\u{2018}"),
    ("quoteright", "\u{2019}"),
    ("quotedblleft", "\u{201c}"),
    ("quotedblright", "\u{201d}"),
    ("quotesinglbase", "\u{201a}"),
    ("quotedblbase", "\u{201e}"),
    ("guillemotleft", "\u{ab}"),
    ("guillemotright", "\u{bb}"),
    ("periodcentered", "\u{b7}"),
    ("section", "\u{a7}"),
    ("paragraph", "\u{b6}"),
    ("copyright", "\u{a9}"),
    ("registered", "\u{ae}"),
    ("trademark", "\u{2122}"),
    ("degree", "\u{b0}"),
    ("multiply", "\u{d7}"),
    ("divide", "\u{f7}"),
    ("germandbls", "\u{df}"),
    ("ae", "\u{e6}"),
    ("AE", "\u{c6}"),
    ("dotlessi", "\u{131}"),
];
/// What a letter bears, behind its name: `eacute`. The parts are joined when the text is normalised.
const ACCENTS: [(&str, char); 8] = [
    ("acute", '\u{301}'),
    ("grave", '\u{300}'),
    ("circumflex", '\u{302}'),
    ("dieresis", '\u{308}'),
    ("tilde", '\u{303}'),
    ("cedilla", '\u{327}'),
    ("ring", '\u{30a}'),
    ("caron", '\u{30c}'),
];
/// Of the standard encoding, what ASCII has otherwise, and what is used of its upper half.
const STANDARD: [(usize, &str); 15] = [
    (0x27, "\u{2019}"),
    (0x60, "\u{2018}"),
    (0xa7, "\u{a7}"),
    (0xaa, "\u{201c}"),
    (0xab, "\u{ab}"),
    (0xae, "fi"),
    (0xaf, "fl"),
    (0xb1, "\u{2013}"),
    (0xb4, "\u{b7}"),
    (0xb7, "\u{2022}"),
    (0xb9, "\u{201e}"),
    (0xba, "\u{201d}"),
    (0xbb, "\u{bb}"),
    (0xbc, "\u{2026}"),
    (0xd0, "\u{2014}"),
];

/// The letter of each code; an empty one is not known.
pub(super) fn letters(font: &Dict<'_>) -> Vec<String> {
    let own = font.get::<Dict<'_>>("Encoding");
    let name = match &own {
        Some(own) => own.get::<Name<'_>>("BaseEncoding"),
        None => font.get::<Name<'_>>("Encoding"),
    };
    let mut letters = match name.as_deref() {
        Some(b"WinAnsiEncoding") => of_encoding(WINDOWS_1252),
        Some(b"MacRomanEncoding") => of_encoding(MACINTOSH),
        Some(_) | None => standard(),
    };
    if let Some(differences) = own.and_then(|own| own.get::<Array<'_>>("Differences")) {
        let mut code = 0;
        for item in differences.iter::<Object<'_>>() {
            match item {
                Object::Number(number) => code = usize::try_from(number.as_i64()).unwrap_or(CODES),
                Object::Name(name) => {
                    if let Some(letter) = letters.get_mut(code) {
                        *letter = of_name(name.as_str());
                    }
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
    }
    letters
}

fn of_encoding(encoding: &'static Encoding) -> Vec<String> {
    let letter = |code: u8| {
        let bytes = [code];
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        text.chars().filter(|c| !c.is_control()).collect()
    };
    (0..=u8::MAX).map(letter).collect()
}

fn standard() -> Vec<String> {
    let ascii = |code: u8| match code {
        b' '..=b'~' => char::from(code).to_string(),
        _ => String::new(),
    };
    let mut letters: Vec<String> = (0..=u8::MAX).map(ascii).collect();
    for (code, text) in STANDARD {
        if let Some(letter) = letters.get_mut(code) {
            text.clone_into(letter);
        }
    }
    letters
}

/// `A`, `comma`, `eacute`, `uniAC00`, `u1F600`, and each with a variant behind a dot.
fn of_name(name: &str) -> String {
    let name = name.split('.').next().unwrap_or_default();
    if name.chars().count() == 1 {
        return name.to_owned();
    }
    if let Some((_, text)) = NAMES.iter().find(|(of, _)| *of == name) {
        return (*text).to_owned();
    }
    let hex = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'));
    let point = hex.filter(|hex| (4..=6).contains(&hex.len()));
    let point = point.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
    if let Some(letter) = point {
        return letter.to_string();
    }
    for (accent, mark) in ACCENTS {
        if let Some(letter) = name.strip_suffix(accent).filter(|letter| letter.len() == 1) {
            return format!("{letter}{mark}");
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::of_name;

    #[test]
    fn letters_are_known_by_the_names_of_their_glyphs() {
        for (name, letter) in [
            ("A", "A"),
            ("comma", ","),
            ("a.sc", "a"),
            ("uniAC00", "\u{ac00}"),
            ("u1F600", "\u{1f600}"),
            ("eacute", "e\u{301}"),
            ("fi", "fi"),
            ("g123", ""),
            ("uniZZZZ", ""),
            (".notdef", ""),
        ] {
            assert_eq!(of_name(name), letter, "{name}");
        }
    }
}
