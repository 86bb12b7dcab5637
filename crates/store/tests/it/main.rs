//! The store against real SQLite, with a real opening of the gate.

#[cfg(test)]
mod accounts;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod budgets;
#[cfg(test)]
mod cached;
#[cfg(test)]
mod commits;
#[cfg(test)]
mod delegations;
#[cfg(test)]
mod document_capacity;
#[cfg(test)]
mod document_kills;
#[cfg(test)]
mod document_reads;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod escalation;
#[cfg(test)]
mod evidence_rows;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod ghost_results;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod halts;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod model_keys;
#[cfg(test)]
mod overrides;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod profile;
#[cfg(test)]
mod questions;
#[cfg(test)]
mod quorum;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod restart;
#[cfg(test)]
mod revocations;
#[cfg(test)]
mod rollout;
#[cfg(test)]
mod rotation;
#[cfg(test)]
mod rotation_kills;
#[cfg(test)]
mod runner_keys;
#[cfg(test)]
mod seals;
#[cfg(test)]
mod systems;
#[cfg(test)]
mod test_store;
#[cfg(test)]
mod tranches;
#[cfg(test)]
mod unreadable;
#[cfg(test)]
mod usage;
