//! A schema: which slots a profile has, and how each of them is kept. Schemas are files of ours in
//! `config/profiles/`.

use super::{
    PROFILE_SLOTS_MAX, PROFILE_VALUE_CHARS_MAX, PROFILE_VALUES_MAX,
    text::{ProfileDay, ProfileFault, ProfileName, ProfileText},
};
use crate::{clock::Timestamp, guardrail::Guardrail, lang::Lang};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, mem};

/// Words of one text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileLabel {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

impl ProfileLabel {
    /// In this language.
    #[must_use]
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ko => &self.ko,
            Lang::En => &self.en,
        }
    }

    const fn is_said(&self) -> bool {
        !self.ko.is_empty() && !self.en.is_empty()
    }
}

named! {
    /// How a new value meets those that a slot has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ProfileSlotPolicy {
        /// The newest replaces the one before it.
        Overwrite = "overwrite",
        /// All are kept; one that says the opposite of another is asked about.
        Accumulate = "accumulate",
        /// Each has a beginning, and an end where it is over.
        TimeBased = "time_based",
        /// The newest counts, those before it are kept as a series.
        LatestWithSeries = "latest_with_series",
        /// Each counts less with time, and at last not at all.
        Decay = "decay",
    }
}

impl ProfileSlotPolicy {
    /// Whether a value may be of a day.
    #[must_use]
    pub const fn has_days(self) -> bool {
        match self {
            Self::TimeBased | Self::LatestWithSeries | Self::Decay => true,
            Self::Overwrite | Self::Accumulate => false,
        }
    }
}

/// Numbers that a slot takes, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Ends")]
pub struct ProfileRange {
    min: i32,
    max: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ends {
    min: i32,
    max: i32,
}

/// Here, so that the file's reader names the line and the column.
impl TryFrom<Ends> for ProfileRange {
    type Error = &'static str;
    fn try_from(Ends { min, max }: Ends) -> Result<Self, Self::Error> {
        if min < max { Ok(Self { min, max }) } else { Err("`min` is not below `max`") }
    }
}

impl ProfileRange {
    /// Whether each number that stands there is within it.
    fn check(self, text: &str) -> Result<(), ProfileFault> {
        let Self { min, max } = self;
        let fits = |number: f64| (f64::from(min)..=f64::from(max)).contains(&number);
        let fits = numbers(text).iter().all(|number| number.parse::<f64>().is_ok_and(fits));
        if fits { Ok(()) } else { Err(ProfileFault::OutOfRange { min, max }) }
    }
}

/// The numbers that stand in a text, as people write them: `1,200` and `５００` are one each, `120-80` are two.
fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().map(narrow).collect();
    let (mut numbers, mut number) = (Vec::new(), String::new());
    for (at, c) in chars.iter().copied().enumerate() {
        let before = chars.get(..at).unwrap_or_default();
        let behind = chars.get(at + 1..).unwrap_or_default();
        if c.is_ascii_digit() || c == '.' {
            number.push(c);
        } else if c != ',' || !is_grouped(&number, behind) {
            numbers.push(mem::take(&mut number));
            if c == '-' && is_sign(before, behind) {
                number.push(c);
            }
        }
    }
    numbers.push(number);
    numbers.retain(|number| number.contains(|c: char| c.is_ascii_digit()));
    numbers
}

/// Of a character in the width of a Korean letter the usual one.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' | '．' | '，' | '－' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{2212}' => '-',
        c => c,
    }
}

/// Whether a comma between the two groups the digits of one number.
fn is_grouped(number: &str, behind: &[char]) -> bool {
    let whole = number.strip_prefix('-').unwrap_or(number);
    let is_whole = whole.bytes().all(|byte| byte.is_ascii_digit());
    let digits = behind.iter().take_while(|c| c.is_ascii_digit()).count();
    is_whole && whole.starts_with(|c: char| c != '0') && digits == 3
}

/// Whether a dash between the two is a sign, and neither a hyphen nor what stands between two numbers.
fn is_sign(before: &[char], behind: &[char]) -> bool {
    let last = before.iter().rev().find(|c| !c.is_whitespace());
    behind.first().is_some_and(|c| c.is_ascii_digit() || *c == '.')
        && before.last().is_none_or(|c| !c.is_alphanumeric())
        && last.is_none_or(|c| !c.is_ascii_digit())
}

