use super::distance;
use crate::hangul::jamo;

#[test]
fn slips_are_counted() {
    let between = |one: &str, other: &str| distance(&jamo(one), &jamo(other), 2);
    for (one, other, slips) in [
        ("skymall", "skymall", Some(0)),
        ("skymal", "skymall", Some(1)),
        ("skymlal", "skymall", Some(1)),
        ("prodcts", "products", Some(1)),
        ("prodkts", "products", Some(2)),
        ("시스텝", "시스템", Some(1)),
        ("카데고라", "카테고리", Some(2)),
        ("kymall", "skymall", None),
        ("sky", "skymall", None),
        ("", "skymall", None),
    ] {
        assert_eq!(between(one, other), slips, "{one}");
    }
}
