//! The runs that a model needs before there is a verdict.

/// Scenarios that a real model can be played with, and the one that none may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suite<'a> {
    pub scenarios: &'a [&'a str],
    pub smoke: &'a str,
}

/// Of this build: those of `ghost-scenarios/` that do not rest on what a recorded model does wrong.
pub const SUITE: Suite<'static> = Suite {
    scenarios: &[
        "C01-EN", "C01", "C03", "C04", "C05", "C07", "C08", "C09-EN", "C09", "C10", "C11", "C12",
        "C13", "C14", "C15", "C16", "C17", "C19", "C20", "C21", "C22", "C23", "C24", "C25", "C26",
        "C27", "C29", "C30", "G01", "G02", "G03", "G04", "G05", "G06", "G07", "G08", "G09", "G10",
        "G11", "G12", "G13", "G14", "G15", "G17", "G18", "G19", "W01", "W03", "W05", "W06",
        "Y07-EN", "Y07", "Y08", "Y09", "Y11", "Y12", "Y14", "Y16", "Z02",
    ],
    smoke: "Z02",
};
