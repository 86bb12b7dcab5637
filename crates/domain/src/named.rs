//! Enums of which each variant has one name, such as the code of a denial or the method of a request.

/// Declares such an enum, each variant with its name, so that no list of the variants is kept beside it.
/// How a document writes a variant is for serde's own attributes to say.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $enum:ident {
            $($(#[$variant_about:meta])* $variant:ident = $name:expr),+ $(,)?
        }
    ) => {
        $(#[$about])*
        pub enum $enum {
            $($(#[$variant_about])* $variant),+
        }

        impl $enum {
            /// All of them, in declaration order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name in records, metrics and texts.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
