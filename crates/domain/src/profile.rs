//! What a person told of themselves in one project, slot by slot of a schema: schemas, contents, and how a
//! change is merged. Pure: who may change what, and where it is kept, is the store's.

mod change;
mod content;
mod document;
mod merge;
mod note;
mod schema;
#[cfg(test)]
mod tests;
mod text;

pub use change::{ProfileChange, ProfileEdit};
pub use content::{ProfileAge, ProfileEntry, SlotContent};
pub use document::{PendingChange, ProfileDocument, ProfileDone, SlotOutcome};
pub use merge::{Merge, merged};
pub use note::{NoteRefused, ProfileNote, ProfileNoteOp};
pub use schema::{
    ProfileLabel, ProfileLatestDay, ProfileRange, ProfileSchema, ProfileSchemaFault, ProfileSlot,
    ProfileSlotKind, ProfileSlotPolicy, ProfileWords,
};
pub use text::{ProfileDay, ProfileFault, ProfileName, ProfileText};

/// Slots of one schema.
pub const PROFILE_SLOTS_MAX: usize = 32;
/// Of one value, in Unicode scalar values after NFC; a slot may take less.
pub const PROFILE_VALUE_CHARS_MAX: usize = 200;
/// Values of one slot; a slot may take less.
pub const PROFILE_VALUES_MAX: u8 = 20;
/// Changes of one profile that wait for a yes.
pub const PROFILE_PENDING_MAX: usize = 16;
/// Changes of one request, and of one answer of a model.
pub const PROFILE_CHANGES_MAX: usize = 16;
