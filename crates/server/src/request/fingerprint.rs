//! A hash that distinguishes requests with one `Idempotency-Key`. It leaves out secrets: another
//! password makes no other request.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use wiiiv_domain::sorted;

/// Fields of a body that hold a secret, by their names at its top. No other field is called so, which
/// a test of the API description sees to.
pub(crate) const SECRET_FIELDS: [&str; 6] = ["link", "new", "old", "password", "secret", "token"];

/// `target`: path and query. What is no JSON is refused by every handler that reads a body: its
/// length is enough to go by, and nothing of it is kept.
pub(crate) fn fingerprint(target: &str, body: &[u8]) -> Vec<u8> {
    let mut told = format!("POST {target}\0").into_bytes();
    match serde_json::from_slice::<Value>(body) {
        Ok(Value::Object(mut fields)) if has_secret(&fields) => {
            SECRET_FIELDS.iter().for_each(|name| drop(fields.remove(*name)));
            told.extend_from_slice(sorted(Value::Object(fields)).to_string().as_bytes());
        }
        Ok(_) => told.extend_from_slice(body),
        Err(_) => told.extend_from_slice(format!("{} bytes", body.len()).as_bytes()),
    }
    told
}

/// The same where the body is the bytes of a file: all of them count, and none has a meaning.
pub(crate) fn file_fingerprint(target: &str, body: &[u8]) -> Vec<u8> {
    let mut told = format!("POST {target}\0").into_bytes();
    told.extend_from_slice(&Sha256::digest(body));
    told
}

fn has_secret(fields: &Map<String, Value>) -> bool {
    SECRET_FIELDS.iter().any(|name| fields.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::{SECRET_FIELDS, file_fingerprint, fingerprint};
    use crate::app::openapi_json;
    use serde_json::Value;

    fn of(body: &str) -> String {
        String::from_utf8(fingerprint("/users?x=1", body.as_bytes())).expect("text")
    }

    #[test]
    fn a_secret_is_in_no_fingerprint() {
        let told = of(r#"{"password":"hunter2-hunter2","name":"lee","password":"again"}"#);
        assert_eq!(told, "POST /users?x=1\0{\"name\":\"lee\"}");
        assert_eq!(told, of(r#"{"name": "lee", "password": 7}"#));
        assert_ne!(told, of(r#"{"name":"kim","password":"hunter2-hunter2"}"#));
        let broken = of(r#"{"password":"hunter2-hunter2","#);
        assert!(!broken.contains("hunter2"), "{broken}");
    }

    #[test]
    fn two_requests_without_a_secret_differ_by_every_byte() {
        let long = |digit: u8| format!(r#"{{"n":1234567890123456789012345{digit}}}"#);
        assert_ne!(of(&long(1)), of(&long(2)), "no number is rounded");
        assert_ne!(of("{}"), of("{ }"));
        assert_ne!(of(""), of("{}"));
        assert_eq!(of(r#"{"text":"the password is x"}"#).matches("the password is x").count(), 1);
    }

    #[test]
    fn two_files_differ_by_every_byte_whatever_they_are() {
        let of = |body: &[u8]| file_fingerprint("/rag/global/ingest?name=a", body);
        assert_ne!(of(b"\xff1"), of(b"\xff2"));
        assert_ne!(of(br#"{"password":1}"#), of(br#"{"password":2}"#));
        assert_eq!(of(b"a"), of(b"a"));
    }

    /// Secrets are described as passwords.
    #[test]
    fn every_secret_of_a_body_is_known_by_its_name() {
        let document: Value = serde_json::from_str(openapi_json()).expect("json");
        let mut secrets = 0;
        for item in document["paths"].as_object().expect("paths").values() {
            let schema = &item["post"]["requestBody"]["content"]["application/json"]["schema"];
            let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next())
            else {
                continue;
            };
            let schema = &document["components"]["schemas"][name];
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_secret = property["format"] == "password";
                assert_eq!(is_secret, SECRET_FIELDS.contains(&field.as_str()), "{name}.{field}");
                secrets += usize::from(is_secret);
            }
        }
        assert!(secrets >= 4, "{secrets}");
    }
}
