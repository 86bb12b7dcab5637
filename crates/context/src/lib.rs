//! Rule sheets, context blocks, templates, ordering and token budget of everything a model reads
// LEAD: this crate is written by the helper "context and llm crates" only, not by the author of `language`.
