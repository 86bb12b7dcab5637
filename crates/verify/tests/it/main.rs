//! Exports and receipts are written here from `docs/audit-export.md` alone, then read by the
//! verifier, whole and damaged.

#[cfg(test)]
mod damage;
#[cfg(test)]
mod receipt;
#[cfg(test)]
mod whole;
#[cfg(test)]
mod writer;
