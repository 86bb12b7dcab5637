//! Errors of a command line, in the reader's language.

use crate::short_id::{DIGITS_MIN, NoId};
use crate::texts::{Texts, UsageTexts, fill};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::io::Write as _;
use wiiiv_vault::mask;

/// Before a usage line as the parser writes it.
const HEADING: &str = "Usage: ";
/// As the parser of numbers says what it takes.
const RANGE: &str = " is not in ";
/// As `args::words::instant` says it.
const INSTANT: &str = " is no time nor in ";
/// At the end of a usage line: it takes one text, and no list of words.
const ONE_TEXT: &str = " <TEXT>";
/// A longer word is shown by its ends alone.
const COVERED_CHARS_MIN: usize = 16;

/// Help goes to standard output as it is: its texts are in the reader's language already.
pub fn print(error: &Error, texts: &Texts) {
    let _unwritten = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        _ => writeln!(std::io::stderr(), "{}", text(error, texts)),
    };
}

fn text(error: &Error, texts: &Texts) -> String {
    let usage = &texts.usage;
    let mut lines = vec![fill(&texts.failure.prefix, &[("what", &what(error, usage))])];
    lines.extend(allowed(error, usage));
    if let Some(name) = similar(error) {
        lines.push(format!("\n  {}", fill(&usage.similar, &[("name", &name)])));
    }
    if let Some(usage_line) = one(error, ContextKind::Usage) {
        let line = usage_line.strip_prefix(HEADING).unwrap_or(&usage_line);
        lines.push(format!("\n{} {line}", usage.heading));
    }
    lines.push(format!("\n{}", usage.more));
    lines.join("\n")
}

fn what(error: &Error, usage: &UsageTexts) -> String {
    let named = |kind| one(error, kind).unwrap_or_default();
    let arg = shown(named(ContextKind::InvalidArg));
    let value = shown(named(ContextKind::InvalidValue));
    let of_arg = |template: &str| fill(template, &[("arg", &arg), ("value", &value)]);
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => of_arg(&usage.no_value),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => of_arg(&usage.invalid_value),
        ErrorKind::UnknownArgument => of_arg(&usage.unexpected),
        ErrorKind::InvalidSubcommand => {
            let command = named(ContextKind::InvalidSubcommand);
            fill(&usage.unknown_command, &[("command", &command)])
        }
        ErrorKind::MissingRequiredArgument => of_arg(&usage.required),
        ErrorKind::MissingSubcommand => usage.missing_command.clone(),
        ErrorKind::ArgumentConflict => {
            let others = named(ContextKind::PriorArg);
            fill(&usage.conflict, &[("arg", &arg), ("others", &others)])
        }
        ErrorKind::TooManyValues => of_arg(&usage.too_many_values),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::NoEquals => {
            of_arg(&usage.no_value)
        }
        ErrorKind::InvalidUtf8 => usage.not_utf8.clone(),
        // Kinds of a later parser.
        _ => usage.unreadable.clone(),
    }
}

/// What stands where nothing of the kind is taken may be a secret that belongs to standard input.
fn shown(text: String) -> String {
    let is_place = text.starts_with('-') || text.starts_with('<') || text.contains(['/', ' ']);
    if is_place || text.chars().count() < COVERED_CHARS_MIN { text } else { mask(&text) }
}

/// What would have been taken.
fn allowed(error: &Error, usage: &UsageTexts) -> Option<String> {
    if let Some(values) = one(error, ContextKind::ValidValue).filter(|values| !values.is_empty()) {
        return Some(format!("  {}", fill(&usage.possible, &[("values", &values)])));
    }
    if error.kind() == ErrorKind::UnknownArgument && is_a_word_more(error) {
        return Some(format!("  {}", usage.quote));
    }
    let reason = error.source()?.to_string();
    if reason == NoId.to_string() {
        let digits = DIGITS_MIN.to_string();
        return Some(format!("  {}", fill(&usage.id, &[("digits", &digits)])));
    }
    let forms = [(RANGE, &usage.range), (INSTANT, &usage.instant)];
    forms.into_iter().find_map(|(form, template)| {
        let (_, range) = reason.rsplit_once(form)?;
        Some(format!("  {}", fill(template, &[("range", range)])))
    })
}

/// Behind the one text that the command takes.
fn is_a_word_more(error: &Error) -> bool {
    let is_word = |arg: String| !arg.starts_with('-');
    let takes_one = |line: String| line.ends_with(ONE_TEXT);
    one(error, ContextKind::InvalidArg).is_some_and(is_word)
        && one(error, ContextKind::Usage).is_some_and(takes_one)
}

