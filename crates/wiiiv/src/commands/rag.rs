//! `rag`: documents that answers are found in. What a person, a project or everybody finds is added, listed, searched and
//! removed.

mod add;
mod attention;
mod baseline;
mod corpus;
mod documents;
mod eval;
mod files;
mod format;
mod jobs;
mod leaving;
mod passages;
mod quality;
mod reason;
mod report;
mod rows;
mod scopes;
mod search;
mod set;
mod vectors;

use crate::args::RagCommand;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn run(context: &Context, command: &RagCommand) -> Result<Exit, Failure> {
    match command {
        RagCommand::Add(args) => add::add(context, args).await,
        RagCommand::List(of) => documents::list(context, of).await,
        RagCommand::Show { document, passage: None, .. } => {
            documents::show(context, document).await
        }
        RagCommand::Show { document, passage: Some(number), cited_version } => {
            passages::show(context, document, (*number, *cited_version)).await
        }
        RagCommand::Search(args) => search::search(context, args).await,
        RagCommand::Remove { document } => documents::remove(context, document).await,
        RagCommand::Rename { document, title } => documents::rename(context, document, title).await,
        RagCommand::Jobs(of) => jobs::list(context, of).await,
        RagCommand::Cancel { job } => jobs::cancel(context, job).await,
        RagCommand::Reembed(of) => documents::reembed(context, of).await,
        RagCommand::Eval(args) => eval::eval(context, args),
        RagCommand::Format(args) => format::format(context, args),
    }
}
