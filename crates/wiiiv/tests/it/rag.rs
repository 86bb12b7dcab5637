//! `rag`: files of all kinds are added, found, opened and removed, and each that is not says why.

use crate::chat::asked;
use crate::keys::demo_at;
use crate::program::{Home, Ran, Server};
use crate::server::{PASSWORD, serve, start, with_key};
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::thread;
use tokio::runtime::Runtime;
use wiiiv_fakes::FakeProvider;

const TEXT: &str = "# 서울 사무소\n\n서울에서 열리는 회의는 월요일에 시작합니다.\n";
/// `부산에서 열리는 회의`, as programs of old wrote it.
const EUC_KR: &[u8] =
    b"\xba\xce\xbb\xea\xbf\xa1\xbc\xad \xbf\xad\xb8\xae\xb4\xc2 \xc8\xb8\xc0\xc7\n";
const EN: [&str; 2] = ["--language", "en"];
const KO: [&str; 2] = ["--language", "ko"];

fn rag(home: &Home, words: &[&str], more: &[&str]) -> Ran {
    home.run(&[&["rag"][..], words, more].concat())
}

/// The only document, by the digits that a list shows.
fn only(home: &Home) -> String {
    let rows = rag(home, &["list"], &["--json"]).ended(0).json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    let id = rows[0]["id"].as_str().unwrap();
    id[id.len() - 8..].to_owned()
}

#[test]
fn a_korean_document_is_added_found_opened_renamed_and_removed() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let none = rag(&home, &["list"], &KO).ended(0).out;
    assert!(none.contains("없"), "{none}");
    fs::write(home.path("안내.md"), TEXT).unwrap();
    let added = rag(&home, &["add", "안내.md", "--wait"], &KO).ended(0);
    assert!(added.out.contains("안내.md: 문서 ") && added.out.contains("구절 "), "{added:?}");
    let stays = "임베딩을 위해 이 파일의 내용을 서버 밖으로 보내지 않습니다.\n";
    assert_eq!(added.err, stays, "no progress where nobody looks");
    let id = only(&home);
    let jobs = rag(&home, &["jobs"], &KO).ended(0).out;
    assert!(jobs.contains("검색 가능"), "{jobs}");
    let list = rag(&home, &["list"], &KO).ended(0).out;
    for part in [&*id, "서울 사무소", "안내.md", "나"] {
        assert!(list.contains(part), "{part}: {list}");
    }

    let found = rag(&home, &["search", "서울"], &KO).ended(0);
    assert!(found.out.starts_with("[1] 서울 사무소 · 안내.md · "), "{found:?}");
    assert!(found.out.contains("서울에서 열리는 회의") && found.out.contains(&id), "{found:?}");
    assert!(found.err.contains("단어로만 찾습니다"), "{found:?}");
    let shown = rag(&home, &["show", &id], &KO).ended(0).out;
    assert!(
        shown.starts_with("서울 사무소\n") && shown.contains("읽을 수 있는 사람: 나"),
        "{shown}"
    );
    let passage = rag(&home, &["show", &id, "--passage", "0"], &EN).ended(0);
    assert!(passage.out.contains("서울에서 열리는 회의는 월요일에 시작합니다."), "{passage:?}");
    assert!(passage.err.contains("chunk 0 · ") && passage.err.contains("no vector"), "{passage:?}");
    let whole = rag(&home, &["list"], &["--json"]).ended(0).json()[0]["id"].clone();
    let whole = whole.as_str().unwrap();
    for (language, words) in [(EN, "no passage of that number"), (KO, "그 번호의 구절이 없습니다")]
    {
        let absent = rag(&home, &["show", &id, "--passage", "99"], &language).ended(2).err;
        assert!(absent.contains(words), "{absent}");
    }

    let renamed = rag(&home, &["rename", &id, "회의 안내"], &KO).ended(0).out;
    assert!(renamed.contains("회의 안내"), "{renamed}");
    for (version, has_changed) in [("1", true), ("2", false)] {
        let cited = ["show", &*id, "--passage", "0", "--cited-version", version];
        let told = rag(&home, &cited, &EN).ended(0).err;
        assert_eq!(told.contains("has changed since it was cited"), has_changed, "{told}");
    }
    let cited = ["show", &*id, "--passage", "0", "--cited-version", "9"];
    let told = rag(&home, &cited, &EN).ended(0).err;
    assert!(told.contains("has no version 9: now it is 2"), "{told}");
    // The same file again is the same version, under the title that somebody gave it.
    rag(&home, &["add", "안내.md", "--wait"], &[]).ended(0);
    let rows = rag(&home, &["list"], &["--json"]).ended(0).json();
    assert_eq!(
        (&rows[0]["version"], &rows[0]["title"]),
        (&json!(2), &json!("회의 안내")),
        "{rows}"
    );
    rag(&home, &["rename", &id, " "], &[]).ended(2);
    let removed = rag(&home, &["remove", &id], &EN).ended(0).out;
    assert!(removed.contains("Removed") && removed.contains(&id), "{removed}");
    for (language, nothing) in [(EN, "Nothing relevant was found"), (KO, "찾지 못했습니다")]
    {
        let found = rag(&home, &["search", "서울"], &language).ended(0).out;
        assert!(found.contains(nothing), "{found}");
    }
    rag(&home, &["show", &id], &[]).ended(2);
    // What a citation of before names.
    for (language, words) in [(EN, "was removed, or you may no longer"), (KO, "삭제되었거나")]
    {
        for of in [&["show", whole][..], &["show", whole, "--passage", "0"], &["remove", whole]] {
            let absent = rag(&home, of, &language).ended(2).err;
            assert!(absent.contains(words), "{absent}");
        }
    }
    let told = rag(&home, &["show", whole], &["--json"]).ended(2).err;
    assert!(told.contains("\"NOT_FOUND\""), "a program reads the code as before: {told}");
}

