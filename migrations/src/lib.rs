//! Schema steps of the store
