//! The gate from outside: what it allows, what it refuses, and what does not even build.

#[cfg(test)]
mod absent_traits;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod compile_fail;
#[cfg(test)]
mod costs;
#[cfg(test)]
mod credentials;
#[cfg(test)]
mod delegation;
#[cfg(test)]
mod deliberation;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod fine;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod labels;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod monotone;
#[cfg(test)]
mod openings;
#[cfg(test)]
mod overrides;
#[cfg(test)]
mod permissions;
#[cfg(test)]
mod policies;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod rights;
#[cfg(test)]
mod session_risk;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod test_gate;
