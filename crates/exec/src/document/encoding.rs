//! Decodes text: UTF-8, UTF-16, and what older Korean and western programs wrote.

use super::refused::DocumentRefused;
use encoding_rs::{EUC_KR, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Looked at to tell UTF-16 without a mark from bytes that are no text.
const SAMPLE_BYTES: usize = 4096;
/// Of a hundred characters beyond ASCII, those that an older file may have damaged: a cut is one.
const DAMAGED_PERCENT_MAX: usize = 1;
/// Both bytes of what EUC-KR has.
const COMMON_FROM: u8 = 0xa1;
/// One letter in so many may be beyond ASCII in a text of western Europe.
const WESTERN_SHARE: usize = 6;

/// The text of bytes whose encoding nobody says.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, DocumentRefused> {
    let (text, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, bytes.get(mark..).unwrap_or_default()),
        None => match without_mark(bytes) {
            Some(encoding) => (encoding, bytes),
            None => return older(bytes),
        },
    };
    let (text, damaged) = text.decode_without_bom_handling(rest);
    if damaged && !is_nearly_whole(&text) {
        return Err(DocumentRefused::UnknownEncoding);
    }
    readable(text.into_owned())
}

/// A file that was cut within its last character is; one that says UTF-16 and is something else is not.
fn is_nearly_whole(text: &str) -> bool {
    let beyond = text.chars().filter(|c| !c.is_ascii()).count();
    let damaged = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    damaged <= 1 + beyond * DAMAGED_PERCENT_MAX / 100
}

/// The text in an encoding that the file itself declares, if it is one.
pub(super) fn declared(bytes: &[u8], label: &str) -> Option<String> {
    let encoding = Encoding::for_label(label.trim().as_bytes())?;
    // A page of old tools says UTF-8 or nothing, and is something else.
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    (!damaged).then(|| text.into_owned())
}

fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = sixteen(bytes) {
        return Some(encoding);
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Some(UTF_8),
        // Cut within its last character.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => Some(UTF_8),
        Err(_) => None,
    }
}

/// UTF-16 of any text has ends of lines or blanks, whose one byte is zero, on one side alone.
fn sixteen(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..SAMPLE_BYTES.min(bytes.len())).unwrap_or_default();
    let pairs = sample.chunks_exact(2).count();
    let zeros =
        |side: usize| sample.chunks_exact(2).filter(|pair| pair.get(side) == Some(&0)).count();
    let (high, low) = (zeros(0), zeros(1));
    let some = |count: usize| count > 0 && count * 50 >= pairs;
    match (some(high), some(low)) {
        (true, false) if low == 0 => Some(UTF_16BE),
        (false, true) if high == 0 => Some(UTF_16LE),
        (true, _) | (false, _) => None,
    }
}

/// EUC-KR and CP949 are one encoding here, as browsers have it; else that of western Europe.
fn older(bytes: &[u8]) -> Result<String, DocumentRefused> {
    let (korean, _) = EUC_KR.decode_without_bom_handling(bytes);
    if is_korean(&korean) && is_common(bytes) {
        return readable(korean.into_owned());
    }
    if is_western(bytes) {
        let (western, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        return readable(western.into_owned());
    }
    Err(DocumentRefused::UnknownEncoding)
}

fn is_korean(text: &str) -> bool {
    let (mut beyond, mut damaged, mut hangul) = (0_usize, 0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        beyond += 1;
        damaged += usize::from(c == char::REPLACEMENT_CHARACTER);
        hangul += usize::from(('\u{ac00}'..='\u{d7a3}').contains(&c) || is_han(c));
    }
    damaged <= 1 + beyond * DAMAGED_PERCENT_MAX / 100 && hangul * 2 >= beyond && hangul > damaged
}

/// Most syllables are those that EUC-KR has too: text in another encoding is full of the rare ones, which
/// CP949 has beside them.
fn is_common(bytes: &[u8]) -> bool {
    let (mut common, mut rare) = (0_usize, 0_usize);
    let mut bytes = bytes.iter();
    while let Some(lead) = bytes.next() {
        if !lead.is_ascii() {
            let trail = bytes.next().copied().unwrap_or_default();
            let both = *lead >= COMMON_FROM && trail >= COMMON_FROM;
            common += usize::from(both);
            rare += usize::from(!both);
        }
    }
    rare * 2 <= common + 1
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c) || ('\u{f900}'..='\u{faff}').contains(&c)
}

