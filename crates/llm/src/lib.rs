//! Providers, slots, streaming and usage; complete takes a spend permit by value
// LEAD: this crate is written by the helper "context and llm crates" only, not by the author of `language`.
