//! Deterministic reading of an utterance: signals, task type, slots
