//! `completions SHELL`: the script that a shell loads.

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use clap_complete::{Shell, generate};

pub fn print(context: &Context, shell: Shell) -> Result<Exit, Failure> {
    let mut command = help::command(&context.texts);
    let mut script = Vec::new();
    generate(shell, &mut command, "wiiiv", &mut script);
    context.output.raw(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
