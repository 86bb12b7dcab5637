//! Errors of a task, for the developer who runs it.

pub type Fault = Box<dyn std::error::Error>;
