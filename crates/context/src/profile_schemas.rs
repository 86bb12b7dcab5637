//! The schemas of profiles in `config/profiles/`, embedded at build.

use serde::de::Error as _;
use std::sync::{Arc, LazyLock};
use wiiiv_domain::{ProfileName, ProfileSchema};

/// By the names of their files.
const FILES: [(&str, &str); 1] =
    [("medical", include_str!("../../../config/profiles/medical.toml"))];

/// What slots of safety hold together at most, in Unicode scalar values: they are never left out of a prompt, and the
/// longest message has to fit beside them.
const SAFETY_CHARS_MAX: usize = 8_000;

/// As they were at build; a test holds that all can be read.
static SCHEMAS: LazyLock<Vec<Arc<ProfileSchema>>> = LazyLock::new(|| {
    let read = FILES.iter().filter_map(|(_, text)| parsed(text).ok());
    read.map(Arc::new).collect()
});

/// An error names the line.
fn parsed(text: &str) -> Result<ProfileSchema, toml::de::Error> {
    let schema: ProfileSchema = toml::from_str(text)?;
    let schema = schema.checked().map_err(toml::de::Error::custom)?;
    let safe = schema.slots.iter().filter(|slot| slot.safety);
    let chars: usize = safe.map(|slot| slot.chars_max * usize::from(slot.values_max)).sum();
    if chars > SAFETY_CHARS_MAX {
        return Err(toml::de::Error::custom(format_args!(
            "slots of safety hold `{chars}` characters, `{SAFETY_CHARS_MAX}` at most: lower `chars_max` or `values_max`"
        )));
    }
    Ok(schema)
}

/// In the order of their files.
#[must_use]
pub fn profile_schemas() -> &'static [Arc<ProfileSchema>] {
    &SCHEMAS
}

/// The one of that name. `None`: this build has none such.
#[must_use]
pub fn profile_schema(name: &ProfileName) -> Option<Arc<ProfileSchema>> {
    profile_schemas().iter().find(|schema| schema.name == *name).cloned()
}

#[cfg(test)]
mod tests {
    use super::{FILES, parsed, profile_schema};
    use wiiiv_domain::{
        ProfileChange, ProfileDocument, ProfileEdit, ProfileName, ProfileSlotPolicy, ProfileText,
        Timestamp,
    };

    #[test]
    fn every_file_is_read_and_named_as_its_schema() {
        for (file, text) in FILES {
            let schema = parsed(text).unwrap();
            assert_eq!(schema.name.as_str(), file);
            assert_eq!(profile_schema(&schema.name).as_deref(), Some(&schema));
        }
        let unknown = ProfileName::parse("nowhere").unwrap();
        assert_eq!(profile_schema(&unknown), None);
    }

    #[test]
    fn the_example_refuses_what_cannot_be() {
        let medical = profile_schema(&ProfileName::parse("medical").unwrap()).unwrap();
        for (slot, good, odd) in
            [("age", "35", "-1"), ("weight", "72.5", "-3"), ("blood_pressure", "120/80", "9000")]
        {
            let slot = medical.slot(&ProfileName::parse(slot).unwrap()).unwrap();
            let check = |value: &str| slot.check(&ProfileText::parse(value).unwrap());
            assert!(check(good).is_ok() && check(odd).is_err(), "{good} {odd}");
        }
        let timed = ["blood_pressure", "weight", "labs"];
        let bounded = medical.slots.iter().filter(|slot| slot.not_after.is_some());
        assert_eq!(bounded.map(|slot| slot.name.as_str()).collect::<Vec<_>>(), timed);
    }

    #[test]
    fn whoever_denies_every_allergy_is_shown_the_one_that_is_kept() {
        let medical = profile_schema(&ProfileName::parse("medical").unwrap()).unwrap();
        let (slot, told) = (ProfileName::parse("allergies").unwrap(), Timestamp::from_unix_ms(0));
        let said = |document: &ProfileDocument, value: &str| {
            let text = ProfileText::parse(value).unwrap();
            let edit = ProfileEdit::Set { text, from: None };
            let changes = [ProfileChange { slot: slot.clone(), edit }];
            document.changed(&medical, &changes, (told, None)).unwrap().0
        };
        let asked = said(&ProfileDocument::default(), "penicillin");
        let known = asked.accepted(&medical, 1).unwrap();
        for none in [
            "No known allergies",
            "NKA",
            "알레르기 없음",
            "알레르기는 없어요",
            "no known penicillin",
        ] {
            let with: Vec<String> = said(&known, none)
                .pending
                .iter()
                .flat_map(|of| &of.with)
                .map(|text| text.as_str().to_owned())
                .collect();
            assert_eq!(with, ["penicillin"], "{none}");
        }
        for other in ["nuts", "no drug allergies"] {
            assert!(said(&known, other).pending[0].with.is_empty(), "{other}");
        }
    }

    #[test]
    fn the_example_has_every_policy_and_its_safety_first() {
        let medical = profile_schema(&ProfileName::parse("medical").unwrap()).unwrap();
        for policy in ProfileSlotPolicy::ALL {
            assert!(medical.slots.iter().any(|slot| slot.policy == policy), "{policy}");
        }
        let safe: Vec<&str> = medical
            .slots
            .iter()
            .take_while(|slot| slot.safety)
            .map(|slot| slot.name.as_str())
            .collect();
        let due = ["allergies", "contraindications", "diagnoses", "medications", "emergency_signs"];
        assert_eq!(safe, due);
        assert!(medical.slots.iter().skip(safe.len()).all(|slot| !slot.safety));
    }

    #[test]
    fn what_is_never_left_out_of_a_prompt_has_a_bound() {
        let (_, text) = FILES[0];
        let told = parsed(&text.replacen("chars_max = 80", "chars_max = 81", 1)).unwrap_err();
        assert!(told.to_string().contains("`8020` characters, `8000` at most"), "{told}");
    }

    #[test]
    fn what_is_no_field_is_refused_with_its_line() {
        let (_, text) = FILES[0];
        let odd =
            text.replacen("policy = \"overwrite\"", "policy = \"overwrite\"\ncolour = \"red\"", 1);
        let told = parsed(&odd).unwrap_err().to_string();
        assert!(told.contains("unknown field `colour`") && told.contains("line "), "{told}");
        let odd = text.replacen("policy = \"overwrite\"", "policy = \"overwrote\"", 1);
        assert!(parsed(&odd).unwrap_err().to_string().contains("overwrote"));
        let range = "range = { min = 0, max = 150 }";
        for (odd, why) in [
            ("range = { min = 150, max = 0 }", "not below"),
            ("range = { min = 0 }", "missing field `max`"),
            ("range = { min = 0, max = \"old\" }", "invalid type"),
            ("not_after = \"tomorrow\"", "unknown variant `tomorrow`"),
        ] {
            let told = parsed(&text.replacen(range, odd, 1)).unwrap_err().to_string();
            let line = text.lines().position(|line| line == range).unwrap() + 1;
            let place = format!("line {line}, column ");
            assert!(told.contains(why) && told.contains(&place), "{told}");
        }
    }
}
