//! The machine from outside: main paths, the whole table, the eight invariants over generated sequences
//! and over every sequence of a small model, cancel, replay.

#[cfg(test)]
mod absences;
#[cfg(test)]
mod cancel;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod law;
#[cfg(test)]
mod model;
#[cfg(test)]
mod moves;
#[cfg(test)]
mod paths;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod session;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod switching;
#[cfg(test)]
mod table;
#[cfg(test)]
mod table_classes;
#[cfg(test)]
mod undrawn;