#[test]
fn each_file_that_is_not_added_says_why_and_stops_no_other() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    fs::write(home.path("old.txt"), EUC_KR).unwrap();
    fs::write(home.path("broken.pdf"), "%PDF-1.7\nno such thing").unwrap();
    symlink(home.path("gone"), home.path("dangling.md")).unwrap();
    fs::write(home.path("notes"), "Plain text without an ending.\n").unwrap();
    for (language, words) in [(EN, "no ending that is known"), (KO, "이름의 확장자로")] {
        let told = rag(&home, &["add", "notes", "--wait"], &language).ended(1).out;
        assert!(told.contains(words), "{told}");
    }
    let files = ["add", "absent.md", "broken.pdf", "dangling.md", "old.txt", "--wait"];
    // A name that names nothing is wrong as any other word of the command line.
    let told = rag(&home, &files, &EN).ended(2).out;
    for line in [
        "absent.md: not added. There is no such file or folder.",
        "broken.pdf: became no document. The file is damaged",
        "dangling.md: not added. There is no such file or folder.",
        "old.txt: document ",
        "1 added, 3 refused",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let told = rag(&home, &files, &KO).ended(2).out;
    for line in [
        "올리지 못했습니다. 그런 파일이나 폴더가 없습니다.",
        "문서로 등록하지 못했습니다. 파일이 손상",
        "성공 1개, 실패 3개",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    rag(&home, &["add", "broken.pdf", "--wait"], &[]).ended(1);
    let told = rag(&home, &files, &["--json"]).ended(2).json();
    assert_eq!((&told[0]["file"], &told[0]["job"]), (&json!("absent.md"), &Value::Null), "{told}");
    assert!(told[0]["error"].is_string() && told[3]["error"].is_null(), "{told}");
    assert_eq!(told[1]["job"]["code"], "DAMAGED", "{told}");
    assert_eq!(
        (&told[3]["job"]["state"], &told[3]["job"]["scope"]),
        (&json!("ready"), &scope(&home))
    );

    let found = rag(&home, &["search", "부산"], &[]).ended(0).out;
    assert!(found.contains("부산에서 열리는 회의"), "{found}");
    let jobs = rag(&home, &["jobs"], &EN).ended(0).out;
    assert!(jobs.contains("failed") && jobs.contains("The file is damaged"), "{jobs}");
    let rows = rag(&home, &["jobs"], &["--json"]).ended(0).json();
    let job = rows[0]["id"].as_str().unwrap();
    let ended = rag(&home, &["cancel", job], &EN).ended(1).err;
    assert!(ended.contains("has ended"), "{ended}");
}

#[test]
fn a_scope_that_is_full_stops_no_file_that_has_room() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let arguments = serve(&home, "key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("WIIIV__DOCUMENTS__SCOPE_MIB", "1");
    let server = Server::start(command);
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    fs::write(home.path("a.md"), TEXT).unwrap();
    fs::write(home.path("large.md"), "The garage opens at seven.\n".repeat(50_000)).unwrap();
    fs::write(home.path("z.md"), TEXT).unwrap();
    let added = ["add", "a.md", "large.md", "z.md", "--wait"];
    let told = rag(&home, &added, &["--json"]).ended(1).json();
    let states = [0, 1, 2].map(|at| told[at]["job"]["state"].clone());
    assert_eq!(states, [json!("ready"), Value::Null, json!("ready")], "{told}");
    assert!(told[1]["error"].is_string(), "{told}");
}

/// Takes one file, and lets nobody in any more.
fn take_one(listener: &TcpListener) {
    for (status, body) in [
        ("200 OK", json!({"documents": {"file_bytes_max": 1000}})),
        ("202 Accepted", json!({"id": "0190a000-0000-7000-8000-000000000001", "state": "queued"})),
        (
            "401 Unauthorized",
            json!({"code": "UNAUTHENTICATED", "status": 401, "title": "Not signed in"}),
        ),
    ] {
        let (mut stream, _) = listener.accept().unwrap();
        asked(&stream);
        let body = body.to_string();
        let head = "content-type: application/problem+json\r\nconnection: close";
        let length = body.len();
        write!(stream, "HTTP/1.1 {status}\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}")
            .unwrap();
    }
}

#[test]
fn what_was_sent_before_a_failure_is_told() {
    let home = Home::new();
    fs::write(home.path("token"), "wiiiv_x\n").unwrap();
    fs::set_permissions(home.path("token"), fs::Permissions::from_mode(0o600)).unwrap();
    for name in ["a.md", "b.md", "c.md"] {
        fs::write(home.path(name), TEXT).unwrap();
    }
    for more in ["--json", "--wait"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = thread::spawn(move || take_one(&listener));
        let add = ["rag", "add", "a.md", "b.md", "c.md", "--scope", "global", "--server", &url];
        let mut command = home.command(&[&add[..], &["--language", "en", more]].concat());
        let ran = Ran::of(command.env("WIIIV_TOKEN_FILE", home.path("token")).output().unwrap());
        let ran = ran.ended(4);
        assert!(!ran.err.is_empty(), "{ran:?}");
        if more == "--json" {
            let told = ran.json();
            assert_eq!((&told[0]["job"]["state"], &told[1]), (&json!("queued"), &Value::Null));
        } else {
            assert!(ran.out.contains("a.md: waits"), "{ran:?}");
        }
        server.join().unwrap();
    }
}

/// The user's own.
fn scope(home: &Home) -> Value {
    let rows = rag(home, &["list"], &["--json"]).ended(0).json();
    rows[0]["scope"].clone()
}

#[test]
fn a_folder_is_added_to_the_scope_that_is_named() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    fs::create_dir_all(home.path("docs/ko")).unwrap();
    for (name, text) in [
        ("docs/b.md", "# Roses\n\nThey are red.\n"),
        ("docs/a.md", "# Garage\n\nThe garage opens at seven.\n"),
        ("docs/ko/a.md", TEXT),
        ("docs/.hidden.md", "# Hidden\n"),
    ] {
        fs::write(home.path(name), text).unwrap();
    }
    let words = ["add", "docs", "--wait", "--project", "demo"];
    let added = rag(&home, &words, &["--json"]).ended(0).json();
    let names: Vec<&str> = added
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["job"]["file_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.md", "b.md", "ko › a.md"]);
    let list = rag(&home, &["list", "--scope", "project"], &EN).ended(0).out;
    assert!(list.matches("demo").count() == 3 && list.contains("ko › a.md"), "{list}");
    let own = rag(&home, &["list", "--scope", "me"], &["--json"]).ended(0).json();
    assert_eq!(own, json!([]));
    // Without a project the log-in's own is searched.
    let found = rag(&home, &["search", "garage", "--limit", "1"], &["--json"]).ended(0).json();
    assert_eq!(found["hits"][0]["title"], "Garage", "{found}");
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);

    let denied = rag(&home, &["add", "docs/a.md", "--scope", "global"], &EN).ended(6).err;
    assert!(denied.contains("administrators"), "{denied}");
    for (language, words) in [(EN, "goes with --scope project"), (KO, "--scope project와 함께")]
    {
        for command in [&["add", "docs/a.md"][..], &["list"], &["jobs"]] {
            let of = [command, &["--scope", "me", "--project", "demo"]].concat();
            let refused = rag(&home, &of, &language).ended(2).err;
            assert!(refused.contains(words), "{refused}");
        }
    }
    for (language, words) in [(EN, "names one file"), (KO, "하나일 때만")] {
        let titled = rag(&home, &["add", "docs", "--title", "x"], &language).ended(2).err;
        assert!(titled.contains(words), "{titled}");
    }
    let titled = ["add", "docs/b.md", "--title", "Flowers", "--wait", "--project", "demo"];
    rag(&home, &titled, &[]).ended(0);
    let rows = rag(&home, &["list"], &["--json"]).ended(0).json();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().any(|row| row["title"] == "Flowers"), "{rows:?}");
    fs::create_dir(home.path("empty")).unwrap();
    let nothing = rag(&home, &["add", "empty"], &EN).ended(1).out;
    assert!(nothing.contains("no file to add"), "{nothing}");
    let same = rag(&home, &["add", "docs/a.md", "docs/ko/a.md"], &EN).ended(1).out;
    assert!(same.contains("1 queued, 1 refused"), "nobody waited for it: {same}");
    assert!(same.contains("docs/a.md: waits") && same.contains("has the same name"), "{same}");
}

