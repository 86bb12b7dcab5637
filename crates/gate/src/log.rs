//! What the audit log holds of evidence and rulings.

pub(crate) mod audit_seq;
pub(crate) mod corrupt;
pub(crate) mod record;
pub(crate) mod recorded;
pub(crate) mod registrar;
pub(crate) mod unrecorded;
