//! `cargo xtask fuzz NAME [SECONDS]`: one libFuzzer target of `fuzz/`, from its committed corpus.
//!
//! On the stable toolchain: with coverage, without sanitizers. The fuzzed code is safe Rust, whose
//! faults are panics and endless loops. `cargo fuzz run NAME` on a nightly adds sanitizers.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::fault::Fault;
use crate::process;

/// A folder for each target.
const CORPUS: &str = "fuzz/corpus";
/// Where a run says nothing else.
pub const SECONDS: u32 = 60;
/// One input that takes longer is a fault of the reader.
const INPUT_SECONDS_MAX: u32 = 10;
/// Of one input, in bytes.
const INPUT_BYTES_MAX: u32 = 4096;
const MEMORY_MIB_MAX: u32 = 1024;

/// What `cargo fuzz` hands to the compiler, but for the sanitizers.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// Why none can be built here; `None`: nothing is missing.
pub fn missing() -> Option<&'static str> {
    let compiler = process::output(Command::new("c++").arg("--version"));
    compiler.is_err().then_some("libFuzzer wants a C++ compiler: install `g++` or `clang`")
}

/// Every target, one after the other; all are run, whatever one of them finds.
pub fn run_all(root: &Path) -> Result<bool, Fault> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(CORPUS))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut passed = !names.is_empty();
    for name in names {
        passed &= run(root, &name, SECONDS)?;
    }
    Ok(passed)
}

pub fn run(root: &Path, name: &str, seconds: u32) -> Result<bool, Fault> {
    let committed = root.join(CORPUS).join(name);
    if !committed.is_dir() {
        return Err(format!("no fuzz target `{name}`; `{CORPUS}` has one folder for each").into());
    }
    if let Some(reason) = missing() {
        return Err(reason.into());
    }
    let target = root.join("target/fuzz");
    let found = target.join("found").join(name);
    fs::create_dir_all(&found)?;
    let mut command = process::cargo(&root.join("fuzz"));
    command.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"));
    command.args(["run", "--locked", "--release", "--bin", name, "--target", &host()?]);
    // Build scripts and macros run here: only what is named a target is instrumented.
    command.arg("--target-dir").arg(&target).arg("--").arg(&found).arg(&committed);
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-timeout={INPUT_SECONDS_MAX}"),
        format!("-max_len={INPUT_BYTES_MAX}"),
        format!("-rss_limit_mb={MEMORY_MIB_MAX}"),
        format!("-artifact_prefix={}/", found.display()),
        "-print_final_stats=1".to_owned(),
    ]);
    process::succeeds(&mut command)
}

fn host() -> Result<String, Fault> {
    let version = process::output(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8(version)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("`rustc -vV` names no host")?.to_owned())
}