#[test]
fn a_search_tells_how_words_and_meaning_ranked() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    fs::write(home.path("안내.md"), TEXT).unwrap();
    rag(&home, &["add", "안내.md", "--wait"], &[]).ended(0);
    let rows = rag(&home, &["list"], &["--json"]).ended(0).json();
    assert_eq!(rows[0]["media_type"], "text/markdown", "its sender says nothing: {rows}");
    let passage = rag(&home, &["show", &only(&home), "--passage", "0"], &EN).ended(0);
    assert!(passage.err.starts_with("서울 사무소 · 안내.md\n"), "{passage:?}");
    let debug = rag(&home, &["search", "서울", "--debug"], &EN).ended(0).out;
    assert!(debug.starts_with("[1] (안내.md, p.?)") && debug.contains("score"), "{debug}");
    for (language, parts) in [
        (EN, ["words: ", "words: ranked 1", "meaning: not used. There is no embedding model"]),
        (KO, ["검색한 단어: ", "단어: 후보 1개", "의미: 쓰지 않음. 임베딩 모델이 없거나"]),
    ] {
        let told = rag(&home, &["search", "서울", "--trace"], &language).ended(0).out;
        for part in parts {
            assert!(told.contains(part), "{part}: {told}");
        }
        assert!(told.contains(&format!("서울 사무소 · 안내.md · {}/0", only(&home))), "{told}");
    }
    let found = rag(&home, &["search", "서울"], &["--json"]).ended(0).json();
    assert_eq!((&found["relevant"], &found["embedder"]), (&json!(true), &Value::Null), "{found}");
    rag(&home, &["search", " "], &[]).ended(2);
    rag(&home, &["search", "x", "--limit", "51"], &[]).ended(2);
}

