//! Thirteen things that do not build, each with its error.

#[test]
fn no_way_round_the_commit_builds() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile-fail/*.rs");
}
