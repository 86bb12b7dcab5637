//! The program as its users run it: processes, terminals left out.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod audit_feed;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod changed;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod context_eval;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod dialogue;
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod earlier_data;
#[cfg(test)]
mod edge;
#[cfg(test)]
mod erasure;
#[cfg(test)]
mod exit_codes;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod ghost;
#[cfg(test)]
mod ghost_live;
#[cfg(test)]
mod ghost_sample;
#[cfg(test)]
mod host;
#[cfg(test)]
mod init;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod local_model;
#[cfg(test)]
mod local_models;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod model;
#[cfg(test)]
mod overrides;
#[cfg(test)]
mod people;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod profile;
#[cfg(test)]
mod program;
#[cfg(test)]
mod rag;
#[cfg(test)]
mod rag_eval;
#[cfg(test)]
mod rag_restart;
#[cfg(test)]
mod rollout;
#[cfg(test)]
mod rotation;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod server;
#[cfg(test)]
mod tamper;
#[cfg(test)]
mod telemetry;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod usage;
