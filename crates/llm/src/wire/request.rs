//! The input from which every wire format builds its request.

use crate::{catalogue::Thinking, picture::Picture, wire::form::Form};
use serde_json::{Value, value::RawValue};
use std::collections::BTreeMap;
use wiiiv_context::AnswerShape;
use wiiiv_net::Url;

pub(super) type Fields = BTreeMap<&'static str, Box<RawValue>>;

/// What is asked, before it is put into words of a provider.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelRequest<'a> {
    pub(crate) model: &'a str,
    pub(crate) system: &'a str,
    pub(crate) user: &'a str,
    pub(crate) answer: &'static AnswerShape,
    /// Shown behind the words.
    pub(crate) picture: Option<&'a Picture>,
    pub(crate) max_output_tokens: u64,
    pub(crate) form: Form,
    /// The model takes a temperature; some refuse a request that holds one.
    pub(crate) tempered: bool,
    /// How far it may think before it answers; `None` where nothing is known of that.
    pub(crate) thinking: Option<Thinking>,
}

pub(super) fn raw(value: &Value) -> Result<Box<RawValue>, serde_json::Error> {
    serde_json::value::to_raw_value(value)
}

/// INVARIANT: nothing of the base is lost: its path stays before this one, its query behind it.
pub(super) fn under(base: &Url, path: &str) -> Option<Url> {
    let mut url = base.clone();
    let joined = format!("{}/{path}", base.path().trim_end_matches('/'));
    url.path_segments_mut().ok()?;
    url.set_path(&joined);
    Some(url)
}
