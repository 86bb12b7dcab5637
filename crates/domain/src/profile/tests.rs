//! Each policy with its edges; what holds for any order of changes.

use super::{
    Merge, PROFILE_PENDING_MAX, ProfileAge, ProfileChange, ProfileDay, ProfileDocument,
    ProfileEdit, ProfileFault, ProfileLatestDay, ProfileName, ProfileRange, ProfileSchema,
    ProfileSchemaFault, ProfileSlot, ProfileSlotKind, ProfileSlotPolicy, ProfileText, ProfileWords,
    SlotContent, SlotOutcome, merged,
};
use crate::clock::Timestamp;
use proptest::prelude::*;
use serde_json::json;

fn text(words: &str) -> ProfileText {
    ProfileText::parse(words).unwrap()
}

fn name(words: &str) -> ProfileName {
    ProfileName::parse(words).unwrap()
}

fn day(words: &str) -> ProfileDay {
    ProfileDay::parse(words).unwrap()
}

fn at(day: u64) -> Timestamp {
    Timestamp::from_unix_ms(i64::try_from(day).unwrap() * 86_400_000 + 3_600_000)
}

fn slot(policy: ProfileSlotPolicy, safety: bool) -> ProfileSlot {
    let half_life = (policy == ProfileSlotPolicy::Decay).then_some(7);
    let label = json!({"ko": "칸", "en": "slot"});
    serde_json::from_value(json!({
        "name": policy.as_str(), "policy": policy, "safety": safety, "values_max": 3,
        "half_life_days": half_life, "label": label, "hint": label,
    }))
    .unwrap()
}

fn words() -> ProfileWords {
    let of = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    ProfileWords {
        none: of(&["none", "없음"]), not_before: of(&["no"]), not_behind: of(&["없음"])
    }
}

fn set(words: &str) -> ProfileEdit {
    ProfileEdit::Set { text: text(words), from: None }
}

fn remove(words: &str) -> ProfileEdit {
    ProfileEdit::Remove { text: text(words), from: None }
}

/// All of these on one day after the other, each with a yes.
fn all(slot: &ProfileSlot, edits: &[ProfileEdit]) -> SlotContent {
    let mut content = SlotContent::default();
    for (nth, edit) in (1..).zip(edits) {
        let merge = merged((slot, &words()), &content, edit, (at(nth), None)).unwrap();
        content = merge.then().unwrap_or(content);
    }
    content
}

fn values(content: &SlotContent) -> Vec<&str> {
    content.entries().iter().map(|entry| entry.text.as_str()).collect()
}

#[test]
fn the_newest_overwrites() {
    let slot = slot(ProfileSlotPolicy::Overwrite, false);
    assert_eq!(values(&all(&slot, &[set("34"), set("35")])), ["35"]);
    let once = all(&slot, &[set("35")]);
    let again = merged((&slot, &words()), &once, &set("35"), (at(9), None));
    assert_eq!(again, Ok(Merge::Unchanged));
    let dated = ProfileEdit::Set { text: text("35"), from: Some(day("2026-01-01")) };
    let refused = merged((&slot, &words()), &once, &dated, (at(9), None));
    assert_eq!(refused, Err(ProfileFault::NoTime));
    let over = ProfileEdit::End { text: text("35"), until: None };
    let refused = merged((&slot, &words()), &once, &over, (at(9), None));
    assert_eq!(refused, Err(ProfileFault::NoEnd));
}

#[test]
fn what_says_the_opposite_is_asked_about() {
    let slot = slot(ProfileSlotPolicy::Accumulate, false);
    for (before, new, left) in [
        ("diabetes", "no diabetes", "no diabetes"),
        ("no Diabetes", "diabetes", "diabetes"),
        ("당뇨", "당뇨 없음", "당뇨 없음"),
        ("asthma", "None", "None"),
        ("없음", "천식", "천식"),
    ] {
        let old = all(&slot, &[set(before)]);
        let merge = merged((&slot, &words()), &old, &set(new), (at(9), None)).unwrap();
        let Merge::Contradiction { with, then } = merge else {
            panic!("{before} {new}: {merge:?}")
        };
        assert_eq!((with.as_slice(), values(&then)), (&[text(before)][..], vec![left]));
    }
    for (before, new) in [("diabetes", "asthma"), ("nosebleed", "bleed"), ("no asthma", "gout")] {
        assert_eq!(values(&all(&slot, &[set(before), set(new)])), [before, new]);
    }
    let known =
        merged((&slot, &words()), &all(&slot, &[set("Asthma")]), &set("asthma"), (at(9), None));
    assert_eq!(known, Ok(Merge::Unchanged));
    let full = all(&slot, &[set("a"), set("b"), set("c")]);
    let more = merged((&slot, &words()), &full, &set("d"), (at(9), None));
    assert_eq!(more, Err(ProfileFault::TooMany(3)));
}