fn similar(error: &Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| one(error, kind))
}

/// As one text, whether the parser gives one or several.
fn one(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::StyledStrs(texts) => {
            Some(texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::help::command;
    use crate::texts::Texts;
    use wiiiv_domain::Lang;

    fn said(language: Lang, arguments: &[&str]) -> String {
        let texts = Texts::of(language).unwrap();
        let arguments = ["wiiiv"].iter().chain(arguments);
        text(&command(&texts).try_get_matches_from(arguments).unwrap_err(), &texts)
    }

    #[test]
    fn a_secret_in_the_wrong_place_is_not_said_back() {
        let secret = "sk-CANARY-0123456789abcdef";
        for arguments in [&["keys", "set", "openai", secret][..], &["keys", "set", secret]] {
            for language in Lang::ALL {
                let told = said(language, arguments);
                assert!(!told.contains("CANARY") && told.contains("sk-****cdef"), "{told}");
            }
        }
    }

    #[test]
    fn each_mistake_is_named_in_both_languages() {
        for (arguments, korean, english, named) in [
            (&["frobnicate"][..], "없는 명령", "no such command", "frobnicate"),
            (&["sessions", "list", "--nope"], "알 수 없는 인자", "unexpected argument", "--nope"),
            (&["policy", "set", "a.json"], "빠졌습니다", "missing: ", "--reason"),
            (&["approvals", "show", "x"], "쓸 수 없는 값", "invalid value", "'x'"),
            (&["approvals", "list", "--state", "x"], "쓸 수 있는 값", "possible values", "pending"),
            (&["approvals", "list", "--state"], "값이 필요합니다", "needs a value", "--state"),
            (&["ghost", "run", "--jobs", "99"], "범위", "range", "1..=64"),
            (&["ghost", "run", "--sample", "0"], "범위", "range", "1..=4294967295"),
            (&["policy", "diff", "a.json", "--replay", "91d"], "범위", "range", "0..=90"),
            (&["policy", "override", "show", "abcd", "--replay", "x"], "범위", "range", "0..=90"),
            (&["policy", "override", "propose", "a", "--for", "73h"], "범위", "range", "1m..=72h"),
            (&["policy", "override", "propose", "a", "--scope", "x"], "값", "values", "FILE_WRITE"),
            (&["policy", "override", "approve"], "빠졌습니다", "missing: ", "<OVERRIDE>"),
            (&["approvals", "grant", "abcd", "--uses", "101"], "범위", "range", "1..=100"),
            (&["approvals", "grant", "abcd", "--lasts", "31d"], "범위", "range", "1m..=30d"),
            (&["approvals", "grant", "abcd", "--from", "noon"], "시각", "RFC 3339", "1h..=100000d"),
            (&["approvals", "grant", "abcd", "--from", "0h"], "RFC 3339", "a time", "1h..=100000d"),
            (&["approvals", "delegate", "a", "--from", "0d"], "RFC 3339", "a time", "1h..=100000d"),
            (&["approvals", "delegate", "a", "--until", "100001d"], "시각", "RFC 3339", "=100000d"),
            (&["chat", "hi", "--seen", "x"], "범위", "range", "0..=18446744073709551615"),
            (&["rollout", "review", "x", "right"], "범위", "range", "0..=18446744073709551615"),
            (&["chat", "--session", "--continue"], "값이 필요합니다", "needs a value", "--session"),
            (&["--json"], "명령이 빠졌습니다", "command is missing", "wiiiv"),
            (&["rag", "show", "zzz"], "16진수 자리를 4개", "at least 4 of its", "'zzz'"),
            (&["rag", "search", "휴가", "서울"], "따옴표로", "put quotes", "'서울'"),
            (&["chat", "a", "b"], "알 수 없는 인자", "unexpected argument", "'b'"),
            (
                &["audit", "verify", "f", "--key", "k", "--allow-unsigned"],
                "함께 쓸 수 없습니다",
                "cannot be used",
                "--allow-unsigned",
            ),
        ] {
            for (language, words) in [(Lang::Ko, korean), (Lang::En, english)] {
                let said = said(language, arguments);
                assert!(said.contains(words) && said.contains(named), "{arguments:?}: {said}");
            }
        }
    }

    #[test]
    fn a_near_miss_is_guessed_and_nothing_is_left_in_english() {
        let said = said(Lang::Ko, &["aprovals", "list"]);
        assert!(said.contains("`approvals`") && said.contains("사용법: wiiiv"), "{said}");
        for word in ["error", "Usage", "tip", "For more", "unexpected"] {
            assert!(!said.contains(word), "{word}: {said}");
        }
    }
}
