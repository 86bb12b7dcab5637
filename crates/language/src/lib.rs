//! Deterministic reading of an utterance in Korean and English: what the user signals, which task
//! it is, what it names; and the texts in which code answers.
//!
//! Words, rules and texts are data in `config/`. Nothing here remembers anything: the same text in
//! the same situation is read the same.

mod answer;
mod character;
mod comparison;
mod concept;
mod content;
mod fields;
mod leading;
mod lexicon;
mod messages;
mod morph;
mod name;
mod paths;
mod place;
mod reading;
mod request;
mod select;
mod signal;
mod signs;
mod slots;
mod systems;
mod token;
mod tokenizer;

pub use lexicon::{Lexicon, LexiconError};
pub use messages::{Denial, Messages, MessagesError, OfflineText, ProviderHint};
pub use reading::{ReadSignal, Reading, Situation, read};
