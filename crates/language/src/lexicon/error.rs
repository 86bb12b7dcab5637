//! Why the files of `config/lexicons/` are refused.

/// Longest form that is looked for, in words.
pub(super) const FORM_WORDS_MAX: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LexiconError {
    #[error("`config/lexicons/{file}` is not as its README has it: {reason}")]
    Format { file: String, reason: String },
    #[error("a rule for `{task}` names `{sign}`: write a concept or an entity of the README")]
    UnknownSign { task: String, sign: String },
    #[error("the form `{form}` has more than `{FORM_WORDS_MAX}` words: shorten it")]
    LongForm { form: String },
    #[error("`{line}` is no inflection: write what the form ends in, `>` and what its lemma does")]
    Inflection { line: String },
}
