//! Finds the operation that a word names: by id, label, or `METHOD /path?query` under the base
//! address.

use super::url;
use ::url::Url;
use wiiiv_domain::{HttpMethod, Operation, Parameter, RequestTarget, System};

/// One operation, its arguments not yet filled in.
pub(crate) struct Route<'a> {
    pub(super) method: HttpMethod,
    /// Decoded; `{name}` stands for an argument.
    pub(super) segments: Vec<String>,
    pub(super) query: Vec<(String, String)>,
    /// Path parameters that the word itself gives: `7` of `GET /products/7`.
    pub(super) written: Vec<(String, String)>,
    /// `None`: it is not registered, and takes whatever arguments are given.
    pub(super) parameters: Option<&'a [Parameter]>,
    /// `None`: it is not registered.
    pub(crate) operation: Option<&'a Operation>,
}

impl<'a> Route<'a> {
    pub(crate) fn of(system: &'a System, word: &str) -> Option<Self> {
        let word = word.trim();
        if let Some(operation) = system.operation(word) {
            return Some(Self::registered(system, operation));
        }
        let (method, path) = word.split_once(char::is_whitespace)?;
        let (method, path) = (HttpMethod::parse(method)?, path.trim());
        let known = |o: &&Operation| o.method == method && o.path == path;
        if let Some(operation) = system.operations.iter().find(known) {
            return Some(Self::registered(system, operation));
        }
        // Only the path and the query of it are taken.
        let place = Url::parse(&format!("http://place{}", path.strip_prefix('/').map(|_| path)?));
        let (segments, query) = url::parts(&place.ok()?).ok()?;
        let segments = system.base_url.segments.iter().cloned().chain(segments).collect();
        Some(Self::written_out(system, method, segments, query))
    }

    /// A path with its values is the operation whose path it fills in, if it is any.
    fn written_out(
        system: &'a System,
        method: HttpMethod,
        segments: Vec<String>,
        query: Vec<(String, String)>,
    ) -> Self {
        let known: Vec<_> = segments.iter().map(|segment| Some(segment.as_str())).collect();
        let names: Vec<_> = query.iter().map(|(name, _)| name.as_str()).collect();
        let target = RequestTarget { method, segments: &known, query: &names };
        let operation = system.operation_at(&target);
        let filled_in = |operation: &Operation| {
            let own = segments.iter().skip(system.base_url.segments.len());
            let template = operation.path.split('/').skip(1);
            let values = template.zip(own).filter(|(_, value)| parameter(value).is_none());
            let named = values.filter_map(|(name, value)| Some((parameter(name)?, value)));
            named.map(|(name, value)| (name.to_owned(), value.clone())).collect()
        };
        let written = operation.map(filled_in).unwrap_or_default();
        let parameters = operation.map(|operation| operation.parameters.as_slice());
        Self { method, segments, query, written, parameters, operation }
    }

    fn registered(system: &'a System, operation: &'a Operation) -> Self {
        let own = operation.path.trim_start_matches('/').split('/').map(str::to_owned);
        let own: Vec<String> = own.collect();
        let own = if own == [""] { Vec::new() } else { own };
        Self {
            method: operation.method,
            segments: system.base_url.segments.iter().cloned().chain(own).collect(),
            query: Vec::new(),
            written: Vec::new(),
            parameters: Some(&operation.parameters),
            operation: Some(operation),
        }
    }

    /// What the word itself gives for a parameter, in its path or its query.
    pub(crate) fn written(&self, name: &str) -> Option<&str> {
        let mut all = self.written.iter().chain(&self.query);
        all.find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// As a policy's label sees it, before the arguments are known.
    pub(super) fn written_segments(&self) -> Vec<Option<&str>> {
        let written = |s| if parameter(s).is_some() { None } else { Some(s) };
        self.segments.iter().map(|segment| written(segment.as_str())).collect()
    }
}

/// The name in `{name}`.
pub(super) fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}').filter(|name| !name.is_empty())
}
