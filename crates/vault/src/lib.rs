//! Secrets at rest: sealing under a master key, the audit key, masking.
//!
//! - [`Vault`]: seals and opens values (AES-256-GCM), each bound to an [`Aad`]; [`Sealed`] is the
//!   result.
//! - [`MasterKey`], [`MasterKeys`], [`KeyRecord`]: the keys of a process and of its data, rotation
//!   included.
//! - [`AuditKey`]: keyed hashes of foreign text; [`ApiKey`] and [`Credential`]: secrets in use.
//! - [`RunnerKey`]: the key that signs results of GHOST runs, and how a signature is checked.
//! - [`webhook_signature`]: HMAC over the body of a webhook.
//! - [`mask()`] and [`spellings()`]: how a secret is shown and how it is searched for.
//!
//! Pure, except for nonces and new keys, which come from the operating system's random source. It
//! reads no file and no environment: the program passes the master key in.
//! Begin reading at `vault.rs`, then `given.rs`.

#![warn(missing_docs)]

mod aad;
mod api_key;
mod audit_key;
mod canary;
mod cipher;
mod credential;
mod given;
mod key_id;
mod keyed_hash;
mod mask;
mod master_key;
mod random;
mod runner_key;
mod sealed;
mod spelling;
mod vault;
mod webhook_signature;

pub use aad::Aad;
pub use api_key::{API_KEY_BYTES_MAX, API_KEY_BYTES_MIN, ApiKey, ApiKeyFormat};
pub use audit_key::{AUDIT_KEY_BYTES, AuditKey, AuditKeyLength};
pub use credential::{CREDENTIAL_BYTES_MAX, Credential, CredentialError, SECRET_BYTES_MIN};
pub use given::{FIRST_KEY_VERSION, FormerKey, KeyRecord, KeyStanding, MasterKeys, WrongMasterKey};
pub use key_id::{KEY_ID_BYTES, KeyId};
pub use mask::mask;
pub use master_key::{MASTER_KEY_BYTES, MasterKey, MasterKeyFormat};
pub use random::{RandomnessUnavailable, random_bytes};
pub use runner_key::{
    RUNNER_KEY_BYTES, RunnerKey, RunnerKeyFormat, SIGNATURE_BYTES, is_runner_public_key,
    is_signed_by,
};
pub use sealed::{Sealed, SealedFormat};
pub use spelling::{Encoding, Spelling, spellings};
pub use vault::{Vault, VaultError};
pub use webhook_signature::{WEBHOOK_SECRET_BYTES_MIN, webhook_signature};
