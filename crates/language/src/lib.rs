//! Deterministic reading of an utterance in Korean and English: what the user signals, which task
//! it is, what it names; and the texts in which code answers.
//!
//! Words, rules and texts are data in `config/`. Nothing here remembers anything: the same text in
//! the same situation is read the same.
//!
//! Begin at [`read`] (`reading.rs`): it takes a [`Lexicon`], a text and a [`Situation`], and gives a
//! [`Reading`] with its [`ReadSignal`] and one [`Job`] for each task. `tokenizer.rs` makes the tokens,
//! `ranking.rs` chooses the task, `slots.rs` fills what it names. [`Messages`] renders answers.

mod acted;
mod again;
mod agreed;
mod also;
mod answer;
mod between;
mod bound;
mod called;
mod character;
mod chosen;
mod clause;
mod column;
mod compared;
mod comparison;
mod completed;
mod concept;
mod consent;
mod contains;
mod content;
mod data;
mod dictated;
mod dictation;
mod either;
mod equality;
mod excluded;
mod fields;
mod figures;
mod filed;
mod filled;
mod folder;
mod format;
mod greeted;
mod hangul;
mod heard;
mod implied;
mod instead;
mod inverse;
mod item;
mod jobs;
mod join;
mod keeping;
mod keyed;
mod kin;
mod leading;
mod leftover;
mod lexicon;
mod link;
mod listed;
mod literal;
mod messages;
mod morph;
mod name;
mod noted;
mod number;
mod numbered;
mod order;
mod ordered;
mod pairs;
mod part;
mod paths;
mod peek;
mod place;
mod punctuation;
mod query;
mod quote;
mod ranking;
mod reading;
mod renewed;
mod replied;
mod reported;
mod request;
mod restriction;
mod revision;
mod reworded;
mod route;
mod rows;
mod select;
mod sent;
mod shared;
mod signal;
mod signs;
mod slip;
mod slots;
mod source;
mod spaced;
mod spoken;
mod stack;
mod stuck;
mod sure;
mod swap;
mod systems;
mod token;
mod tokenizer;
mod told;
mod topic;
mod undone;
mod unheard;
mod unwanted;
mod valued;
mod wonder;
mod words;

pub use lexicon::{Lexicon, LexiconError};
pub use listed::lists;
pub use messages::{Denial, Messages, MessagesError, OfflineText, ProviderHint};
pub use reading::{JOBS_LATER_MAX, Job, Lost, ReadSignal, Reading, Situation, read};
pub use replied::wants;
pub use sent::numbers;
pub use topic::{Topic, Topics, TopicsError};
