//! Why a file cannot be read or written, in the reader's language: the system speaks English alone.

use crate::texts::named;
use std::{collections::BTreeMap, io::ErrorKind};

/// By the texts of [`crate::texts::FailureTexts`]. Of another kind what the system says.
pub fn io_reason(texts: &BTreeMap<String, String>, kind: ErrorKind, said: &str) -> String {
    let name = match kind {
        ErrorKind::NotFound => "absent",
        ErrorKind::PermissionDenied => "not_allowed",
        ErrorKind::IsADirectory => "is_folder",
        ErrorKind::NotADirectory => "no_folder",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "no_space",
        _ => return said.to_owned(),
    };
    named(texts, name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{ErrorKind, io_reason};
    use crate::texts::Texts;
    use std::io;
    use wiiiv_domain::Lang;

    #[test]
    fn what_people_meet_is_said_in_their_language() {
        for (language, absent, not_allowed) in [
            (Lang::Ko, "그런 파일이나 폴더가 없습니다", "권한이 없습니다"),
            (Lang::En, "there is no such file or folder", "you are not allowed to"),
        ] {
            let texts = Texts::of(language).unwrap().failure.io;
            let of = |kind: ErrorKind| io_reason(&texts, kind, &io::Error::from(kind).to_string());
            assert_eq!(of(ErrorKind::NotFound), absent);
            assert_eq!(of(ErrorKind::PermissionDenied), not_allowed);
            for kind in [ErrorKind::IsADirectory, ErrorKind::NotADirectory, ErrorKind::StorageFull]
            {
                assert!(of(kind).contains(' '), "{language}: {kind:?}");
            }
            assert_eq!(of(ErrorKind::BrokenPipe), "broken pipe");
        }
    }
}
