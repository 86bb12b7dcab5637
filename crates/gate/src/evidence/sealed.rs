//! The only way from bytes to evidence.

use crate::log::{audit_seq::AuditSeq, corrupt::Corrupt};
use serde::{Serialize, de::DeserializeOwned};

/// INVARIANT: only the registrar makes one, so that a bound of `E: Evidence` elsewhere cannot read
/// evidence from its own bytes.
pub struct Reader {
    at: AuditSeq,
}

impl Reader {
    pub(crate) const fn new(at: AuditSeq) -> Self {
        Self { at }
    }
    pub(crate) fn document<D: Document>(&self, bytes: &[u8]) -> Result<D, Corrupt> {
        let at = self.at.get();
        let document: D =
            serde_json::from_slice(bytes).map_err(|_| Corrupt::Shape { at, kind: D::KIND })?;
        let version = document.version();
        if version == D::VERSION {
            return Ok(document);
        }
        Err(Corrupt::Version { at, kind: D::KIND, version })
    }
}

/// The private document behind a kind of evidence.
pub(crate) trait Document: DeserializeOwned {
    const KIND: &'static str;
    const VERSION: u32;
    fn version(&self) -> u32;
}

pub trait Sealed: Sized {
    fn read(reader: Reader, bytes: &[u8]) -> Result<Self, Corrupt>;
}

/// Makes a kind of evidence: its document in a private field, with `Serialize` and no constructor.
macro_rules! evidence {
    ($(#[$doc:meta])* $body:ident($document:ident) = $kind:literal, version $version:literal) => {
        $(#[$doc])*
        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        #[serde(transparent)]
        pub struct $body($document);

        impl $body {
            /// Version of the document that this build writes.
            pub const VERSION: u32 = $version;
        }
        impl $crate::evidence::sealed::Document for $document {
            const KIND: &'static str = $kind;
            const VERSION: u32 = $version;
            fn version(&self) -> u32 {
                self.version
            }
        }
        impl $crate::evidence::sealed::Sealed for $body {
            fn read(
                reader: $crate::evidence::sealed::Reader,
                bytes: &[u8],
            ) -> Result<Self, $crate::log::corrupt::Corrupt> {
                reader.document::<$document>(bytes).map(Self)
            }
        }
    };
}
pub(crate) use evidence;

/// Sealed: all kinds are in this crate. Written by `Serialize`, read by
/// [`crate::Registrar::restore`] only.
pub trait Evidence: Sealed + Serialize {}
