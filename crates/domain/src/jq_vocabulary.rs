//! What of jq's vocabulary a plan may not use: an expression is a function of its input alone. The check
//! of a plan (`hlx`) and the evaluation (`exec`) leave out the same names.

/// Native filters that read a clock, an environment, a time zone file or a further input, or end the program.
pub const JQ_REFUSED_FUNCTIONS: [&str; 8] =
    ["env", "now", "localtime", "strflocaltime", "strptime", "halt", "debug_empty", "stderr_empty"];

/// Definitions of the standard library that call those.
pub const JQ_REFUSED_DEFINITIONS: [&str; 4] = ["debug", "stderr", "halt", "halt_error"];
