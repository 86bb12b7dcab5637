use super::sources::{Flags, Loaded, load_from};
use super::{ConfigError, shown};
use std::ffi::OsString;
use wiiiv_llm::Form;

fn load(file: &str, variables: &[(&str, &str)], flags: &Flags) -> Result<Loaded, ConfigError> {
    let files = [("wiiiv.toml".to_owned(), file.to_owned())];
    let variables = variables.iter().map(|(n, v)| (OsString::from(n), OsString::from(v)));
    load_from(&files, variables, flags)
}

fn refusal(file: &str, variables: &[(&str, &str)]) -> String {
    load(file, variables, &Flags::default()).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn the_built_in_defaults_are_whole() {
    let settings = load_from(&[], std::iter::empty(), &Flags::default()).unwrap().settings;
    assert!(settings.server.listen.ip().is_loopback());
    assert!(settings.faults.abort_at.is_none());
    assert_eq!(settings.context.total_tokens, wiiiv_context::TOTAL_TOKENS_DEFAULT);
    let file_bytes = settings.documents.file_mib * 1024 * 1024;
    assert_eq!(file_bytes, wiiiv_exec::DocumentLimits::default().file_bytes_max);
    assert_eq!(settings.documents.scope_mib, 256);
    let chunks = (settings.documents.scope_chunks, settings.documents.chunks);
    assert_eq!(chunks, (50_000, 200_000));
    assert!(settings.telemetry.otlp_endpoint.is_empty() && !settings.telemetry.metrics_open);
}

#[test]
fn later_layers_win_and_say_so() {
    let flags = Flags { listen: Some("127.0.0.1:9".parse().unwrap()), ..Flags::default() };
    let file =
        "[server]\nlisten = \"127.0.0.1:7\"\n[session]\nidle_seconds = 1\nqueue_messages = 2";
    let variables =
        [("WIIIV__SERVER__LISTEN", "127.0.0.1:8"), ("WIIIV__SESSION__IDLE_SECONDS", "5")];
    let loaded = load(file, &variables, &flags).unwrap();
    assert_eq!(loaded.settings.server.listen.port(), 9);
    assert_eq!(loaded.settings.session.idle_seconds.as_secs(), 5);
    for (key, origin) in [
        ("server.listen", "flag `--listen`"),
        ("session.idle_seconds", "environment variable `WIIIV__SESSION__IDLE_SECONDS`"),
        ("session.queue_messages", "wiiiv.toml:5:1"),
    ] {
        assert_eq!(loaded.origin(key), origin);
    }
    assert_eq!(loaded.origin("log.level"), "built in");
}

#[test]
fn faults_stand_with_line_and_column() {
    for (file, expected) in [
        (
            "[server]\nlistne = \"x\"",
            "wiiiv.toml:2:1: unknown key `server.listne`: did you mean `server.listen`?",
        ),
        ("[server]\n listen = 7", "wiiiv.toml:2:2: `server.listen` must be a text in quotes"),
        (
            "[session]\nidle_seconds = 0",
            "wiiiv.toml:2:1: `session.idle_seconds`: `0` is not from 1 to `4294967295`",
        ),
        (
            "[llm]\nwindows = [\"llama3.1:8b=4096\"]",
            "wiiiv.toml:2:1: `llm.windows`: `llama3.1:8b=4096` is not `PROVIDER:model=tokens`",
        ),
        (
            "[llm]\nstructured = [\"CUSTOM:a=json\"]",
            "wiiiv.toml:2:1: `llm.structured`: `CUSTOM:a=json` is not `PROVIDER:model=schema`, ",
        ),
        (
            "[llm]\napproved_origins = [\"a.test\"]",
            "wiiiv.toml:2:1: `llm.approved_origins`: `a.test`: ",
        ),
        (
            "[llm]\napproved_origins = [\"http://ollama:11434\", \"http://a.test:81\"]",
            "wiiiv.toml:2:1: `llm.approved_origins`: `http://a.test:81`: over plain http \
             everybody on the way reads the key and the prompts: write `https://a.test:81`. ",
        ),
        (
            "[llm]\napproved_origins = [\"https://*.a.test\"]",
            "wiiiv.toml:2:1: `llm.approved_origins`: `https://*.a.test`: `*.a.test` names no one host: ",
        ),
        (
            "[keys]\nmaster = \"00\"",
            "wiiiv.toml:2:1: `keys.master` is taken from the environment only: set \
             `WIIIV__KEYS__MASTER`, or name a file that holds it with `keys.master_file`",
        ),
        (
            "[audit.export]\nsecret = \"a secret of twenty-four\"",
            "wiiiv.toml:2:1: `audit.export.secret` is taken from the environment only: set \
             `WIIIV__AUDIT__EXPORT__SECRET`, or name a file that holds it with `audit.export.secret_file`",
        ),
        ("[log]\nlevel = \"loud\"", "wiiiv.toml:2:1: `log.level`: "),
        (
            "[telemetry]\nsampling_percent = 101",
            "wiiiv.toml:2:1: `telemetry.sampling_percent`: `101` is not from 0 to `100`",
        ),
        (
            "[documents]\nfile_mib = 65",
            "wiiiv.toml:2:1: `documents.file_mib`: `65` is not from 1 to `64`",
        ),
        (
            "[documents]\nscope_mib = 0",
            "wiiiv.toml:2:1: `documents.scope_mib`: `0` is not from 1 to `4294967295`",
        ),
        (
            "[context]\ntotal_tokens = 3999",
            "wiiiv.toml:2:1: `context.total_tokens`: `3999` is not from 4000 to `131072`",
        ),
        ("[server\n", "wiiiv.toml:1:8: not TOML: "),
        ("[a]\nb.c.d.e.f.g = 1", "wiiiv.toml:2:"),
        ("[server]\nlisten = 1.5", "wiiiv.toml:2:1: `server.listen` must be a text in quotes"),
    ] {
        let found = refusal(file, &[]);
        assert!(found.starts_with(expected), "{file}\n{found}");
    }
}

#[test]
fn a_fault_in_a_variable_names_it() {
    for (name, value, expected) in [
        (
            "WIIIV__SERVER__PROT",
            "1",
            "environment variable `WIIIV__SERVER__PROT`: unknown key `server.prot`",
        ),
        (
            "WIIIV__SESSION__IDLE_SECONDS",
            "soon",
            "environment variable `WIIIV__SESSION__IDLE_SECONDS`: `session.idle_seconds` must be a whole number",
        ),
        (
            "WIIIV__LLM__APPROVED_ORIGINS",
            "https://a.test,http://example.com",
            "environment variable `WIIIV__LLM__APPROVED_ORIGINS`: `llm.approved_origins`: \
             `http://example.com`: over plain http ",
        ),
        (
            "WIIIV__STORE__SYNCHRONOUS",
            "off",
            "environment variable `WIIIV__STORE__SYNCHRONOUS`: `store.synchronous`: ",
        ),
    ] {
        let found = refusal("", &[(name, value)]);
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn the_master_key_is_shown_nowhere() {
    let key = "ab".repeat(32);
    let loaded = load("", &[("WIIIV__KEYS__MASTER", &key)], &Flags::default()).unwrap();
    assert_eq!(loaded.settings.keys.master.as_deref(), Some(key.as_str()));
    let all = format!("{:?} {:?}", loaded.settings, shown(&loaded));
    assert!(!all.contains("abab"));
    assert!(shown(&loaded).iter().any(|row| row.key == "keys.master" && row.value == "****"));
}

#[test]
fn aborting_on_purpose_is_for_loopback_only() {
    let fault = ("WIIIV__FAULTS__ABORT_AT", "S2:before:1");
    assert!(load("", &[fault], &Flags::default()).is_ok());
    let found = refusal("[server]\nlisten = \"0.0.0.0:1\"", &[fault]);
    assert!(found.contains("loopback"));
}

#[test]
fn checkpoints_outside_need_a_database_that_keeps_what_they_show() {
    let file = "[store]\ncheckpoints_file = \"/mnt/a.jsonl\"\n";
    assert!(load(file, &[], &Flags::default()).is_ok());
    let found = refusal(&format!("{file}synchronous = \"normal\""), &[]);
    assert!(found.contains("power cut"), "{found}");
}

#[test]
fn the_file_of_the_master_key_has_a_short_variable() {
    let loaded = load("", &[("WIIIV_MASTER_KEY_FILE", "/k")], &Flags::default()).unwrap();
    assert_eq!(loaded.settings.keys.master_file.display().to_string(), "/k");
}

#[test]
fn a_window_is_said_of_one_model() {
    let file = "[llm]\nwindows = [\"OLLAMA:llama3.1:8b=16384\", \"CUSTOM:a=b=8\"]";
    let windows = load(file, &[], &Flags::default()).unwrap().settings.llm.windows;
    let windows: Vec<_> = windows.iter().map(|(model, window)| (model.as_str(), *window)).collect();
    assert_eq!(windows, [("CUSTOM:a=b", 8), ("OLLAMA:llama3.1:8b", 16_384)]);
    let file = "[llm]\ntokenizers = [\"OLLAMA:qwen2.5 = /t/q.json\"]";
    let named = load(file, &[], &Flags::default()).unwrap().settings.llm.tokenizers;
    assert_eq!(named["OLLAMA:qwen2.5"], std::path::Path::new("/t/q.json"));
    let file = "[llm]\nstructured = [\"CUSTOM:a = tool\", \"OLLAMA:b:1=plain\"]";
    let forms = load(file, &[], &Flags::default()).unwrap().settings.llm.structured;
    let forms: Vec<_> = forms.iter().map(|(model, form)| (model.as_str(), *form)).collect();
    assert_eq!(forms, [("CUSTOM:a", Form::Tool), ("OLLAMA:b:1", Form::Plain)]);
}
