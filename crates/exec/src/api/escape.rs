//! Decodes escapes in a text, and gives the position of each decoded part.

use std::ops::Range;

/// The longest name of a sign in markup, in bytes: `&#x10FFFF;`.
const NAME_BYTES_MAX: usize = 10;

/// How signs are spelled otherwise than by themselves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Escapes {
    Json,
    /// In URLs and forms.
    Percent,
    /// In HTML and XML.
    Markup,
}

impl Escapes {
    pub(super) const ALL: [Self; 3] = [Self::Json, Self::Percent, Self::Markup];

    const fn mark(self) -> u8 {
        match self {
            Self::Json => b'\\',
            Self::Percent => b'%',
            Self::Markup => b'&',
        }
    }

    /// Of what stands behind the mark.
    fn sign(self, behind: &[u8]) -> Option<Sign> {
        match self {
            Self::Json => in_json(behind),
            Self::Percent => in_percent(behind),
            Self::Markup => in_markup(behind),
        }
    }
}

struct Sign {
    bytes: [u8; 4],
    width: usize,
    /// Behind the mark, in bytes.
    spelling: usize,
}

impl Sign {
    fn of(sign: char, spelling: usize) -> Self {
        let mut bytes = [0; 4];
        let width = sign.encode_utf8(&mut bytes).len();
        Self { bytes, width, spelling }
    }
}

fn in_json(behind: &[u8]) -> Option<Sign> {
    let sign = match behind.first()? {
        b'u' => return in_units(behind),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        plain @ (b'"' | b'\\' | b'/') => char::from(*plain),
        _ => return None,
    };
    Some(Sign::of(sign, 1))
}

/// `u0041`, or the two halves of a sign beyond that plane.
fn in_units(behind: &[u8]) -> Option<Sign> {
    let unit = |at: usize| u16::try_from(hexadecimal(behind.get(at..at + 4)?)?).ok();
    let first = unit(1)?;
    if let Some(sign) = char::from_u32(u32::from(first)) {
        return Some(Sign::of(sign, 5));
    }
    let second = unit(7).filter(|_| behind.get(5..7) == Some(b"\\u"))?;
    let sign = char::decode_utf16([first, second]).next()?.ok()?;
    Some(Sign::of(sign, 11))
}

fn in_percent(behind: &[u8]) -> Option<Sign> {
    let byte = u8::try_from(hexadecimal(behind.get(..2)?)?).ok()?;
    Some(Sign { bytes: [byte, 0, 0, 0], width: 1, spelling: 2 })
}

fn in_markup(behind: &[u8]) -> Option<Sign> {
    let end = behind.iter().take(NAME_BYTES_MAX).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(behind.get(..end)?).ok()?;
    let sign = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => hexadecimal(digits.as_bytes())?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some(Sign::of(sign, end + 1))
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let plain = digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| plain)?, 16).ok()
}

pub(super) struct View {
    pub(super) text: Vec<u8>,
    /// Where a sign stands here, and where its spelling stands there.
    signs: Vec<(Range<usize>, Range<usize>)>,
}

impl View {
    /// `None`: it holds no such escape.
    pub(super) fn of(source: &[u8], escapes: Escapes) -> Option<Self> {
        let mut view = Self { text: Vec::new(), signs: Vec::new() };
        let (mut at, mut taken) = (0, 0);
        while let Some(next) = source.get(at..)?.iter().position(|byte| *byte == escapes.mark()) {
            let mark = at + next;
            at = mark + 1;
            let Some(Sign { bytes, width, spelling }) = escapes.sign(source.get(at..)?) else {
                continue;
            };
            at += spelling;
            view.text.extend_from_slice(source.get(taken..mark)?);
            let own = view.text.len();
            view.text.extend_from_slice(bytes.get(..width)?);
            view.signs.push((own..own + width, mark..at));
            taken = at;
        }
        view.text.extend_from_slice(source.get(taken..)?);
        (!view.signs.is_empty()).then_some(view)
    }

    /// Where in the source that stands which is found here; no spelling is cut.
    pub(super) fn back(&self, found: &Range<usize>) -> Range<usize> {
        let last = found.end.saturating_sub(1).max(found.start);
        self.source_of(found.start).start..self.source_of(last).end
    }

    fn source_of(&self, at: usize) -> Range<usize> {
        let behind = self.signs.partition_point(|(own, _)| own.start <= at);
        let before = behind.checked_sub(1).and_then(|before| self.signs.get(before));
        let Some((own, spelling)) = before else { return at..at + 1 };
        if own.contains(&at) {
            return spelling.clone();
        }
        let source = spelling.end + (at - own.end);
        source..source + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(source: &str, escapes: Escapes) -> Option<String> {
        View::of(source.as_bytes(), escapes).map(|view| String::from_utf8(view.text).expect("text"))
    }

    #[test]
    fn each_kind_says_what_it_spells() {
        for (escapes, source, text) in [
            (Escapes::Json, r#"a\u002Bb\/c\\u002b\"\ud83d\ude00\n"#, "a+b/c\\u002b\"😀\n"),
            (Escapes::Json, r"\x \ud83d \u00 \/", r"\x \ud83d \u00 /"),
            (Escapes::Percent, "a%2bb%EB%B9%84 100% %zz", "a+b비 100% %zz"),
            (Escapes::Markup, "a&#43;b&#x2B;&amp;amp; & &x;", "a+b+&amp; & &x;"),
        ] {
            assert_eq!(seen(source, escapes).as_deref(), Some(text), "{source}");
        }
        for escapes in Escapes::ALL {
            assert_eq!(seen("100 % & \\ plain", escapes), None);
        }
    }

    #[test]
    fn what_is_found_stands_where_its_spelling_does() {
        let source = r#"{"a":"x\u002By\ud83d\ude00z"}"#;
        let view = View::of(source.as_bytes(), Escapes::Json).expect("escapes");
        let text = String::from_utf8(view.text.clone()).expect("text");
        for (part, spelling) in [
            ("+", r"\u002B"),
            ("x+y", r"x\u002By"),
            ("y😀", r"y\ud83d\ude00"),
            ("z\"", "z\""),
            ("a", "a"),
        ] {
            let at = text.find(part).expect("the part");
            let back = view.back(&(at..at + part.len()));
            assert_eq!(source.get(back), Some(spelling), "{part}");
        }
    }
}
