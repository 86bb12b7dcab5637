/// Memory, history or a message as a rule, and a raw string as a prompt.
#[test]
fn no_text_becomes_a_rule() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile-fail/*.rs");
}
