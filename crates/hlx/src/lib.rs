//! Parsing, validation, explanation and pure stepping of plans
