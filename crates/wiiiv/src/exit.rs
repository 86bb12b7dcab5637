//! Exit codes of the program, for scripts.

use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    CheckFailed = 1,
    /// As the parser of the command line has it.
    Usage = 2,
    Configuration = 3,
    Authentication = 4,
    Unreachable = 5,
    /// Denied by a gate.
    Denied = 6,
    /// An approval is pending: somebody has to answer.
    Approval = 7,
    /// An audit file did not verify.
    Audit = 8,
    /// An answer came too late, or is to another plan than the one that is asked about: nothing was done by it.
    TooLate = 9,
    /// Nobody knows whether a step had its effect: a person has to look and say so.
    InDoubt = 10,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
