//! `config show`: every key, its value and its source.

use crate::config::{Flags, load, shown};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;

pub fn show(context: &Context, flags: &Flags, origin: bool) -> Result<Exit, Failure> {
    let rows = shown(&load(flags)?);
    context.output.document(&rows)?;
    for row in rows {
        let value = format!("{} = {}", row.key, row.value);
        let from = context.output.toned(Tone::Faint, &format!("  # {}", row.origin));
        context.output.line(&if origin { value + &from } else { value })?;
    }
    Ok(Exit::Done)
}
