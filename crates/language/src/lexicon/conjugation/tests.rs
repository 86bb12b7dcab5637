use super::bases;

#[track_caller]
fn check(verb: &str, expected: &[&str]) {
    let bases = bases(verb).unwrap();
    for form in expected {
        assert!(bases.iter().any(|base| base == form), "{verb}: no {form} in {bases:?}");
    }
}

#[test]
fn verbs_by_rule() {
    check("지우다", &["지우", "지워", "지운", "지울", "지웁", "지웠"]);
    check("보내다", &["보내", "보낸", "보냈"]);
    check("쓰다", &["쓰", "써", "썼", "쓴"]);
    check("모으다", &["모아", "모았"]);
    check("고르다", &["고르", "골라", "골랐", "고른"]);
    check("남기다", &["남겨", "남긴", "남겼"]);
    check("가져오다", &["가져와", "가져온", "가져왔"]);
    check("만들다", &["만들", "만드", "만든", "만듭"]);
    check("저장하다", &["저장하", "저장해", "저장할", "저장했", "저장하여"]);
    check("읽다", &["읽"]);
    assert!(super::bases("저장").is_none());
}

#[test]
fn verbs_as_they_are_asked_for() {
    for (verb, ending, said) in [
        ("저장하다", "어 주세요", "저장해 주세요"),
        ("저장하다", "ㅂ시다", "저장합시다"),
        ("저장하다", "+ 부탁해요", "저장 부탁해요"),
        ("보내다", "세요", "보내세요"),
        ("지우다", "어", "지워"),
        ("적다", "어 줘", "적어 줘"),
        ("적다", "세요", "적으세요"),
        ("적다", "자", "적자"),
        ("save", "it", "save it"),
    ] {
        assert_eq!(super::asked(verb, ending).as_deref(), Some(said));
    }
    assert_eq!(super::asked("하다", "+"), None);
    assert_eq!(super::asked("적다", "+"), None);
}
