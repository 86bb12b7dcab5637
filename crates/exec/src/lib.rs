//! Step executors only: no journal, no sequencing