named! {
    /// The latest day that a value may be of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ProfileLatestDay {
        /// That on which it is told.
        Today = "today",
    }
}

named! {
    /// What a value looks like.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ProfileSlotKind {
        /// Any line.
        #[default]
        Text = "text",
        /// `72` or `36.5`.
        Number = "number",
        /// `2026-11-21`.
        Day = "day",
    }
}

/// One slot of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSlot {
    /// Its name, the same in both languages.
    pub name: ProfileName,
    /// How a new value meets those that are there.
    pub policy: ProfileSlotPolicy,
    /// A change of it is asked about, and it is shown before the others.
    #[serde(default)]
    pub safety: bool,
    /// What a value looks like.
    #[serde(default)]
    pub kind: ProfileSlotKind,
    /// The longest value, in Unicode scalar values.
    #[serde(default = "chars_max")]
    pub chars_max: usize,
    /// The most values; of a series, the most that are kept.
    #[serde(default = "values_max")]
    pub values_max: u8,
    /// Numbers that it takes: of kind `number` the value, of kind `text` each that stands in it.
    #[serde(default)]
    pub range: Option<ProfileRange>,
    /// No value is of a later day, and none is a later one.
    #[serde(default)]
    pub not_after: Option<ProfileLatestDay>,
    /// Days after which a value of `decay` counts as old; after [`ProfileSlot::LIVES`] times as many it is left out.
    #[serde(default)]
    pub half_life_days: Option<u32>,
    /// What it is called.
    pub label: ProfileLabel,
    /// What belongs there.
    pub hint: ProfileLabel,
}

const fn chars_max() -> usize {
    PROFILE_VALUE_CHARS_MAX
}

const fn values_max() -> u8 {
    PROFILE_VALUES_MAX
}

impl ProfileSlot {
    /// Half-lives after which a value is left out.
    pub const LIVES: u32 = 4;
    /// Digits of a number, on either side of its point.
    const DIGITS_MAX: usize = 12;
    /// Where its person is the day may be ahead of that of UTC: 14 hours.
    const AHEAD_SECONDS_MAX: i64 = 50_400;

    /// Whether the slot takes this value.
    pub fn check(&self, text: &ProfileText) -> Result<(), ProfileFault> {
        let (chars, max) = (text.chars(), self.chars_max);
        if chars > max {
            return Err(ProfileFault::TooLong { chars, max });
        }
        match self.kind {
            ProfileSlotKind::Number if !is_number(text.as_str()) => Err(ProfileFault::NotANumber),
            ProfileSlotKind::Text | ProfileSlotKind::Number => {
                self.range.map_or(Ok(()), |range| range.check(text.as_str()))
            }
            ProfileSlotKind::Day => ProfileDay::parse(text.as_str()).map(drop),
        }
    }

    /// Whether neither the value nor its day is later than one may be that is told now.
    pub fn check_day(
        &self,
        text: &ProfileText,
        of: Option<&ProfileDay>,
        now: Timestamp,
    ) -> Result<(), ProfileFault> {
        let Some(ProfileLatestDay::Today) = self.not_after else { return Ok(()) };
        let is_day = self.kind == ProfileSlotKind::Day;
        let own = if is_day { Some(ProfileDay::parse(text.as_str())?) } else { None };
        let latest = ProfileDay::of(now.plus_seconds(Self::AHEAD_SECONDS_MAX));
        let is_late = own.iter().chain(of).any(|day| *day > latest);
        if is_late { Err(ProfileFault::TooLate) } else { Ok(()) }
    }

