//! What a sealed secret is bound to: owner, scope, purpose and origin.

/// Domain separation: no other document of wiiiv begins with it.
const AAD_LABEL: &[u8] = b"wiiiv/vault/aad/1";

/// The associated data of a sealed secret. Opening fails if any part differs, so a row that was
/// copied to another owner, scope, purpose or origin is useless there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aad {
    /// Whose secret it is, e.g. `user:<id>`.
    pub owner: String,
    /// The scope that it may be used in.
    pub scope: String,
    /// The use of the secret: a provider's name, `audit-key`, `signing-key`. Each purpose has its
    /// own key.
    pub purpose: String,
    /// The origin that the secret may be sent to; empty if it is never sent.
    pub origin: String,
}

impl Aad {
    // INVARIANT: each part is preceded by its length, so no two different bindings share an
    // encoding.
    pub(crate) fn encode(&self, key_version: u32) -> Vec<u8> {
        let mut bytes = AAD_LABEL.to_vec();
        bytes.extend_from_slice(&key_version.to_be_bytes());
        for part in [&self.owner, &self.scope, &self.purpose, &self.origin] {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::Aad;

    fn aad(parts: [&str; 4]) -> Aad {
        let [owner, scope, purpose, origin] = parts.map(str::to_owned);
        Aad { owner, scope, purpose, origin }
    }

    #[test]
    fn text_moved_between_parts_changes_the_encoding() {
        let bindings = [
            aad(["ab", "c", "", ""]),
            aad(["a", "bc", "", ""]),
            aad(["abc", "", "", ""]),
            aad(["", "abc", "", ""]),
            aad(["", "", "abc", ""]),
            aad(["", "", "", "abc"]),
        ];
        for (i, left) in bindings.iter().enumerate() {
            for (j, right) in bindings.iter().enumerate() {
                assert_eq!(left.encode(1) == right.encode(1), i == j);
            }
            assert_ne!(left.encode(1), left.encode(2));
        }
    }

    proptest! {
        #[test]
        fn encodings_are_equal_only_for_equal_bindings(
            left in any::<[String; 4]>(),
            right in any::<[String; 4]>(),
            versions in any::<(u32, u32)>(),
        ) {
            let same = left == right && versions.0 == versions.1;
            let left = aad(left.each_ref().map(String::as_str)).encode(versions.0);
            let right = aad(right.each_ref().map(String::as_str)).encode(versions.1);
            prop_assert_eq!(left == right, same);
        }
    }
}
