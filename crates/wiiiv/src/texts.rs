//! Texts of the command line in both languages, from `config/messages`.

use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::Lang;

const KO: &str = include_str!("../../../config/messages/cli.ko.toml");
const EN: &str = include_str!("../../../config/messages/cli.en.toml");

#[derive(Debug, thiserror::Error)]
#[error("the texts of `{language}` are broken: {reason}")]
pub struct TextsError {
    language: Lang,
    reason: String,
}

/// Every text that the program says, or it does not start: a missing one is found by the tests.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub about: String,
    /// By path, as `audit verify`.
    pub commands: BTreeMap<String, String>,
    /// By name; an option means the same everywhere.
    pub options: BTreeMap<String, String>,
    pub usage: UsageTexts,
    pub failure: FailureTexts,
    pub login: LoginTexts,
    pub chat: ChatTexts,
    pub list: ListTexts,
    pub approvals: ApprovalTexts,
    pub people: PeopleTexts,
    pub tokens: TokensTexts,
    pub init: InitTexts,
    pub policy: PolicyTexts,
    pub systems: SystemsTexts,
    pub models: ModelsTexts,
    pub keys: KeysTexts,
    pub spending: SpendingTexts,
    pub rotation: RotationTexts,
    pub audit: AuditTexts,
    pub understand: UnderstandTexts,
    pub doctor: DoctorTexts,
    pub serve: ServeTexts,
    pub demo: DemoTexts,
    pub ghost: GhostTexts,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureTexts {
    pub prefix: String,
    pub advice: String,
    pub trace: String,
    pub not_logged_in: String,
    pub unreachable: String,
    pub no_master_key: String,
    pub no_such_project: String,
    pub which_project: String,
    pub several_named: String,
    pub not_of_project: String,
    pub no_such_id: String,
    pub several_ids: String,
    pub no_session: String,
    pub no_form: String,
    pub no_field: String,
    pub no_digest: String,
    pub other_digest: String,
    pub unseen: String,
    pub wait: String,
    pub no_such_user: String,
    pub no_such_account: String,
    pub no_such_provider: String,
    pub provider_not_ready: String,
    pub no_scenario_folder: String,
    pub exists: String,
    pub not_given: String,
    pub secret_unreadable: String,
    pub secret_exposed: String,
    pub secret_unwritable: String,
    pub secret_missing: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnderstandTexts {
    pub signal: String,
    pub task: String,
    pub none: String,
    pub negated: String,
    pub later: String,
    pub asks: String,
    pub left: String,
    pub declined: String,
    pub confidence: String,
}

/// How the command line is read, and what is wrong with one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsageTexts {
    pub heading: String,
    pub commands: String,
    pub arguments: String,
    pub options: String,
    pub possible: String,
    pub default: String,
    pub unexpected: String,
    pub unknown_command: String,
    pub missing_command: String,
    pub required: String,
    pub invalid_value: String,
    pub no_value: String,
    pub too_many_values: String,
    pub conflict: String,
    pub not_utf8: String,
    pub unreadable: String,
    pub range: String,
    pub similar: String,
    pub more: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeopleTexts {
    pub name: String,
    pub kind: String,
    pub roles: String,
    pub disabled: String,
    pub administrator: String,
    pub personal: String,
    pub user_created: String,
    pub project_created: String,
    pub member_set: String,
    pub member_removed: String,
    pub user_closed: String,
    pub user_opened: String,
    pub ask_old_password: String,
    pub ask_new_password: String,
    pub password_changed: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokensTexts {
    pub login: String,
    pub client: String,
    pub token: String,
    pub scope: String,
    pub full: String,
    pub read: String,
    pub until: String,
    pub note: String,
    pub current: String,
    pub ended_at: String,
    pub ended: String,
    pub others_ended: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitTexts {
    pub ask_language: String,
    pub ask_name: String,
    pub ask_password_again: String,
    pub passwords_differ: String,
    pub already: String,
    pub providers: String,
    pub ask_provider: String,
    pub ask_model: String,
    pub model_set: String,
    pub trying: String,
    pub test_title: String,
    pub test_message: String,
    pub test_failed: String,
    pub done: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginTexts {
    pub ask_password: String,
    pub ask_setup_token: String,
    pub done: String,
    pub out: String,
    pub was_not: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatTexts {
    pub welcome: String,
    pub prompt: String,
    pub decide: String,
    pub pending: String,
    pub pending_other: String,
    pub decision: String,
    pub step_started: String,
    pub step_finished: String,
    pub denied: String,
    pub cancelled: String,
    pub error: String,
    pub cancelling: String,
    pub broken_off: String,
    pub unreadable: String,
    pub field: String,
    pub fill_in: String,
    pub fill_later: String,
    pub continue_with: String,
    pub changed: String,
    pub deleted: String,
    pub you: String,
    pub continues: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListTexts {
    pub none: String,
    pub id: String,
    pub state: String,
    pub at: String,
    pub title: String,
    pub digest: String,
    pub expires: String,
    pub plan: String,
    pub requester: String,
    pub approver: String,
    pub decider: String,
    pub step: String,
    pub attempt: String,
    pub outcome: String,
    pub in_doubt: String,
    /// Of runs and steps.
    pub states: BTreeMap<String, String>,
    pub cut_short: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalTexts {
    pub head: String,
    pub asked_by: String,
    pub decided_by: String,
    pub reason_given: String,
    pub gone: String,
    pub ask: String,
    pub approved: String,
    pub undecided: String,
    pub denied: String,
    pub runs_on: String,
    pub succeeded: String,
    pub failed: String,
    pub stopped: String,
    pub in_doubt: String,
    pub rejected: String,
    pub left: String,
    pub cancelled: String,
    pub resolved: String,
    /// By what the server calls them.
    pub states: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTexts {
    pub version: String,
    pub set: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelsTexts {
    pub provider: String,
    pub model: String,
    pub origin: String,
    pub recommended: String,
    pub price: String,
    pub price_unit: String,
    pub window: String,
    pub abilities: String,
    pub unknown: String,
    pub minimum: String,
    pub value: String,
    pub best: String,
    pub unpriced: String,
    pub is_unpriced: String,
    pub line: String,
    pub fallback: String,
    pub reads: String,
    /// Where nobody said how many tokens.
    pub reads_unknown: String,
    /// Of the provider's list, with a key or without one.
    pub listed: String,
    pub list_refused: String,
    pub list_unreachable: String,
    pub exact: String,
    pub estimated: String,
    pub state: String,
    /// By what is found of a provider.
    pub states: BTreeMap<String, String>,
    pub ghost: String,
    pub verified: String,
    pub not_verified: String,
    /// `{slot}`, `{provider}`, `{model}`, `{origin}`.
    pub slot_line: String,
    pub slot_follows: String,
    pub slot_empty: String,
    /// `{suggested}`.
    pub slot_suggested: String,
    pub tried: String,
    pub tried_vectors: String,
    pub not_answered: String,
    pub saw: String,
    pub saw_nothing: String,
    pub trial_used: String,
    /// `{cost}`.
    pub trial_untold: String,
    /// By the slot's name.
    pub slots: BTreeMap<String, String>,
    /// By the kind of failure.
    pub failures: BTreeMap<String, String>,
    /// By where a value comes from.
    pub from: BTreeMap<String, String>,
    /// By the field that says so.
    pub able: BTreeMap<String, String>,
    /// By what the ledger says.
    pub standing: BTreeMap<String, String>,
    /// By the part of a case that differs.
    pub part: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpendingTexts {
    pub days: String,
    pub own: String,
    pub own_part: String,
    pub nothing: String,
    pub group: String,
    pub calls: String,
    pub tokens: String,
    pub money: String,
    pub doubts: String,
    pub total: String,
    pub nobody: String,
    pub open: String,
    pub estimated: String,
    pub unpriced: String,
    pub truncated: String,
    pub budget: String,
    pub state: String,
    pub of_cap: String,
    pub no_cap: String,
    /// By the window's name.
    pub windows: BTreeMap<String, String>,
    pub states: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeysTexts {
    pub provider: String,
    pub key: String,
    pub origin: String,
    pub verdict: String,
    pub checked: String,
    pub ask_secret: String,
    pub set: String,
    pub not_approved: String,
    pub removed: String,
    pub none: String,
    pub accepted: String,
    pub refused: String,
    pub unreachable: String,
    pub unapproved: String,
    pub used: String,
    pub missing: String,
    pub without: String,
    /// By whose key it is.
    pub holders: BTreeMap<String, String>,
    /// By what became of a source.
    pub states: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationTexts {
    pub never: String,
    pub going: String,
    pub progress: String,
    pub unreadable: String,
    pub row: String,
    pub done: String,
    pub certificate: String,
    pub then: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemsTexts {
    pub name: String,
    pub origin: String,
    pub credential: String,
    pub allowed: String,
    pub aliases: String,
    pub yes: String,
    pub no: String,
    pub head: String,
    pub any_path: String,
    pub covered: String,
    pub uncovered: String,
    pub set: String,
    pub removed: String,
    pub ask_secret: String,
    pub credential_set: String,
    pub credential_removed: String,
    pub reached: String,
    pub redirected: String,
    pub not_reached: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditTexts {
    pub number: String,
    pub kind: String,
    pub who: String,
    pub content: String,
    /// Of records.
    pub kinds: BTreeMap<String, String>,
    pub verified: String,
    pub consistent: String,
    pub receipt_verified: String,
    pub receipt_consistent: String,
    pub no_key: String,
    pub tail: String,
    pub failed: String,
    pub saved: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoctorTexts {
    pub ok: String,
    pub warn: String,
    pub fail: String,
    pub summary: String,
    /// By subject.
    pub names: BTreeMap<String, String>,
    pub advice: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServeTexts {
    pub listening: String,
    pub setup: String,
    pub exposed: String,
    pub stopping: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoTexts {
    pub link: String,
    pub other_port: String,
    pub ready: String,
    pub tour: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GhostTexts {
    pub service: String,
    pub site: String,
    pub stop: String,
    pub passed_over: String,
    pub head_id: String,
    pub head_turns: String,
    pub head_tags: String,
    pub head_title: String,
    pub tally: String,
    pub kill: String,
    pub kills: String,
    pub origin: String,
    pub part: String,
    pub transitions: String,
    pub gate_answers: String,
    pub deny_codes: String,
    pub unreachable: String,
    pub refuted: String,
    pub wrote: String,
}

impl Texts {
    pub fn of(language: Lang) -> Result<Self, TextsError> {
        let text = match language {
            Lang::Ko => KO,
            Lang::En => EN,
        };
        toml::from_str(text)
            .map_err(|error| TextsError { language, reason: error.message().to_owned() })
    }
}

/// `{name}` becomes its value; what is not named stays.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let named = behind.split_once('}').and_then(|(name, after)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, after))
        });
        if let Some((value, after)) = named {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = behind;
        }
    }
    filled.push_str(rest);
    filled
}

/// `--language` before anything is parsed, since help and errors speak it too; then what was chosen
/// once, then the locale.
pub fn language_of<'a>(
    arguments: impl Iterator<Item = &'a str>,
    chosen: Option<Lang>,
    locale: Option<&str>,
) -> Lang {
    let mut asked = None;
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--language" {
            asked = arguments.peek().copied();
        } else if let Some(code) = argument.strip_prefix("--language=") {
            asked = Some(code);
        }
    }
    let korean = locale.is_some_and(|locale| locale.starts_with("ko"));
    let of_locale = if korean { Lang::Ko } else { Lang::En };
    asked.and_then(Lang::parse).or(chosen).unwrap_or(of_locale)
}

#[cfg(test)]
mod tests {
    use super::{EN, KO, Texts, fill, language_of};
    use std::collections::BTreeMap;
    use toml::{Table, Value};
    use wiiiv_domain::Lang;

    fn leaves(table: &Table, prefix: &str, found: &mut BTreeMap<String, String>) {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            match value {
                Value::Table(inner) => leaves(inner, &format!("{key}/"), found),
                other => {
                    found.insert(key, other.as_str().unwrap().to_owned());
                }
            }
        }
    }

    fn placeholders(text: &str) -> BTreeMap<String, Vec<String>> {
        let mut found = BTreeMap::new();
        leaves(&text.parse().unwrap(), "", &mut found);
        let names = |text: String| {
            let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
            let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            let names = parts.map(|(name, _)| name).filter(is_name).filter(|name| !name.is_empty());
            let mut names: Vec<String> = names.map(str::to_owned).collect();
            names.sort();
            names
        };
        found.into_iter().map(|(key, text)| (key, names(text))).collect()
    }

    #[test]
    fn both_languages_say_the_same_things_of_the_same_values() {
        for language in Lang::ALL {
            Texts::of(language).unwrap();
        }
        assert_eq!(placeholders(KO), placeholders(EN));
    }

    #[test]
    fn values_are_filled_in_once() {
        let values = [("a", "{b}"), ("b", "2")];
        assert_eq!(fill("{a} {b} {c} {", &values), "{b} 2 {c} {");
        assert_eq!(fill("가{b}나", &values), "가2나");
    }

    #[test]
    fn the_language_is_asked_for_or_the_locales() {
        for (arguments, chosen, locale, expected) in [
            (vec!["chat", "--language", "ko"], Some(Lang::En), Some("en_US.UTF-8"), Lang::Ko),
            (vec!["--language=en"], None, Some("ko_KR.UTF-8"), Lang::En),
            (vec![], None, Some("ko_KR.UTF-8"), Lang::Ko),
            (vec![], Some(Lang::Ko), Some("C"), Lang::Ko),
            (vec!["--language", "fr"], None, None, Lang::En),
            (vec![], None, Some("C"), Lang::En),
        ] {
            assert_eq!(language_of(arguments.into_iter(), chosen, locale), expected);
        }
    }
}