#[test]
fn what_goes_on_ends_and_begins_again() {
    let slot = slot(ProfileSlotPolicy::TimeBased, false);
    let begin = |since: &str| ProfileEdit::Set { text: text("aspirin"), from: Some(day(since)) };
    let end = |until: &str| ProfileEdit::End { text: text("Aspirin"), until: Some(day(until)) };
    let content = all(&slot, &[begin("2026-01-01"), set("aspirin"), end("2026-02-01")]);
    assert_eq!(values(&content), ["aspirin"]);
    assert_eq!(content.entries()[0].until, Some(day("2026-02-01")));
    let aged = |now: &str| {
        let mut aged = content.aged(&slot, day(now).begins());
        aged.next().map(|(_, age)| age)
    };
    assert_eq!(aged("2026-02-01"), Some(ProfileAge::Current));
    assert_eq!(aged("2026-02-02"), Some(ProfileAge::Old));
    let over = merged((&slot, &words()), &content, &end("2026-03-01"), (at(9), None));
    assert_eq!(over, Ok(Merge::Unchanged));
    let again = all(&slot, &[begin("2026-01-01"), end("2026-02-01"), begin("2026-05-01")]);
    assert_eq!(values(&again), ["aspirin", "aspirin"]);
    let early = merged((&slot, &words()), &again, &end("2026-04-30"), (at(9), None));
    assert_eq!(early, Err(ProfileFault::EndsEarly));
    let unknown = ProfileEdit::End { text: text("ibuprofen"), until: None };
    let unknown = merged((&slot, &words()), &again, &unknown, (at(9), None));
    assert_eq!(unknown, Err(ProfileFault::NoValue));
}

#[test]
fn a_series_keeps_its_last_measurements() {
    let slot = slot(ProfileSlotPolicy::LatestWithSeries, false);
    let content = all(&slot, &[set("70"), set("71"), set("72"), set("73")]);
    assert_eq!(values(&content), ["71", "72", "73"]);
    let ages: Vec<ProfileAge> = content.aged(&slot, at(9)).map(|(_, age)| age).collect();
    assert_eq!(ages, [ProfileAge::Old, ProfileAge::Old, ProfileAge::Current]);
    let earlier = ProfileEdit::Set { text: text("60"), from: Some(day("1970-01-03")) };
    let merge =
        merged((&slot, &words()), &all(&slot, &[set("70"), set("71")]), &earlier, (at(9), None));
    // Of one day the one that was told last counts.
    assert_eq!(values(&merge.unwrap().then().unwrap()), ["70", "71", "60"]);
    let long_ago = ProfileEdit::Set { text: text("60"), from: Some(day("1970-01-01")) };
    let merge = merged((&slot, &words()), &all(&slot, &[set("70")]), &long_ago, (at(9), None));
    assert_eq!(values(&merge.unwrap().then().unwrap()), ["60", "70"]);
}

/// It is told on 1970-01-02 in UTC, where its person is the day after.
#[test]
fn what_has_no_day_is_the_newest_whatever_day_it_is_in_utc() {
    let told = |slot: &ProfileSlot, content: &SlotContent, edit: &ProfileEdit| {
        let merge = merged((slot, &words()), content, edit, (at(1), None)).unwrap();
        merge.then().unwrap_or_else(|| content.clone())
    };
    let dated = |words: &str, since: &str| {
        let from = Some(day(since));
        ProfileEdit::Set { text: text(words), from }
    };
    let series = slot(ProfileSlotPolicy::LatestWithSeries, false);
    let first = told(&series, &SlotContent::default(), &dated("70", "1970-01-03"));
    let both = told(&series, &first, &set("71"));
    assert_eq!(values(&both), ["70", "71"]);
    assert_eq!(told(&series, &both, &set("71")), both);
    let earlier = told(&series, &both, &dated("69", "1970-01-02"));
    assert_eq!(values(&earlier), ["69", "70", "71"]);
    assert_eq!(told(&series, &earlier, &dated("69", "1970-01-02")), earlier);

    let timed = slot(ProfileSlotPolicy::TimeBased, false);
    let begun = told(&timed, &SlotContent::default(), &dated("aspirin", "1970-01-03"));
    let over = told(&timed, &begun, &ProfileEdit::End { text: text("aspirin"), until: None });
    assert_eq!(over.entries()[0].until, Some(day("1970-01-03")));
}

