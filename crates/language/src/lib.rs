//! Deterministic reading of an utterance in Korean and English: what the user signals, which task
//! it is, what it names; and the texts in which code answers.
//!
//! Words, rules and texts are data in `config/`. Nothing here remembers anything: the same text in
//! the same situation is read the same.

mod acted;
mod again;
mod answer;
mod bound;
mod called;
mod character;
mod chosen;
mod clause;
mod column;
mod comparison;
mod concept;
mod consent;
mod contains;
mod content;
mod dictated;
mod equality;
mod fields;
mod figures;
mod filled;
mod folder;
mod format;
mod hangul;
mod heard;
mod implied;
mod instead;
mod jobs;
mod join;
mod keeping;
mod leading;
mod lexicon;
mod link;
mod literal;
mod messages;
mod morph;
mod name;
mod numbered;
mod order;
mod ordered;
mod paths;
mod place;
mod query;
mod ranking;
mod reading;
mod reported;
mod request;
mod restriction;
mod revision;
mod route;
mod rows;
mod select;
mod signal;
mod signs;
mod slip;
mod slots;
mod source;
mod spaced;
mod stack;
mod stuck;
mod swap;
mod systems;
mod token;
mod tokenizer;
mod told;
mod topic;
mod undone;
mod unwanted;
mod wonder;
mod words;

pub use lexicon::{Lexicon, LexiconError};
pub use messages::{Denial, Messages, MessagesError, OfflineText, ProviderHint};
pub use reading::{JOBS_LATER_MAX, Job, Lost, ReadSignal, Reading, Situation, read};
pub use topic::{Topic, Topics, TopicsError};