#[test]
fn a_file_that_takes_a_documents_place_says_so() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let add = ["add", "a.md", "--wait"];
    fs::write(home.path("a.md"), "# Garage\n\nThe garage opens at seven.\n").unwrap();
    let first = rag(&home, &add, &EN).ended(0).out;
    assert!(!first.contains("in the place of"), "{first}");
    assert!(first.trim_end().ends_with("passages: 1"), "one is not several: {first}");
    for (version, language, words) in [
        (2, EN, "in the place of what it held (version 2)"),
        (3, KO, "있던 문서의 내용이 바뀜(버전 3)"),
    ] {
        fs::write(home.path("a.md"), format!("# Garage\n\nIt opens at {version}.\n")).unwrap();
        let told = rag(&home, &add, &language).ended(0).out;
        assert!(told.contains(words), "{told}");
    }
    fs::write(home.path("a.md"), "# Garage\n\nIt is closed.\n").unwrap();
    let told = rag(&home, &add, &["--json"]).ended(0).json();
    assert_eq!(told[0]["replaced"], 4, "{told}");
}

#[test]
fn a_search_names_the_project_that_it_looks_through() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    fs::write(home.path("garage.md"), "# Garage\n\nThe garage opens at seven.\n").unwrap();
    home.run(&["projects", "create", "shop"]).ended(0);
    let added = rag(&home, &["add", "garage.md", "--wait", "--project", "shop"], &EN).ended(0);
    assert!(!added.err.contains("Adding to the project"), "it was named: {added:?}");
    for (language, project, hint) in [
        (EN, "(demo)", "another project are found with --project"),
        (KO, "프로젝트의 문서(demo)", "다른 프로젝트의 문서는 --project"),
    ] {
        let found = rag(&home, &["search", "garage"], &language).ended(0);
        assert!(found.err.contains(project) && found.err.contains(hint), "{found:?}");
    }
    let named = rag(&home, &["search", "garage", "--project", "shop"], &EN).ended(0);
    assert!(named.out.starts_with("[1] Garage"), "{named:?}");
    assert!(named.err.contains("(shop)") && !named.err.contains("--project"), "{named:?}");
    for (language, words) in [(EN, "Adding to the project demo"), (KO, "올릴 프로젝트: demo")]
    {
        let added = rag(&home, &["add", "garage.md", "--scope", "project"], &language).ended(0);
        assert!(added.err.contains(words), "{added:?}");
    }
    let told = rag(&home, &["search", "garage"], &["--json"]).ended(0);
    assert_eq!(told.err, "", "a program reads the answer alone");
}

