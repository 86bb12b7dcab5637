//! Conversions between a name of the wire and the enum of a crate below that has the same variants.

/// `One => Other: ...` converts one way, `One <=> Other: ...` both ways. Every variant of what is
/// converted has to be listed, or it does not compile.
macro_rules! mirror {
    ($from:ident => $to:ident: $($variant:ident),+) => {
        impl From<$from> for $to {
            fn from(given: $from) -> Self {
                type Given = $from;
                match given {
                    $(Given::$variant => Self::$variant),+
                }
            }
        }
    };
    ($one:ident <=> $other:ident: $($variant:ident),+) => {
        $crate::dto::mirror::mirror!($one => $other: $($variant),+);
        $crate::dto::mirror::mirror!($other => $one: $($variant),+);
    };
}
pub(crate) use mirror;
