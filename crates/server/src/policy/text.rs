//! A policy as TOML, as in `policies/profiles/`.

use wiiiv_domain::ProjectPolicy;

/// Where a text is no policy, and why. Both from 1; columns are counted in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFault {
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) message: String,
}

/// What is `None` is left out: no cap, no rule.
pub(crate) fn write(policy: &ProjectPolicy) -> Result<String, toml::ser::Error> {
    toml::to_string_pretty(policy)
}

pub(crate) fn read(text: &str) -> Result<ProjectPolicy, TextFault> {
    toml::from_str(text).map_err(|error| TextFault {
        place: error.span().map(|span| place(text, span.start)),
        message: error.message().to_owned(),
    })
}

/// Where a place of the fine rules stands in the text around them; `None` where they are not written there
/// as they are read, as in a text of one line with escapes.
pub(crate) fn place_of_rule(text: &str, (line, column): (usize, usize)) -> Option<(usize, usize)> {
    let Around { fine_rules } = toml::from_str(text).ok()?;
    let (span, rules) = (fine_rules.span(), fine_rules.into_inner());
    let start = span.start + text.get(span)?.find(&rules)?;
    let (first, beside) = place(text, start);
    if line == 1 { Some((first, beside + column - 1)) } else { Some((first + line - 1, column)) }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Around {
    fine_rules: toml::Spanned<String>,
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PROFILE: &str = include_str!("../../../../policies/profiles/default.toml");

    fn fault(text: &str) -> (Option<(usize, usize)>, String) {
        let TextFault { place, message } = read(text).expect_err("refused");
        (place, message)
    }

    #[test]
    fn what_is_written_is_read_back_whole() {
        let mut policy = read(PROFILE).expect("a policy");
        let rule = json!({"host": "*.a.test", "private": true, "readOperations": ["POST /x/{}"]});
        policy.allowed_hosts = vec![serde_json::from_value(rule).expect("a rule")];
        policy.llm_base_url = Some("http://127.0.0.1:1/\"v1\"".to_owned());
        policy.token_budget.per_day = None;
        let price = json!({"currency": "KRW", "tiers": [{"fromInputTokens": 0,
            "inputMicrosPerMillion": 1, "outputMicrosPerMillion": 2}]});
        let price = serde_json::from_value(price).expect("a price");
        policy.model_prices.insert("CUSTOM:a b".to_owned(), price);
        let text = write(&policy).expect("text");
        assert_eq!(read(&text), Ok(policy), "{text}");
    }

    #[test]
    fn a_fault_stands_with_line_and_column() {
        let (place, message) = fault("version = 1\nallowedPaths = [\n");
        assert!(place.is_some_and(|(line, _)| line >= 2), "{place:?} {message}");
        let odd = PROFILE.replace("llmProvider = \"OFFLINE\"", "한글 = 1");
        assert!(fault(&odd).0.is_some(), "a bare key is ASCII");
        let odd = PROFILE.replace("by = \"requester\"", "by = \"no one\"");
        let (place, message) = fault(&odd);
        let line = odd.lines().position(|line| line.contains("no one")).expect("there") + 1;
        assert_eq!((place, message.contains("no one")), (Some((line, 6)), true), "{message}");
    }

    #[test]
    fn a_place_in_the_rules_is_one_in_the_text_around_them() {
        let rules = "// 한글\n@id(\"x\")\nforbid (principal, action, resource);\n";
        let mut policy = read(PROFILE).expect("a policy");
        policy.fine_rules = rules.to_owned();
        let text = write(&policy).expect("text");
        assert_eq!(read(&text), Ok(policy), "{text}");
        let line = text.lines().position(|line| line.starts_with("forbid")).expect("there") + 1;
        assert_eq!(place_of_rule(&text, (3, 8)), Some((line, 8)), "{text}");
        let escaped = format!("{PROFILE}\n").replacen(
            "version = 1",
            "version = 1\nfineRules = \"// a\\nforbid\"",
            1,
        );
        assert_eq!(place_of_rule(&escaped, (2, 1)), None);
    }

    #[test]
    fn an_unknown_key_is_named_where_it_stands() {
        for (at, added) in [("[approval.risky]", "bypass = true\n"), ("dacsStage", "bypass = 1\n")]
        {
            let odd = PROFILE.replacen(at, &format!("{added}{at}"), 1);
            let (place, message) = fault(&odd);
            let line = odd.lines().position(|line| line.contains("bypass")).expect("there") + 1;
            assert_eq!(place, Some((line, 1)), "{message}");
            assert!(message.contains("unknown field `bypass`"), "{message}");
        }
    }
}
