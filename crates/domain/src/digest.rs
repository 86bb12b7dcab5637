//! SHA-256 digests. Each kind has its own type, so none is taken for another.

use crate::canonical::{CanonicalError, canonical};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use std::{fmt, str::FromStr};

/// The document has no canonical JSON form.
pub type DigestError = CanonicalError;

/// The text is not 64 hexadecimal digits; names the kind of digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a {0}: expected 64 hexadecimal digits")]
pub struct ParseDigestError(&'static str);

macro_rules! digests {
    ($($(#[$doc:meta])* $name:ident = $kind:literal),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// From a SHA-256 that was computed before.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }
            /// The 32 bytes of the SHA-256.
            #[must_use]
            pub const fn bytes(&self) -> &[u8; 32] {
                &self.0
            }
            /// SHA-256 of these very bytes.
            #[must_use]
            pub fn of_bytes(bytes: &[u8]) -> Self {
                Self(Sha256::digest(bytes).into())
            }
            /// SHA-256 of the document's RFC 8785 form.
            pub fn of<T: Serialize + ?Sized>(document: &T) -> Result<Self, DigestError> {
                Ok(Self::of_bytes(&canonical(document)?))
            }
            /// The first eight hexadecimal digits, for people.
            #[must_use]
            pub fn short(&self) -> String {
                self.to_string().chars().take(8).collect()
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}:{}", $kind, self.short())
            }
        }
        impl FromStr for $name {
            type Err = ParseDigestError;
            fn from_str(text: &str) -> Result<Self, ParseDigestError> {
                let mut bytes = [0; 32];
                hex::decode_to_slice(text, &mut bytes).map_err(|_| ParseDigestError($kind))?;
                Ok(Self(bytes))
            }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(de::Error::custom)
            }
        }
    )+};
}

digests! {
    /// Salted canonical JSON of a Spec.
    SpecDigest = "spec digest",
    /// A DACS result.
    DeliberationDigest = "deliberation digest",
    /// What an approval binds to: see [`crate::Blueprint::digest`].
    BlueprintDigest = "blueprint digest",
    /// What a yes that was said beforehand says: see [`crate::GrantTerms`].
    GrantDigest = "grant digest",
    /// The steps of a plan as written: see [`crate::Blueprint::workflow_digest`].
    WorkflowDigest = "workflow digest",
    /// Bytes of a file or of a step's output.
    ContentDigest = "content digest",
    /// One version of a policy, whole.
    PolicyDigest = "policy digest",
    /// A prompt as rendered.
    PromptHash = "prompt hash",
    /// The rule text above the boundary of a prompt, or a rule file of `policies/`.
    RulesHash = "rules hash",
    /// A flow state after a transition; a replay that differs is detected by it.
    StateHash = "state hash",
}
