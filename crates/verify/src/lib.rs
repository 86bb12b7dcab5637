//! Independent verifier of audit exports: shares no code with the store