#[test]
fn of_equal_values_the_one_of_its_day_is_removed() {
    let slot = slot(ProfileSlotPolicy::LatestWithSeries, false);
    let content = all(&slot, &[set("70"), set("71"), set("70")]);
    let without = |from: Option<&str>| {
        let edit = ProfileEdit::Remove { text: text("70"), from: from.map(day) };
        merged((&slot, &words()), &content, &edit, (at(9), None)).map(Merge::then)
    };
    let left = |from| values(&without(from).unwrap().unwrap()).join(" ");
    assert_eq!(left(Some("1970-01-04")), "70 71");
    assert_eq!(left(Some("1970-01-02")), "71 70");
    assert_eq!(left(None), "71");
    assert_eq!(without(Some("1970-01-03")), Err(ProfileFault::NoValue));
}

#[test]
fn what_was_told_long_ago_counts_less_and_then_not_at_all() {
    let slot = slot(ProfileSlotPolicy::Decay, false);
    let content = all(&slot, &[set("headache")]);
    let age = |now: u64| content.aged(&slot, at(now)).next().map(|(_, age)| age);
    assert_eq!((age(1), age(7)), (Some(ProfileAge::Current), Some(ProfileAge::Current)));
    assert_eq!((age(8), age(28)), (Some(ProfileAge::Old), Some(ProfileAge::Old)));
    assert_eq!(age(29), Some(ProfileAge::Gone));
    let again = all(&slot, &[set("headache"), set("cough"), set("Headache")]);
    assert_eq!(values(&again), ["cough", "Headache"]);
}

#[test]
fn a_slot_of_safety_is_never_changed_without_a_yes() {
    for policy in ProfileSlotPolicy::ALL {
        let slot = slot(policy, true);
        let merge = merged((&slot, &words()), &SlotContent::default(), &set("x"), (at(1), None));
        assert!(matches!(merge, Ok(Merge::Asks { .. })), "{policy}: {merge:?}");
        let old = all(&slot, &[set("x")]);
        for edit in [ProfileEdit::Clear, remove("X")] {
            let merge = merged((&slot, &words()), &old, &edit, (at(2), None));
            let goes = Merge::Contradiction { with: vec![text("x")], then: SlotContent::default() };
            assert_eq!(merge, Ok(goes), "{policy}");
        }
    }
}

/// What came meanwhile would go by the same yes, and an old value by one that is pushed out.
#[test]
fn no_yes_takes_a_value_of_safety_away_that_was_not_shown() {
    let (given, told, slot_of) = (schema(), (at(1), None), name("accumulate"));
    let ask = |document: &ProfileDocument, edit: ProfileEdit| {
        document.changed(&given, &[change("accumulate", edit)], told).unwrap().0
    };
    let yes = |document: &ProfileDocument, id| document.accepted(&given, id);
    let nuts = yes(&ask(&ProfileDocument::default(), set("nuts")), 1).unwrap();
    for (edit, shown, left) in [
        (ProfileEdit::Clear, vec!["nuts", "latex"], vec![]),
        (remove("nuts"), vec!["nuts"], vec!["latex"]),
    ] {
        let both = ask(&ask(&nuts, edit), set("latex"));
        assert_eq!(both.pending[0].with, [text("nuts")]);
        let more = yes(&both, 3).unwrap();
        let waits = &more.pending[0];
        let with: Vec<&str> = waits.with.iter().map(ProfileText::as_str).collect();
        assert_eq!((with, waits.id == 2), (shown.clone(), shown.len() == 1));
        assert_eq!(yes(&more, 2).is_err(), waits.id != 2);
        assert_eq!(values(&yes(&more, waits.id).unwrap().content(&slot_of)), left);
    }
    for policy in [ProfileSlotPolicy::LatestWithSeries, ProfileSlotPolicy::Decay] {
        let slot = slot(policy, true);
        let full = all(&slot, &[set("a"), set("b"), set("c")]);
        let merge = merged((&slot, &words()), &full, &set("d"), (at(9), None)).unwrap();
        assert_eq!(merge.contradicted(), [text("a")], "{policy}");
    }
}

