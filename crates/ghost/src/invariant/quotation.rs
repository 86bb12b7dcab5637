//! Quotation marks and the texts between them.

/// The mark that closes a quotation which begins with `open`.
pub(super) const fn closing(open: char) -> Option<char> {
    match open {
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '"' | '`' => Some(open),
        _ => None,
    }
}

pub(super) fn quotations(text: &str) -> Vec<&str> {
    let (mut found, mut closed_at) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        let Some(close) = closing(c).filter(|_| closed_at != Some(at)) else { continue };
        let behind = at + c.len_utf8();
        if let Some((inside, _)) = text.get(behind..).and_then(|rest| rest.split_once(close)) {
            found.push(inside);
            closed_at = Some(behind + inside.len());
        }
    }
    found
}
