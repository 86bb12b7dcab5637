//! The governor over the real gate, store, executors and models.

#[cfg(test)]
mod accounts;
#[cfg(test)]
mod after;
#[cfg(test)]
mod again;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod beside_memory;
#[cfg(test)]
mod commits;
#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod counting;
#[cfg(test)]
mod cut;
#[cfg(test)]
mod degraded;
#[cfg(test)]
mod delegations;
#[cfg(test)]
mod document_starts;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod embeddings;
#[cfg(test)]
mod fallbacks;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod guardrails;
#[cfg(test)]
mod halts;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod injection;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod local_embedding;
#[cfg(test)]
mod long_conversation;
mod meant;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod memory_noninterference;
#[cfg(test)]
mod misbehaving;
#[cfg(test)]
mod noninterference;
#[cfg(test)]
mod overrides;
#[cfg(test)]
mod personas;
#[cfg(test)]
mod previews;
#[cfg(test)]
mod profile;
#[cfg(test)]
mod provenance;
#[cfg(test)]
mod quorum;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod reembeddings;
#[cfg(test)]
mod refused;
mod rest;
#[cfg(test)]
mod retrieval;
#[cfg(test)]
mod revocations;
#[cfg(test)]
mod session_risk;
#[cfg(test)]
mod spending;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod systems;
#[cfg(test)]
mod test_governor;
#[cfg(test)]
mod trials;
#[cfg(test)]
mod turn_meaning;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod unseen;
#[cfg(test)]
mod unverified;
#[cfg(test)]
mod webhooks;