#[test]
fn a_value_is_of_its_slot() {
    let kind = |kind| ProfileSlot { kind, ..slot(ProfileSlotPolicy::Overwrite, false) };
    let number = kind(ProfileSlotKind::Number);
    for good in ["72", "36.5", "-4", "0.1"] {
        assert_eq!(number.check(&text(good)), Ok(()), "{good}");
    }
    for odd in ["", "72 kg", "1e9", ".5", "5.", "1.2.3", "--4", "1234567890123"] {
        let checked = ProfileText::parse(odd).and_then(|odd| number.check(&odd));
        assert!(checked.is_err(), "{odd}");
    }
    let days = kind(ProfileSlotKind::Day);
    assert_eq!(days.check(&text("2026-02-28")), Ok(()));
    assert_eq!(days.check(&text("2026-02-30")), Err(ProfileFault::NotADay));
    let short = ProfileSlot { chars_max: 2, ..kind(ProfileSlotKind::Text) };
    assert_eq!(short.check(&text("가나다")), Err(ProfileFault::TooLong { chars: 3, max: 2 }));
    assert!(ProfileText::parse("a\nb").is_err() && ProfileText::parse(" \t ").is_err());
    // What nobody sees makes no other value, and none by itself.
    assert_eq!(text("a\u{200b}b\u{feff}"), text("ab"));
    assert_eq!(ProfileText::parse("\u{200b} \u{202e}"), Err(ProfileFault::Empty));
    assert_eq!(format!("{:?}", set("hunter2")).matches("hunter2").count(), 0);
}

fn schema() -> ProfileSchema {
    let slots = [
        slot(ProfileSlotPolicy::Overwrite, false),
        slot(ProfileSlotPolicy::Accumulate, true),
        slot(ProfileSlotPolicy::Decay, false),
    ];
    let label = || serde_json::from_value(json!({"ko": "이름", "en": "name"})).unwrap();
    let schema = ProfileSchema {
        name: name("test"),
        label: label(),
        hint: label(),
        guardrails: std::collections::BTreeSet::new(),
        words: words(),
        slots: slots.to_vec(),
    };
    schema.checked().unwrap()
}

fn change(slot: &str, edit: ProfileEdit) -> ProfileChange {
    ProfileChange { slot: name(slot), edit }
}

#[test]
fn a_schema_has_its_slots_of_safety_first_and_no_limit_that_is_none() {
    let order: Vec<bool> = schema().slots.iter().map(|slot| slot.safety).collect();
    assert_eq!(order, [true, false, false]);
    let with = |slots: Vec<ProfileSlot>| ProfileSchema { slots, ..schema() }.checked().unwrap_err();
    let one = || slot(ProfileSlotPolicy::Overwrite, false);
    assert_eq!(with(Vec::new()), ProfileSchemaFault::Slots);
    assert_eq!(with(vec![one(), one()]), ProfileSchemaFault::Twice(name("overwrite")));
    let long = ProfileSlot { chars_max: 201, ..one() };
    assert_eq!(with(vec![long]), ProfileSchemaFault::Limits(name("overwrite")));
    let decays = ProfileSlot { half_life_days: Some(3), ..one() };
    assert_eq!(with(vec![decays]), ProfileSchemaFault::HalfLife(name("overwrite")));
    let ranged = ranged(ProfileSlotKind::Day, ProfileSlotPolicy::Overwrite);
    assert_eq!(with(vec![ranged]), ProfileSchemaFault::Range(name("overwrite")));
    let dated = ProfileSlot { not_after: Some(ProfileLatestDay::Today), ..one() };
    assert_eq!(with(vec![dated]), ProfileSchemaFault::NotAfter(name("overwrite")));
    let mut unsaid = one();
    unsaid.label.ko.clear();
    assert_eq!(with(vec![unsaid]), ProfileSchemaFault::Label(name("overwrite")));
}

fn ranged(kind: ProfileSlotKind, policy: ProfileSlotPolicy) -> ProfileSlot {
    let range = serde_json::from_value(json!({"min": 0, "max": 300})).unwrap();
    ProfileSlot { kind, range: Some(range), ..slot(policy, false) }
}

