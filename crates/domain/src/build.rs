//! Which program this is.

/// Of the SHA-256 of the program.
const DIGITS: usize = 12;

/// The version and the start of the program's SHA-256: two programs of one version are two builds,
/// and what holds of one need not hold of the other.
#[must_use]
pub fn build_name(program: [u8; 32]) -> String {
    let digest = hex::encode(program);
    format!("{}-{}", env!("CARGO_PKG_VERSION"), digest.get(..DIGITS).unwrap_or_default())
}
