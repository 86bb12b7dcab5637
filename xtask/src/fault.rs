//! What went wrong, in words for the developer at the keyboard.

pub type Fault = Box<dyn std::error::Error>;