#[test]
fn a_number_that_cannot_be_is_refused() {
    let fault = Err(ProfileFault::OutOfRange { min: 0, max: 300 });
    let number = ranged(ProfileSlotKind::Number, ProfileSlotPolicy::Overwrite);
    for (good, odd) in [("0", "-0.1"), ("72.5", "-3"), ("300", "300.01"), ("007", "9000")] {
        assert_eq!(number.check(&text(good)), Ok(()), "{good}");
        assert_eq!(number.check(&text(odd)), fault, "{odd}");
    }
    assert_eq!(number.check(&text("1 of 2")), Err(ProfileFault::NotANumber));
    // Of a text each number that stands in it.
    let pressure = ranged(ProfileSlotKind::Text, ProfileSlotPolicy::Overwrite);
    for good in [
        "120/80",
        "120/80.5 mmHg, sitting",
        "120-80",
        "120 -80",
        "120,80",
        "COVID-19",
        "２５０ mg",
        "높음",
        "about 90.",
    ] {
        assert_eq!(pressure.check(&text(good)), Ok(()), "{good}");
    }
    for odd in [
        "9000",
        "120/800",
        "-3",
        "1.2.3",
        "1,200 mg",
        "1,234,567",
        "５００",
        "-5 kg",
        "about \u{2212}5",
        "１，２００",
    ] {
        assert_eq!(pressure.check(&text(odd)), fault, "{odd}");
    }
    for odd in [json!({"min": 3, "max": 3}), json!({"min": 3}), json!({"min": 0, "max": 1, "a": 1})]
    {
        assert!(serde_json::from_value::<ProfileRange>(odd.clone()).is_err(), "{odd}");
    }
}

/// It is told on 1970-01-02 in UTC.
#[test]
fn a_day_that_is_still_to_come_is_refused() {
    let latest =
        |slot: ProfileSlot| ProfileSlot { not_after: Some(ProfileLatestDay::Today), ..slot };
    let birth = latest(ProfileSlot {
        kind: ProfileSlotKind::Day,
        ..slot(ProfileSlotPolicy::Overwrite, false)
    });
    let weight = latest(slot(ProfileSlotPolicy::LatestWithSeries, false));
    let told = |slot: &ProfileSlot, value: &str, from: Option<&str>| {
        let edit = ProfileEdit::Set { text: text(value), from: from.map(day) };
        merged((slot, &words()), &SlotContent::default(), &edit, (at(1), None)).map(drop)
    };
    assert_eq!(told(&birth, "1969-12-31", None), Ok(()));
    assert_eq!(told(&birth, "1970-01-02", None), Ok(()));
    assert_eq!(told(&birth, "1970-01-03", None), Err(ProfileFault::TooLate));
    assert_eq!(told(&weight, "70", Some("1970-01-02")), Ok(()));
    assert_eq!(told(&weight, "70", Some("2999-01-01")), Err(ProfileFault::TooLate));
    assert_eq!(told(&weight, "70", None), Ok(()));
    // Where its person is, it may be the day after already.
    let edit = ProfileEdit::Set { text: text("1970-01-03"), from: None };
    let late = Timestamp::from_unix_ms(86_400_000 + 12 * 3_600_000);
    assert!(merged((&birth, &words()), &SlotContent::default(), &edit, (late, None)).is_ok());
}

#[test]
fn what_is_asked_about_waits_for_a_yes_or_a_no() {
    let (schema, told) = (schema(), (at(1), None));
    let changes = [change("overwrite", set("35")), change("accumulate", set("penicillin"))];
    let (asked, done) = ProfileDocument::default().changed(&schema, &changes, told).unwrap();
    let outcomes: Vec<SlotOutcome> = done.iter().map(|done| done.outcome).collect();
    assert_eq!(outcomes, [SlotOutcome::Kept, SlotOutcome::Waits(1)]);
    assert!(asked.content(&name("accumulate")).is_empty());
    let (same, done) = asked.changed(&schema, &changes, (at(2), None)).unwrap();
    assert_eq!(same, asked, "the same waits once");
    assert_eq!(done[1].outcome, SlotOutcome::Waits(1));
    let kept = asked.accepted(&schema, 1).unwrap();
    assert_eq!(values(&kept.content(&name("accumulate"))), ["penicillin"]);
    assert_eq!(kept.accepted(&schema, 1), Err(ProfileFault::NotPending));
    let dropped = asked.dropped(1).unwrap();
    assert!(dropped.pending.is_empty() && dropped.content(&name("accumulate")).is_empty());
    let back = kept.restored(&schema, &asked, told).unwrap().0;
    assert!(back.differing(&kept).is_empty() && back.pending.len() == 1, "it is asked about too");
    let odd = asked.changed(&schema, &[change("nowhere", set("x"))], told);
    assert_eq!(odd, Err(ProfileFault::NoSlot(name("nowhere"))));
    assert_eq!(asked.changed(&schema, &[], told), Err(ProfileFault::NoChange));
}

