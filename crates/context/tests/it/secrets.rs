//! Keys in what came from outside never reach a model over a connection.

use crate::{parts, prompt};
use serde::Deserialize;
use wiiiv_context::{
    Rendered as _, RunFacts, SECRET_MARK, SecretPatterns, Speaker, StepFact, holds_secret,
    secret_patterns,
};
use wiiiv_domain::{ExecutionId, StepId};

const BENIGN: &str = include_str!("../fixtures/benign.jsonl");
const GITHUB: &str = concat!("ghp_", "0123456789abcdefghijABCDEFGHIJ012345");

#[derive(Deserialize)]
struct Named {
    name: String,
    text: String,
}

#[test]
fn every_pattern_finds_its_example_and_leaves_nothing_of_it() {
    let patterns = secret_patterns().unwrap();
    assert!(patterns.listed().len() >= 20);
    for pattern in patterns.listed() {
        let example = pattern.example.replace('¦', "");
        let (shown, count) = patterns.taken_out(&example);
        assert!(count >= 1, "{}", pattern.name);
        assert!(shown.contains(SECRET_MARK), "{}: {shown}", pattern.name);
        // Found whatever stands around it, and what was taken out is not found again.
        let (shown, again) = patterns.taken_out(&shown);
        assert_eq!(again, 0, "{}: {shown}", pattern.name);
        let around = format!("가나다\n{example}\n라마바");
        let (shown, _) = patterns.taken_out(&around);
        assert!(shown.starts_with("가나다\n") && shown.contains("라마바"), "{}", pattern.name);
    }
}

/// What is counted of a key is ASCII: the word behind it is no part of it.
#[test]
fn a_key_ends_where_the_korean_behind_it_begins() {
    let patterns = secret_patterns().unwrap();
    let long = "a1B2-_cdefghijklmnopqrstuvwxyz0123456789ABC";
    for key in [
        format!("SG.{}.{long}", "a1B2-_cdefghijklmnopqr"),
        format!("123456789:AA{}", "a1B2-_cdefghijklmnopqrstuvwxyz012"),
        format!("PMAK-{}-{}", "0123456789abcdef01234567", "0123456789abcdef0123456789abcdef01"),
    ] {
        let text = format!("키는 {key}이다");
        let (shown, count) = patterns.taken_out(&text);
        assert_eq!((shown.as_ref(), count), ("키는 [secret]이다", 1), "{key}");
    }
}

/// Also behind the mark of a list, as a memory is written.
#[test]
fn what_is_kept_for_good_is_looked_through_for_keys() {
    for text in [
        GITHUB.to_owned(),
        format!("내 키는 {GITHUB}이야"),
        format!("my key is {GITHUB}"),
        "- short answers\n- API_KEY=abcdefgh1".to_owned(),
        "- password = hunt3r2x".to_owned(),
        "My password is hunter2secret!".to_owned(),
        "wifi password: tiger77".to_owned(),
        "pw=Tr0ub4dor&3".to_owned(),
        "내 비밀번호는 hunter2secret".to_owned(),
        "비번 a1b2".to_owned(),
    ] {
        assert!(holds_secret(&text), "{text}");
    }
    for text in [
        "",
        "- 짧게 답하기\n- 키는 열쇠함에 있다",
        "- my keys are on the hook",
        "- sk-1",
        "a password is 8 characters long at least",
        "the password is kept in the vault",
        "비밀번호는 8자 이상으로 안내하기",
        "비밀번호를 묻는 화면은 보여주지 마",
    ] {
        assert!(!holds_secret(text), "{text}");
    }
}

#[test]
fn a_pattern_that_does_not_find_its_example_is_refused() {
    let odd = r#"
        version = 1
        pattern = []
        told = [{ name = "ODD", regex = "a", example = "b" }]
    "#;
    let error = SecretPatterns::parse(odd).unwrap_err().to_string();
    assert!(error.contains("`ODD`"), "{error}");
}

#[test]
fn nothing_is_found_in_what_holds_no_key() {
    let patterns = secret_patterns().unwrap();
    let files: Vec<Named> =
        BENIGN.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(files.len(), 200);
    let hits: Vec<_> = files
        .iter()
        .map(|file| (&file.name, patterns.taken_out(&file.text)))
        .filter(|(_, (_, count))| *count > 0)
        .collect();
    assert!(hits.is_empty(), "{hits:?}");
}

#[test]
fn files_of_credentials_lose_what_they_hold() {
    let patterns = secret_patterns().unwrap();
    for (text, left, count) in [
        (
            "machine h login me password p4ss\nmachine i login me password q5",
            "machine h login me password [secret]\nmachine i login me password [secret]",
            2,
        ),
        ("https://me:tok3n@git.example.com\n", "https://me:[secret]@git.example.com\n", 1),
        (
            "h:5432:*:me:p4ss\nh:5433:db:me:q5z\n",
            "h:5432:*:me:[secret]\nh:5433:db:me:[secret]\n",
            2,
        ),
        ("KEY_NAME=a\nAPI_KEY=abcdefgh1\r\n", "KEY_NAME=a\nAPI_KEY=[secret]\r\n", 1),
        // Cut off before its end.
        ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg", "[secret]", 1),
        (
            r#"{"k":"-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n"}"#,
            r#"{"k":"[secret]\n"}"#,
            1,
        ),
    ] {
        let (shown, found) = patterns.taken_out(text);
        assert_eq!((shown.as_ref(), found), (left, count));
    }
}

#[test]
fn what_came_from_outside_is_shown_without_keys_and_a_users_words_as_they_are() {
    let mut parts = parts("내 메시지");
    let step = StepId::parse("read").unwrap();
    let text = format!("a {GITHUB} b\npassword=x9hunter2\n");
    let execution = ExecutionId::from_uuid(uuid::Uuid::from_u128(1));
    parts.facts = Some(RunFacts { execution, steps: vec![StepFact { step, ok: true, text }] });
    let mine = GITHUB.replace("0123", "4567");
    parts.history = vec![
        (Speaker::User, format!("write {mine}")),
        (Speaker::Governor, format!("it says {GITHUB}")),
    ];
    parts.revision = vec![format!("not {GITHUB}")];
    let prompt = prompt(parts);
    assert_eq!(prompt.secrets(), 4);
    assert!(!prompt.user().contains(GITHUB) && !prompt.user().contains("x9hunter2"));
    assert!(prompt.user().contains(&mine));
    assert!(prompt.user().contains("a [secret] b\npassword=[secret]\n"));
}

/// Our own: a token, whoever issued it, and the key of a page. What is only named like one stays.
#[test]
fn tokens_of_this_server_are_keys() {
    let patterns = secret_patterns().unwrap();
    let random = "-0123456789abcdefghijABCDEFGHIJ0123456789_x";
    for prefix in ["wiiiv_", "wiiivp_"] {
        for (before, after) in [("", ""), ("Cookie: wiiiv_session_7717=", "; a=b"), ("\"", "\"")] {
            let text = format!("{before}{prefix}{random}{after}");
            let (shown, count) = patterns.taken_out(&text);
            assert_eq!((shown, count), (format!("{before}[secret]{after}").into(), 1), "{text}");
        }
    }
    let names = "wiiiv_session_7717 wiiiv_turn_duration_seconds_bucket wiiiv_store::keys wiiivp_";
    assert_eq!(patterns.taken_out(names).1, 0);
}
