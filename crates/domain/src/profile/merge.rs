//! How a change meets what a slot holds.

use super::{
    change::ProfileEdit,
    content::{ProfileEntry, SlotContent},
    schema::{ProfileSlot, ProfileSlotPolicy, ProfileWords},
    text::{ProfileDay, ProfileFault, ProfileText},
};
use crate::{clock::Timestamp, id::TurnId};

/// What comes of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merge {
    /// It says what is there already.
    Unchanged,
    /// It may be kept at once.
    Set(SlotContent),
    /// It says the opposite of these values, goes back to before them, or takes them out of a slot of safety: its person is
    /// asked, and they go with a yes.
    Contradiction {
        /// What goes.
        with: Vec<ProfileText>,
        /// What a yes makes of the slot.
        then: SlotContent,
    },
    /// The slot is one of safety, and nothing goes from it: its person is asked.
    Asks {
        /// What a yes makes of the slot.
        then: SlotContent,
    },
}

impl Merge {
    /// The values that it contradicts or takes away.
    #[must_use]
    pub fn contradicted(&self) -> &[ProfileText] {
        match self {
            Self::Contradiction { with, .. } => with,
            Self::Unchanged | Self::Set(_) | Self::Asks { .. } => &[],
        }
    }

    /// What the slot holds with its person's yes. `None`: what it holds now.
    #[must_use]
    pub fn then(self) -> Option<SlotContent> {
        match self {
            Self::Unchanged => None,
            Self::Set(then) | Self::Contradiction { then, .. } | Self::Asks { then } => Some(then),
        }
    }
}

/// INVARIANT: pure, and the same change once more is `Unchanged`. A change of a slot of safety is never `Set`.
pub fn merged(
    (slot, words): (&ProfileSlot, &ProfileWords),
    old: &SlotContent,
    edit: &ProfileEdit,
    (at, turn): (Timestamp, Option<TurnId>),
) -> Result<Merge, ProfileFault> {
    let (then, with) = match edit {
        ProfileEdit::Set { text, from } => {
            slot.check(text)?;
            let from = from.clone();
            if from.is_some() && !slot.policy.has_days() {
                return Err(ProfileFault::NoTime);
            }
            slot.check_day(text, from.as_ref(), at)?;
            let entry = ProfileEntry { text: text.clone(), at, turn, from, until: None };
            set((slot, words), old, entry)?
        }
        ProfileEdit::End { text, until } => {
            (end(slot, old, text, (until.as_ref(), at))?, Vec::new())
        }
        ProfileEdit::Remove { text, from } => (removed(old, text, from.as_ref())?, Vec::new()),
        ProfileEdit::Clear => (SlotContent::default(), Vec::new()),
        ProfileEdit::Restore { to } => (to.clone(), gone(old, to)),
    };
    // Whatever takes them away: its person is shown what they say yes to.
    let with = if slot.safety { gone(old, &then) } else { with };
    Ok(if then == *old {
        Merge::Unchanged
    } else if !with.is_empty() {
        Merge::Contradiction { with, then }
    } else if slot.safety {
        Merge::Asks { then }
    } else {
        Merge::Set(then)
    })
}

/// With the values that it contradicts, which are gone from it.
type Applied = (SlotContent, Vec<ProfileText>);

fn set(
    (slot, words): (&ProfileSlot, &ProfileWords),
    old: &SlotContent,
    entry: ProfileEntry,
) -> Result<Applied, ProfileFault> {
    let agreed = |content: Vec<ProfileEntry>| Ok((SlotContent(content), Vec::new()));
    match slot.policy {
        ProfileSlotPolicy::Overwrite => match old.0.as_slice() {
            [same] if same.text == entry.text => agreed(old.0.clone()),
            _ => agreed(vec![entry]),
        },
        ProfileSlotPolicy::Accumulate => accumulated((slot, words), old, entry),
        ProfileSlotPolicy::TimeBased => agreed(begun(slot, old, entry)?),
        ProfileSlotPolicy::LatestWithSeries => agreed(measured(slot, old, entry)),
        ProfileSlotPolicy::Decay => agreed(renewed(slot, old, entry)),
    }
}

/// What a value says, and whether it denies it.
fn said(text: &ProfileText, words: &ProfileWords) -> (String, bool) {
    let folded = text.folded();
    let whole = folded.trim();
    for before in &words.not_before {
        let rest = whole.strip_prefix(before.as_str()).filter(|rest| rest.starts_with(' '));
        if let Some(rest) = rest {
            return (rest.trim().to_owned(), true);
        }
    }
    for behind in &words.not_behind {
        let rest = whole.strip_suffix(behind.as_str()).filter(|rest| rest.ends_with(' '));
        if let Some(rest) = rest {
            return (rest.trim().to_owned(), true);
        }
    }
    (whole.to_owned(), false)
}

fn is_none(text: &ProfileText, words: &ProfileWords) -> bool {
    words.none.contains(&text.folded())
}

fn contradicts(one: &ProfileText, other: &ProfileText, words: &ProfileWords) -> bool {
    if is_none(one, words) || is_none(other, words) {
        return is_none(one, words) != is_none(other, words);
    }
    let ((one, denies), (other, denied)) = (said(one, words), said(other, words));
    one == other && denies != denied
}

