//! Lists the files of `web/dist` for `ui.rs`. Where it has not been built the list is empty: a
//! build needs no Node.

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
};

const DIST: &str = "../../web/dist";
const LIST: &str = "ui_files.rs";

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| told(&name));
    let dist = variable("CARGO_MANIFEST_DIR")?.join(DIST);
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    if dist.is_dir() {
        collect(&dist, &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&dist).map_err(|error| told(&error))?;
        let name = name.to_str().ok_or_else(|| told(&"a name in `web/dist` is not UTF-8"))?;
        let line = format!("({name:?}, include_bytes!({:?}).as_slice()),\n", file.display());
        list.push_str(&line);
    }
    list.push_str("]\n");
    fs::write(variable("OUT_DIR")?.join(LIST), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn told(why: &dyn fmt::Display) -> io::Error {
    io::Error::other(why.to_string())
}
