//! Lists the languages of `config/lexicons/`: a file there is a language, whatever its name.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

/// What words mean together is no language.
const TASKS: &str = "tasks.toml";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../config/lexicons");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".toml") && name != TASKS {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push((name, path.canonicalize()?));
        }
    }
    files.sort();
    let mut list = String::from("const LANGUAGES: &[(&str, &str)] = &[\n");
    for (name, path) in files {
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    list.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("languages.rs"), list)?;
    Ok(())
}