/// A yes is to what its person was asked, and to nothing more.
#[test]
fn what_a_yes_takes_away_is_asked_about_anew_where_it_changes() {
    let (given, told, slot_of) = (schema(), (at(1), None), name("accumulate"));
    let ask = |document: &ProfileDocument, value: &str| {
        document.changed(&given, &[change("accumulate", set(value))], told).unwrap().0
    };
    let waiting = |document: &ProfileDocument| -> Vec<(u64, String)> {
        let with = |with: &[ProfileText]| {
            with.iter().map(ProfileText::as_str).collect::<Vec<_>>().join(" ")
        };
        document.pending.iter().map(|waits| (waits.id, with(&waits.with))).collect()
    };
    let yes = |document: &ProfileDocument, id| document.accepted(&given, id);
    let due = |rows: &[(u64, &str)]| -> Vec<(u64, String)> {
        rows.iter().map(|(id, with)| (*id, (*with).to_owned())).collect()
    };
    let known = yes(&ask(&ProfileDocument::default(), "penicillin"), 1).unwrap();
    let both = ask(&ask(&known, "none"), "nuts");
    assert_eq!(waiting(&both), due(&[(2, "penicillin"), (3, "")]));
    let more = yes(&both, 3).unwrap();
    assert_eq!(waiting(&more), due(&[(4, "penicillin nuts")]));
    assert_eq!(yes(&more, 2), Err(ProfileFault::NotPending));
    assert_eq!(values(&yes(&more, 4).unwrap().content(&slot_of)), ["none"]);
    let (back, _) = both.restored(&given, &ProfileDocument::default(), told).unwrap();
    assert_eq!(waiting(&back), due(&[(2, "penicillin"), (3, ""), (4, "penicillin")]));
    let back = yes(&back, 4).unwrap();
    assert_eq!(waiting(&back), due(&[(5, ""), (3, "")]));
    // The other way round as well.
    let none = yes(&ask(&ask(&ProfileDocument::default(), "nuts"), "none"), 2).unwrap();
    assert_eq!(waiting(&none), due(&[(3, "none")]));
    assert_eq!(yes(&none, 1), Err(ProfileFault::NotPending));
    // Whoever asks for all of it at once is told the number that counts.
    let slots = vec![slot(ProfileSlotPolicy::Accumulate, false)];
    let open = ProfileSchema { slots, ..schema() };
    let changes = ["asthma", "none", "gout"].map(|value| change("accumulate", set(value)));
    let (_, done) = ProfileDocument::default().changed(&open, &changes, told).unwrap();
    let outcomes: Vec<SlotOutcome> = done.iter().map(|done| done.outcome).collect();
    assert_eq!(outcomes, [SlotOutcome::Kept, SlotOutcome::Waits(2), SlotOutcome::Kept]);
}