/// Before anything of them is sent: here nothing is, since no file is there.
#[test]
fn where_the_text_of_files_goes_is_told_before_they_are_sent() {
    let runtime = Runtime::new().unwrap();
    let provider = runtime.block_on(FakeProvider::open(0)).unwrap();
    let base = format!("{}/rag/good/local/v1", provider.url());
    let home = Home::new();
    let _demo = demo_at(&home, &provider.url(), &base, |policy| {
        policy["embeddingModel"] = json!("vectors");
    });
    fs::create_dir(home.path("empty")).unwrap();
    let host = provider.url().replace("http://", "");
    for (language, leaves, stays) in [
        (EN, "is sent to CUSTOM (", "leaves the server's machine"),
        (KO, "제공자: CUSTOM (", "서버 밖으로 보내지 않습니다"),
    ] {
        let to = ["add", "empty", "--scope", "project"];
        let told = rag(&home, &to, &language).ended(1).err;
        assert!(told.contains(&format!("{leaves}{host})")) && told.contains("vectors"), "{told}");
        assert!(!told.contains(stays), "{told}");
        let told = rag(&home, &["add", "empty"], &language).ended(1).err;
        assert!(told.contains(stays) && !told.contains("CUSTOM"), "{told}");
    }
}

#[test]
fn what_an_administrator_adds_for_everybody_others_find_and_leave() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let url = server.text("url");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    fs::write(home.path("안내.md"), TEXT).unwrap();
    rag(&home, &["add", "안내.md", "--scope", "global", "--wait"], &[]).ended(0);
    let begun = rag(&home, &["reembed"], &EN).ended(0).out;
    assert!(begun.contains("lexical only"), "{begun}");

    let create = ["users", "create", "bob"];
    home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(0);
    let other = Home::new();
    let login = ["login", "bob", "--server", url];
    other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    let list = rag(&other, &["list"], &EN).ended(0).out;
    assert!(list.contains("everybody") && list.contains("서울 사무소"), "{list}");
    let found = rag(&other, &["search", "서울"], &EN).ended(0).out;
    assert!(found.contains("everybody"), "{found}");
    let id = only(&other);
    for words in [&["remove", &*id][..], &["rename", &id, "x"], &["reembed"]] {
        rag(&other, words, &[]).ended(6);
    }
    // Jobs of others are theirs.
    assert_eq!(rag(&other, &["jobs"], &["--json"]).ended(0).json(), json!([]));
    rag(&other, &["jobs", "--scope", "global"], &[]).ended(6);
    assert_eq!(only(&home), id);
}

#[test]
fn on_a_terminal_its_progress_is_shown() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    fs::write(home.path("안내.md"), TEXT).unwrap();
    let add = ["rag", "add", "안내.md", "--wait", "--language", "en"];
    let (code, screen) = Terminal::start(home.command(&add)).end();
    assert!(code == 0 && screen.contains("[1/1] sending · 안내.md"), "{screen}");
    assert!(screen.contains("안내.md: document "), "{screen}");
}

/// An answer as OpenSearch gives it.
fn open_search(texts: &[&str]) -> String {
    let hit = |text: &&str| {
        json!({"_index": "docs", "_score": 0.85,
            "_source": {"text": text, "file_name": "휴가정책.md", "page_number": 2}})
    };
    let hits: Vec<Value> = texts.iter().map(hit).collect();
    json!({"took": 3, "hits": {"total": {"value": hits.len()}, "hits": hits}}).to_string()
}

