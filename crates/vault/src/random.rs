//! The only use of the operating system's random source.

use zeroize::Zeroizing;

/// The operating system gave no random bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the operating system gave no random bytes: `{reason}`; \
     check that `getrandom` or `/dev/urandom` is available to this process"
)]
pub struct RandomnessUnavailable {
    reason: String,
}

/// Fresh random bytes, wiped when dropped: seeds, salts and fences.
pub fn random_bytes<const N: usize>() -> Result<Zeroizing<[u8; N]>, RandomnessUnavailable> {
    let mut bytes = Zeroizing::new([0_u8; N]);
    getrandom::fill(bytes.as_mut_slice())
        .map_err(|error| RandomnessUnavailable { reason: error.to_string() })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::random_bytes;

    #[test]
    fn draws_differ() {
        let first = random_bytes::<32>().unwrap();
        let second = random_bytes::<32>().unwrap();
        assert_ne!(*first, *second);
        assert_ne!(*first, [0; 32]);
    }
}