    fn checked(&self) -> Result<(), ProfileSchemaFault> {
        let name = || self.name.clone();
        if !(1..=PROFILE_VALUE_CHARS_MAX).contains(&self.chars_max)
            || !(1..=PROFILE_VALUES_MAX).contains(&self.values_max)
        {
            return Err(ProfileSchemaFault::Limits(name()));
        }
        let is_day = self.kind == ProfileSlotKind::Day;
        if self.range.is_some() && is_day {
            return Err(ProfileSchemaFault::Range(name()));
        }
        if self.not_after.is_some() && !is_day && !self.policy.has_days() {
            return Err(ProfileSchemaFault::NotAfter(name()));
        }
        let decays = self.policy == ProfileSlotPolicy::Decay;
        if decays != self.half_life_days.is_some_and(|days| days > 0) {
            return Err(ProfileSchemaFault::HalfLife(name()));
        }
        let is_said = self.label.is_said() && self.hint.is_said();
        is_said.then_some(()).ok_or_else(|| ProfileSchemaFault::Label(name()))
    }
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str| {
        (1..=ProfileSlot::DIGITS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let text = text.strip_prefix('-').unwrap_or(text);
    match text.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part),
        None => digits(text),
    }
}

/// The words by which a value says the opposite of another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileWords {
    /// A whole value that says there is none, such as `none`.
    #[serde(default)]
    pub none: Vec<String>,
    /// Before what is denied, such as `no`.
    #[serde(default)]
    pub not_before: Vec<String>,
    /// Behind what is denied, such as `없음`.
    #[serde(default)]
    pub not_behind: Vec<String>,
}

/// A schema, as its file has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSchema {
    /// By which a project's policy switches it on.
    pub name: ProfileName,
    /// What it is called.
    pub label: ProfileLabel,
    /// What it is for.
    pub hint: ProfileLabel,
    /// What stands above every prompt of a project that has it.
    #[serde(default)]
    pub guardrails: BTreeSet<Guardrail>,
    /// How a value says the opposite of another.
    #[serde(default)]
    pub words: ProfileWords,
    /// In the order in which they are shown, those of safety before the others.
    pub slots: Vec<ProfileSlot>,
}

/// Why a file is no schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileSchemaFault {
    /// Too few or too many.
    #[error("a schema has 1 to `{PROFILE_SLOTS_MAX}` slots")]
    Slots,
    /// Two slots with one name.
    #[error("the slot `{0}` is there twice")]
    Twice(ProfileName),
    /// A limit that is none.
    #[error(
        "the slot `{0}`: `chars_max` is 1 to `{PROFILE_VALUE_CHARS_MAX}`, `values_max` 1 to `{PROFILE_VALUES_MAX}`"
    )]
    Limits(ProfileName),
    /// Where there are no numbers.
    #[error("the slot `{0}`: `range` goes with the kinds `number` and `text`")]
    Range(ProfileName),
    /// Where there are no days.
    #[error(
        "the slot `{0}`: `not_after` goes with the kind `day`, and with a policy whose values have days"
    )]
    NotAfter(ProfileName),
    /// Where it means nothing, or is missing.
    #[error(
        "the slot `{0}`: `half_life_days` of at least 1 goes with the policy `decay`, and with no other"
    )]
    HalfLife(ProfileName),
    /// A text is missing.
    #[error("a label or a hint is empty: `{0}`")]
    Label(ProfileName),
}

impl ProfileSchema {
    /// The same with its slots of safety first.
    pub fn checked(mut self) -> Result<Self, ProfileSchemaFault> {
        if self.slots.is_empty() || self.slots.len() > PROFILE_SLOTS_MAX {
            return Err(ProfileSchemaFault::Slots);
        }
        if !self.label.is_said() || !self.hint.is_said() {
            return Err(ProfileSchemaFault::Label(self.name));
        }
        let mut names = BTreeSet::new();
        for slot in &self.slots {
            if !names.insert(&slot.name) {
                return Err(ProfileSchemaFault::Twice(slot.name.clone()));
            }
            slot.checked()?;
        }
        drop(names);
        self.slots.sort_by_key(|slot| !slot.safety);
        Ok(self)
    }

    /// The slot of that name.
    pub fn slot(&self, name: &ProfileName) -> Result<&ProfileSlot, ProfileFault> {
        let found = self.slots.iter().find(|slot| slot.name == *name);
        found.ok_or_else(|| ProfileFault::NoSlot(name.clone()))
    }
}
