//! Each fault by itself, in a workspace that is clean without it.

use crate::repository::TestRepository;

/// The workspace is clean, and with the fault it has exactly these findings.
#[track_caller]
fn check(fault: impl FnOnce(&TestRepository), expected: &[&str]) {
    let repository = TestRepository::clean();
    let before = repository.tidy();
    assert_eq!((before.passed, before.findings), (true, Vec::new()));
    fault(&repository);
    let after = repository.tidy();
    assert_eq!(after.findings, expected);
    assert!(!after.passed, "findings, and yet exit 0");
}

#[test]
fn a_forbidden_arrow() {
    let arrow = "wiiiv-gate = { path = \"../gate\" }\n";
    check(|it| it.append("crates/flow/Cargo.toml", arrow), &["crates/flow/Cargo.toml:8: arrow"]);
}

#[test]
fn a_forbidden_arrow_of_a_build_script() {
    let arrow = "[build-dependencies]\nwiiiv-gate = { path = \"../gate\" }\n";
    check(|it| it.append("crates/flow/Cargo.toml", arrow), &["crates/flow/Cargo.toml:9: arrow"]);
}

#[test]
fn a_dev_dependency_on_a_crate_above() {
    let arrow = "[dev-dependencies]\nwiiiv-store = { path = \"../store\" }\n";
    check(
        |it| it.append("crates/gate/Cargo.toml", arrow),
        &["crates/gate/Cargo.toml:9: dev-cycle"],
    );
}

#[test]
fn a_dev_dependency_beside_is_free() {
    let repository = TestRepository::clean();
    let arrow = "[dev-dependencies]\nwiiiv-flow = { path = \"../flow\" }\n";
    repository.append("crates/gate/Cargo.toml", arrow);
    assert!(repository.tidy().passed);
}

#[test]
fn a_crate_without_a_row_in_the_table() {
    let manifest = "[package]\nname = \"wiiiv-broker\"\nversion = \"0.0.0\"\n";
    let fault = |it: &TestRepository| {
        it.write("crates/broker/Cargo.toml", manifest);
        it.write("crates/broker/src/lib.rs", "//! Messages.\n");
    };
    check(fault, &["crates/broker/Cargo.toml:1: ring"]);
}

#[test]
fn reqwest_in_exec() {
    let fault = |it: &TestRepository| it.depend_on_reqwest("exec");
    // The stub is no crate of crates.io, which is a finding of its own.
    check(fault, &["Cargo.lock:1: source", "crates/exec/Cargo.toml:9: ban"]);
}

#[test]
fn reqwest_in_a_pure_room_is_refused_for_two_reasons() {
    let ban = "crates/flow/Cargo.toml:8: ban";
    check(|it| it.depend_on_reqwest("flow"), &["Cargo.lock:1: source", ban, ban]);
}

#[test]
fn a_file_of_801_lines() {
    let lines = |count: usize| format!("//! Long.\n{}", "//\n".repeat(count - 1));
    let repository = TestRepository::clean();
    repository.write("crates/exec/src/file.rs", &lines(800));
    assert!(repository.tidy().passed);
    let fault = |it: &TestRepository| it.write("crates/exec/src/file.rs", &lines(801));
    check(fault, &["crates/exec/src/file.rs:801: file-length"]);
}

#[test]
fn utils() {
    let fault = |it: &TestRepository| it.write("crates/exec/src/utils.rs", "//! Things.\n");
    check(fault, &["crates/exec/src/utils.rs:1: file-name"]);
}

#[test]
fn modules_in_a_circle() {
    let fault = |it: &TestRepository| {
        it.write("crates/flow/src/lib.rs", "//! Transitions.\nmod signal;\nmod task;\n");
        it.write("crates/flow/src/signal.rs", "//! Signals.\nuse crate::task::Task;\n");
        it.write("crates/flow/src/task.rs", "//! Tasks.\n\nuse super::signal::Signal;\n");
    };
    check(fault, &["crates/flow/src/signal.rs:2: circle"]);
}

#[test]
fn a_module_file_without_a_name() {
    let fault = |it: &TestRepository| it.write("crates/exec/src/file/mod.rs", "//! Files.\n");
    check(fault, &["crates/exec/src/file/mod.rs:1: file-name"]);
}

#[test]
fn a_registrar_outside_its_rooms() {
    let text = "//! Files.\nfn f(registrar: wiiiv_gate::Registrar) {}\n";
    let fault = |it: &TestRepository| it.write("crates/exec/src/file.rs", text);
    check(fault, &["crates/exec/src/file.rs:2: opening"]);
}

#[test]
fn an_opening_outside_its_rooms() {
    let text = "//! Files.\nuse wiiiv_gate::{self as gate};\n\nfn f() { gate::open(); }\n";
    let fault = |it: &TestRepository| it.write("crates/exec/src/file.rs", text);
    check(fault, &["crates/exec/src/file.rs:4: opening"]);
}

#[test]
fn an_opening_behind_a_glob_a_name_and_a_macro() {
    for text in [
        "//! Files.\nuse wiiiv_gate::*;\nfn f() { open(); }\n",
        "//! Files.\nuse wiiiv_gate::{self as doors};\nfn f() { doors::open(); }\n",
        "//! Files.\nmacro_rules! m { ($f:ident) => { wiiiv_gate::$f() } }\nfn f() { m!(open); }\n",
    ] {
        let fault = |it: &TestRepository| it.write("crates/exec/src/file.rs", text);
        check(fault, &["crates/exec/src/file.rs:2: opening"]);
    }
}

#[test]
fn an_opening_that_is_handed_on() {
    let text = "//! Rows.\npub use wiiiv_gate::open;\n";
    let fault = |it: &TestRepository| it.write("crates/store/src/lib.rs", text);
    check(fault, &["crates/store/src/lib.rs:2: opening"]);
    let text = "//! Rows.\n#[macro_export]\nmacro_rules! m { () => { wiiiv_gate::open() } }\n";
    let fault = |it: &TestRepository| it.write("crates/store/src/rows.rs", text);
    check(fault, &["crates/store/src/rows.rs:2: opening"]);
}

#[test]
fn a_clock_in_a_pure_room() {
    let text = "//! Transitions.\nuse std::time::SystemTime;\n";
    let fault = |it: &TestRepository| it.write("crates/flow/src/lib.rs", text);
    check(fault, &["crates/flow/src/lib.rs:2: purity"]);
}

#[test]
fn a_function_at_the_front_door() {
    let fault = |it: &TestRepository| it.append("crates/flow/src/lib.rs", "pub fn step() {}\n");
    check(fault, &["crates/flow/src/lib.rs:2: front-door"]);
}

#[test]
fn an_exception_accepts_a_finding_and_must_be_in_use() {
    let repository = TestRepository::clean();
    let entry = "max = 1\n\n[[exception]]\npath = \"crates/exec/src/utils.rs\"\n\
                 rule = \"file-name\"\nreason = \"shown here\"\n";
    repository.write("xtask/tidy-exceptions.toml", entry);
    assert_eq!(repository.tidy().findings, ["xtask/tidy-exceptions.toml:4: exception"]);
    repository.write("crates/exec/src/utils.rs", "//! Things.\n");
    assert!(repository.tidy().passed);
}
