//! What does not build: the error code is the promise.

#[test]
fn there_is_no_execution_without_a_permit() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}
