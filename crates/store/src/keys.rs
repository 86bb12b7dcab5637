//! Keys and secrets at rest, and the rotation of the master key.

pub(crate) mod audit_keys;
pub(crate) mod hmac;
pub(crate) mod model_key;
pub(crate) mod rotation;
pub(crate) mod secret;