fn accumulated(
    (slot, words): (&ProfileSlot, &ProfileWords),
    old: &SlotContent,
    entry: ProfileEntry,
) -> Result<Applied, ProfileFault> {
    let (with, mut kept): (Vec<ProfileEntry>, Vec<ProfileEntry>) =
        old.0.iter().cloned().partition(|kept| contradicts(&kept.text, &entry.text, words));
    if !kept.iter().any(|kept| kept.text.is_same(&entry.text)) {
        kept.push(entry);
    }
    let content = within(slot, kept)?;
    Ok((content, with.into_iter().map(|entry| entry.text).collect()))
}

fn within(slot: &ProfileSlot, entries: Vec<ProfileEntry>) -> Result<SlotContent, ProfileFault> {
    let fits = entries.len() <= usize::from(slot.values_max);
    fits.then_some(SlotContent(entries)).ok_or(ProfileFault::TooMany(slot.values_max))
}

/// One that goes on begins no second time; one that is over begins again as another entry.
fn begun(
    slot: &ProfileSlot,
    old: &SlotContent,
    entry: ProfileEntry,
) -> Result<Vec<ProfileEntry>, ProfileFault> {
    let mut entries = old.0.clone();
    let goes_on =
        entries.iter_mut().find(|kept| kept.until.is_none() && kept.text.is_same(&entry.text));
    match goes_on {
        Some(kept) if entry.from.is_some() && kept.from != entry.from => kept.from = entry.from,
        Some(_) => {}
        None => entries.push(entry),
    }
    Ok(within(slot, entries)?.0)
}

fn end(
    slot: &ProfileSlot,
    old: &SlotContent,
    text: &ProfileText,
    (until, at): (Option<&ProfileDay>, Timestamp),
) -> Result<SlotContent, ProfileFault> {
    if slot.policy != ProfileSlotPolicy::TimeBased {
        return Err(ProfileFault::NoEnd);
    }
    let mut entries = old.0.clone();
    let goes_on = |kept: &&mut ProfileEntry| kept.until.is_none() && kept.text.is_same(text);
    let Some(kept) = entries.iter_mut().find(goes_on) else {
        // Told once more that it is over.
        let is_over = old.0.iter().any(|kept| kept.text.is_same(text));
        return if is_over { Ok(old.clone()) } else { Err(ProfileFault::NoValue) };
    };
    kept.until = match until {
        Some(until) if kept.from.as_ref().is_some_and(|from| until < from) => {
            return Err(ProfileFault::EndsEarly);
        }
        Some(until) => Some(until.clone()),
        // Where its person is, the day that it began may be ahead of that of UTC.
        None => kept.from.clone().max(Some(ProfileDay::of(at))),
    };
    Ok(SlotContent(entries))
}

/// By the day that it is of; the last so many stay. Without a day it is the newest: where its person is, the day may be
/// ahead of that of UTC.
fn measured(slot: &ProfileSlot, old: &SlotContent, entry: ProfileEntry) -> Vec<ProfileEntry> {
    let mut entries = old.0.clone();
    let day = entry.day();
    let place = if entry.from.is_none() { entries.len() } else { until_day(&entries, &day) };
    let before = place.checked_sub(1).and_then(|last| entries.get(last));
    if before.is_none_or(|kept| kept.day() != day || kept.text != entry.text) {
        entries.insert(place, entry);
    }
    let more = entries.len().saturating_sub(usize::from(slot.values_max));
    entries.drain(..more);
    entries
}

/// How many are of this day or earlier. One without a day is of no earlier day than the one before it.
fn until_day(entries: &[ProfileEntry], day: &ProfileDay) -> usize {
    let mut latest: Option<ProfileDay> = None;
    let is_due = |kept: &&ProfileEntry| {
        latest = latest.take().max(Some(kept.day()));
        latest.as_ref() <= Some(day)
    };
    entries.iter().take_while(is_due).count()
}

/// Told again, it counts from then on; the oldest give way.
fn renewed(slot: &ProfileSlot, old: &SlotContent, entry: ProfileEntry) -> Vec<ProfileEntry> {
    let day = entry.day();
    let is_told = |kept: &ProfileEntry| kept.text.is_same(&entry.text) && kept.day() >= day;
    if old.0.iter().any(is_told) {
        return old.0.clone();
    }
    let mut other = old.clone();
    other.0.retain(|kept| !kept.text.is_same(&entry.text));
    measured(slot, &other, entry)
}

/// The values that another content lacks.
fn gone(old: &SlotContent, to: &SlotContent) -> Vec<ProfileText> {
    let stays = |kept: &ProfileEntry| to.0.iter().any(|back| back.text == kept.text);
    old.0.iter().filter(|kept| !stays(kept)).map(|kept| kept.text.clone()).collect()
}

fn removed(
    old: &SlotContent,
    text: &ProfileText,
    day: Option<&ProfileDay>,
) -> Result<SlotContent, ProfileFault> {
    let mut entries = old.0.clone();
    let is_meant =
        |kept: &ProfileEntry| kept.text.is_same(text) && day.is_none_or(|day| kept.day() == *day);
    entries.retain(|kept| !is_meant(kept));
    let is_there = entries.len() < old.0.len();
    is_there.then_some(SlotContent(entries)).ok_or(ProfileFault::NoValue)
}
