//! What every command works with.

use crate::output::Output;
use crate::texts::Texts;
use wiiiv_domain::Lang;

pub struct Context {
    pub output: Output,
    pub texts: Texts,
    pub language: Lang,
    /// `--language`: what nobody need be asked for.
    pub asked_language: Option<Lang>,
    /// `--server`.
    pub server: Option<String>,
}