/// Accented letters stand between plain ones.
fn is_western(bytes: &[u8]) -> bool {
    let plain = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let unused = |byte: &u8| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
    beyond * WESTERN_SHARE <= plain && !bytes.iter().any(unused)
}

/// What holds zeros or many control characters is no text, in whatever encoding it was valid.
fn readable(text: String) -> Result<String, DocumentRefused> {
    let odd = |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{85}');
    let odd = text.chars().filter(odd).count();
    if text.contains('\0') || odd * 100 > text.chars().count() {
        return Err(DocumentRefused::UnknownEncoding);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::decoded;
    use crate::document::DocumentRefused;

    const KOREAN: &str = "\u{c11c}\u{c6b8}\u{c5d0}\u{c11c} \u{b611}\u{bc29}\u{ac01}\u{d558}\n";

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn encodings_of_old_korean_files_are_read() {
        // `\u{b611}` is in CP949 alone, and not in EUC-KR proper.
        let (cp949, _, damaged) = encoding_rs::EUC_KR.encode(KOREAN);
        assert!(!damaged);
        let marked = |mark: &[u8], text: Vec<u8>| [mark, &text].concat();
        let lines = format!("{KOREAN}line\r\n").repeat(20);
        for bytes in [
            KOREAN.as_bytes().to_vec(),
            marked(b"\xef\xbb\xbf", KOREAN.as_bytes().to_vec()),
            cp949.to_vec(),
            marked(b"\xff\xfe", utf16(KOREAN, false)),
            marked(b"\xfe\xff", utf16(KOREAN, true)),
        ] {
            assert_eq!(decoded(&bytes).as_deref(), Ok(KOREAN), "{bytes:x?}");
        }
        for big in [true, false] {
            assert_eq!(decoded(&utf16(&lines, big)).as_deref(), Ok(lines.as_str()), "{big}");
        }
        let cut = cp949.get(..cp949.len() - 2).expect("a cut");
        assert!(decoded(cut).is_ok_and(|text| text.starts_with('\u{c11c}')));
    }

    #[test]
    fn what_is_no_text_is_refused_and_western_letters_are_read() {
        let refused = Err(DocumentRefused::UnknownEncoding);
        let noise: Vec<u8> =
            (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let (japanese, _, _) = encoding_rs::SHIFT_JIS
            .encode("\u{3053}\u{308c}\u{306f}\u{65e5}\u{672c}\u{8a9e}\u{3067}\u{3059}");
        // It says UTF-16: a half of a pair, a character, and a half of a character.
        let broken = b"\xff\xfe\x00\xd8\x62\x61\x63";
        for bytes in [
            noise.as_slice(),
            b"\0\0\0\0",
            b"a\0\0b\x01\x02",
            &japanese,
            b"\xff\xff\xff",
            broken,
            b"\xef\xbb\xbfa\xff\xffb",
        ] {
            assert_eq!(decoded(bytes), refused, "{bytes:x?}");
        }
        // Cut within its last character.
        let cut = b"\xff\xfe\x1c\xc1\xb8";
        assert_eq!(decoded(cut).as_deref(), Ok("\u{c11c}\u{fffd}"));
        assert_eq!(
            decoded(b"un caf\xe9 cr\xe8me, s'il vous pla\xeet").as_deref(),
            Ok("un caf\u{e9} cr\u{e8}me, s'il vous pla\u{ee}t")
        );
        assert_eq!(decoded(b"plain").as_deref(), Ok("plain"));
    }
}
