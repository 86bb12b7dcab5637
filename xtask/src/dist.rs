//! `cargo xtask dist`: builds the released binary and checks its size.

use std::fs;
use std::path::Path;

use crate::fault::Fault;
use crate::process;

/// docs/performance.md, the binary.
const BYTES_MAX: u64 = 40_000_000;
/// Functions of the same code become one, and addresses that are filled in at start are packed. Rust's
/// linker on 64-bit Linux (LLD) knows both.
const LINKED: [&str; 4] =
    ["-C", "link-arg=-Wl,--icf=all", "-C", "link-arg=-Wl,-z,pack-relative-relocs"];

pub fn run(root: &Path) -> Result<bool, Fault> {
    let mut command = process::cargo(root);
    command.args([
        "rustc",
        "--locked",
        "--profile",
        "dist",
        "--package",
        "wiiiv",
        "--bin",
        "wiiiv",
    ]);
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        command.arg("--").args(LINKED);
    }
    if !process::succeeds(&mut command)? {
        return Ok(false);
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let binary = target.join("dist").join(format!("wiiiv{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::metadata(&binary)?.len();
    println!("{}: {bytes} bytes, of at most {BYTES_MAX}", binary.display());
    Ok(bytes <= BYTES_MAX)
}
