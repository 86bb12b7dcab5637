//! `ghost report`: stored results, from a file or a server.

use super::results::{from_file, from_server};
use super::run::tell_matrix;
use crate::args::GhostReportArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use wiiiv_ghost::{Tally, junit};

pub async fn report(context: &Context, args: &GhostReportArgs) -> Result<Exit, Failure> {
    let (reports, claimed) = match &args.results {
        Some(file) => (from_file(file)?, 0),
        None => from_server(context).await?,
    };
    if let Some(file) = &args.junit {
        std::fs::write(file, junit(&reports)).map_err(Failure::unwritable(file))?;
    }
    context.output.document(&reports)?;
    tell_matrix(context, &reports)?;
    if claimed > 0 {
        context.say(&context.texts.ghost.claimed, &[("count", &claimed.to_string())])?;
    }
    Ok(if Tally::of(&reports).is_good() { Exit::Done } else { Exit::CheckFailed })
}
