//! Which requests may carry a system's credential: those to its registered operations, or all below
//! its base address if the registration says so.

use super::{Operation, ParameterPlace, System};
use crate::http_method::HttpMethod;

/// A proxy may decode a path once, and the service behind it again. A path that is still encoded
/// after this many rounds is refused.
const DECODED_ROUNDS_MAX: usize = 8;

/// A request, as in its plan or its URL.
#[derive(Debug, Clone, Copy)]
pub struct RequestTarget<'a> {
    /// Its method.
    pub method: HttpMethod,
    /// The whole path's segments, each decoded once; the root has none. `None` for a bound one.
    pub segments: &'a [Option<&'a str>],
    /// Names in the query, decoded.
    pub query: &'a [&'a str],
}

impl System {
    /// Whether a request to this system carries a credential or a token.
    #[must_use]
    pub const fn sends_credential(&self) -> bool {
        self.authentication.needs_credential()
    }

    /// Whether the system's credential may go along with this request.
    #[must_use]
    pub fn lets_credential_go(&self, target: &RequestTarget<'_>) -> bool {
        if self.any_path {
            self.holds_below_base(target)
        } else {
            self.operation_at(target).is_some()
        }
    }

    /// The registered operation that fits this request by method, path template and names of the
    /// query.
    // INVARIANT: a value for a parameter stays one segment, however often a service decodes it.
    #[must_use]
    pub fn operation_at(&self, target: &RequestTarget<'_>) -> Option<&Operation> {
        let own = self.below_base(target.segments)?;
        let fits = |operation: &&Operation| {
            operation.method == target.method
                && operation.has_path(own)
                && target.query.iter().all(|name| operation.takes_query(name))
        };
        self.operations.iter().find(fits)
    }

    fn below_base<'s, 't>(&self, segments: &'s [Option<&'t str>]) -> Option<&'s [Option<&'t str>]> {
        let (base, own) = segments.split_at_checked(self.base_url.segments.len())?;
        let same = |(known, base): (&Option<&str>, &String)| *known == Some(base.as_str());
        base.iter().zip(&self.base_url.segments).all(same).then_some(own)
    }

    fn holds_below_base(&self, target: &RequestTarget<'_>) -> bool {
        let climbs = |text: &[u8]| text.split(|byte| is_separator(*byte)).any(is_dots);
        let stays = |segment: &Option<&str>| {
            segment.is_none_or(|text| in_every_round(text, |text| !climbs(text)))
        };
        self.below_base(target.segments).is_some_and(|own| own.iter().all(stays))
    }
}

impl Operation {
    fn has_path(&self, segments: &[Option<&str>]) -> bool {
        let own: Vec<&str> = match self.path.strip_prefix('/').unwrap_or(&self.path) {
            "" => Vec::new(),
            path => path.split('/').collect(),
        };
        let fits = |(own, segment): (&&str, &Option<&str>)| match (is_parameter(own), segment) {
            (true, None) => true,
            (true, Some(value)) => in_every_round(value, is_one_segment),
            (false, segment) => *segment == Some(*own),
        };
        own.len() == segments.len() && own.iter().zip(segments).all(fits)
    }

    fn takes_query(&self, name: &str) -> bool {
        let is_it = |p: &super::Parameter| p.place == ParameterPlace::Query && p.name == name;
        self.parameters.iter().any(is_it)
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.len() > 2 && segment.starts_with('{') && segment.ends_with('}')
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Some servers cut a segment at `;` before they look for `.` and `..`.
fn is_dots(segment: &[u8]) -> bool {
    matches!(before_semicolon(segment), b"." | b"..")
}

fn before_semicolon(segment: &[u8]) -> &[u8] {
    segment.split(|byte| *byte == b';').next().unwrap_or_default()
}

fn is_one_segment(text: &[u8]) -> bool {
    !before_semicolon(text).is_empty()
        && !is_dots(text)
        && !text.iter().any(|byte| is_separator(*byte) || byte.is_ascii_control())
        && std::str::from_utf8(text).is_ok()
}

/// Whether it holds for the text and for each of its repeated decodings.
fn in_every_round(text: &str, holds: impl Fn(&[u8]) -> bool) -> bool {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..DECODED_ROUNDS_MAX {
        if !holds(&text) {
            return false;
        }
        let decoded = decoded(&text);
        if decoded == text {
            return true;
        }
        text = decoded;
    }
    false
}

fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut found, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((first, behind)) = rest.split_first() {
        let byte = (*first == b'%').then(|| hexadecimal(behind.get(..2)?)).flatten();
        found.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    found
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let plain = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| plain)?;
    u8::from_str_radix(digits, 16).ok()
}
