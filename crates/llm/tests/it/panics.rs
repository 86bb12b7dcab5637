//! Whatever holds a key may be in the words of a panic; the key is not.

use crate::test_models::TestModels;
use secrecy::SecretString;
use std::{
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};
use wiiiv_domain::ProviderName;
use wiiiv_ghost::{Canary, Scanner};
use wiiiv_net::{Bytes, Credential, Origin, ProviderRequest, Url};

const KEY: &str = "sk-CANARY-panic-9f3b1d7c";
const URL: &str = "https://llm.example/v1";

/// As a failed `unwrap` has them.
fn words<E: Debug>(held: E) -> String {
    let fails = || -> Result<(), E> { Err(held) };
    let panic = catch_unwind(AssertUnwindSafe(|| fails().unwrap())).unwrap_err();
    *panic.downcast::<String>().unwrap()
}

#[test]
fn a_panic_over_what_holds_a_key_does_not_tell_it() {
    let canary = Canary { name: "key".into(), user: String::new(), secret: KEY.into() };
    let scanner = Scanner::of(&[canary]).unwrap();
    assert_eq!(scanner.find(words(KEY).as_bytes()).len(), 1, "it is found where it stands");

    let origin = Origin::parse("https://llm.example").unwrap();
    let test = TestModels::keyed(ProviderName::Custom, URL.to_owned(), "https://llm.example", KEY);
    let credential = Credential::bearer(origin.clone(), SecretString::from(KEY));
    let own = Credential::header("x-api-key", origin, SecretString::from(KEY));
    let url = Url::parse(URL).unwrap();
    let request = ProviderRequest::new(url, Some(credential.clone()), Bytes::from(KEY));
    let told = [
        words(test.options.key.clone().unwrap()),
        words(test.options.clone()),
        words((credential, own)),
        words(request),
    ];
    for words in told {
        assert!(words.contains("llm.example"), "it says whose it is: {words}");
        assert!(scanner.find(words.as_bytes()).is_empty(), "{words}");
    }
}
