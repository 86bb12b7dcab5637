//! The store against real SQLite, with a real opening of the gate.

mod accounts;
mod approvals;
mod audit;
mod budgets;
mod commits;
mod faults;
mod groups;
mod plan;
mod restart;
mod world;
