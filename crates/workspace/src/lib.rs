//! Sandboxed files; every mutating function takes a permit by value
