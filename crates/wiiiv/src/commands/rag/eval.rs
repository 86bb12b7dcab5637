//! `rag eval SET`: how good the search over documents is, by what people wrote down that should be found. It needs no
//! server, and changes nothing.

use super::{
    report::{self, document},
    rows::Measured,
    set::EvalSet,
    vectors::Vectors,
};
use crate::{
    args::{EmbedderArg, RagEvalArgs},
    config::{Flags, load},
    context::Context,
    exit::Exit,
    failure::Failure,
    output::harmless,
    start,
    texts::named,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use wiiiv_retrieval::Chunking;

pub fn eval(context: &Context, args: &RagEvalArgs) -> Result<Exit, Failure> {
    let set = EvalSet::read(&args.evaluated_set)?;
    let mut vectors = Vectors::open(&models(args)?, args.embedder)?;
    let mut all = Vec::new();
    for chunking in [Chunking::ParentChild, Chunking::Flat] {
        all.push((chunking, Measured::of(&set, args.part, (chunking, &mut vectors))?));
    }
    let queries = set.queries_of(args.part).count();
    let chunkings = all.iter().map(|(chunking, measured)| document(*chunking, measured));
    context.output.document(&json!({
        "set": set.title,
        "part": args.part.as_str(),
        "embedder": args.embedder.as_str(),
        "documents": set.documents.len(),
        "queries": queries,
        "chunkings": chunkings.collect::<Vec<Value>>(),
    }))?;
    let texts = &context.texts.rag_eval;
    let values = [
        ("title", harmless(&set.title)),
        ("documents", set.documents.len().to_string()),
        ("queries", queries.to_string()),
        ("part", named(&texts.parts, args.part.as_str()).to_owned()),
        ("embedder", args.embedder.as_str().to_owned()),
    ];
    context.say(&texts.set, &values.each_ref().map(|(name, value)| (*name, value.as_str())))?;
    if !vectors.are_made() {
        context.say(&texts.no_embedder, &[])?;
    }
    for (chunking, measured) in &all {
        report::told(context, *chunking, measured)?;
    }
    Ok(Exit::Done)
}

/// Those that the server has, unless others are named.
fn models(args: &RagEvalArgs) -> Result<PathBuf, Failure> {
    match (&args.models_folder, args.embedder) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, EmbedderArg::None) => Ok(PathBuf::new()),
        (None, EmbedderArg::Local(_)) => {
            let settings = load(&Flags::default())?.settings;
            Ok(start::models_folder(&start::data_folder(&settings)?))
        }
    }
}