/// What is brought back of a slot of safety is asked about, what goes by it is shown, and other slots are brought back at
/// once.
#[test]
fn an_undo_of_a_slot_of_safety_waits_for_a_yes() {
    let (schema, told, safe) = (schema(), (at(1), None), name("accumulate"));
    let tell = |document: &ProfileDocument, slot: &str, value: &str| {
        document.changed(&schema, &[change(slot, set(value))], told).unwrap().0
    };
    let first = tell(&ProfileDocument::default(), "accumulate", "nuts").accepted(&schema, 1);
    let first = tell(&first.unwrap(), "overwrite", "34");
    let later = tell(&first, "accumulate", "milk").accepted(&schema, 2).unwrap();
    let later = tell(&later, "overwrite", "35");
    let (asked, done) = later.restored(&schema, &first, (at(2), None)).unwrap();
    let outcomes: Vec<(&str, SlotOutcome)> =
        done.iter().map(|done| (done.slot.as_str(), done.outcome)).collect();
    assert_eq!(outcomes, [("accumulate", SlotOutcome::Waits(3)), ("overwrite", SlotOutcome::Kept)]);
    assert_eq!(values(&asked.content(&name("overwrite"))), ["34"]);
    assert_eq!(values(&asked.content(&safe)), ["nuts", "milk"], "not before the yes");
    assert_eq!(asked.pending[0].with, [text("milk")]);
    let (slot, to) = asked.takes_back(3).unwrap();
    assert_eq!((slot, to), (&safe, &first.content(&safe)));
    // Asked for once more it waits once, and with a yes it is as it was, entry for entry.
    let (again, _) = asked.restored(&schema, &first, (at(3), None)).unwrap();
    assert_eq!(again, asked);
    assert_eq!(asked.accepted(&schema, 3).unwrap().slots, first.slots);
    assert_eq!(asked.dropped(3).unwrap().content(&safe), later.content(&safe));
    // What is told meanwhile would go by the same yes: it is another question then.
    let more = tell(&asked, "accumulate", "eggs");
    assert_eq!(more.takes_back(4), None, "that is what was told");
    let more = more.accepted(&schema, 4).unwrap();
    assert_eq!((more.pending[0].id, more.pending[0].with.len()), (5, 2));
    let read: ProfileDocument =
        serde_json::from_str(&serde_json::to_string(&more).unwrap()).unwrap();
    assert_eq!(read, more);
}

#[test]
fn so_many_changes_wait_and_no_more() {
    let schema = schema();
    let mut document = ProfileDocument::default();
    for nth in 0..PROFILE_PENDING_MAX {
        let asks = [change("accumulate", set(&format!("value {nth}")))];
        document = document.changed(&schema, &asks, (at(1), None)).unwrap().0;
    }
    let more = document.changed(&schema, &[change("accumulate", set("one more"))], (at(1), None));
    assert_eq!(more, Err(ProfileFault::TooManyChanges(PROFILE_PENDING_MAX)));
}

fn any_edit() -> impl Strategy<Value = ProfileEdit> {
    let value = prop::sample::select(vec!["a", "b", "no a", "none", "b 없음"]);
    (value, 0..4_u8).prop_map(|(value, op)| match op {
        0 | 1 => set(value),
        2 => remove(value),
        _ => ProfileEdit::Clear,
    })
}

proptest! {
    #[test]
    fn the_same_change_once_more_is_none(
        nth in 0..ProfileSlotPolicy::ALL.len(),
        edits in prop::collection::vec(any_edit(), 0..12),
        safety in any::<bool>(),
    ) {
        let slot = slot(ProfileSlotPolicy::ALL[nth], safety);
        let (mut content, words) = (SlotContent::default(), words());
        for edit in &edits {
            let told = (at(5), None);
            let Ok(merge) = merged((&slot, &words), &content, edit, told) else { continue };
            if safety {
                prop_assert!(!matches!(merge, Merge::Set(_)));
            }
            content = merge.then().unwrap_or(content);
            let again = merged((&slot, &words), &content, edit, told);
            let is_gone = matches!(edit, ProfileEdit::Remove { .. }) && again == Err(ProfileFault::NoValue);
            prop_assert!(is_gone || again == Ok(Merge::Unchanged), "{:?} {:?}", edit, again);
            prop_assert!(content.entries().len() <= usize::from(slot.values_max));
        }
    }

    #[test]
    fn values_that_agree_come_to_the_same_in_any_order(
        order in Just(vec!["a", "b", "c"]).prop_shuffle(),
    ) {
        let slot = slot(ProfileSlotPolicy::Accumulate, false);
        let edits: Vec<ProfileEdit> = order.iter().map(|value| set(value)).collect();
        let content = all(&slot, &edits);
        let mut found = values(&content);
        found.sort_unstable();
        prop_assert_eq!(found, vec!["a", "b", "c"]);
    }

    #[test]
    fn a_document_is_read_back_as_it_was_written(edits in prop::collection::vec(any_edit(), 1..8)) {
        let (schema, mut document) = (schema(), ProfileDocument::default());
        for edit in edits {
            let changes = [change("accumulate", edit.clone()), change("overwrite", edit)];
            if let Ok((next, _)) = document.changed(&schema, &changes, (at(3), None)) {
                document = next;
            }
        }
        let written = serde_json::to_string(&document).unwrap();
        prop_assert_eq!(serde_json::from_str::<ProfileDocument>(&written).unwrap(), document);
    }
}
