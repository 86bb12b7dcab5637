//! The machine from outside: main paths, the whole table, the eight invariants, cancel, replay.

mod absences;
mod cancel;
mod hostile;
mod invariants;
mod law;
mod moves;
mod paths;
mod replay;
mod session;
mod switching;
mod table;
mod table_classes;
