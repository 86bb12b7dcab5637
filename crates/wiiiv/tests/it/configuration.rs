//! A configuration is read from everywhere it may stand, and a broken one starts nothing.

use crate::program::Home;
use std::fs;

fn configured(text: &str) -> Home {
    let home = Home::new();
    let folder = home.path("config/wiiiv");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
    home
}

#[test]
fn each_value_says_where_it_came_from() {
    let home = configured("[session]\nidle_seconds = 7\n");
    let shown = home
        .command(&["config", "show", "--origin", "--json", "--listen", "127.0.0.1:9"])
        .env("WIIIV__LOG__LEVEL", "debug")
        .output()
        .unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    let origin = |key: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["key"] == key).unwrap();
        row["origin"].as_str().unwrap().to_owned()
    };
    assert!(origin("session.idle_seconds").ends_with("config/wiiiv/config.toml:2:1"));
    assert_eq!(origin("log.level"), "environment variable `WIIIV__LOG__LEVEL`");
    assert_eq!(origin("server.listen"), "flag `--listen`");
    assert_eq!(origin("store.synchronous"), "built in");
}

#[test]
fn a_broken_configuration_names_its_place_and_starts_nothing() {
    let home = configured("[server]\nlistne = \"127.0.0.1:0\"\n");
    let refused = home.run(&["serve"]).ended(3);
    assert!(refused.err.contains("config.toml:2:1"), "{refused:?}");
    assert!(refused.err.contains("did you mean `server.listen`?"), "{refused:?}");
    assert!(!home.path("state").exists());
}

#[test]
fn serve_does_without_a_configuration_but_not_without_a_key() {
    let home = Home::new();
    let refused = home.run(&["serve", "--language", "en"]).ended(3);
    assert!(refused.err.contains("openssl rand -hex 32"), "{refused:?}");
    assert!(home.run(&["serve", "--language", "ko"]).ended(3).err.contains("마스터 키"));
    fs::write(home.path("key"), "ab".repeat(32)).unwrap();
    let exposed = home.run(&["serve", "--master-key-file", "key"]).ended(3);
    assert!(exposed.err.contains("chmod 600"), "{exposed:?}");
}

#[test]
fn the_master_key_is_masked_wherever_it_is_shown() {
    let home = Home::new();
    let key = "abcdef01".repeat(8);
    let mut command = home.command(&["config", "show", "--origin"]);
    let shown = command.env("WIIIV__KEYS__MASTER", &key);
    let shown = String::from_utf8(shown.output().unwrap().stdout).unwrap();
    assert!(shown.contains("keys.master = \"****\""), "{shown}");
    assert!(!shown.contains("abcdef01"));
}
