//! The REST interface over the real governor, store, gate and executors.

#[cfg(test)]
mod accounts;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod call;
#[cfg(test)]
mod conventions;
#[cfg(test)]
mod delegations;
#[cfg(test)]
mod document_isolation;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod erasures;
#[cfg(test)]
mod first_run;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod ghost;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod halts;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod identity;
#[cfg(test)]
mod impact;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod overrides;
#[cfg(test)]
mod people;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod profile;
#[cfg(test)]
mod quorum;
#[cfg(test)]
mod recommended;
#[cfg(test)]
mod revocations;
#[cfg(test)]
mod risk;
#[cfg(test)]
mod rollout;
#[cfg(test)]
mod rotation;
#[cfg(test)]
mod seen;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod shares;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod suggestions;
#[cfg(test)]
mod systems;
#[cfg(test)]
mod test_server;
#[cfg(test)]
mod trials;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod ui;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod webhooks;
#[cfg(test)]
mod why;
