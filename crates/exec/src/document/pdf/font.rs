//! What the codes of a font say, and how wide they are.

use super::{glyph, stream::Unpacking};
use crate::document::refused::DocumentRefused;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_16BE};
use hayro_cmap::{BfString, CMap};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use std::collections::BTreeMap;

/// Widths that a font may list.
const WIDTHS_MAX: usize = 65_536;
/// Of a font that tells none: half the height, and the whole of it for the letters of East Asia.
const WIDTH: f64 = 0.5;
const WIDE: f64 = 1.0;

/// A font as its text is read.
pub(super) struct Font {
    codes: Codes,
    unicode: Option<CMap>,
    widths: BTreeMap<u32, f64>,
    width: f64,
}

enum Codes {
    /// One byte each, with their letters.
    Bytes(Vec<String>),
    /// Two bytes each: numbers of glyphs that only the font itself or its map to Unicode tells.
    Numbers,
    /// The bytes of a known encoding.
    Encoded(&'static Encoding),
}

/// What a string of codes shows.
#[derive(Default)]
pub(super) struct Glyphs {
    pub(super) text: String,
    /// In heights of letters.
    pub(super) width: f64,
    pub(super) count: u64,
    /// Of them, codes that no table has.
    pub(super) unknown: u64,
    /// Of them, codes of one byte that are a blank.
    pub(super) blanks: u32,
}

impl Glyphs {
    pub(super) fn count_f64(&self) -> f64 {
        u32::try_from(self.count).map_or(0.0, f64::from)
    }
}

impl Font {
    pub(super) fn read(
        dict: &Dict<'_>,
        unpacking: &mut Unpacking,
    ) -> Result<Self, DocumentRefused> {
        let unicode = match dict.get::<Stream<'_>>("ToUnicode") {
            Some(stream) => CMap::parse(&unpacking.data(&stream)?, |_| None),
            None => None,
        };
        let descendant = dict.get::<Array<'_>>("DescendantFonts");
        let descendant = descendant.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        Ok(match descendant {
            Some(descendant) => {
                let width = descendant.get::<f64>("DW").map_or(WIDE, |width| width / 1000.0);
                Self { codes: composite(dict), unicode, widths: glyph_widths(&descendant), width }
            }
            None => Self {
                codes: Codes::Bytes(glyph::letters(dict)),
                unicode,
                widths: byte_widths(dict),
                width: WIDTH,
            },
        })
    }

    pub(super) fn shown(&self, bytes: &[u8]) -> Glyphs {
        let mut shown = Glyphs::default();
        match &self.codes {
            Codes::Bytes(letters) => {
                for byte in bytes {
                    let letter = letters.get(usize::from(*byte)).map(String::as_str);
                    self.add(u32::from(*byte), letter, &mut shown);
                    shown.blanks += u32::from(*byte == b' ');
                }
            }
            Codes::Numbers => {
                for pair in bytes.chunks(2) {
                    let code = pair.iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
                    self.add(code, None, &mut shown);
                }
            }
            Codes::Encoded(encoding) => {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                for letter in text.chars() {
                    shown.count += 1;
                    shown.unknown += u64::from(letter == char::REPLACEMENT_CHARACTER);
                    shown.blanks += u32::from(letter == ' ');
                    shown.width += if letter.is_ascii() { WIDTH } else { WIDE };
                }
                shown.text = text.into_owned();
            }
        }
        shown
    }

    fn add(&self, code: u32, letter: Option<&str>, shown: &mut Glyphs) {
        shown.count += 1;
        shown.width += self.widths.get(&code).copied().unwrap_or(self.width);
        match self.unicode.as_ref().and_then(|map| map.lookup_bf_string(code)) {
            Some(BfString::Char(letter)) if letter != '\0' => match ligature(letter) {
                Some(letters) => shown.text.push_str(letters),
                None => shown.text.push(letter),
            },
            Some(BfString::String(letters)) => shown.text.push_str(&letters),
            Some(BfString::Char(_)) | None => match letter.filter(|letter| !letter.is_empty()) {
                Some(letter) => shown.text.push_str(letter),
                None => shown.unknown += 1,
            },
        }
    }
}

/// Of the encodings that the PDF standard names, those of text; the others name glyphs.
fn composite(dict: &Dict<'_>) -> Codes {
    const NAMED: [(&str, &Encoding); 12] = [
        ("KSC", EUC_KR),
        ("Uni", UTF_16BE),
        ("90ms-RKSJ", SHIFT_JIS),
        ("90msp-RKSJ", SHIFT_JIS),
        ("90pv-RKSJ", SHIFT_JIS),
        ("EUC-", EUC_JP),
        ("GBK2K", GB18030),
        ("GBK", GBK),
        ("GB-EUC", GBK),
        ("GBpc-EUC", GBK),
        ("ETen", BIG5),
        ("B5pc", BIG5),
    ];
    let name = dict.get::<Name<'_>>("Encoding");
    let name = name.as_deref().and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    let found = NAMED.into_iter().find(|(start, _)| name.starts_with(start));
    found.map_or(Codes::Numbers, |(_, encoding)| Codes::Encoded(encoding))
}

/// Letters that are drawn as one, which nobody searches for as one.
const fn ligature(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return None,
    })
}

fn byte_widths(dict: &Dict<'_>) -> BTreeMap<u32, f64> {
    let first = dict.get::<u32>("FirstChar").unwrap_or_default();
    // Glyphs of a font that draws itself have their own measure.
    let own = dict.get::<Array<'_>>("FontMatrix").and_then(|matrix| matrix.iter::<f64>().next());
    let measure = own.unwrap_or(0.001);
    let Some(widths) = dict.get::<Array<'_>>("Widths") else { return BTreeMap::new() };
    let widths = widths.iter::<f64>().take(256).map(|width| width * measure);
    (first..=u32::MAX).zip(widths).collect()
}

/// `[first [width width] first last width]`.
fn glyph_widths(dict: &Dict<'_>) -> BTreeMap<u32, f64> {
    let mut widths = BTreeMap::new();
    let Some(array) = dict.get::<Array<'_>>("W") else { return widths };
    let mut items = array.iter::<Object<'_>>();
    while let Some(first) = items.next().and_then(number) {
        match items.next() {
            Some(Object::Array(list)) => {
                for (code, width) in (first..=u32::MAX).zip(list.iter::<f64>()).take(WIDTHS_MAX) {
                    widths.insert(code, width / 1000.0);
                }
            }
            Some(last) => {
                let last = number(last);
                let width = items.next().and_then(|width| width.into_number());
                let Some((last, width)) = last.zip(width) else { break };
                for code in (first..=last).take(WIDTHS_MAX) {
                    widths.insert(code, width.as_f64() / 1000.0);
                }
            }
            None => break,
        }
        if widths.len() > WIDTHS_MAX {
            break;
        }
    }
    widths
}

fn number(object: Object<'_>) -> Option<u32> {
    u32::try_from(object.into_number()?.as_i64()).ok()
}
