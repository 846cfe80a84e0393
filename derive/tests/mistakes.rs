//! What is wrong in a struct that derives is explained at its field.

#[test]
fn mistakes_are_explained_at_the_field() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}
