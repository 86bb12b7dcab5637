//! Removes our secrets from a service's answer before anything reads it.

use super::{
    escape::{Escapes, View},
    layout::Layout,
};
use aho_corasick::{AhoCorasick, MatchKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use std::{collections::BTreeSet, ops::Range};
use wiiiv_vault::{Credential, Encoding, SECRET_BYTES_MIN};
use zeroize::Zeroizing;

/// A user name is a word of everyday life more often than a secret is.
const NAME_BYTES_MIN: usize = 8;
/// Of what base64 makes of a secret at any place of a longer text, in bytes: the shortest secret
/// leaves as many.
const ENCODED_BYTES_MIN: usize = 4;
/// Of one whose digits are looked for through their layout: shorter ones stand there by chance.
const LAID_OUT_BYTES_MIN: usize = 8;
const INSTEAD: &[u8] = b"***";
/// Escapes within escapes that are looked behind: JSON in JSON, a URL in JSON.
const ESCAPES_DEEP: u8 = 2;
/// RFC 3986 unreserved characters stay.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Secrets that went out with a request.
#[derive(Default)]
pub(crate) struct Secrets(Vec<Zeroizing<String>>);

impl Secrets {
    pub(super) fn of(credential: Option<&Credential>) -> Self {
        let mut secrets = Self::default();
        let Some(credential) = credential else { return secrets };
        let name = credential.username().expose_secret();
        let secret = credential.secret().expose_secret();
        if name.len() >= NAME_BYTES_MIN {
            secrets.0.push(Zeroizing::new(name.to_owned()));
        }
        secrets.0.push(Zeroizing::new(secret.to_owned()));
        // As RFC 7617 sends them.
        secrets.0.push(Zeroizing::new(format!("{name}:{secret}")));
        secrets
    }
    pub(super) fn add(&mut self, token: &SecretString) {
        self.0.push(Zeroizing::new(token.expose_secret().to_owned()));
    }
    fn spellings(&self) -> BTreeSet<Vec<u8>> {
        let known = self.0.iter().filter(|secret| secret.len() >= SECRET_BYTES_MIN);
        known.flat_map(|secret| spellings(secret)).collect()
    }
    /// Those that are looked for through their layout.
    fn digits(&self) -> BTreeSet<Vec<u8>> {
        let known = self.0.iter().filter(|secret| secret.len() >= LAID_OUT_BYTES_MIN);
        let encoded = known.flat_map(|secret| wiiiv_vault::spellings(secret));
        let encoded = encoded.filter(|spelling| spelling.encoding != Encoding::Plain);
        encoded.map(|spelling| spelling.text.as_bytes().to_vec()).collect()
    }
    /// Whether a host spells one of them: letter case is lost there.
    pub(super) fn are_in_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let spelled = |spelling: &Vec<u8>| {
            std::str::from_utf8(spelling)
                .is_ok_and(|text| host.contains(&text.to_ascii_lowercase()))
        };
        self.spellings().iter().any(spelled)
    }
    /// The bytes without any spelling of a secret.
    pub(super) fn redact(&self, bytes: &[u8]) -> Vec<u8> {
        let spellings = self.spellings();
        if spellings.is_empty() {
            return bytes.to_vec();
        }
        // Without a way to look, nothing is handed on.
        let (Ok(exact), Ok(digits)) = (finder(&spellings), finder(&self.digits())) else {
            return Vec::new();
        };
        let mut found = Finders { exact, digits }.places(bytes, ESCAPES_DEEP);
        found.sort_unstable_by_key(|place| place.start);
        without(bytes, &found)
    }
}

fn finder(texts: &BTreeSet<Vec<u8>>) -> Result<AhoCorasick, aho_corasick::BuildError> {
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts)
}

struct Finders {
    /// Of every spelling as it stands.
    exact: AhoCorasick,
    /// Of encoded ones, whatever stands between their digits.
    digits: AhoCorasick,
}

impl Finders {
    /// Writers differ in what they escape beyond need: so each text is also read as its reader will.
    fn places(&self, text: &[u8], deep: u8) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> =
            self.exact.find_iter(text).map(|hit| hit.range()).collect();
        for layout in Layout::ALL {
            found.extend(layout.places(&self.digits, text));
        }
        let Some(deeper) = deep.checked_sub(1) else { return found };
        for view in Escapes::ALL.into_iter().filter_map(|escapes| View::of(text, escapes)) {
            let behind = self.places(&view.text, deeper);
            found.extend(behind.iter().map(|place| view.back(place)));
        }
        found
    }
}