#[test]
fn hits_of_open_search_are_formatted_without_a_server() {
    let home = Home::new();
    fs::write(home.path("two.json"), open_search(&["가", "나"])).unwrap();
    let head = "(휴가정책.md, p.2)";
    let ranked = format!("[1] {head}\n가\n\n[2] {head}\n나\n");
    for (how, due) in [
        (&["--limit", "5"][..], ranked.clone()),
        (&["--format", "simple"], "[1]\n가\n\n[2]\n나\n".to_owned()),
        (&["--format", "ranked"], ranked),
        (&["--format", "debug", "--limit", "1"], format!("[1] {head} [score: 0.850]\n가\n")),
        (
            &["--query", "두 규정을 비교해 줘"],
            "| n | source | text |\n|---|---|---|\n| [1] | 휴가정책.md, p.2 | 가 |\n\
             | [2] | 휴가정책.md, p.2 | 나 |\n"
                .to_owned(),
        ),
    ] {
        let shown = rag(&home, &[&["format", "two.json"][..], how].concat(), &EN).ended(0);
        assert_eq!(shown.out, due, "{how:?}");
        assert!(shown.err.starts_with("Hits with a text: 2; shown: "), "{shown:?}");
    }
    let told = rag(&home, &["format", "two.json"], &KO).ended(0).err;
    assert!(told.contains("검색 결과: 2개") && told.contains("형식: ranked"), "{told}");
    let shown = rag(&home, &["format", "two.json", "--format", "simple"], &["--json"]).ended(0);
    let text = "[1]\n가\n\n[2]\n나";
    let due = json!({"format": "simple", "hits": 2, "shown": 2, "text": text});
    assert_eq!((shown.json(), &*shown.err), (due, ""));

    let seven = open_search(&["a", "b", "c", "d", "e", "f", "g"]);
    let texts = |how: &[&str]| {
        let simple = &["rag", "format", "-", "--format", "simple"][..];
        let out = home.run_with_input(&[simple, how].concat(), &seven).ended(0).out;
        let is_text = |line: &&str| !line.is_empty() && !line.starts_with('[');
        out.lines().filter(is_text).collect::<String>()
    };
    assert_eq!(texts(&[]), "acedb");
    assert_eq!(texts(&["--keep-order"]), "abcde");
    assert_eq!(texts(&["--limit", "7", "--keep-order"]), "abcdefg");
    fs::write(home.path("none.json"), "[]").unwrap();
    let none = rag(&home, &["format", "none.json"], &EN).ended(0).out;
    assert_eq!(none, "nothing relevant was found\n");
}

#[test]
fn what_has_no_hits_of_open_search_is_refused_with_the_reason() {
    let home = Home::new();
    // One byte too many: all of it is read.
    let long = format!("[\"{}\"]", "x".repeat(1_048_573));
    for (file, text) in [
        ("other.json", r#"{"rows": []}"#),
        ("untold.json", r#"[{"_source": {"title": "a"}}]"#),
        ("broken.json", "{"),
        ("long.json", &long),
        ("two.json", &open_search(&["a", "b"])),
    ] {
        fs::write(home.path(file), text).unwrap();
    }
    for (file, english, korean) in [
        ("other.json", "has no hits of OpenSearch", "검색 결과가 없는 파일"),
        ("untold.json", "no hit has a text", "본문이 하나도 없습니다"),
        ("broken.json", "not JSON at line", "not JSON at line"),
        ("long.json", "longer than", "longer than"),
        ("absent.json", "no such file", "그런 파일이나 폴더가 없습니다"),
    ] {
        for (language, words) in [(EN, english), (KO, korean)] {
            let told = rag(&home, &["format", file], &language).ended(2);
            assert!(told.err.contains(words) && told.err.contains(file), "{told:?}");
            assert!(told.out.is_empty(), "{told:?}");
        }
    }
    let piped = home.run_with_input(&["rag", "format", "-", "--language", "en"], &long).ended(2);
    assert!(piped.err.contains("longer than"), "{piped:?}");
    for (how, words) in [
        (&["--format", "xml"][..], "ranked"),
        (&["--limit", "8"], "1..=7"),
        (&["--format", "debug", "--query", "a"], "cannot be used"),
    ] {
        let told = rag(&home, &[&["format", "two.json"][..], how].concat(), &EN).ended(2).err;
        assert!(told.contains(words), "{told}");
    }
}
