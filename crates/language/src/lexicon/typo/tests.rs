use super::*;

#[test]
fn one_slip_and_no_more() {
    let mut typos = Typos::default();
    for form in ["delete", "write", "저장", "삭제", "워크플로"] {
        typos.add(form);
    }
    for (word, form) in [
        ("delte", "delete"),
        ("deelte", "delete"),
        ("dellete", "delete"),
        ("wrige", "write"),
        ("저잗", "저장"),
        ("삭재", "삭제"),
        ("워크플루", "워크플로"),
    ] {
        assert_eq!(typos.meant(word), Some(form), "{word}");
    }
    for word in ["elete", "dlte", "rite", "저기", "삭감", "a", ""] {
        assert_eq!(typos.meant(word), None, "{word}");
    }
}
