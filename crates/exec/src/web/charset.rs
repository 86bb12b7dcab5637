//! Decodes a page's bytes by the byte order mark, else the header, else a `meta` element.

use encoding_rs::{Encoding, UTF_8};

/// Where a page says which encoding it is in, in bytes (the HTML standard's own bound).
const DECLARED_BYTES_MAX: usize = 1024;
const LABEL: &str = "charset=";

/// Control characters but ends of lines and tabs are blanks here: no reader shows them, and in JSON
/// one of them takes six bytes.
pub(super) fn decoded(content_type: &str, body: &[u8]) -> String {
    let head = body.get(..DECLARED_BYTES_MAX.min(body.len())).unwrap_or_default();
    let declared = || label(&String::from_utf8_lossy(head).to_lowercase());
    let encoding = Encoding::for_bom(body).map(|(encoding, _)| encoding);
    let encoding = encoding.or_else(|| label(content_type)).or_else(declared).unwrap_or(UTF_8);
    let (text, _, _) = encoding.decode(body);
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let shown = |c: char| if is_odd(c) { ' ' } else { c };
    text.chars().map(shown).collect()
}

/// Of a text in lower case.
fn label(text: &str) -> Option<&'static Encoding> {
    let (_, rest) = text.split_once(LABEL)?;
    let rest = rest.trim_start_matches(['"', '\'', ' ']);
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    Encoding::for_label(rest.split(ends).next()?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn header_mark_and_meta_are_believed_in_their_order() {
        let korean = b"\xb0\xa1\xb3\xaa";
        assert_eq!(decoded("text/html; charset=euc-kr", korean), "가나");
        let meta = [b"<meta charset=\"EUC-KR\">".as_slice(), korean].concat();
        assert!(decoded("text/html", &meta).ends_with("가나"));
        assert_eq!(decoded("text/html; charset=euc-kr", "\u{feff}가".as_bytes()), "가");
        assert_eq!(decoded("text/html", "가\u{1}나\n".as_bytes()), "가 나\n");
        assert_eq!(decoded("text/html", "\t\u{b}\u{c}\u{85}\r\n".as_bytes()), "\t   \r\n");
        assert_eq!(decoded("text/html; charset=nonsense", "가".as_bytes()), "가");
    }
}
