//! Why a rule file is refused.

/// Why a rule file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The text is not TOML of the expected form; holds the parser's message.
    #[error("not a rule file: {0}")]
    Document(String),
    /// The file has another version; holds it.
    #[error("rule file version `{0}` is not `1`")]
    Version(u32),
    /// A code has the wrong form; holds it.
    #[error("rule code `{0}` is not 1 to 64 of `A-Z 0-9 _`")]
    Code(String),
    /// Two rules share this code.
    #[error("rule code `{0}` is there twice")]
    Twice(String),
    /// The rule of this code would always match.
    #[error("rule `{0}` has no condition: name one in `when.all` or `when.any`")]
    Always(String),
    /// The rule of this code votes APPROVE.
    #[error("rule `{0}` votes APPROVE: a rule can only raise a concern")]
    Approves(String),
    /// This number is 0.
    #[error("`{0}` must be greater than 0")]
    Zero(&'static str),
    /// The two thresholds of a session are in the wrong order.
    #[error("`session.hold_from` must not be below `session.risky_from`")]
    Thresholds,
}

/// Checks codes, because the audit stores them.
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