/// `found` in the order of their beginnings; they may overlap.
fn without(bytes: &[u8], found: &[Range<usize>]) -> Vec<u8> {
    let (mut kept, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for place in found {
        if place.start >= at {
            kept.extend_from_slice(bytes.get(at..place.start).unwrap_or_default());
            kept.extend_from_slice(INSTEAD);
        }
        at = at.max(place.end);
    }
    kept.extend_from_slice(bytes.get(at..).unwrap_or_default());
    kept
}

/// As it is and backwards, in JSON, in a URL or form, in base64 at any place, in hexadecimal.
fn spellings(secret: &str) -> Vec<Vec<u8>> {
    let json = serde_json::to_string(secret).unwrap_or_default();
    let json = json.trim_start_matches('"').strip_suffix('"').unwrap_or_default();
    let percent =
        [RESERVED, NON_ALPHANUMERIC].map(|set| utf8_percent_encode(secret, set).to_string());
    let mut texts = vec![secret.to_owned(), json.to_owned(), json.replace('/', "\\/")];
    for upper in [false, true] {
        let ascii = in_units(json, upper, |c| !c.is_ascii());
        texts.extend([ascii.replace('/', "\\/"), ascii, in_units(secret, upper, |_| true)]);
    }
    texts.push(secret.chars().rev().collect());
    // Where every sign is escaped, needed or not.
    let all: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
    for encoded in percent.into_iter().chain([all]) {
        texts.extend([lower_escapes(&encoded), encoded.replace("%20", "+"), encoded]);
    }
    let mut found: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    found.retain(|text| text.len() >= SECRET_BYTES_MIN);
    let encoded = wiiiv_vault::spellings(secret).into_iter();
    let long = encoded.filter(|spelling| spelling.text.len() >= ENCODED_BYTES_MIN);
    found.extend(long.map(|spelling| spelling.text.as_bytes().to_vec()));
    found
}

/// UTF-16 units as JSON escapes them: some writers keep to ASCII, some escape everything.
fn in_units(json: &str, upper: bool, escaped: impl Fn(char) -> bool) -> String {
    let mut text = String::new();
    for c in json.chars() {
        if !escaped(c) {
            text.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            text.push_str(&if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
        }
    }
    text
}

fn lower_escapes(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escape, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        text.push_str(&format!("%{}{rest}", escape.to_ascii_lowercase()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD},
    };

    fn secrets(name: &str, secret: &str) -> Secrets {
        Secrets::of(Some(&Credential::new(name.into(), secret.into()).expect("a credential")))
    }

    fn redacted(secrets: &Secrets, text: &str) -> String {
        String::from_utf8(secrets.redact(text.as_bytes())).expect("UTF-8")
    }

    #[test]
    fn every_spelling_is_found() {
        let secret = "gehe/im \"1+2\" 비밀";
        let secrets = secrets("canary-user", secret);
        let json = serde_json::to_string(secret).expect("JSON");
        let ascii = "gehe\\/im \\\"1+2\\\" \\ube44\\ubc00";
        let percent = "gehe%2Fim%20%221%2B2%22%20%EB%B9%84%EB%B0%80";
        for text in [
            secret.to_owned(),
            json[1..json.len() - 1].to_owned(),
            ascii.to_owned(),
            ascii.replace("\\ube44", "\\uBE44").replace("\\ubc00", "\\uBC00"),
            percent.to_owned(),
            percent.to_lowercase(),
            percent.replace("%20", "+"),
            hex::encode(secret),
            hex::encode_upper(secret),
            secret.chars().rev().collect(),
            secret.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            secret.bytes().map(|byte| format!("%{byte:02x}")).collect(),
            secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect(),
            "canary-user".to_owned(),
        ] {
            let found = redacted(&secrets, &format!("a{text}b"));
            assert_eq!(found, "a***b", "{text}");
        }
    }

    #[test]
    fn digits_are_found_through_their_layout() {
        let secret = "canary-secret-77";
        let secrets = secrets("u", secret);
        let pairs = |between: &str| {
            let pairs: Vec<String> = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
            pairs.join(between)
        };
        let mixed: String = hex::encode(secret)
            .char_indices()
            .map(|(at, digit)| if at % 3 == 0 { digit.to_ascii_uppercase() } else { digit })
            .collect();
        let wrapped = |line: usize, end: &str| {
            let encoded = STANDARD.encode(format!("x{secret}y"));
            let lines: Vec<&str> = encoded
                .as_bytes()
                .chunks(line)
                .map(|line| std::str::from_utf8(line).expect("ASCII"))
                .collect();
            lines.join(end)
        };
        for text in [
            mixed,
            pairs(" "),
            pairs(":"),
            pairs("\n"),
            pairs("\\x"),
            pairs(", 0x"),
            pairs("-").to_uppercase(),
            wrapped(5, "\n"),
            wrapped(7, "\r\n"),
        ] {
            let found = redacted(&secrets, &format!("is [{text}] so"));
            assert!(found.contains("***"), "{text}");
            let left: usize = found.bytes().filter(u8::is_ascii_hexdigit).count();
            assert!(left <= 8, "{text}: {found}");
            let json = serde_json::json!({ "a": text }).to_string();
            assert!(redacted(&secrets, &json).contains("***"), "{json}");
        }
        for other in ["63 61 6e 61 72 79", "canary secret 77", "a: 1, b: 2"] {
            assert_eq!(redacted(&secrets, other), other);
        }
    }

    #[test]
    fn the_shortest_secret_is_found_in_base64_as_well() {
        let secrets = secrets("", "q7~z");
        for before in ["", "x", "xx", "xxx"] {
            let encoded = STANDARD_NO_PAD.encode(format!("{before}q7~zyy"));
            assert!(redacted(&secrets, &encoded).contains("***"), "{encoded}");
        }
    }

    #[test]
    fn base64_is_found_at_any_place_of_a_longer_text() {
        let (name, secret) = ("u", "canary-secret-77");
        let secrets = secrets(name, secret);
        for before in ["", "x", "xx", "xxx", "user:"] {
            for behind in ["", "y", "yy", "\u{ff}\u{ff}"] {
                let text = format!("{before}{secret}{behind}");
                for encoded in [
                    STANDARD_NO_PAD.encode(&text),
                    URL_SAFE_NO_PAD.encode(&text),
                    STANDARD.encode(&text),
                ] {
                    let found = redacted(&secrets, &encoded);
                    assert!(found.contains("***"), "{text}: {found}");
                    let left = found.replace("***", "");
                    assert!(left.len() + 16 <= encoded.len(), "{text}: {found}");
                }
            }
        }
    }

    #[test]
    fn what_a_reader_decodes_is_found_however_its_writer_escapes() {
        let secret = "ab+cd&ef'12";
        let secrets = secrets("u", secret);
        for text in [
            // .NET escapes one set of signs, Go another, and some of them none.
            r"ab\u002Bcd\u0026ef\u002712",
            r"ab+cd\u0026ef'12",
            r"ab\u002bcd&ef'12",
            r"ab+cd\\u0026ef'12",
            "ab+cd%26ef'12",
            "ab%2Bcd&ef%2712",
            "ab+cd&amp;ef&#39;12",
            r"ab%2Bcd\u0026ef'12",
        ] {
            let body = format!(r#"{{"n":1.50,"\u0061":"\u003c{text}\u003e"}}"#);
            let kept = redacted(&secrets, &body);
            assert_eq!(kept, r#"{"n":1.50,"\u0061":"\u003c***\u003e"}"#, "{text}");
        }
        let basic = redacted(&secrets, r#"{"is":"u:ab\u002Bcd&ef'12","was":"ab+cd\u0026ef'12"}"#);
        assert_eq!(basic, r#"{"is":"***","was":"***"}"#);
        let other = r#"{"is":"ab\u002Bcd\u0026ef'13"}"#;
        assert_eq!(redacted(&secrets, other), other);
    }

    #[test]
    fn a_secret_that_looks_like_an_escape_is_found() {
        for secret in [r"k%41\u0041&amp;z", r"\u0026\u0026"] {
            let secrets = secrets("u", secret);
            let json = serde_json::json!({ "a": secret }).to_string();
            assert_eq!(redacted(&secrets, &json), r#"{"a":"***"}"#);
            assert_eq!(redacted(&secrets, secret), "***");
        }
    }

    #[test]
    fn a_host_that_spells_a_secret_is_known_without_its_letter_case() {
        let secrets = secrets("u", "Canary-Secret-77");
        for host in
            ["https://canary-secret-77.test", "https://x.43616e6172792d5365637265742d3737.y"]
        {
            assert!(secrets.are_in_host(host), "{host}");
        }
        let base64 = STANDARD_NO_PAD.encode("Canary-Secret-77").to_lowercase();
        assert!(secrets.are_in_host(&format!("https://{base64}.test")));
        assert!(!secrets.are_in_host("https://other.test"));
        assert!(!Secrets::default().are_in_host("https://other.test"));
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is() {
        let short = secrets("admin", "abcd");
        let text = "{\"name\":\"admin\",\"abc\":1}";
        assert_eq!(redacted(&short, text), text);
        let none = Secrets::of(None);
        assert_eq!(none.redact(&[0xff, 0]), [0xff, 0]);
        let mut with_token = Secrets::of(None);
        with_token.add(&"token-1".into());
        assert_eq!(redacted(&with_token, "a token-1, token-2"), "a ***, token-2");
    }
}
