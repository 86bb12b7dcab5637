//! A rule file that is not used.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    #[error("not a rule file: {0}")]
    Document(String),
    #[error("rule file version `{0}` is not `1`")]
    Version(u32),
    #[error("rule code `{0}` is not 1 to 64 of `A-Z 0-9 _`")]
    Code(String),
    #[error("rule code `{0}` is there twice")]
    Twice(String),
    #[error("rule `{0}` has no condition: name one in `when.all` or `when.any`")]
    Always(String),
    #[error("rule `{0}` votes APPROVE: a rule can only raise a concern")]
    Approves(String),
    #[error("`{0}` must be greater than 0")]
    Zero(&'static str),
    #[error("`session.hold_from` must not be below `session.risky_from`")]
    Thresholds,
}

/// Codes stand in the audit.
pub(super) fn check_codes<'a>(codes: impl Iterator<Item = &'a str>) -> Result<(), RulesError> {
    let mut seen = std::collections::BTreeSet::new();
    for code in codes {
        let shown = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
        if !(1..=64).contains(&code.len()) || !code.bytes().all(shown) {
            return Err(RulesError::Code(code.to_owned()));
        }
        if !seen.insert(code) {
            return Err(RulesError::Twice(code.to_owned()));
        }
    }
    Ok(())
}
