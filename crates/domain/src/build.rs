//! The name of the running build.

/// Hexadecimal digits of the SHA-256 in the name.
const DIGITS: usize = 12;

/// The version and the first digits of the program's SHA-256: two programs of one version are two
/// builds.
#[must_use]
pub fn build_name(program: [u8; 32]) -> String {
    let digest = hex::encode(program);
    format!("{}-{}", env!("CARGO_PKG_VERSION"), digest.get(..DIGITS).unwrap_or_default())
}
