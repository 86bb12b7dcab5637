//! Texts that are checked once, by the `parse` of their type, wherever they come from.

/// What such a type has beside its own `parse`: `$text` holds a `String` and nothing else.
macro_rules! checked_text {
    ($text:ident, $error:ident) => {
        impl $text {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $text {
            type Error = $error;
            fn try_from(text: String) -> Result<Self, $error> {
                Self::parse(&text)
            }
        }

        impl From<$text> for String {
            fn from(text: $text) -> Self {
                text.0
            }
        }

        impl std::fmt::Display for $text {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
